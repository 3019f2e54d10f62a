// SPDX-License-Identifier: BSD-2-Clause
//
// segmented_sort: the keys of each segment sorted, by any comparison, with or without values. Stable.
//
// A merge sort of all keys, as mergesort.cuh, that leaves out merges which nothing needs. Where two sorted runs meet, only
// the segment that lies on both sides has keys that move: so a merge is of that segment's part of both runs, and of nothing
// if a segment begins there, or if its keys are in order already. In a tile this holds for the runs of threads; after that
// for runs of tiles, and a tile in which nothing moves stays where it is: each tile has a mark that says which of two arrays
// has it. So the shorter the segments, the fewer the merges; one giant segment costs what mergesort costs.
//
// Keys alone whose order is that of unsigned words (mergesort.cuh) go through a kernel before that, which sorts all segments
// of at most SHORT_SEGMENT keys in registers, by networks: up to 32 keys by a thread, more by a warp. A tile sorts the
// segments that begin in it, and reads on to the end of the last one. Then the merge sort skips tiles that have no part of a
// longer segment. In the others it finds short segments in order, and moves nothing of them.
//
// A bit for each key marks the first keys of segments, set by a thread for each segment, so that runs of empty segments
// cost no block more than another.
// Source: S. Baxter, "Modern GPU" (2013), segmented sort; the merge path: prim/merge_path.cuh; the networks: prim/sort.cuh.
// On an H200, 2^28 u32 keys alone in segments of 16, 256 and 4096 on average: 138, 73 and 23 G keys/s; CUB of toolkit 13.0: 68, 4
// and 25. One giant segment of 2^26 keys: 11 G keys/s. The slow part is the merge sort of long segments.
// Cost: keys are read and written once to sort short segments and once to sort tiles, then once for each pass in which their
// tile moves, and once more at the end where that number is odd. Scratch memory for a copy of keys and values, a bit a key and
// 26 bytes a tile.
#ifndef SAMEBITS_PATTERN_SEGMENTED_SORT_CUH
#define SAMEBITS_PATTERN_SEGMENTED_SORT_CUH

#include <samebits/pattern/mergesort.cuh>
#include <samebits/pattern/sorted_search.cuh>

namespace sb
{

// ---- the bits of first keys ----

template <typename Starts> struct mark_first_key {
    Starts start;
    uint64_t segments, count;

    __device__ __forceinline__ void operator()(uint64_t s, unsigned *heads) const
    {
        const uint64_t begin = start[s], end = s + 1 < segments ? (uint64_t)start[s + 1] : count;

        if (begin != end)
            atomicOr(&heads[begin / 32], 1u << begin % 32);
    }
};

// A bit for each tile that has a part of a long segment; null: all tiles.
struct long_tiles {
    unsigned *bits; // and behind the last word one that is not 0 if there is a long segment at all
    uint64_t tiles;

    __host__ __device__ __forceinline__ uint64_t words() const
    {
        return divide_up(tiles, 32) + 1;
    }
    __device__ __forceinline__ bool any() const
    {
        return bits == nullptr || bits[words() - 1] != 0;
    }
    __device__ __forceinline__ bool operator[](uint64_t tile) const
    {
        return bits == nullptr || (bits[tile / 32] >> tile % 32 & 1) != 0;
    }
};

enum : unsigned {
    SHORT_SEGMENT = 512, // keys: 16 for each lane of a warp
    RESIDENT_TILES = 8   // blocks for each multiprocessor in the passes. Not tuned.
};

// Sets the bits of the tiles of each segment that is not short.
template <typename Starts, unsigned SIZE> struct mark_long_tiles {
    Starts start;
    uint64_t segments, count;
    long_tiles tiles;

    __device__ __forceinline__ void operator()(uint64_t s) const
    {
        const uint64_t begin = start[s], end = s + 1 < segments ? (uint64_t)start[s + 1] : count;

        if (end - begin <= SHORT_SEGMENT)
            return;
        for (uint64_t tile = begin / SIZE; tile <= (end - 1) / SIZE; tile++)
            atomicOr(&tiles.bits[tile / 32], 1u << tile % 32);
        atomicOr(&tiles.bits[tiles.words() - 1], 1u);
    }
};

// ---- short segments ----

// A thread for 16 keys, for whose bits of first keys it looks. Not tuned.
template <unsigned BYTES> struct short_tune : tune<BYTES <= 4 ? 256 : 128, 16> {
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

// Sorts the short segments that begin in the block's tile, and copies the keys of other segments that are in it.
template <typename Tune, typename Keys, typename Word>
__global__ void __launch_bounds__(Tune::THREADS)
    sort_short_segments_kernel(Keys keys, uint64_t n, const unsigned *heads, key_order order, Word *sorted)
{
    constexpr unsigned AROUND = SHORT_SEGMENT / 32, WORDS = Tune::SIZE / 32 + 2 * AROUND;
    constexpr unsigned EACH = Tune::EACH + SHORT_SEGMENT / Tune::THREADS;
    typedef segment_lists<Tune::SIZE> lists_type;
    static_assert(Tune::EACH == 16, "half a word of first keys for each thread");
    __shared__ padded_words<Word, Tune::SIZE> words;
    __shared__ lists_type lists;
    __shared__ uint16_t begin[Tune::SIZE + 1]; // of the segments that begin in the tile, and the end of the last
    __shared__ unsigned bits[WORDS], sums[Tune::WARPS], from, to;
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const unsigned count = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;

    for (unsigned i = threadIdx.x; i < WORDS; i += Tune::THREADS) {
        const uint64_t at = first / 32 + i; // AROUND words after the word, which may be before the array
        unsigned word = at >= AROUND && at - AROUND < divide_up(n, 32) ? heads[at - AROUND] : 0;

        if (at == n / 32 + AROUND) // the end counts as a first key
            word |= 1u << n % 32;
        bits[i] = word;
    }
    if (threadIdx.x < lists_type::LISTS)
        lists.count[threadIdx.x] = 0;
    __syncthreads(); // the bits are loaded
    const unsigned mine = threadIdx.x * Tune::EACH;
    unsigned own = mine < count ? bits[AROUND + mine / 32] >> mine % 32 & 0xffff : 0, total;

    if (count - mine < Tune::EACH && mine < count)
        own &= (1u << (count - mine)) - 1;
    unsigned number = block_exclusive_sum((unsigned)__popc(own), sums, &total);

    for (; own != 0; own &= own - 1)
        begin[number++] = (uint16_t)(mine + lowest_bit(own));
    __syncthreads(); // all segments that begin here are known
    if (threadIdx.x == 0) {
        unsigned next = count, last = 0;
        bool before = false;

        if (count == Tune::SIZE) { // the first key behind the tile
            unsigned w = AROUND + Tune::SIZE / 32;

            for (next = Tune::SIZE; w < WORDS && bits[w] == 0; w++)
                next += 32;
            next += w < WORDS ? lowest_bit(bits[w]) : SHORT_SEGMENT; // too far for any segment that begins here
        }
        begin[total] = (uint16_t)next;
        if (total != 0)
            last = begin[total - 1];
        to = total != 0 && next - last <= SHORT_SEGMENT ? next : count;
        if ((bits[AROUND] & 1) == 0) // a segment goes on from the tile before: a short one is sorted there
            for (unsigned w = AROUND; w > 0 && !before; w--)
                if (bits[w - 1] != 0) {
                    const unsigned behind = (AROUND - w) * 32 + 32 - highest_bit(bits[w - 1]);

                    before = behind + begin[0] <= SHORT_SEGMENT;
                    break;
                }
        from = !before ? 0 : begin[0] < count ? begin[0] : count;
    }
    __syncthreads(); // it is known which keys are moved
    Word key[EACH];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at >= from && at < to) {
            const auto loaded = keys[first + at];

            static_assert(sizeof loaded == sizeof key[i], "a word is as long as a key");
            memcpy(&key[i], &loaded, sizeof loaded);
        }
    }
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        const unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at >= from && at < to)
            words[at] = to_ordered(key[i], order);
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

// ---- a tile ----

// What a thread knows of the segments around its first key: where the segment of that key begins, at `begin[thread]`, and
// ends, at `end[thread]`, both in the tile.
template <typename Tune> struct tile_segments {
    // Of whole vectors, and aligned: else the assembler reads words beside them, which other threads write, and leaves them
    // unused; racecheck of compute-sanitizer reports that.
    alignas(16) unsigned warp_results[2][Tune::WARPS];
    unsigned heads[Tune::SIZE / 32 + 1];
    unsigned begin[Tune::THREADS], end[Tune::THREADS];
};

// Fills `begin` and `end` from `heads`, which a barrier has filled; returns a mask of which of the thread's keys are first
// ones. Ends with a barrier. All threads call.
template <typename Tune> __device__ __forceinline__ unsigned find_segments(tile_segments<Tune> &segments)
{
    static_assert(Tune::EACH < 32 && Tune::SIZE % 32 == 0, "a mask of the thread's keys, whole words of a tile");
    const unsigned mine = threadIdx.x * Tune::EACH;
    unsigned mask = 0, all;

#pragma unroll
    for (unsigned i = 0; i <= Tune::EACH; i++)
        mask |= (segments.heads[(mine + i) / 32] >> (mine + i) % 32 & 1) << i;
    const unsigned own = mask & ((1u << Tune::EACH) - 1), later = mask & ~1u;

    // 1 more than the last first key before the thread's, 0 if there is none.
    unsigned last =
        block_exclusive_scan(own == 0 ? 0 : mine + highest_bit(own) + 1, maximum(), 0u, segments.warp_results[0], &all);
    segments.begin[threadIdx.x] = (mask & 1) != 0 ? mine : last != 0 ? last - 1 : 0;
    // The first key after the thread's first one, counted from the end of the tile so that the nearest is the largest.
    segments.end[threadIdx.x] = later == 0 ? 0 : Tune::SIZE - (mine + lowest_bit(later));
    __syncthreads(); // all threads have written theirs
    const unsigned other = Tune::THREADS - 1 - threadIdx.x;
    unsigned nearest = block_inclusive_scan(segments.end[other], maximum(), 0u, segments.warp_results[1]);

    segments.end[other] = Tune::SIZE - nearest; // this thread alone has read it, before the barrier of the scan
    __syncthreads();                            // all segments are found
    return own;
}

// As sort_tile of mergesort.cuh, but keys stay in their segments.
template <typename Tune, bool INDEXED, typename Key, typename Less, unsigned INDICES>
__device__ __forceinline__ void sort_tile_segments(unsigned count, const Less &less, unsigned (&index)[Tune::EACH],
                                                   Key (&keys)[Tune::SIZE], unsigned (&indices)[INDICES],
                                                   tile_segments<Tune> &segments)
{
    const unsigned mine = threadIdx.x * Tune::EACH, left = count > mine ? count - mine : 0;
    const unsigned first = find_segments<Tune>(segments);
    Key key[Tune::EACH];

#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        index[i] = mine + i;
        if (i < left)
            key[i] = keys[mine + i];
    }
#pragma unroll
    for (unsigned round = 0; round < Tune::EACH; round++)
#pragma unroll
        for (unsigned i = round % 2; i + 1 < Tune::EACH; i += 2)
            if (i + 1 < left && (first >> (i + 1) & 1) == 0 && less(key[i + 1], key[i])) {
                Key other = key[i];
                unsigned other_index = index[i];

                key[i] = key[i + 1], index[i] = index[i + 1];
                key[i + 1] = other, index[i + 1] = other_index;
            }
    for (unsigned width = Tune::EACH; width < Tune::SIZE; width *= 2) {
        const unsigned pair = mine / (2 * width) * (2 * width), middle = pair + width;
        unsigned low = middle, high = middle; // the part of the segment on both sides

        if (middle < count && segments.begin[middle / Tune::EACH] < middle) {
            const unsigned begin = segments.begin[middle / Tune::EACH], end = segments.end[middle / Tune::EACH];

            low = begin > pair ? begin : pair;
            high = end < pair + 2 * width ? end : pair + 2 * width;
            high = high < count ? high : count;
        }
        const unsigned from = mine > low ? mine : low, to = mine + Tune::EACH < high ? mine + Tune::EACH : high;

        if (!__syncthreads_or(from < to)) // nothing moves in this tile; all threads have read the runs before
            continue;
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (i < left) {
                keys[mine + i] = key[i];
                if (INDEXED)
                    indices[mine + i] = index[i];
            }
        __syncthreads(); // all threads have written the runs
        if (from >= to)
            continue;
        const Key *all = keys;
        unsigned a = merge_path(all + low, middle - low, all + middle, high - middle, from - low, less);
        unsigned b = middle + (from - low - a);

        a += low;
        Key next_a = all[a < middle ? a : low], next_b = all[b < high ? b : low];
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++)
            if (mine + i >= from && mine + i < to) {
                const bool from_a = a < middle && (b >= high || !less(next_b, next_a));

                key[i] = from_a ? next_a : next_b;
                if (INDEXED)
                    index[i] = indices[from_a ? a : b];
                const unsigned next = (from_a ? ++a : ++b);

                if (next < (from_a ? middle : high)) {
                    const Key loaded = all[next];

                    next_a = from_a ? loaded : next_a;
                    next_b = from_a ? next_b : loaded;
                }
            }
    }
    __syncthreads(); // all threads have read the runs
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++)
        if (i < left)
            keys[mine + i] = key[i];
    __syncthreads(); // the tile is sorted
}

template <typename Tune, typename Keys, typename Values, typename Less, typename Key, typename Value>
__global__ void __launch_bounds__(Tune::THREADS)
    sort_segments_kernel(Keys keys, Values values, uint64_t n, const unsigned *heads, Less less, long_tiles moving,
                         Key *sorted, Value *sorted_values)
{
    constexpr bool INDEXED = !std::is_same<Values, no_values>::value;
    __shared__ Key buffer[Tune::SIZE];
    __shared__ unsigned indices[INDEXED ? Tune::SIZE : 1];
    __shared__ tile_segments<Tune> segments;
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const unsigned count = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;
    unsigned index[Tune::EACH];

    if (!moving[blockIdx.x])
        return;
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        unsigned at = i * Tune::THREADS + threadIdx.x;

        if (at < count)
            buffer[at] = keys[first + at];
    }
    for (unsigned i = threadIdx.x; i <= Tune::SIZE / 32; i += Tune::THREADS) // the word behind the last is not needed
        segments.heads[i] = i < Tune::SIZE / 32 ? heads[first / 32 + i] : 0;
    __syncthreads(); // the tile is loaded
    sort_tile_segments<Tune, INDEXED>(count, less, index, buffer, indices, segments);
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

// ---- passes ----

// An array whose tiles are in one of two arrays each.
template <typename T> struct two_arrays {
    T *side[2];
};

template <unsigned SIZE, typename T> struct located {
    two_arrays<T> arrays;
    const uint8_t *where;
    uint64_t first;

    __device__ __forceinline__ T operator[](uint64_t i) const
    {
        i += first;
        return (where[i / SIZE] != 0 ? arrays.side[1] : arrays.side[0])[i];
    }
};

// The part low .. high - 1 of the keys moves in a pass, of which the tile's part is merged here; its first a results come
// from the first run. low == high: the tile stays.
struct moving_part {
    uint64_t low, high, a;
};

// One thread for each tile.
template <typename Tune, typename Key, typename Starts, typename Less>
__global__ void __launch_bounds__(SPLIT_THREADS)
    split_segments_sort_kernel(two_arrays<Key> keys, uint64_t n, uint64_t width, Starts start, uint64_t segments,
                               Less less, long_tiles moving, const uint8_t *where, uint8_t *where_next,
                               moving_part *parts)
{
    const uint64_t tile = (uint64_t)blockIdx.x * SPLIT_THREADS + threadIdx.x, first = tile * Tune::SIZE;
    moving_part part = {0, 0, 0};

    if (tile >= moving.tiles || !moving.any())
        return;
    const uint64_t pair = first / (2 * width) * (2 * width), middle = pair + width;

    if (middle < n && moving[tile]) {
        const uint64_t s = search_bound<UPPER_BOUND>(start, segments, middle, comes_before()) - 1;
        const uint64_t begin = start[s], end = s + 1 < segments ? (uint64_t)start[s + 1] : n;
        const uint64_t low = begin > pair ? begin : pair, high = end < pair + 2 * width ? end : pair + 2 * width;
        const uint64_t from = first > low ? first : low, to = first + Tune::SIZE < high ? first + Tune::SIZE : high;
        const located<Tune::SIZE, Key> a = {keys, where, low}, b = {keys, where, middle};

        if (begin < middle && from < to && less(b[0], a[middle - low - 1]))
            part = {low, high, merge_path(a, middle - low, b, high - middle, from - low, less)};
    }
    parts[tile] = part;
    where_next[tile] = (uint8_t)(where[tile] ^ (part.low < part.high));
}

// Stores the tile in the other array: what is merged from the buffer, what stays from where it was.
template <typename Tune, typename T>
__device__ __forceinline__ void store_moved(const T (&buffer)[Tune::SIZE], const T *old, uint64_t first, uint64_t n,
                                            uint64_t from, uint64_t to, T *moved)
{
#pragma unroll
    for (unsigned i = 0; i < Tune::EACH; i++) {
        const uint64_t at = first + i * Tune::THREADS + threadIdx.x;

        if (at < n)
            moved[at] = at >= from && at < to ? buffer[at - from] : old[at];
    }
}

// Blocks take tiles a grid apart: in many passes, most tiles have nothing to do.
template <typename Tune, typename Key, typename Value, typename Less>
__global__ void __launch_bounds__(Tune::THREADS)
    merge_segments_kernel(two_arrays<Key> keys, two_arrays<Value> values, uint64_t n, uint64_t width, Less less,
                          long_tiles moving, const uint8_t *where, const moving_part *parts)
{
    __shared__ Key buffer[Tune::SIZE];

    if (!moving.any())
        return;
    for (uint64_t tile = blockIdx.x; tile < moving.tiles; tile += gridDim.x) {
        const moving_part part = parts[tile];
        const uint64_t first = tile * Tune::SIZE, middle = first / (2 * width) * (2 * width) + width;

        if (part.low == part.high)
            continue;
        const uint64_t from = first > part.low ? first : part.low;
        const uint64_t to = first + Tune::SIZE < part.high ? first + Tune::SIZE : part.high;
        const uint64_t a_end = to == part.high ? middle - part.low : parts[tile + 1].a;
        const uint64_t a_first = part.low + part.a, b_first = middle + (from - part.low - part.a);
        const unsigned from_a = (unsigned)(a_end - part.a), count = (unsigned)(to - from), side = where[tile];
        const located<Tune::SIZE, Key> a = {keys, where, a_first}, b = {keys, where, b_first};
        Key key[Tune::EACH];
        unsigned index[Tune::EACH];

        merge_tile<Tune>([&](unsigned at) -> Key { return at < from_a ? a[at] : b[at - from_a]; }, from_a, count, less,
                         key, index, buffer);
        store_moved<Tune>(buffer, side != 0 ? keys.side[1] : keys.side[0], first, n, from, to,
                          side != 0 ? keys.side[0] : keys.side[1]);
        if constexpr (!std::is_same<Value, no_values>::value) {
            __shared__ Value moved[Tune::SIZE];
            const located<Tune::SIZE, Value> a_values = {values, where, a_first}, b_values = {values, where, b_first};

            permute_values<Tune>(
                [&](unsigned at) -> Value { return at < from_a ? a_values[at] : b_values[at - from_a]; }, count, index,
                moved);
            store_moved<Tune>(moved, side != 0 ? values.side[1] : values.side[0], first, n, from, to,
                              side != 0 ? values.side[0] : values.side[1]);
        }
        __syncthreads(); // the tile has left the buffers
    }
}

// Brings the tiles of the second array to the first.
template <typename Tune, typename Key, typename Value>
__global__ void __launch_bounds__(Tune::THREADS)
    gather_tiles_kernel(two_arrays<Key> keys, two_arrays<Value> values, uint64_t n, long_tiles moving,
                        const uint8_t *where)
{
    if (!moving.any())
        return;
    for (uint64_t tile = blockIdx.x; tile < moving.tiles; tile += gridDim.x) {
        if (where[tile] == 0)
            continue;
#pragma unroll
        for (unsigned i = 0; i < Tune::EACH; i++) {
            const uint64_t at = tile * Tune::SIZE + i * Tune::THREADS + threadIdx.x;

            if (at < n)
                keys.side[0][at] = keys.side[1][at];
            if constexpr (!std::is_same<Value, no_values>::value)
                if (at < n)
                    values.side[0][at] = values.side[1][at];
        }
    }
}

template <typename Key, typename Value> struct segmented_sort_scratch {
    Key *keys;
    Value *values;
    moving_part *parts;
    unsigned *heads, *long_bits;
    uint8_t *where[2];
    uint64_t tiles, cleared, bytes; // `cleared` from the heads on
};

template <typename Key, typename Value, typename Tune>
segmented_sort_scratch<Key, Value> lay_out_segmented_sort(uint64_t count, void *memory)
{
    const bool pairs = !std::is_same<Value, no_values>::value;
    segmented_sort_scratch<Key, Value> s;
    workspace space(memory);

    s.tiles = divide_up(count, Tune::SIZE);
    s.keys = s.tiles > 1 ? space.take<Key>(count, 16) : nullptr;
    s.values = s.tiles > 1 && pairs ? space.take<Value>(count, 16) : nullptr;
    s.parts = space.take<moving_part>(s.tiles, 16);
    const uint64_t kept = round_up(space.bytes(), 16);

    s.heads = (unsigned *)space.take<char>(s.tiles * Tune::SIZE / 32 * sizeof(unsigned), 16);
    s.long_bits = space.take<unsigned>(long_tiles{nullptr, s.tiles}.words());
    s.where[0] = space.take<uint8_t>(s.tiles);
    s.cleared = space.bytes() - kept;
    s.where[1] = space.take<uint8_t>(s.tiles);
    s.bytes = space.bytes();
    return s;
}

// Bytes of scratch memory that a segmented sort of `count` keys, with values of type Value, needs.
template <typename Key, typename Value = no_values> uint64_t segmented_sort_bytes(uint64_t count)
{
    return lay_out_segmented_sort<Key, Value, sort_tune<sizeof(Key)>>(count, nullptr).bytes;
}

// `sorted` becomes the keys of a sequence, those of each segment in the order of `less`, and sorted_values the values that
// go with them. Segments as in transform_lbs.cuh. The sequences may be the arrays `sorted` and `sorted_values`.
template <typename Keys, typename Values, typename Starts, typename Key, typename Value, typename Less>
cudaError_t segmented_sort(Keys keys, Values values, uint64_t count, Starts start, uint64_t segments, Key *sorted,
                           Value *sorted_values, Less less, const context &on)
{
    typedef sort_tune<sizeof(Key)> tuned;
    unsigned blocks, now = 0;
    cudaError_t error = count_blocks<tuned::SIZE>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    scratch space(on, segmented_sort_bytes<Key, Value>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    auto s = lay_out_segmented_sort<Key, Value, tuned>(count, space.memory());
    const two_arrays<Key> both = {{sorted, s.keys}};
    const two_arrays<Value> both_values = {{sorted_values, s.values}};
    long_tiles moving = {nullptr, s.tiles};
    int device = 0, multiprocessors = 0;

    error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(s.heads, 0, s.cleared, on.stream);
    if (error == cudaSuccess)
        error = transform(mark_first_key<Starts>{start, segments, count}, segments, on, s.heads);
    if constexpr (std::is_same<Value, no_values>::value && ordered_words<Key, Less>::known) {
        typedef ordered_words<Key, Less> order;
        typedef short_tune<sizeof(Key)> of_short;
        unsigned tiles;

        moving.bits = s.long_bits;
        if (error == cudaSuccess)
            error = count_blocks<of_short::SIZE>(count, &tiles);
        if (error == cudaSuccess)
            error = transform(mark_long_tiles<Starts, tuned::SIZE>{start, segments, count, moving}, segments, on);
        if (error != cudaSuccess)
            return error;
        sort_short_segments_kernel<of_short><<<tiles, of_short::THREADS, 0, on.stream>>>(
            keys, count, (const unsigned *)s.heads, order::order, (typename order::word *)sorted);
        sort_segments_kernel<tuned><<<blocks, tuned::THREADS, 0, on.stream>>>(
            (const Key *)sorted, values, count, (const unsigned *)s.heads, less, moving, sorted, sorted_values);
    } else {
        if (error != cudaSuccess)
            return error;
        sort_segments_kernel<tuned><<<blocks, tuned::THREADS, 0, on.stream>>>(
            keys, values, count, (const unsigned *)s.heads, less, moving, sorted, sorted_values);
    }
    const unsigned at_once =
        blocks < RESIDENT_TILES * (unsigned)multiprocessors ? blocks : RESIDENT_TILES * (unsigned)multiprocessors;

    for (uint64_t width = tuned::SIZE; width < count; width *= 2, now ^= 1) {
        split_segments_sort_kernel<tuned><<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(
            both, count, width, start, segments, less, moving, (const uint8_t *)s.where[now], s.where[now ^ 1],
            s.parts);
        merge_segments_kernel<tuned><<<at_once, tuned::THREADS, 0, on.stream>>>(
            both, both_values, count, width, less, moving, (const uint8_t *)s.where[now], (const moving_part *)s.parts);
    }
    if (blocks > 1)
        gather_tiles_kernel<tuned><<<at_once, tuned::THREADS, 0, on.stream>>>(both, both_values, count, moving,
                                                                              (const uint8_t *)s.where[now]);
    return cudaPeekAtLastError();
}

} // namespace sb

#endif
