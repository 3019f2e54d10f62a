// SPDX-License-Identifier: BSD-2-Clause
//
// mergesort: keys of any type in the order of any comparison, with or without values. Stable.
//
// Blocks sort tiles: each thread sorts its adjacent keys in registers by odd-even transposition, then runs in shared memory
// merge in pairs. After that each pass merges runs in pairs, each twice as long as before, a tile a block as in merge.cuh;
// a kernel of its own searches where the tiles of a pass begin. In a tile keys carry their index, and values follow it at
// the end.
// Source: O. Green, R. McColl and D. Bader, "GPU merge path" (2012).
// Cost: log2(n / SIZE) + 1 passes, each of which reads and writes everything once; scratch memory for a copy of keys and
// values, and 8 bytes a tile.
#ifndef SAMEBITS_PATTERN_MERGESORT_CUH
#define SAMEBITS_PATTERN_MERGESORT_CUH

#include <samebits/pattern/merge.cuh>
#include <samebits/prim/load_balance.cuh>

namespace sb
{

// THREADS must be a power of two: a tile's runs merge in pairs without remainder. Odd EACH: no bank conflicts. Not tuned.
template <unsigned BYTES> struct sort_tune : tune<256, BYTES <= 8 ? 11 : BYTES <= 16 ? 5 : 3> {
};

// In a thread: equal keys keep their order. The first `count` of the keys are there.
template <unsigned EACH, typename Key, typename Less>
__device__ __forceinline__ void sort_serially(Key (&key)[EACH], unsigned (&index)[EACH], unsigned count,
                                              const Less &less)
{
#pragma unroll
    for (unsigned round = 0; round < EACH; round++)
#pragma unroll
        for (unsigned i = round % 2; i + 1 < EACH; i += 2)
            if (i + 1 < count && less(key[i + 1], key[i])) {
                Key other = key[i];
                unsigned other_index = index[i];

                key[i] = key[i + 1], index[i] = index[i + 1];
                key[i + 1] = other, index[i + 1] = other_index;
            }
}

// Sorts the first `count` keys of `keys`, shared memory that a barrier has filled. Afterwards index[i] is where the thread's
// key i was, if INDEXED; without, `indices` is not used. Ends with a barrier. All threads call.
template <typename Tune, bool INDEXED, typename Key, typename Less, unsigned INDICES>
__device__ __forceinline__ void sort_tile(unsigned count, const Less &less, unsigned (&index)[Tune::EACH],
                                          Key (&keys)[Tune::SIZE], unsigned (&indices)[INDICES])
{
    static_assert(INDICES == (INDEXED ? Tune::SIZE : 1), "an index for each key, or none");
    static_assert((Tune::THREADS & (Tune::THREADS - 1)) == 0, "runs merge in pairs without remainder");
    const unsigned mine = threadIdx.x * Tune::EACH, left = count > mine ? count - mine : 0;
    Key key[Tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        index[i] = mine + i;
        if (i < left)
            key[i] = keys[mine + i];
    }
    sort_serially(key, index, left, less);
    for (unsigned width = Tune::EACH; width < Tune::SIZE; width *= 2) {
        const unsigned pair = mine / (2 * width) * (2 * width), begin = pair < count ? pair : count;
        const unsigned middle = pair + width < count ? pair + width : count;
        const unsigned end = pair + 2 * width < count ? pair + 2 * width : count;
        const unsigned skipped = mine < count ? mine - begin : end - begin;
        unsigned at[Tune::EACH];
        const Key *all = keys;

#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) // over the keys that this thread took
            if (i < left) {
                keys[mine + i] = key[i];
                if (INDEXED)
                    indices[mine + i] = index[i];
            }
        __syncthreads(); // all threads have written the runs
        unsigned a = merge_path(all + begin, middle - begin, all + middle, end - middle, skipped, less);

        merge_serially(all, begin + a, middle, middle + skipped - a, end, less, key, at);
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (INDEXED && i < left)
                index[i] = indices[at[i]];
        __syncthreads(); // all threads have read the runs
    }
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        if (i < left)
            keys[mine + i] = key[i];
    __syncthreads(); // the tile is sorted
}

template <typename Tune, typename Keys, typename Values, typename Less, typename Key, typename Value>
__global__ void __launch_bounds__(Tune::THREADS)
    sort_tiles_kernel(Keys keys, Values values, uint64_t n, Less less, Key *sorted, Value *sorted_values)
{
    constexpr bool INDEXED = !std::is_same<Values, no_values>::value;
    __shared__ Key buffer[Tune::SIZE];
    __shared__ unsigned indices[INDEXED ? Tune::SIZE : 1];
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const unsigned count = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;
    unsigned index[Tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            buffer[at] = keys[first + at];
    }
    __syncthreads(); // the tile is loaded
    sort_tile<Tune, INDEXED>(count, less, index, buffer, indices);
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            sorted[first + at] = buffer[at];
    }
    if constexpr (INDEXED) {
        __shared__ Value moved[Tune::SIZE];

        merge_values<Tune>([&](unsigned at) -> Value { return values[first + at]; }, count, index, moved, first,
                           sorted_values);
    }
}

// Two adjacent runs of at most `width` keys of n, of which the pair's results from key `first` on are wanted.
struct pair_of_runs {
    uint64_t begin, a_count, b_count;

    __device__ pair_of_runs(uint64_t n, uint64_t width, uint64_t first)
    {
        begin = first / (2 * width) * (2 * width);
        a_count = n - begin < width ? n - begin : width;
        b_count = n - begin - a_count < width ? n - begin - a_count : width;
    }
};

// One thread for each tile: how many of the results of its pair before the tile come from the first run.
template <typename Key, typename Less>
__global__ void __launch_bounds__(SPLIT_THREADS)
    split_runs_kernel(const Key *keys, uint64_t n, uint64_t width, Less less, uint64_t tiles, unsigned size,
                      uint64_t *split)
{
    uint64_t tile = (uint64_t)blockIdx.x * SPLIT_THREADS + threadIdx.x, first = tile * size;

    if (tile >= tiles)
        return;
    pair_of_runs runs(n, width, first);
    const Key *a = keys + runs.begin, *b = a + runs.a_count;

    split[tile] = merge_path(a, runs.a_count, b, runs.b_count, first - runs.begin, less);
}

template <typename Tune, typename Key, typename Value, typename Less>
__global__ void __launch_bounds__(Tune::THREADS)
    merge_runs_kernel(const Key *keys, const Value *values, uint64_t n, uint64_t width, Less less,
                      const uint64_t *split, Key *merged, Value *merged_values)
{
    __shared__ Key buffer[Tune::SIZE];
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const pair_of_runs runs(n, width, first);
    const uint64_t begin = first - runs.begin, results = runs.a_count + runs.b_count;
    const uint64_t end = results - begin < Tune::SIZE ? results : begin + Tune::SIZE;
    const unsigned count = (unsigned)(end - begin);
    const uint64_t a_first = runs.begin + split[blockIdx.x];
    const uint64_t b_first = runs.begin + runs.a_count + (begin - split[blockIdx.x]);
    const unsigned from_a = (unsigned)((end == results ? runs.a_count : split[blockIdx.x + 1]) - split[blockIdx.x]);
    Key key[Tune::EACH];
    unsigned index[Tune::EACH];

    merge_tile<Tune>([&](unsigned at) -> Key { return keys[at < from_a ? a_first + at : b_first + (at - from_a)]; },
                     from_a, count, less, key, index, buffer);
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            merged[first + at] = buffer[at];
    }
    if constexpr (!std::is_same<Value, no_values>::value) {
        __shared__ Value moved[Tune::SIZE];

        merge_values<Tune>(
            [&](unsigned at) -> Value { return values[at < from_a ? a_first + at : b_first + (at - from_a)]; }, count,
            index, moved, first, merged_values);
    }
}

// In scratch memory; nothing where one tile takes all keys.
template <typename Key, typename Value> struct sort_scratch {
    uint64_t *split;
    Key *keys;
    Value *values;
    uint64_t bytes;
};

template <typename Key, typename Value, typename Tune>
sort_scratch<Key, Value> lay_out_sort(uint64_t count, void *memory)
{
    const uint64_t tiles = divide_up(count, Tune::SIZE);
    const bool pairs = !std::is_same<Value, no_values>::value;
    sort_scratch<Key, Value> s = {nullptr, nullptr, nullptr, 0};
    workspace space(memory);

    if (tiles <= 1)
        return s;
    s.split = space.take<uint64_t>(tiles);
    s.keys = space.take<Key>(count, 16);
    s.values = pairs ? space.take<Value>(count, 16) : nullptr;
    s.bytes = space.bytes();
    return s;
}

// Bytes of scratch memory that a sort of `count` keys, with values of type Value, needs.
template <typename Key, typename Value = no_values> uint64_t mergesort_bytes(uint64_t count)
{
    return lay_out_sort<Key, Value, sort_tune<sizeof(Key)>>(count, nullptr).bytes;
}

// `sorted` becomes the keys of a sequence in the order of `less`, and sorted_values the values that go with them. The
// sequences may be the arrays `sorted` and `sorted_values`.
template <typename Keys, typename Values, typename Key, typename Value, typename Less>
cudaError_t mergesort(Keys keys, Values values, uint64_t count, Key *sorted, Value *sorted_values, Less less,
                      const context &on)
{
    typedef sort_tune<sizeof(Key)> tuned;
    unsigned blocks;
    cudaError_t error = count_blocks<tuned::SIZE>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    scratch space(on, mergesort_bytes<Key, Value>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    auto spare = lay_out_sort<Key, Value, tuned>(count, space.memory());
    Key *side_keys[2] = {sorted, spare.keys};
    Value *side_values[2] = {sorted_values, spare.values};
    unsigned side = 0;

    for (uint64_t width = tuned::SIZE; width < count; width *= 2)
        side ^= 1; // each pass goes to the other side; the last must end in `sorted`
    sort_tiles_kernel<tuned>
        <<<blocks, tuned::THREADS, 0, on.stream>>>(keys, values, count, less, side_keys[side], side_values[side]);
    for (uint64_t width = tuned::SIZE; width < count; width *= 2, side ^= 1) {
        split_runs_kernel<<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(
            (const Key *)side_keys[side], count, width, less, blocks, tuned::SIZE, spare.split);
        merge_runs_kernel<tuned><<<blocks, tuned::THREADS, 0, on.stream>>>(
            (const Key *)side_keys[side], (const Value *)side_values[side], count, width, less, spare.split,
            side_keys[side ^ 1], side_values[side ^ 1]);
    }
    return cudaPeekAtLastError();
}

// Sorts an array of keys.
template <typename Key, typename Less> cudaError_t mergesort(Key *keys, uint64_t count, Less less, const context &on)
{
    return mergesort((const Key *)keys, no_values(), count, keys, (no_values *)nullptr, less, on);
}

// Sorts an array of keys, and an array of values the same way.
template <typename Key, typename Value, typename Less>
cudaError_t mergesort(Key *keys, Value *values, uint64_t count, Less less, const context &on)
{
    return mergesort((const Key *)keys, (const Value *)values, count, keys, values, less, on);
}

// Sorts an array of keys; index[i] becomes the index that key i had.
template <typename Key, typename Index, typename Less>
cudaError_t mergesort_indices(Key *keys, Index *index, uint64_t count, Less less, const context &on)
{
    return mergesort((const Key *)keys, numbers(), count, keys, index, less, on);
}

} // namespace sb

#endif
