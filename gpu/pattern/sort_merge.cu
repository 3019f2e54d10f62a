// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.sort/merge: blocks sort tiles, then passes merge sorted runs in pairs, each twice as long as before.
//
// Where two runs merge, the first d results consist of the first a of one run and the first d - a of the other, and a
// is found by a binary search along the merge path: so any stretch of the results can be made by itself. Here each
// thread makes 11 results, and each block a tile of them: in a tile first from 11 keys that a thread has sorted in
// registers by odd-even transposition, by runs in shared memory; then from runs in global memory, of which the parts
// that make the tile are loaded to shared memory. A kernel of its own searches where the tiles of a pass begin.
// Stable: equal keys come from the first run before the second, and adjacent keys swap only when the later one is
// smaller. Between the first pass and the last, keys are unsigned words of the same order (samebits/prim/keys.cuh). A
// tile that is not full is filled with the largest word after its keys, where it stays.
// Source: O. Green, R. McColl and D. Bader, "GPU merge path" (2012).
// Shared memory: keys and values of a tile, at most 33 KiB; the odd number of keys of each thread avoids bank
// conflicts.
// Cost: log2(n / 2816) + 1 passes, each of which reads and writes everything once; workspace for a copy of keys and
// values and 8 bytes for each tile.
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <samebits/prim/keys.cuh>
#include <samebits/prim/workspace.cuh>

enum {
    THREADS = 256, // a power of two: a tile's runs merge in pairs without remainder
    EACH = 11,     // keys of a thread: odd, for the banks; not tuned
    TILE = THREADS * EACH
};

static const uint64_t MAX_GRID = 0x7fffffff; // blocks in x: a limit of CUDA

// How many of the first `results` results of merging the runs a and b come from a.
template <typename Word, typename Size>
static __device__ Size merge_path(const Word *a, Size a_count, const Word *b, Size b_count, Size results)
{
    Size low = results > b_count ? results - b_count : 0, high = results < a_count ? results : a_count;

    while (low < high) {
        Size middle = low + (high - low) / 2;

        if (a[middle] <= b[results - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

namespace
{

// The part of a tile that a thread holds in registers.
template <typename Word, bool PAIRS> struct thread_items {
    Word key[EACH];
    uint32_t value[PAIRS ? EACH : 1];

    __device__ void sort()
    {
#pragma unroll
        for (unsigned round = 0; round < EACH; round++)
#pragma unroll
            for (unsigned i = round % 2; i + 1 < EACH; i += 2)
                if (key[i + 1] < key[i])
                    swap(i);
    }

    __device__ void pad(unsigned i)
    {
        key[i] = ~(Word)0;
        if (PAIRS)
            value[i] = 0;
    }

    __device__ void swap(unsigned i)
    {
        Word other = key[i];

        key[i] = key[i + 1];
        key[i + 1] = other;
        if (PAIRS) {
            uint32_t other_value = value[i];

            value[i] = value[i + 1];
            value[i + 1] = other_value;
        }
    }
};

template <typename Word, bool PAIRS> struct tile {
    Word key[TILE];
    uint32_t value[PAIRS ? TILE : 1];

    __device__ void take(unsigned i, unsigned at, thread_items<Word, PAIRS> &items) const
    {
        items.key[i] = key[at];
        if (PAIRS)
            items.value[i] = value[at];
    }

    __device__ void put(const thread_items<Word, PAIRS> &items)
    {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            key[threadIdx.x * EACH + i] = items.key[i];
            if (PAIRS)
                value[threadIdx.x * EACH + i] = items.value[i];
        }
    }

    // The thread's EACH results from result `skipped` on, of merging the runs that begin at a and at b. Past the last
    // result the items are padded.
    __device__ void merge(unsigned a, unsigned a_count, unsigned b, unsigned b_count, unsigned skipped,
                          thread_items<Word, PAIRS> &items) const
    {
        unsigned from_a = merge_path(key + a, a_count, key + b, b_count, skipped);
        unsigned a_end = a + a_count, b_end = b + b_count;

        a += from_a;
        b += skipped - from_a;
#pragma unroll
        for (unsigned i = 0; i < EACH; i++) {
            if (a < a_end && (b == b_end || key[a] <= key[b]))
                take(i, a++, items);
            else if (b < b_end)
                take(i, b++, items);
            else
                items.pad(i);
        }
    }

    // Writes the first `count` keys and values, turned back to what they were if this pass is the last.
    __device__ void store(unsigned count, sb::key_order order, bool last, Word *keys, uint32_t *values) const
    {
        for (unsigned i = threadIdx.x; i < count; i += THREADS) {
            keys[i] = last ? sb::from_ordered(key[i], order) : key[i];
            if (PAIRS)
                values[i] = value[i];
        }
    }
};

// Two adjacent runs of at most `width` keys, of which the pair's results `first` and after are wanted.
struct pair {
    uint64_t begin, a_count, b_count;

    __device__ pair(uint64_t n, uint64_t width, uint64_t first)
    {
        begin = first / (2 * width) * (2 * width);
        a_count = n - begin < width ? n - begin : width;
        b_count = n - begin - a_count < width ? n - begin - a_count : width;
    }
};

} // namespace

template <typename Word, bool PAIRS>
static __global__ void __launch_bounds__(THREADS)
    sort_tiles(const Word *keys, const uint32_t *values, uint64_t n, sb::key_order order, bool last, Word *sorted_keys,
               uint32_t *sorted_values)
{
    __shared__ tile<Word, PAIRS> tile;
    thread_items<Word, PAIRS> items;
    uint64_t first = (uint64_t)blockIdx.x * TILE;
    unsigned count = n - first < TILE ? (unsigned)(n - first) : (unsigned)TILE;

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        unsigned at = i * THREADS + threadIdx.x;

        tile.key[at] = at < count ? sb::to_ordered(keys[first + at], order) : ~(Word)0;
        if (PAIRS)
            tile.value[at] = at < count ? values[first + at] : 0;
    }
    __syncthreads(); // the tile is loaded
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        tile.take(i, threadIdx.x * EACH + i, items);
    items.sort();
    tile.put(items); // over the keys that this thread took
    for (unsigned width = EACH; width < TILE; width *= 2) {
        unsigned pair = threadIdx.x * EACH / (2 * width) * (2 * width);

        __syncthreads(); // all threads have written the runs
        tile.merge(pair, width, pair + width, width, threadIdx.x * EACH - pair, items);
        __syncthreads(); // all threads have read the runs
        tile.put(items);
    }
    __syncthreads(); // the tile is sorted
    tile.store(count, order, last, sorted_keys + first, PAIRS ? sorted_values + first : nullptr);
}

// One thread for each tile: how many of the results of its pair before the tile come from the first run.
template <typename Word>
static __global__ void __launch_bounds__(THREADS)
    split_runs(const Word *keys, uint64_t n, uint64_t width, uint64_t tiles, uint64_t *split)
{
    uint64_t at = (uint64_t)blockIdx.x * THREADS + threadIdx.x, first = at * TILE;

    if (at >= tiles)
        return;
    pair runs(n, width, first);
    const Word *a = keys + runs.begin, *b = a + runs.a_count;

    split[at] = merge_path(a, runs.a_count, b, runs.b_count, first - runs.begin);
}

template <typename Word, bool PAIRS>
static __global__ void __launch_bounds__(THREADS)
    merge_runs(const Word *keys, const uint32_t *values, uint64_t n, uint64_t width, const uint64_t *split,
               sb::key_order order, bool last, Word *merged_keys, uint32_t *merged_values)
{
    __shared__ tile<Word, PAIRS> tile;
    thread_items<Word, PAIRS> items;
    uint64_t first = (uint64_t)blockIdx.x * TILE;
    pair runs(n, width, first);
    uint64_t begin = first - runs.begin, results = runs.a_count + runs.b_count;
    uint64_t end = results - begin < TILE ? results : begin + TILE;
    uint64_t a = split[blockIdx.x], b = begin - a;
    unsigned count = (unsigned)(end - begin);
    unsigned a_count = (unsigned)((end == results ? runs.a_count : split[blockIdx.x + 1]) - a);

    a += runs.begin;
    b += runs.begin + runs.a_count;
    for (unsigned i = threadIdx.x; i < count; i += THREADS) {
        uint64_t from = i < a_count ? a + i : b + (i - a_count);

        tile.key[i] = keys[from];
        if (PAIRS)
            tile.value[i] = values[from];
    }
    __syncthreads(); // both parts are loaded
    unsigned skipped = threadIdx.x * EACH < count ? threadIdx.x * EACH : count;
    tile.merge(0, a_count, a_count, count - a_count, skipped, items);
    __syncthreads(); // all threads have read the parts
    tile.put(items);
    __syncthreads(); // all threads have written their results
    tile.store(count, order, last, merged_keys + first, PAIRS ? merged_values + first : nullptr);
}

static uint64_t tile_count(uint64_t n)
{
    return sb::divide_up(n, TILE);
}

namespace
{

// The arrays of the workspace, all null where one tile takes all keys.
struct spare {
    uint64_t *split; // for each tile of a pass: how many of its pair's results before it come from the first run
    void *keys;
    uint32_t *values;
};

} // namespace

// Sets the pointers, and returns the bytes.
static uint64_t lay_out(spare *s, uint64_t n, uint64_t key_size, uint64_t values, void *workspace)
{
    sb::workspace space(workspace);

    *s = {};
    if (tile_count(n) <= 1)
        return 0;
    s->split = space.take<uint64_t>(tile_count(n));
    s->keys = space.take<char>(n * key_size);
    s->values = space.take<uint32_t>(values, sizeof(uint64_t));
    return space.bytes();
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return tile_count(inputs[SB_SORT_KEYS].length) > MAX_GRID ? "more tiles than blocks in a grid" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    spare s;

    return lay_out(&s, inputs[SB_SORT_KEYS].length, parameters[SB_SORT_TYPE] == SB_U64 ? 8 : 4,
                   inputs[SB_SORT_VALUES].length, nullptr);
}

template <typename Word, bool PAIRS>
static sb_status launch_sort(const sb_array *inputs, sb::key_order order, sb_array *outputs, void *workspace)
{
    uint64_t n = inputs[SB_SORT_KEYS].length, tiles = tile_count(n), passes = 0;
    spare s;

    lay_out(&s, n, sizeof(Word), inputs[SB_SORT_VALUES].length, workspace);
    Word *keys[2] = {(Word *)outputs[SB_SORT_KEYS].data, (Word *)s.keys};
    uint32_t *values[2] = {(uint32_t *)outputs[SB_SORT_VALUES].data, s.values};

    if (n == 0)
        return SB_OK;
    for (uint64_t width = TILE; width < n; width *= 2)
        passes++;
    // Each pass goes from one side to the other; the last must end in the outputs, side 0.
    unsigned side = passes % 2;

    sort_tiles<Word, PAIRS><<<(unsigned)tiles, THREADS>>>((const Word *)inputs[SB_SORT_KEYS].data,
                                                          (const uint32_t *)inputs[SB_SORT_VALUES].data, n, order,
                                                          passes == 0, keys[side], values[side]);
    for (uint64_t width = TILE; width < n; width *= 2, side ^= 1) {
        split_runs<Word><<<(unsigned)(tiles / THREADS + 1), THREADS>>>(keys[side], n, width, tiles, s.split);
        merge_runs<Word, PAIRS><<<(unsigned)tiles, THREADS>>>(keys[side], values[side], n, width, s.split, order,
                                                              2 * width >= n, keys[side ^ 1], values[side ^ 1]);
    }
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

template <typename Word>
static sb_status launch_word(bool pairs, const sb_array *inputs, sb::key_order order, sb_array *outputs,
                             void *workspace)
{
    return pairs ? launch_sort<Word, true>(inputs, order, outputs, workspace)
                 : launch_sort<Word, false>(inputs, order, outputs, workspace);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    bool pairs = parameters[SB_SORT_PAIRS] != 0;

    switch (parameters[SB_SORT_TYPE]) {
    case SB_U32:
        return launch_word<uint32_t>(pairs, inputs, sb::UNSIGNED_ORDER, outputs, workspace);
    case SB_I32:
        return launch_word<uint32_t>(pairs, inputs, sb::SIGNED_ORDER, outputs, workspace);
    case SB_F32:
        return launch_word<uint32_t>(pairs, inputs, sb::FLOAT_ORDER, outputs, workspace);
    case SB_U64:
        return launch_word<uint64_t>(pairs, inputs, sb::UNSIGNED_ORDER, outputs, workspace);
    }
    return SB_INVALID;
}

extern "C" const sb_variant sb_gpu_pattern_sort_merge[] = {
    {"pattern.sort", "merge", "blocks sort tiles, passes merge runs along merge paths", refuses, workspace_bytes,
     launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
