// SPDX-License-Identifier: BSD-2-Clause
//
// sort_segments_of_words: the keys of each segment sorted, without values, where the order of keys is that of unsigned words
// (ordered_words of mergesort.cuh). What segmented_sort does with such keys.
//
// A kernel with a thread for each segment sets a bit for each first key, and lists the segments of more than 512 keys, by
// the power of two that their length does not exceed:
//
//   short         at most 512 keys. A block takes the segments that begin in its tile, and reads on to the end of the last
//                 one: up to 32 keys are sorted by a thread, more by a warp, in registers, by networks
//   middle        at most a tile of mergesort.cuh: 8192 keys of 4 bytes, or 4096 of 8. A block for each segment, of as
//                 many threads as the class needs: a warp sorts 512 keys in registers, and then runs merge in shared
//                 memory. Warps without keys wait, so the work is that of the length, not of the class. Words of a key
//                 and an index are sorted by the digits of the key instead
//   long          less than a giant one (segmented_digits.cuh). Each is cut into tiles from its own first key. Tiles are
//                 sorted as middle segments are; then runs of tiles merge in pairs, as in mergesort.cuh. How many passes a
//                 segment needs says to which of two arrays its sorted tiles go, so that the last pass ends in the result:
//                 nothing is copied at the end
//   giant         sorted by digits, all of them in the same passes: segmented_digits.cuh
//
// So a key of a short or middle segment is read once and written once. The lists stay on the device: kernels of middle
// and long segments have as many blocks as run at once, which go through their list a grid apart. A pass of which there is
// no segment costs two launches.
//
// Segments appear in lists in the order of an atomic addition; each is sorted by itself, so that order changes nothing.
// Source: the merge path: O. Green, R. McColl and D. Bader, "GPU merge path" (2012); the networks: prim/sort.cuh; classes of
// lengths: K. Hou, W. Liu, H. Wang and W. Feng, "Fast segmented sort on GPUs" (2017).
// Measured on an H200: docs/MEASUREMENTS.md.
// Cost: starts are read once, and twice by a search in each tile if there is a long segment; keys are read and written once,
// of long segments once more for each doubling of a tile, and of giant ones as radix_sort.cuh says. Scratch memory for a copy
// of the keys, a bit a key, and for lists and counts of digits 0.9 bytes a key of 4 bytes, 3 of 8.
#ifndef SAMEBITS_PATTERN_SEGMENTED_WORDS_CUH
#define SAMEBITS_PATTERN_SEGMENTED_WORDS_CUH

#include <samebits/pattern/mergesort.cuh>
#include <samebits/pattern/segmented_digits.cuh>

namespace sb
{

enum : unsigned { SHORT_SEGMENT = 512 }; // keys: 16 for each lane of a warp

// ---- classes of lengths ----

// A tile of a long segment: its results first .. first + SIZE - 1.
struct long_tile {
    segment_range of;
    uint64_t first, slot;
};

// The classes of keys of BYTES bytes: class c has segments of at most LARGEST(c) keys, and more than half of that.
template <unsigned BYTES> struct length_classes {
    typedef word_sort_tune<BYTES> sorting;
    typedef word_merge_tune<BYTES> merging;
    static constexpr unsigned EACH = sorting::EACH, CLASSES = sorting::SIZE / SHORT_SEGMENT == 16 ? 4 : 3;
    static constexpr unsigned MIDDLE_SEGMENT = sorting::SIZE; // keys of the longest one
    static_assert(SHORT_SEGMENT << CLASSES == sorting::SIZE, "each class has twice the keys of the one before");
    static_assert(SHORT_SEGMENT == WARP_LANES * EACH, "a run of a warp");

    static __host__ __device__ __forceinline__ constexpr unsigned largest(unsigned c)
    {
        return 2 * SHORT_SEGMENT << c;
    }
    // How many segments of a class `count` keys may have.
    static __host__ __device__ __forceinline__ constexpr uint64_t capacity(uint64_t count, unsigned c)
    {
        return count / (largest(c) / 2 + 1);
    }
};

// In scratch memory. `listed`: how many segments of each class there are, of long ones, and tiles of these.
template <typename Word> struct segment_lists_scratch {
    giant_segments giants;
    static constexpr unsigned MAX_CLASSES = 4, LONG = MAX_CLASSES, LONG_TILES = LONG + 1;
    Word *keys;
    uint64_t *split;
    segment_range *list[MAX_CLASSES];
    long_tile *tile;
    unsigned long long *listed;
    unsigned *heads;
    uint64_t tiles, cleared, bytes; // tiles of merges; `cleared` from `listed` on
};

template <typename Word, unsigned FIRST = 0>
segment_lists_scratch<Word> lay_out_segmented_words(uint64_t count, void *memory)
{
    typedef length_classes<sizeof(Word)> classes;
    segment_lists_scratch<Word> s = {};
    workspace space(memory);
    const bool some_long = count > classes::MIDDLE_SEGMENT;

    s.tiles = some_long ? divide_up(count, classes::merging::SIZE) : 0;
    s.keys = some_long ? space.take<Word>(count, 16) : nullptr;
    s.split = space.take<uint64_t>(some_long ? 2 * s.tiles + 2 : 0, 16);
    for (unsigned c = 0; c < classes::CLASSES; c++)
        s.list[c] = space.take<segment_range>(classes::capacity(count, c), 16);
    s.tile = space.take<long_tile>(2 * s.tiles, 16);
    s.giants = lay_out_giants<Word, FIRST>(count, space);
    const uint64_t kept = round_up(space.bytes(), 16);

    s.listed = (unsigned long long *)space.take<char>(8 * (s.LONG_TILES + 2), 16);
    s.giants.listed = s.listed + s.LONG_TILES + 1;
    s.heads = space.take<unsigned>(divide_up(count, 32));
    s.cleared = space.bytes() - kept;
    s.bytes = space.bytes();
    return s;
}

// The next index of a list for each lane with `wanted`. All lanes of a warp call.
__device__ __forceinline__ uint64_t take_next(bool wanted, unsigned long long *listed)
{
    const unsigned lanes = __ballot_sync(FULL_MASK, wanted);
    unsigned long long at = 0;

    if (lanes != 0 && lane_index() == 0)
        at = atomicAdd(listed, (unsigned long long)__popc(lanes));
    return shuffle(at, 0) + count_below(lanes);
}

enum : unsigned {
    CLASSIFY_THREADS = 256, // not tuned
    LONG_RESIDENT =
        6 // merging blocks on a multiprocessor: with the 8 of mergesort.cuh 32 registers are too few. Not tuned.
};

// A thread for each segment.
template <typename Giants, typename Starts, typename Word>
__global__ void __launch_bounds__(CLASSIFY_THREADS)
    classify_segments_kernel(Starts start, uint64_t segments, uint64_t n, segment_lists_scratch<Word> lists)
{
    typedef length_classes<sizeof(Word)> classes;
    const uint64_t s = (uint64_t)blockIdx.x * CLASSIFY_THREADS + threadIdx.x;
    segment_range range = {0, 0};

    if (s < segments) {
        range.begin = start[s];
        range.count = (s + 1 < segments ? (uint64_t)start[s + 1] : n) - range.begin;
        if (range.count != 0)
            atomicOr(&lists.heads[range.begin / 32], 1u << range.begin % 32);
    }
    if (__ballot_sync(FULL_MASK, range.count > SHORT_SEGMENT) == 0)
        return;
#pragma unroll
    for (unsigned c = 0; c < classes::CLASSES; c++) {
        const bool here = range.count > classes::largest(c) / 2 && range.count <= classes::largest(c);
        const uint64_t at = take_next(here, &lists.listed[c]);

        if (here)
            lists.list[c][at] = range;
    }
    (void)take_next(range.count > classes::MIDDLE_SEGMENT && range.count < Giants::LEAST, &lists.listed[lists.LONG]);
    if (range.count >= Giants::LEAST)
        lists.giants.add(range, divide_up(range.count, Giants::SIZE));
}

// ---- middle segments ----

// What sort_range_in_block needs in shared memory. FIRST as for sort_segments_of_words.
template <typename Tune, typename Word, unsigned FIRST> struct range_storage {
    static constexpr unsigned DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS;
    static_assert(Tune::SIZE <= 65536 && DIGITS % Tune::THREADS == 0,
                  "16 bits count a tile; as many digits for each thread");
    Word word[Tune::SIZE];
    uint16_t counters[Tune::WARPS][DIGITS];
    unsigned lanes[Tune::WARPS][DIGITS], sums[Tune::WARPS];
};

template <typename Tune, typename Word> struct range_storage<Tune, Word, 0> {
    uint4 buffer[Tune::SIZE * sizeof(Word) / VECTOR_BYTES];
    unsigned split[Tune::THREADS];
};

// How many blocks that sort by digits a multiprocessor is to hold: 4 of 256 threads leave 64 registers for each. On an H200, 2^28 pairs
// in segments of 4096 took 8.0 ms so, 8.4 with 3 of them and 9.2 with as many registers as the compiler takes. 1: no bound.
template <typename Tune, unsigned FIRST> constexpr unsigned range_blocks()
{
    return FIRST == 0 ? 1 : 1024 / Tune::THREADS;
}

// Sorts `count` keys from keys[first] on to `sorted`. All threads call; the storage is read until the end.
template <typename Tune, typename Keys, typename Word>
__device__ __forceinline__ void sort_range_in_block(const Keys &keys, uint64_t first, unsigned count, key_order order,
                                                    bool last, range_storage<Tune, Word, 0> &storage, Word *sorted)
{
    const unsigned threads = (count + WARP_LANES * Tune::EACH - 1) / (WARP_LANES * Tune::EACH) * WARP_LANES;
    Word mine[Tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const unsigned at = i * threads + threadIdx.x;

        mine[i] = ~(Word)0; // words behind the last are the largest, and stay behind it
        if (threadIdx.x < threads && at < count)
            mine[i] = word_of_key<Word>(keys[first + at], order);
    }
    sort_in_block<Tune, false>(mine, threads, storage.buffer, storage.split);
    store_words<Tune>(mine, count, last, order, storage.buffer, sorted);
}

// The same by digits of the bytes from FIRST on: a stable pass for each (prim/radix.cuh). A warp has adjacent rows of words; rows
// behind the last word are left out.
template <typename Tune, typename Keys, typename Word, unsigned FIRST>
__device__ __forceinline__ void sort_range_in_block(const Keys &keys, uint64_t first, unsigned count, key_order order,
                                                    bool last, range_storage<Tune, Word, FIRST> &storage, Word *sorted)
{
    typedef range_storage<Tune, Word, FIRST> types;
    constexpr unsigned DIGITS_EACH = types::DIGITS / Tune::THREADS;
    const unsigned mine_first = warp_index() * Tune::EACH * WARP_LANES, digit = threadIdx.x * DIGITS_EACH;
    uint16_t *const counters = storage.counters[warp_index()];
    unsigned *const lanes = storage.lanes[warp_index()];
    Word mine[Tune::EACH];
    unsigned place[Tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const unsigned at = mine_first + i * WARP_LANES + lane_index();

        mine[i] = at < count ? word_of_key<Word>(keys[first + at], order) : ~(Word)0; // stays behind the last
    }
    for (unsigned d = lane_index(); d < types::DIGITS; d += WARP_LANES)
        lanes[d] = 0;
    for (unsigned shift = 8 * FIRST; shift < 8 * sizeof(Word); shift += types::DIGIT_BITS) {
        for (unsigned d = lane_index(); d < types::DIGITS; d += WARP_LANES)
            counters[d] = 0;
        __syncwarp(); // all words of the warp are 0
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (mine_first + i * WARP_LANES < count) {
                place[i] = rank_digit(digit_of<types::DIGIT_BITS>(mine[i], shift), counters, lanes);
                __syncwarp(); // the counters are up to date for the next row
            }
        __syncthreads(); // all warps have counted
        unsigned sum = 0;

#pragma unroll
        for (unsigned d = 0; d < DIGITS_EACH; d++)
            sum += count_digit(storage.counters, digit + d);
        uint16_t start = (uint16_t)block_exclusive_sum(sum, storage.sums);

#pragma unroll
        for (unsigned d = 0; d < DIGITS_EACH; d++)
            start = start_digit(storage.counters, digit + d, start);
        __syncthreads(); // each warp knows where its first word with each digit goes
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (mine_first + i * WARP_LANES < count)
                storage.word[counters[digit_of<types::DIGIT_BITS>(mine[i], shift)] + place[i]] = mine[i];
        __syncthreads(); // the words are in the order of their digits
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (mine_first + i * WARP_LANES < count)
                mine[i] = storage.word[mine_first + i * WARP_LANES + lane_index()];
    }
    for (unsigned i = threadIdx.x; i < count; i += Tune::THREADS) {
        const Word word = storage.word[i];

        sorted[i] = last ? from_ordered(word, order) : word;
    }
}

// Blocks take segments of the list a grid apart.
template <typename Tune, unsigned FIRST, typename Keys, typename Word>
__global__ void __launch_bounds__(Tune::THREADS, range_blocks<Tune, FIRST>())
    sort_middle_segments_kernel(Keys keys, const segment_range *list, const unsigned long long *listed, key_order order,
                                Word *sorted)
{
    __shared__ range_storage<Tune, Word, FIRST> storage;
    const uint64_t ranges = *listed;

    for (uint64_t i = blockIdx.x; i < ranges; i += gridDim.x) {
        const segment_range range = list[i];

        sort_range_in_block(keys, range.begin, (unsigned)range.count, order, true, storage, sorted + range.begin);
        __syncthreads(); // the segment has left the storage
    }
}

// ---- long segments ----

// In how many passes runs of `width` keys become one of `count`. Before a pass runs are in the result if this is even.
__device__ __forceinline__ unsigned passes_left(uint64_t count, uint64_t width)
{
    unsigned passes = 0;

    for (; width < count; width *= 2)
        passes++;
    return passes;
}

// A thread for each tile of the array: lists the tiles of long segments that begin in it. These are at most two, because
// those of a segment begin SIZE apart, and more than two segments do not meet in a tile: one that has the tile's first key,
// with slot 2 * tile, and one that begins behind that key, and so has the first key of the next tile, with slot 2 * tile + 1.
// So the slot of the next tile of a segment is 2 * (tile + 1).
template <typename Giants, typename Starts, typename Word>
__global__ void __launch_bounds__(SPLIT_THREADS)
    list_long_tiles_kernel(Starts start, uint64_t segments, uint64_t n, segment_lists_scratch<Word> lists)
{
    typedef length_classes<sizeof(Word)> classes;
    constexpr unsigned SIZE = classes::merging::SIZE;
    const uint64_t tile = (uint64_t)blockIdx.x * SPLIT_THREADS + threadIdx.x, here = tile * SIZE;

    if (lists.listed[lists.LONG] == 0)
        return;
#pragma unroll
    for (unsigned slot = 0; slot < 2; slot++) {
        const uint64_t key = here + slot * SIZE;
        long_tile entry = {{0, 0}, 0, 2 * tile + slot};

        if (key < n) {
            const uint64_t s = search_bound<UPPER_BOUND>(start, segments, key, comes_before()) - 1;

            entry.of.begin = start[s];
            entry.of.count = (s + 1 < segments ? (uint64_t)start[s + 1] : n) - entry.of.begin;
            entry.first = slot == 0 ? (tile - entry.of.begin / SIZE) * SIZE : 0;
        }
        const bool begins = slot == 0 || (entry.of.begin > here && entry.of.begin < key);
        const bool wanted = begins && entry.of.count > classes::MIDDLE_SEGMENT && entry.of.count < Giants::LEAST &&
                            entry.first < entry.of.count;
        const uint64_t at = take_next(wanted, &lists.listed[lists.LONG_TILES]);

        if (wanted)
            lists.tile[at] = entry;
    }
}

// Sorts the tiles of long segments.
template <unsigned FIRST, typename Keys, typename Word>
__global__ void __launch_bounds__(word_sort_tune<sizeof(Word)>::THREADS,
                                  range_blocks<word_sort_tune<sizeof(Word)>, FIRST>())
    sort_long_tiles_kernel(Keys keys, segment_lists_scratch<Word> lists, key_order order, Word *sorted)
{
    typedef word_sort_tune<sizeof(Word)> tuned;
    __shared__ range_storage<tuned, Word, FIRST> storage;
    const uint64_t listed = lists.listed[lists.LONG_TILES];

    for (uint64_t i = blockIdx.x; i < listed; i += gridDim.x) {
        const long_tile tile = lists.tile[i];
        const uint64_t left = tile.of.count - tile.first, begin = tile.of.begin + tile.first;
        Word *to = passes_left(tile.of.count, tuned::SIZE) % 2 == 0 ? sorted : lists.keys;

        if (tile.first % tuned::SIZE != 0) // listed for merges
            continue;
        sort_range_in_block(keys, begin, left < tuned::SIZE ? (unsigned)left : tuned::SIZE, order, false, storage,
                            to + begin);
        __syncthreads(); // the tile has left the storage
    }
}

// A thread for each listed tile: how many of the results of its pair before the tile come from the first run.
template <typename Word>
__global__ void __launch_bounds__(SPLIT_THREADS)
    split_long_tiles_kernel(segment_lists_scratch<Word> lists, uint64_t width, const Word *sorted)
{
    const uint64_t i = (uint64_t)blockIdx.x * SPLIT_THREADS + threadIdx.x;

    if (i >= lists.listed[lists.LONG_TILES])
        return;
    const long_tile tile = lists.tile[i];
    const unsigned left = passes_left(tile.of.count, width);

    if (left == 0)
        return;
    const pair_of_runs runs(tile.of.count, width, tile.first);
    const Word *a = (left % 2 == 0 ? sorted : lists.keys) + tile.of.begin + runs.begin;

    lists.split[tile.slot] =
        merge_path(a, runs.a_count, a + runs.a_count, runs.b_count, tile.first - runs.begin, less());
}

template <typename Word>
__global__ void __launch_bounds__(word_merge_tune<sizeof(Word)>::THREADS, LONG_RESIDENT)
    merge_long_tiles_kernel(segment_lists_scratch<Word> lists, uint64_t width, key_order order, Word *sorted)
{
    typedef word_merge_tune<sizeof(Word)> tuned;
    __shared__ word_merge_storage<tuned, Word> storage;
    const uint64_t listed = lists.listed[lists.LONG_TILES];

    for (uint64_t i = blockIdx.x; i < listed; i += gridDim.x) {
        const long_tile tile = lists.tile[i];
        const unsigned left = passes_left(tile.of.count, width);

        if (left == 0) // in all threads
            continue;
        const pair_of_runs runs(tile.of.count, width, tile.first);
        const uint64_t begin = tile.first - runs.begin, results = runs.a_count + runs.b_count;
        const uint64_t end = results - begin < tuned::SIZE ? results : begin + tuned::SIZE;
        const uint64_t a_first = lists.split[tile.slot];
        const uint64_t a_end = end == results ? runs.a_count : lists.split[tile.slot / 2 * 2 + 2];
        const Word *from = (left % 2 == 0 ? sorted : lists.keys) + tile.of.begin;
        Word *to = (left % 2 == 0 ? lists.keys : sorted) + tile.of.begin;

        merge_word_tile<tuned>(from, tile.of.count, runs, begin, end, a_first, a_end, order, left == 1, storage,
                               to + tile.first);
        __syncthreads(); // the tile has left the buffer
    }
}

// ---- short segments ----

// A thread for 16 keys, for whose bits of first keys it looks. RESIDENT: blocks on a multiprocessor at once, which leaves 51
// or 73 registers for each thread; without a bound it is 2 and 3. On an H200 that took 1.02 to 1.2 times the time with 4
// bytes, and 1.04 to 1.5 times with 8. THREADS is not tuned.
template <unsigned BYTES> struct short_tune : tune<BYTES <= 4 ? 256 : 128, 16> {
    static constexpr unsigned RESIDENT = BYTES <= 4 ? 5 : 7;
};

// Words of a tile and of a short segment behind it. A word is left free after each 32, so that lanes whose words are a power
// of two apart use different banks.
template <typename Word, unsigned SIZE> struct padded_words {
    Word word[(SIZE + SHORT_SEGMENT) / 32 * 33];

    __device__ __forceinline__ Word &operator[](unsigned i)
    {
        return word[i + i / 32];
    }
};

template <unsigned MOST, typename Words>
__device__ __forceinline__ void sort_by_thread(Words &words, unsigned begin, unsigned count)
{
    typedef std::decay_t<decltype(words[0])> word;
    word mine[MOST];

#pragma unroll
    for (unsigned i = 0; i < MOST; i++)
        mine[i] = i < count ? words[begin + i] : ~(word)0;
    sort_in_thread(mine);
#pragma unroll
    for (unsigned i = 0; i < MOST; i++)
        if (i < count)
            words[begin + i] = mine[i];
}

// All lanes of a warp call.
template <unsigned EACH, typename Words>
__device__ __forceinline__ void sort_by_warp(Words &words, unsigned begin, unsigned count)
{
    typedef std::decay_t<decltype(words[0])> word;
    word mine[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        mine[i] = i * WARP_LANES + lane_index() < count ? words[begin + i * WARP_LANES + lane_index()] : ~(word)0;
    warp_sort(mine);
    __syncwarp(); // all lanes have read
#pragma unroll
    for (unsigned i = 0; i < EACH; i++)
        if (lane_index() * EACH + i < count)
            words[begin + lane_index() * EACH + i] = mine[i];
}

// The segments of a tile that have more than one key, by their length: at most 32 for a thread in three lists, longer ones for
// a warp.
template <unsigned SIZE> struct segment_lists {
    // The last four: how many segments can begin in a tile, if all have at least 33, 17, 9 or 2 keys.
    static constexpr unsigned LISTS = 4, OF_WARPS = SIZE / 33 + 1, OF_32 = SIZE / 17 + 1, OF_16 = SIZE / 9 + 1,
                              OF_8 = SIZE / 2 + 1;

    // Keys of the longest segment of a list.
    static __device__ __forceinline__ unsigned longest(unsigned list)
    {
        return list == 0 ? (unsigned)SHORT_SEGMENT : 64u >> list;
    }
    // Where a list begins.
    static __device__ __forceinline__ unsigned first(unsigned list)
    {
        return list == 0 ? 0 : OF_WARPS + (list > 1 ? OF_32 : 0) + (list > 2 ? OF_16 : 0);
    }
    uint16_t segment[OF_WARPS + OF_32 + OF_16 + OF_8];
    unsigned count[LISTS];
};

// Sorts the short segments that begin in the block's tile; other segments between them are copied.
template <typename Tune, typename Keys, typename Word>
__global__ void __launch_bounds__(Tune::THREADS, Tune::RESIDENT)
    sort_short_segments_kernel(Keys keys, uint64_t n, const unsigned *heads, key_order order, Word *sorted)
{
    constexpr unsigned WORDS = (Tune::SIZE + SHORT_SEGMENT) / 32;
    constexpr unsigned EACH = Tune::EACH + SHORT_SEGMENT / Tune::THREADS;
    typedef segment_lists<Tune::SIZE> lists_type;
    static_assert(Tune::EACH == 16, "half a word of first keys for each thread");
    __shared__ padded_words<Word, Tune::SIZE> words;
    __shared__ lists_type lists;
    __shared__ uint16_t begin[Tune::SIZE + 1]; // of the segments that begin in the tile, and the end of the last
    __shared__ unsigned bits[WORDS], sums[Tune::WARPS], from, to;
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const unsigned count = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;
    bool some = false;

    for (unsigned i = threadIdx.x; i < WORDS; i += Tune::THREADS) {
        const uint64_t at = first / 32 + i;
        unsigned word = at < divide_up(n, 32) ? heads[at] : 0;

        if (at == n / 32) // the end counts as a first key
            word |= 1u << n % 32;
        bits[i] = word;
        some |= i < Tune::SIZE / 32 && word != 0;
    }
    if (threadIdx.x < lists_type::LISTS)
        lists.count[threadIdx.x] = 0;
    if (!__syncthreads_or(some)) // after this barrier the bits are loaded; without one no segment begins here
        return;
    const unsigned mine = threadIdx.x * Tune::EACH;
    unsigned own = mine < count ? bits[mine / 32] >> mine % 32 & 0xffff : 0, total;

    if (count - mine < Tune::EACH && mine < count)
        own &= (1u << (count - mine)) - 1;
    unsigned number = block_exclusive_sum((unsigned)__popc(own), sums, &total);

    for (; own != 0; own &= own - 1)
        begin[number++] = (uint16_t)(mine + lowest_bit(own));
    __syncthreads(); // all segments that begin here are known
    if (threadIdx.x == 0) {
        unsigned next = count;

        if (count == Tune::SIZE) { // the first key behind the tile
            unsigned w = Tune::SIZE / 32;

            for (next = Tune::SIZE; w < WORDS && bits[w] == 0; w++)
                next += 32;
            next += w < WORDS ? lowest_bit(bits[w]) : SHORT_SEGMENT; // too far for any segment that begins here
        }
        begin[total] = (uint16_t)next;
        from = begin[0] < count ? begin[0] : count; // what goes on from the tile before is not sorted here
        to = total == 0 ? 0 : next - begin[total - 1] <= SHORT_SEGMENT ? next : begin[total - 1];
    }
    __syncthreads(); // it is known which keys are moved
    if (from >= to)  // in all threads
        return;
    Word key[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at >= from && at < to)
            key[i] = word_of_key<Word>(keys[first + at], order);
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at >= from && at < to)
            words[at] = key[i];
    }
    for (unsigned i = threadIdx.x; i < round_up(total, WARP_LANES); i += Tune::THREADS) { // whole warps
        const unsigned length = i < total ? begin[i + 1] - begin[i] : 0;

#pragma unroll
        for (unsigned l = 0; l < lists_type::LISTS; l++) {
            const unsigned above = l + 1 < lists_type::LISTS ? lists_type::longest(l + 1) : 1;
            const bool here = length > above && length <= lists_type::longest(l);
            const unsigned lanes = __ballot_sync(FULL_MASK, here);
            unsigned at = 0;

            if (lanes == 0)
                continue;
            if (lane_index() == 0)
                at = atomicAdd(&lists.count[l], (unsigned)__popc(lanes));
            at = shuffle(at, 0);
            if (here)
                lists.segment[lists_type::first(l) + at + count_below(lanes)] = (uint16_t)i;
        }
    }
    __syncthreads(); // keys and lists are there
    const unsigned of_warps = lists.count[0];
    const unsigned rows[3] = {(lists.count[1] + 31) / 32, (lists.count[2] + 31) / 32, (lists.count[3] + 31) / 32};

    for (unsigned i = warp_index(); i < of_warps + rows[0] + rows[1] + rows[2]; i += Tune::WARPS) {
        if (i < of_warps) {
            const unsigned s = lists.segment[i], at = begin[s], length = begin[s + 1] - at;

            if (length <= 64)
                sort_by_warp<2>(words, at, length);
            else if (length <= 128)
                sort_by_warp<4>(words, at, length);
            else if (length <= 256)
                sort_by_warp<8>(words, at, length);
            else
                sort_by_warp<16>(words, at, length);
            continue;
        }
        unsigned row = i - of_warps, l = 1;

        for (; row >= rows[l - 1]; l++)
            row -= rows[l - 1];
        row = row * WARP_LANES + lane_index();
        if (row < lists.count[l]) {
            const unsigned s = lists.segment[lists_type::first(l) + row], at = begin[s], length = begin[s + 1] - at;

            if (l == 1)
                sort_by_thread<32>(words, at, length);
            else if (l == 2)
                sort_by_thread<16>(words, at, length);
            else
                sort_by_thread<8>(words, at, length);
        }
    }
    __syncthreads(); // all segments are sorted
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at >= from && at < to)
            sorted[first + at] = from_ordered(words[at], order);
    }
}

// ---- all together ----

inline cudaError_t count_multiprocessors(unsigned *count)
{
    int device = 0, multiprocessors = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    *count = (unsigned)multiprocessors;
    return error;
}

// Blocks of THREADS threads for a list of at most `capacity` entries: as many as run at once if registers allow it.
template <unsigned THREADS> inline unsigned count_blocks_at_once(uint64_t capacity, unsigned multiprocessors)
{
    const uint64_t resident = (uint64_t)(2048 / THREADS < 32 ? 2048 / THREADS : 32) * multiprocessors;

    return (unsigned)(capacity < resident ? capacity : resident);
}

// The classes from C on.
template <unsigned C, unsigned FIRST, typename Keys, typename Word>
void sort_classes(Keys keys, uint64_t count, const segment_lists_scratch<Word> &s, key_order order, Word *sorted,
                  unsigned multiprocessors, cudaStream_t stream)
{
    typedef length_classes<sizeof(Word)> classes;

    if constexpr (C < classes::CLASSES) {
        typedef tune<classes::largest(C) / classes::EACH, classes::EACH> tuned;
        const uint64_t capacity = classes::capacity(count, C);

        if (capacity != 0)
            sort_middle_segments_kernel<tuned, FIRST>
                <<<count_blocks_at_once<tuned::THREADS>(capacity, multiprocessors), tuned::THREADS, 0, stream>>>(
                    keys, (const segment_range *)s.list[C], (const unsigned long long *)&s.listed[C], order, sorted);
        sort_classes<C + 1, FIRST>(keys, count, s, order, sorted, multiprocessors, stream);
    }
}

// `s`: of lay_out_segmented_words<Word, FIRST>. Keys of a segment are in ascending order of their bytes before FIRST, counted
// from the least significant one: FIRST is 0, or those bytes are the keys' indices. count > 0.
template <unsigned FIRST, typename Keys, typename Starts, typename Word>
cudaError_t sort_segments_of_words(Keys keys, uint64_t count, Starts start, uint64_t segments, key_order order,
                                   const segment_lists_scratch<Word> &s, Word *sorted, unsigned multiprocessors,
                                   const context &on)
{
    typedef length_classes<sizeof(Word)> classes;
    typedef giant_tune<Word, FIRST> giants;
    typedef typename classes::sorting sorting;
    typedef typename classes::merging merging;
    typedef short_tune<sizeof(Word)> of_short;
    unsigned tiles, starts, long_tiles;
    cudaError_t error = count_blocks<of_short::SIZE>(count, &tiles);

    if (error == cudaSuccess)
        error = count_blocks<CLASSIFY_THREADS>(segments, &starts);
    if (error == cudaSuccess)
        error = count_blocks<SPLIT_THREADS>(2 * s.tiles, &long_tiles);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(s.listed, 0, s.cleared, on.stream);
    if (error != cudaSuccess || starts == 0)
        return error;
    classify_segments_kernel<giants><<<starts, CLASSIFY_THREADS, 0, on.stream>>>(start, segments, count, s);
    sort_short_segments_kernel<of_short>
        <<<tiles, of_short::THREADS, 0, on.stream>>>(keys, count, (const unsigned *)s.heads, order, sorted);
    sort_classes<0, FIRST>(keys, count, s, order, sorted, multiprocessors, on.stream);
    if (s.tiles != 0) {
        const unsigned sorters = count_blocks_at_once<sorting::THREADS>(s.tiles, multiprocessors);
        const unsigned resident = LONG_RESIDENT * multiprocessors;
        const unsigned mergers = 2 * s.tiles < resident ? (unsigned)(2 * s.tiles) : resident;

        list_long_tiles_kernel<giants>
            <<<(unsigned)divide_up(s.tiles, SPLIT_THREADS), SPLIT_THREADS, 0, on.stream>>>(start, segments, count, s);
        sort_long_tiles_kernel<FIRST><<<sorters, sorting::THREADS, 0, on.stream>>>(keys, s, order, sorted);
        for (uint64_t width = sorting::SIZE; width < count && width < giants::LEAST; width *= 2) {
            split_long_tiles_kernel<<<long_tiles, SPLIT_THREADS, 0, on.stream>>>(s, width, (const Word *)sorted);
            merge_long_tiles_kernel<<<mergers, merging::THREADS, 0, on.stream>>>(s, width, order, sorted);
        }
    }
    if (count >= giants::LEAST)
        return sort_giants<FIRST>(keys, count, s.giants, order, s.keys, sorted, multiprocessors, on.stream);
    return cudaPeekAtLastError();
}

} // namespace sb

#endif
