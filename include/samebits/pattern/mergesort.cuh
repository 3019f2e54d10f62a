// SPDX-License-Identifier: BSD-2-Clause
//
// mergesort: keys of any type in the order of any comparison, with or without values. Stable.
//
// Blocks sort tiles, and then each pass merges runs in pairs, each twice as long as before, a tile a block as in merge.cuh;
// a kernel of its own searches where the tiles of a pass begin. Many keys of 4 bytes merge four runs at a time: a block merges two
// stretches and two others in shared memory, and then these, so that half as many passes read and write memory. There are two ways to do both:
//
//   keys          Keys alone whose order is that of unsigned words (ordered_words below) travel as such words. Equal words
//                 are the same, so nothing shows whether a sort is stable, and networks can sort them: a warp sorts its part
//                 of a tile in registers; then, as in the passes, each thread finds its part of the result on the merge
//                 path, takes the keys of one run in ascending and those of the other in descending order, and sorts this
//                 bitonic sequence in registers. So no load waits for a comparison
//   all others    Each thread sorts adjacent keys in registers by odd-even transposition, then runs in shared memory merge
//                 in pairs; a thread merges its part serially. In a tile keys carry their index, and values follow it at the
//                 end
//
// Source: O. Green, R. McColl and D. Bader, "GPU merge path" (2012); the networks: K. E. Batcher, "Sorting networks and
// their applications" (1968).
// Measured: docs/MEASUREMENTS.md.
// Cost: log2(n / SIZE) + 1 passes, or half as many, each of which reads and writes everything once; scratch memory for a copy of keys
// and values, and 8 bytes a tile, or 32. SIZE is 8192 for keys alone of 4 bytes, 4096 of 8 bytes, and 2816 for others.
#ifndef SAMEBITS_PATTERN_MERGESORT_CUH
#define SAMEBITS_PATTERN_MERGESORT_CUH

#include <samebits/pattern/merge.cuh>
#include <samebits/prim/keys.cuh>
#include <samebits/prim/load_balance.cuh>
#include <samebits/prim/sort.cuh>

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

    load_tile<Tune>([&](unsigned at) -> Key { return keys[first + at]; }, count, buffer);
    __syncthreads(); // the tile is loaded
    sort_tile<Tune, INDEXED>(count, less, index, buffer, indices);
    store_tile<Tune>(buffer, count, sorted + first);
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
    store_tile<Tune>(buffer, count, merged + first);
    if constexpr (!std::is_same<Value, no_values>::value) {
        __shared__ Value moved[Tune::SIZE];

        merge_values<Tune>(
            [&](unsigned at) -> Value { return values[at < from_a ? a_first + at : b_first + (at - from_a)]; }, count,
            index, moved, first, merged_values);
    }
}

// ---- keys alone, as unsigned words ----

// Says whether the order `Less` of keys is that of the unsigned words to_ordered(bits, order), so that equal keys are the same
// bits. Specialise it for a comparison of your own: derive from words_of<Key, ORDER>.
template <typename Key, typename Less> struct ordered_words {
    static constexpr bool known = false;
};

template <typename Key, key_order ORDER> struct words_of {
    static constexpr bool known = sizeof(Key) == 4 || sizeof(Key) == 8;
    static constexpr key_order order = ORDER;
    typedef std::conditional_t<sizeof(Key) == 4, uint32_t, uint64_t> word;
};

template <> struct ordered_words<uint32_t, less> : words_of<uint32_t, UNSIGNED_ORDER> {
};
template <> struct ordered_words<int32_t, less> : words_of<int32_t, SIGNED_ORDER> {
};
template <> struct ordered_words<uint64_t, less> : words_of<uint64_t, UNSIGNED_ORDER> {
};
template <> struct ordered_words<int64_t, less> : words_of<int64_t, SIGNED_ORDER> {
};

// 16 keys of a thread: a power of two, for the networks. Tiles of 32 KiB are sorted, tiles of half that are merged. RESIDENT:
// blocks on a multiprocessor at once. On an H200, for 4 bytes: tiles of half the size cost 0.8 as much to sort, and a pass more;
// merges by 512 threads cost 1.08 as much, those of 8 keys a thread 1.15 as much, 32 the same. Not tuned for 8 bytes.
template <unsigned BYTES> struct word_sort_tune : tune<BYTES <= 4 ? 512 : 256, 16> {
};

template <unsigned BYTES> struct word_merge_tune : tune<BYTES <= 4 ? 256 : 128, 16> {
    static constexpr unsigned RESIDENT = 8;
};

// Merges of four runs. A tile has EACH results fewer than threads could have: the first two of its stretches, merged, and the last two
// begin with a thread of their own each. On an H200 fewer blocks at once cost 2 to 4%; keys of 8 bytes took 3% more than by pairs of runs.
struct four_merge_tune : tune<256, 16> {
    static constexpr unsigned RESULTS = SIZE - EACH;
    static constexpr unsigned RESIDENT = 7;
};

// Up to so many tiles of a pass, blocks search for where their tiles begin: a kernel costs more time than that. Not tuned.
enum : unsigned { FEW_TILES = 1024 };

// Words lie in units of 16 bytes. In a buffer into which threads write adjacent units each, units are permuted among 8, so that
// neither these threads nor those that read across meet in a bank.
template <typename Word> struct word_units {
    static constexpr unsigned WORDS = VECTOR_BYTES / sizeof(Word);

    static __device__ __forceinline__ unsigned permuted(unsigned unit)
    {
        return unit ^ (unit >> 3 & 7);
    }
};

// Stores the first `count` words of a tile, of which a thread has EACH adjacent ones. All threads call; one barrier, between
// writing and reading the buffer.
template <typename Tune, typename Word>
__device__ __forceinline__ void store_words(const Word (&mine)[Tune::EACH], unsigned count, bool last, key_order order,
                                            uint4 *buffer, Word *to)
{
    typedef word_units<Word> units;
    constexpr unsigned EACH = Tune::EACH / units::WORDS;
    const Word *words = (const Word *)buffer;

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        Word unit[units::WORDS];
        uint4 vector;

#pragma unroll
        for (unsigned j = 0; j < units::WORDS; j++)
            unit[j] = last ? from_ordered(mine[i * units::WORDS + j], order) : mine[i * units::WORDS + j];
        memcpy(&vector, unit, sizeof vector);
        buffer[units::permuted(threadIdx.x * EACH + i)] = vector;
    }
    __syncthreads(); // the tile is in the buffer
    if (count == Tune::SIZE && misalignment(to) == 0) {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            ((uint4 *)to)[i * Tune::THREADS + threadIdx.x] = buffer[units::permuted(i * Tune::THREADS + threadIdx.x)];
    } else if (count % units::WORDS == 0 && misalignment(to) == 0) {
#pragma unroll
        for (unsigned i = 0; i < EACH; i++)
            if (i * Tune::THREADS + threadIdx.x < count / units::WORDS)
                ((uint4 *)to)[i * Tune::THREADS + threadIdx.x] =
                    buffer[units::permuted(i * Tune::THREADS + threadIdx.x)];
    } else {
        for (unsigned i = threadIdx.x; i < count; i += Tune::THREADS)
            to[i] = words[units::permuted(i / units::WORDS) * units::WORDS + i % units::WORDS];
    }
}

// As store_words, of a tile whose words all stand in one run: they are not merged, only moved. Most tiles of sorted keys, and of keys
// with few different values, are such, and their merges would be the slowest, since threads read words that are 16 apart.
template <typename Tune, typename Word>
__device__ __forceinline__ void move_words(const Word *__restrict__ from, unsigned count, bool last, key_order order,
                                           Word *__restrict__ to)
{
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += Tune::THREADS)
        to[i] = last ? from_ordered(from[i], order) : from[i];
}

// As merge_path, of words in shared memory, by all lanes of a warp, whose diagonals are 16 apart. Middles of searches are 8 apart then,
// in four banks; so the first place that a lane tries is up to 7 words behind the middle, and the places of 32 lanes are in 32 banks.
template <typename Word>
__device__ __forceinline__ unsigned word_merge_path(const Word *a, unsigned a_count, const Word *b, unsigned b_count,
                                                    unsigned diagonal)
{
    unsigned low = diagonal > b_count ? diagonal - b_count : 0, high = diagonal < a_count ? diagonal : a_count;
    unsigned tried = low + (high - low) / 2 + lane_index() / 4;

    if (tried >= high)
        tried = low + (high - low) / 2;
    while (low < high) {
        if (b[diagonal - 1 - tried] < a[tried])
            high = tried;
        else
            low = tried + 1;
        tried = low + (high - low) / 2;
    }
    return low;
}

// The thread's part of the merge of a and b, sorted: results from `diagonal` on, EACH of them, or as many as there are and
// after them the largest word. Of them those before from_a and from to_a on are not of a.
template <unsigned EACH, typename Word>
__device__ __forceinline__ void merge_words(const Word *a, const Word *b, unsigned from_a, unsigned to_a,
                                            unsigned diagonal, unsigned end, Word (&mine)[EACH])
{
    const unsigned of_a = to_a - from_a, of_b = end - diagonal - of_a;
    const Word *first = a + from_a, *last = b + (diagonal - from_a);

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        mine[i] = ~(Word)0;
        if (i < of_a)
            mine[i] = first[i];
        else if (EACH - 1 - i < of_b)
            mine[i] = last[EACH - 1 - i];
    }
    sort_bitonic(mine);
}

// Sorts the words of the block's first `threads` threads, whole warps: a warp its own by a network, and then runs of warps
// merge in pairs, the last of which may be short or alone. Afterwards threads have adjacent words. WHOLE: `threads` is all of
// them. All threads call. Three barriers for each round of merges, the last after the buffer has been read.
template <typename Tune, bool WHOLE, typename Word>
__device__ __forceinline__ void sort_in_block(Word (&mine)[Tune::EACH], unsigned threads, uint4 *buffer,
                                              unsigned (&split)[Tune::THREADS])
{
    typedef word_units<Word> units;
    static_assert((Tune::THREADS & (Tune::THREADS - 1)) == 0, "whole runs merge in pairs without remainder");
    const bool busy = WHOLE || threadIdx.x < threads;
    const unsigned all = WHOLE ? Tune::THREADS : threads;
    const Word *words = (const Word *)buffer;

    if (busy)
        warp_sort(mine);
    for (unsigned run = WARP_LANES; run < all; run *= 2) {
        const unsigned width = run * Tune::EACH, begin = threadIdx.x / (2 * run) * (2 * width);
        const unsigned left = all * Tune::EACH - begin; // not of an idle thread
        const unsigned a_count = WHOLE || left > width ? width : left;
        const unsigned b_count = WHOLE || left > 2 * width ? width : left - a_count;
        const unsigned diagonal = threadIdx.x * Tune::EACH - begin;
        const bool at_end = (threadIdx.x + 1) % (2 * run) == 0 || (!WHOLE && threadIdx.x + 1 == threads);
        const Word *a = words + begin, *b = a + a_count;
        unsigned from_a = 0;

        if (busy) {
#pragma unroll
            for (unsigned i = 0; i < Tune::EACH / units::WORDS; i++)
                memcpy(&buffer[threadIdx.x * (Tune::EACH / units::WORDS) + i], &mine[i * units::WORDS], VECTOR_BYTES);
        }
        __syncthreads(); // all runs can be read
        if (busy) {
            from_a = word_merge_path(a, a_count, b, b_count, diagonal);
            split[threadIdx.x] = from_a;
        }
        __syncthreads(); // all threads know where their part begins
        if (busy)
            merge_words(a, b, from_a, at_end ? a_count : split[threadIdx.x + 1], diagonal, diagonal + Tune::EACH, mine);
        __syncthreads(); // all runs have been read
    }
}

template <typename Tune, typename Keys, typename Word>
__global__ void __launch_bounds__(Tune::THREADS)
    sort_word_tiles_kernel(Keys keys, uint64_t n, key_order order, bool last, Word *sorted)
{
    __shared__ uint4 buffer[Tune::SIZE * sizeof(Word) / VECTOR_BYTES];
    __shared__ unsigned split[Tune::THREADS];
    Word mine[Tune::EACH];
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const unsigned count = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        mine[i] = ~(Word)0; // words behind the last are the largest, and stay behind it
        if (at < count)
            mine[i] = word_of_key<Word>(keys[first + at], order);
    }
    sort_in_block<Tune, true>(mine, Tune::THREADS, buffer, split);
    store_words<Tune>(mine, count, last, order, buffer, sorted + first);
}

// The unit of 16 bytes at `at`; words outside of `begin` .. `end` - 1 are not read.
template <typename Word> __device__ __forceinline__ uint4 load_unit(const Word *at, const Word *begin, const Word *end)
{
    constexpr unsigned WORDS = word_units<Word>::WORDS;
    Word word[WORDS];
    uint4 vector;

    if (at >= begin && at + WORDS <= end)
        return *(const uint4 *)at;
#pragma unroll
    for (unsigned j = 0; j < WORDS; j++)
        word[j] = at + j >= begin && at + j < end ? at[j] : 0;
    memcpy(&vector, word, sizeof vector);
    return vector;
}

// A stretch of words in global memory, as units of 16 bytes that are aligned there.
template <typename Word> struct word_stretch {
    static constexpr unsigned WORDS = word_units<Word>::WORDS;
    const Word *units;
    unsigned lead, count; // words of the first unit before the stretch; units

    __device__ __forceinline__ word_stretch(const Word *first, unsigned words)
        : lead(misalignment(first) / sizeof(Word))
    {
        units = first - lead;
        count = (lead + words + WORDS - 1) / WORDS;
    }
    __device__ __forceinline__ uint4 load(unsigned i, const Word *begin, const Word *end) const
    {
        return load_unit(units + (uint64_t)i * WORDS, begin, end);
    }
};

// Shared memory of merge_word_tile.
template <typename Tune, typename Word> struct word_merge_storage {
    // Each stretch may begin and end within a unit.
    uint4 buffer[Tune::THREADS * (Tune::EACH / word_units<Word>::WORDS) + 4];
    unsigned of_a[Tune::THREADS];
};

// Merges a tile of a pair of runs of the n words `keys`: results begin .. end - 1 of the pair, of which a_first .. a_end - 1
// of the first run and the others of the second. `to`: where they go. Other words than these n are not read. All threads
// call; the storage is read until the end.
template <typename Tune, typename Word>
__device__ __forceinline__ void merge_word_tile(const Word *keys, uint64_t n, const pair_of_runs &runs, uint64_t begin,
                                                uint64_t end, uint64_t a_first, uint64_t a_end, key_order order,
                                                bool last, word_merge_storage<Tune, Word> &storage, Word *to)
{
    constexpr unsigned EACH = Tune::EACH / word_units<Word>::WORDS;
    const unsigned count = (unsigned)(end - begin), a_count = (unsigned)(a_end - a_first);
    const Word *a_begin = keys + runs.begin + a_first, *b_begin = keys + runs.begin + runs.a_count + (begin - a_first);

    if (a_count == 0 || a_count == count) { // in all threads
        move_words<Tune>(a_count == 0 ? b_begin : a_begin, count, last, order, to);
        return;
    }
    const word_stretch<Word> a(a_begin, a_count), b(b_begin, count - a_count);
    Word mine[Tune::EACH];
    uint4 unit[EACH + 1];

    static_assert(Tune::THREADS >= 4, "a thread has one unit more than those of a tile at most");
#pragma unroll
    for (unsigned i = 0; i <= EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < a.count + b.count)
            unit[i] = at < a.count ? a.load(at, keys, keys + n) : b.load(at - a.count, keys, keys + n);
    }
#pragma unroll
    for (unsigned i = 0; i <= EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < a.count + b.count)
            storage.buffer[at] = unit[i];
    }
    __syncthreads(); // both stretches are loaded
    const Word *a_words = (const Word *)storage.buffer + a.lead;
    const Word *b_words = (const Word *)(storage.buffer + a.count) + b.lead;
    const unsigned diagonal = threadIdx.x * Tune::EACH < count ? threadIdx.x * Tune::EACH : count;
    const unsigned from_a = word_merge_path(a_words, a_count, b_words, count - a_count, diagonal);

    storage.of_a[threadIdx.x] = from_a;
    __syncthreads(); // all threads know where their part begins
    merge_words(a_words, b_words, from_a, threadIdx.x + 1 == Tune::THREADS ? a_count : storage.of_a[threadIdx.x + 1],
                diagonal, diagonal + Tune::EACH < count ? diagonal + Tune::EACH : count, mine);
    __syncthreads(); // all words have been read
    store_words<Tune>(mine, count, last, order, storage.buffer, to);
}

// `split` as split_runs_kernel makes it; without it each block searches for itself.
template <typename Tune, typename Word>
__global__ void __launch_bounds__(Tune::THREADS, Tune::RESIDENT)
    merge_word_runs_kernel(const Word *keys, uint64_t n, uint64_t width, const uint64_t *split, key_order order,
                           bool last, Word *merged)
{
    __shared__ word_merge_storage<Tune, Word> storage;
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const pair_of_runs runs(n, width, first);
    const uint64_t begin = first - runs.begin, results = runs.a_count + runs.b_count;
    const uint64_t end = results - begin < Tune::SIZE ? results : begin + Tune::SIZE;
    uint64_t a_first, a_end;

    if (split != nullptr) {
        a_first = split[blockIdx.x];
        a_end = end == results ? runs.a_count : split[blockIdx.x + 1];
    } else {
        __shared__ uint64_t found[2];
        const Word *run = keys + runs.begin;

        if (warp_index() < 2) {
            const uint64_t from_a = warp_merge_path(run, runs.a_count, run + runs.a_count, runs.b_count,
                                                    warp_index() == 0 ? begin : end, less());

            if (lane_index() == 0)
                found[warp_index()] = from_a;
        }
        __syncthreads(); // both ends are found
        a_first = found[0];
        a_end = found[1];
    }
    merge_word_tile<Tune>(keys, n, runs, begin, end, a_first, a_end, order, last, storage, merged + first);
}

// ---- merges of four runs ----

enum : unsigned { RUNS = 4, SAMPLES = WARP_LANES / RUNS, FOUR_SPLIT_THREADS = 128 };

// Adjacent tiles for which a warp searches in turn: where one begins bounds the search for the next. Up to ALONE_TILES tiles, about as
// many as a GPU has warps, each has a warp of its own: at 2^24 keys the whole sort took 9% less so, at 2^26 and more 1% more.
enum : unsigned { SPLIT_TILES = 4, ALONE_TILES = 8192 };

// Tile `tile` of a pass that merges groups of four runs of `width` words, of which the last group may have fewer.
struct four_tile {
    uint64_t group, results, begin, end; // where the group begins, its words, and the results of the tile among them

    __host__ __device__ four_tile(uint64_t n, uint64_t width, unsigned size, uint64_t tile)
    {
        const uint64_t tiles = divide_up(RUNS * width, size);

        group = tile / tiles * (RUNS * width);
        results = n - group < RUNS * width ? n - group : RUNS * width;
        begin = tile % tiles * size;
        end = results - begin < size ? results : begin + size;
    }
    static uint64_t tiles(uint64_t n, uint64_t width, unsigned size)
    {
        const uint64_t span = RUNS * width;

        return n / span * divide_up(span, size) + divide_up(n % span, size);
    }
};

// Words of run `run` of a group.
template <typename Size> __device__ __forceinline__ Size run_length(Size results, Size width, unsigned run)
{
    const uint64_t begin = run * (uint64_t)width;

    return results <= begin ? 0 : results - begin < width ? (Size)(results - begin) : width;
}

// Place of sample `i` of SAMPLES among `length` words; all are samples where there are no more.
template <typename Size> __device__ __forceinline__ Size sample_place(Size length, unsigned i)
{
    const unsigned odd = 2 * i + 1;

    return length / (2 * SAMPLES) * odd + (unsigned)(length % (2 * SAMPLES)) * odd / (2 * SAMPLES);
}

// How many of the first `diagonal` results of the group's merge come from the lane's run; equal words of an earlier run come first.
// Eight lanes take samples of a run each. Where the other samples stand bounds how many words come before a sample; those whose
// bounds are on one side of the diagonal narrow low .. high, among which the answer must be. In each round a sample is decided: if not
// the first of all, then the last. All lanes of a warp call.
template <typename Word, typename Size>
__device__ __forceinline__ Size warp_four_path(const Word *keys, Size width, Size diagonal, Size low, Size high)
{
    const unsigned run = lane_index() / SAMPLES, sample = lane_index() % SAMPLES;
    const Word *mine = keys + (uint64_t)run * width;

    for (;;) {
        const Size length = high - low, at = low + sample_place(length, sample);
        Word word = 0;
        Size least = at, most = at;

        if (__ballot_sync(FULL_MASK, length != 0) == 0)
            return low;
        if (length != 0)
            word = mine[at];
#pragma unroll
        for (unsigned distance = 1; distance < RUNS; distance++) {
            const unsigned other = (run + distance) % RUNS, lane = other * SAMPLES;
            const Size its_low = shuffle(low, lane), its_length = shuffle(length, lane);
            unsigned below = 0;

#pragma unroll
            for (unsigned step = SAMPLES / 2; step != 0; step /= 2) {
                const Word its = shuffle(word, lane + below + step - 1);

                below += its < word || (its == word && other < run) ? step : 0;
            }
            const Word its = shuffle(word, lane + below);

            below += its < word || (its == word && other < run);
            least += its_low;
            most += its_low;
            if (its_length != 0) {
                least += below != 0 ? sample_place(its_length, below - 1) + 1 : 0;
                most += below != SAMPLES ? sample_place(its_length, below) : its_length;
            }
        }
        const unsigned before = __ballot_sync(FULL_MASK, length != 0 && most < diagonal) >> run * SAMPLES;
        const unsigned behind = __ballot_sync(FULL_MASK, length != 0 && least >= diagonal) >> run * SAMPLES;
        const unsigned sure = (unsigned)__popc(before & low_bits(SAMPLES)),
                       not_here = (unsigned)__popc(behind & low_bits(SAMPLES));

        if (not_here != 0)
            high = low + sample_place(length, SAMPLES - not_here);
        if (sure != 0)
            low += sample_place(length, sure - 1) + 1;
    }
}

// The same without bounds that are known.
template <typename Word, typename Size>
__device__ __forceinline__ Size warp_four_path(const Word *keys, Size width, Size results, Size diagonal)
{
    const Size length = run_length(results, width, lane_index() / SAMPLES), others = results - length;

    return warp_four_path(keys, width, diagonal, diagonal > others ? diagonal - others : 0,
                          diagonal < length ? diagonal : length);
}

// A warp for `each` adjacent tiles of a pass: cut[RUNS * tile + r] becomes how many of the group's results before the tile come
// from run r.
template <typename Size, typename Word>
__global__ void __launch_bounds__(FOUR_SPLIT_THREADS)
    split_four_kernel(const Word *keys, uint64_t n, uint64_t width, unsigned size, uint64_t tiles, unsigned each,
                      uint64_t *cut)
{
    const uint64_t first = (blockIdx.x * (uint64_t)(FOUR_SPLIT_THREADS / WARP_LANES) + warp_index()) * each;
    const unsigned run = lane_index() / SAMPLES;
    Size mine = 0;

    for (uint64_t tile = first; tile < tiles && tile < first + each; tile++) {
        const four_tile of(n, width, size, tile);
        const Word *group = keys + of.group;

        if (of.begin == 0) {
            mine = 0;
        } else if (tile == first) {
            mine = warp_four_path(group, (Size)width, (Size)of.results, (Size)of.begin);
        } else {
            const Size left = run_length((Size)of.results, (Size)width, run) - mine;

            mine = warp_four_path(group, (Size)width, (Size)of.begin, mine, mine + (left < size ? left : size));
        }
        if (lane_index() % SAMPLES == 0)
            cut[RUNS * tile + run] = mine;
    }
}

template <typename Tune, typename Word> struct four_merge_storage {
    // Each stretch may begin and end within a unit.
    uint4 buffer[Tune::THREADS * (Tune::EACH / word_units<Word>::WORDS) + RUNS];
    unsigned split[Tune::THREADS];
    uint64_t cut[2][RUNS]; // of the tile's begin and end
    long long from[RUNS];  // unit i of the buffer begins with word from[r] + i * WORDS, if run r has it
    unsigned first_unit[RUNS], lead[RUNS], count[RUNS];
};

// A round of merges in a block: of a and b each thread that calls with `some` gets the results from `diagonal` on, EACH of them; `next`:
// its next thread has the same a and b, and results, too. All threads call; two barriers.
template <typename Tune, typename Word>
__device__ __forceinline__ void merge_round(const Word *a, unsigned a_count, const Word *b, unsigned b_count,
                                            unsigned diagonal, bool next, unsigned *split, Word (&mine)[Tune::EACH])
{
    const unsigned results = a_count + b_count, begin = diagonal < results ? diagonal : results;
    const unsigned end = results - begin < Tune::EACH ? results : begin + Tune::EACH;
    const unsigned from_a = word_merge_path(a, a_count, b, b_count, begin);

    split[threadIdx.x] = from_a;
    __syncthreads(); // all threads know where their part begins
    merge_words(a, b, from_a, next ? split[threadIdx.x + 1] : a_count, begin, end, mine);
    __syncthreads(); // all words have been read
}

// `cut` as split_four_kernel makes it.
template <typename Tune, typename Word>
__global__ void __launch_bounds__(Tune::THREADS, Tune::RESIDENT)
    merge_four_kernel(const Word *keys, uint64_t n, uint64_t width, const uint64_t *cut, key_order order, bool last,
                      Word *merged)
{
    typedef word_units<Word> units;
    constexpr unsigned EACH = Tune::EACH / units::WORDS;
    __shared__ four_merge_storage<Tune, Word> storage;
    const four_tile tile(n, width, Tune::RESULTS, blockIdx.x);
    const unsigned count = (unsigned)(tile.end - tile.begin);
    Word mine[Tune::EACH];

    if (threadIdx.x < 2 * RUNS) {
        const unsigned run = threadIdx.x % RUNS, at_end = threadIdx.x / RUNS;

        storage.cut[at_end][run] = at_end && tile.end == tile.results
                                       ? run_length(tile.results, width, run)
                                       : cut[RUNS * (uint64_t)(blockIdx.x + at_end) + run];
    }
    __syncthreads(); // both ends are known
    if (threadIdx.x < RUNS) {
        unsigned before = 0;

        for (unsigned r = 0; r <= threadIdx.x; r++) {
            const uint64_t from = storage.cut[0][r];
            const unsigned words = (unsigned)(storage.cut[1][r] - from);
            const word_stretch<Word> stretch(keys + tile.group + r * width + from, words);

            if (r == threadIdx.x) {
                storage.from[r] = (long long)(tile.group + r * width + from) - stretch.lead - before * units::WORDS;
                storage.first_unit[r] = before;
                storage.lead[r] = before * units::WORDS + stretch.lead;
                storage.count[r] = words;
            }
            before += stretch.count;
        }
        if (threadIdx.x + 1 == RUNS)
            storage.split[0] = before;
    }
    __syncthreads(); // the stretches are known
#pragma unroll
    for (unsigned r = 0; r < RUNS; r++)
        if (storage.count[r] == count) { // in all threads
            move_words<Tune>(keys + tile.group + r * width + storage.cut[0][r], count, last, order,
                             merged + tile.group + tile.begin);
            return;
        }
    const unsigned all = storage.split[0];
    uint4 unit[EACH + 1];

    static_assert(Tune::THREADS >= RUNS, "a thread has one unit more than those of a tile at most");
#pragma unroll
    for (unsigned i = 0; i <= EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;
        unsigned run = 0;

#pragma unroll
        for (unsigned r = 1; r < RUNS; r++)
            run += at >= storage.first_unit[r];
        if (at < all)
            unit[i] = load_unit(keys + (storage.from[run] + at * units::WORDS), keys, keys + n);
    }
#pragma unroll
    for (unsigned i = 0; i <= EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < all)
            storage.buffer[at] = unit[i];
    }
    __syncthreads(); // all stretches are loaded
    const Word *words = (const Word *)storage.buffer;
    const unsigned early = storage.count[0] + storage.count[1], late = count - early;
    const unsigned early_threads = (early + Tune::EACH - 1) / Tune::EACH;
    {
        const bool second = threadIdx.x >= early_threads;
        const unsigned a = second ? 2 : 0, diagonal = (threadIdx.x - (second ? early_threads : 0)) * Tune::EACH;
        const bool next =
            second ? diagonal + Tune::EACH < late && threadIdx.x + 1 < Tune::THREADS : threadIdx.x + 1 < early_threads;

        merge_round<Tune>(words + storage.lead[a], storage.count[a], words + storage.lead[a + 1], storage.count[a + 1],
                          diagonal, next, storage.split, mine);
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        memcpy(&storage.buffer[threadIdx.x * EACH + i], &mine[i * units::WORDS], VECTOR_BYTES);
    __syncthreads(); // both halves are merged
    const unsigned diagonal = threadIdx.x * Tune::EACH;

    merge_round<Tune>(words, early, words + early_threads * Tune::EACH, late, diagonal,
                      diagonal + Tune::EACH < count && threadIdx.x + 1 < Tune::THREADS, storage.split, mine);
    store_words<Tune>(mine, count, last, order, storage.buffer, merged + tile.group + tile.begin);
}

// In scratch memory; nothing where one tile takes all keys.
template <typename Key, typename Value> struct sort_scratch {
    uint64_t *split;
    Key *keys;
    Value *values;
    uint64_t bytes;
};

// SIZE: of the tiles that are merged; sorted tiles are no smaller. `splits`: numbers for them.
template <typename Key, typename Value, unsigned SIZE>
sort_scratch<Key, Value> lay_out_sort(uint64_t count, uint64_t splits, void *memory)
{
    const uint64_t tiles = divide_up(count, SIZE);
    const bool pairs = !std::is_same<Value, no_values>::value;
    sort_scratch<Key, Value> s = {nullptr, nullptr, nullptr, 0};
    workspace space(memory);

    if (tiles <= 1)
        return s;
    s.split = space.take<uint64_t>(splits);
    s.keys = space.take<Key>(count, 16);
    s.values = pairs ? space.take<Value>(count, 16) : nullptr;
    s.bytes = space.bytes();
    return s;
}

// Numbers that say where the tiles of a pass of mergesort_words begin: the first pass has most tiles of four runs.
template <unsigned BYTES> uint64_t count_word_splits(uint64_t count)
{
    const uint64_t of_two = divide_up(count, word_merge_tune<BYTES>::SIZE);
    const uint64_t of_four = RUNS * four_tile::tiles(count, word_sort_tune<BYTES>::SIZE, four_merge_tune::RESULTS);

    return BYTES > 4 || of_four < of_two ? of_two : of_four;
}

// Bytes of scratch memory that a sort of `count` keys, with values of type Value, needs.
template <typename Key, typename Value = no_values> uint64_t mergesort_bytes(uint64_t count)
{
    constexpr unsigned SIZE = sort_tune<sizeof(Key)>::SIZE;
    const uint64_t any = lay_out_sort<Key, Value, SIZE>(count, divide_up(count, SIZE), nullptr).bytes;
    const uint64_t words = lay_out_sort<Key, Value, word_merge_tune<sizeof(Key)>::SIZE>(
                               count, count_word_splits<sizeof(Key)>(count), nullptr)
                               .bytes;

    return any < words ? words : any;
}

// One pass over groups of four runs.
template <typename Size, typename Word>
void merge_four(const Word *keys, uint64_t count, uint64_t width, uint64_t *cut, key_order order, Word *merged,
                cudaStream_t stream)
{
    typedef four_merge_tune tuned;
    const uint64_t tiles = four_tile::tiles(count, width, tuned::RESULTS);
    const unsigned each = tiles <= ALONE_TILES ? 1u : (unsigned)SPLIT_TILES;
    const uint64_t splitting = divide_up(tiles, each * (FOUR_SPLIT_THREADS / WARP_LANES));

    split_four_kernel<Size>
        <<<(unsigned)splitting, FOUR_SPLIT_THREADS, 0, stream>>>(keys, count, width, tuned::RESULTS, tiles, each, cut);
    merge_four_kernel<tuned><<<(unsigned)tiles, tuned::THREADS, 0, stream>>>(keys, count, width, (const uint64_t *)cut,
                                                                             order, RUNS * width >= count, merged);
}

// How long runs are after a pass: three or four of them become one, or the last two.
inline uint64_t merged_width(uint64_t width, uint64_t count, bool fours)
{
    return fours && count > 2 * width ? RUNS * width : 2 * width;
}

// Keys alone.
template <unsigned FEW = FEW_TILES, typename Keys, typename Key, typename Less>
cudaError_t mergesort_words(Keys keys, uint64_t count, Key *sorted, Less, const context &on)
{
    typedef ordered_words<Key, Less> order;
    typedef typename order::word word;
    typedef word_sort_tune<sizeof(Key)> sorting;
    typedef word_merge_tune<sizeof(Key)> merging;
    static_assert(sorting::SIZE % merging::SIZE == 0, "a tile is of one pair of runs");
    unsigned blocks, tiles, side = 0;
    cudaError_t error = count_blocks<merging::SIZE>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    (void)count_blocks<sorting::SIZE>(count, &tiles); // fewer than `blocks`
    scratch space(on, mergesort_bytes<Key>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    const auto spare =
        lay_out_sort<word, no_values, merging::SIZE>(count, count_word_splits<sizeof(Key)>(count), space.memory());
    word *keys_at[2] = {(word *)sorted, spare.keys};
    const bool fours = sizeof(word) == 4 && blocks > 2 * FEW;

    for (uint64_t width = sorting::SIZE; width < count; width = merged_width(width, count, fours))
        side ^= 1; // each pass goes to the other side; the last must end in `sorted`
    sort_word_tiles_kernel<sorting>
        <<<tiles, sorting::THREADS, 0, on.stream>>>(keys, count, order::order, count <= sorting::SIZE, keys_at[side]);
    for (uint64_t width = sorting::SIZE; width < count; width = merged_width(width, count, fours), side ^= 1) {
        const word *from = keys_at[side];

        if constexpr (sizeof(word) == 4)
            if (fours && count > 2 * width) {
                if (count >> 32 == 0)
                    merge_four<uint32_t>(from, count, width, spare.split, order::order, keys_at[side ^ 1], on.stream);
                else
                    merge_four<uint64_t>(from, count, width, spare.split, order::order, keys_at[side ^ 1], on.stream);
                continue;
            }
        if (blocks > FEW)
            split_runs_kernel<<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(
                from, count, width, less(), (uint64_t)blocks, merging::SIZE, spare.split);
        merge_word_runs_kernel<merging><<<blocks, merging::THREADS, 0, on.stream>>>(
            from, count, width, blocks > FEW ? (const uint64_t *)spare.split : nullptr, order::order,
            2 * width >= count, keys_at[side ^ 1]);
    }
    return cudaPeekAtLastError();
}

// `sorted` becomes the keys of a sequence in the order of `less`, and sorted_values the values that go with them. The
// sequences may be the arrays `sorted` and `sorted_values`.
template <typename Keys, typename Values, typename Key, typename Value, typename Less>
cudaError_t mergesort(Keys keys, Values values, uint64_t count, Key *sorted, Value *sorted_values, Less less,
                      const context &on)
{
    constexpr bool GOOD = is_called<Less, bool, Key &, Key &>();
    static_assert(GOOD, "mergesort: the comparison is called as bool less(key, key)");
    const called_as<GOOD, bool, Less> before(less);
    typedef sort_tune<sizeof(Key)> tuned;
    unsigned blocks;
    cudaError_t error;

    if constexpr (std::is_same<Value, no_values>::value && ordered_words<Key, Less>::known)
        return mergesort_words(keys, count, sorted, less, on);
    error = count_blocks<tuned::SIZE>(count, &blocks);
    if (error != cudaSuccess || blocks == 0)
        return error;
    scratch space(on, mergesort_bytes<Key, Value>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    auto spare = lay_out_sort<Key, Value, tuned::SIZE>(count, blocks, space.memory());
    Key *side_keys[2] = {sorted, spare.keys};
    Value *side_values[2] = {sorted_values, spare.values};
    unsigned side = 0;

    for (uint64_t width = tuned::SIZE; width < count; width *= 2)
        side ^= 1; // each pass goes to the other side; the last must end in `sorted`
    sort_tiles_kernel<tuned>
        <<<blocks, tuned::THREADS, 0, on.stream>>>(keys, values, count, before, side_keys[side], side_values[side]);
    for (uint64_t width = tuned::SIZE; width < count; width *= 2, side ^= 1) {
        split_runs_kernel<<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(
            (const Key *)side_keys[side], count, width, before, blocks, tuned::SIZE, spare.split);
        merge_runs_kernel<tuned><<<blocks, tuned::THREADS, 0, on.stream>>>(
            (const Key *)side_keys[side], (const Value *)side_values[side], count, width, before, spare.split,
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
