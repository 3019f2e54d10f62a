// SPDX-License-Identifier: BSD-2-Clause
//
// segmented_sort: the keys of each segment sorted, by any comparison, with or without values. Stable.
//
// Keys whose order is that of unsigned words (mergesort.cuh) are sorted by classes of lengths: segmented_words.cuh. With values
// this holds for up to 2^32 keys of 4 bytes: each is sorted with its index, as a word of 8 bytes, and the values are fetched at
// the end. All others are sorted by one merge sort of all keys, as mergesort.cuh, that leaves out merges which nothing needs:
//
// Where two sorted runs meet, only the segment that lies on both sides has keys that move: so a merge is of that segment's
// part of both runs, and of nothing if a segment begins there, or if its keys are in order already. In a tile this holds for
// the runs of threads; after that for runs of tiles, and a tile in which nothing moves stays where it is: each tile has a
// mark that says which of two arrays has it. So the shorter the segments, the fewer the merges; one giant segment costs what
// mergesort costs.
// A bit for each key marks the first keys of segments, set by a thread for each segment, so that runs of empty segments
// cost no block more than another.
// Source: S. Baxter, "Modern GPU" (2013), segmented sort; the merge path: prim/merge_path.cuh.
// Cost: keys are read and written once to sort tiles, then once for each pass in which their tile moves, and once more at the
// end where that number is odd. Scratch memory for a copy of keys and values, a bit a key and 26 bytes a tile. Keys of 4 bytes
// with values: 18 bytes a key, and the values once more.
#ifndef SAMEBITS_PATTERN_SEGMENTED_SORT_CUH
#define SAMEBITS_PATTERN_SEGMENTED_SORT_CUH

#include <samebits/pattern/segmented_words.cuh>

namespace sb
{

enum : unsigned { RESIDENT_TILES = 8 }; // blocks for each multiprocessor in the passes. Not tuned.

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
    sort_segments_kernel(Keys keys, Values values, uint64_t n, const unsigned *heads, Less less, Key *sorted,
                         Value *sorted_values)
{
    constexpr bool INDEXED = !std::is_same<Values, no_values>::value;
    __shared__ Key buffer[Tune::SIZE];
    __shared__ unsigned indices[INDEXED ? Tune::SIZE : 1];
    __shared__ tile_segments<Tune> segments;
    const uint64_t first = (uint64_t)blockIdx.x * Tune::SIZE;
    const unsigned count = n - first < Tune::SIZE ? (unsigned)(n - first) : Tune::SIZE;
    unsigned index[Tune::EACH];

    load_tile<Tune>([&](unsigned at) -> Key { return keys[first + at]; }, count, buffer);
    for (unsigned i = threadIdx.x; i <= Tune::SIZE / 32; i += Tune::THREADS) // the word behind the last is not needed
        segments.heads[i] = i < Tune::SIZE / 32 ? heads[first / 32 + i] : 0;
    __syncthreads(); // the tile is loaded
    sort_tile_segments<Tune, INDEXED>(count, less, index, buffer, indices, segments);
    store_tile<Tune>(buffer, count, sorted + first);
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
                               Less less, uint64_t tiles, const uint8_t *where, uint8_t *where_next, moving_part *parts)
{
    const uint64_t tile = (uint64_t)blockIdx.x * SPLIT_THREADS + threadIdx.x, first = tile * Tune::SIZE;
    moving_part part = {0, 0, 0};

    if (tile >= tiles)
        return;
    const uint64_t pair = first / (2 * width) * (2 * width), middle = pair + width;

    if (middle < n) {
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
                          uint64_t tiles, const uint8_t *where, const moving_part *parts)
{
    __shared__ Key buffer[Tune::SIZE];

    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
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
__global__ void __launch_bounds__(Tune::THREADS) gather_tiles_kernel(two_arrays<Key> keys, two_arrays<Value> values,
                                                                     uint64_t n, uint64_t tiles, const uint8_t *where)
{
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
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
    unsigned *heads;
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
    s.where[0] = space.take<uint8_t>(s.tiles);
    s.cleared = space.bytes() - kept;
    s.where[1] = space.take<uint8_t>(s.tiles);
    s.bytes = space.bytes();
    return s;
}

// ---- keys with values, as words ----

// A key of 4 bytes, and behind it its index: the order of such words is that of keys, and equal keys stay in order.
template <typename Keys> struct keys_with_index {
    Keys keys;
    key_order order;

    __device__ __forceinline__ uint64_t operator[](uint64_t i) const
    {
        return (uint64_t)word_of_key<uint32_t>(keys[i], order) << 32 | i;
    }
};

template <typename Values> struct split_words {
    Values values;
    key_order order;

    template <typename Value>
    __device__ __forceinline__ void operator()(uint64_t i, const uint64_t *words, uint32_t *keys, Value *moved) const
    {
        const uint64_t word = words[i];

        keys[i] = from_ordered((uint32_t)(word >> 32), order);
        moved[i] = values[(uint32_t)word];
    }
};

// Whether no value is read from where sorted ones are written.
template <typename Values, typename Value> bool are_apart(const Values &, const Value *, uint64_t)
{
    return std::is_same<Values, numbers>::value; // of other sequences nobody knows what they read
}

template <typename From, typename Value> bool are_apart(From *values, const Value *sorted_values, uint64_t count)
{
    return (uintptr_t)(values + count) <= (uintptr_t)sorted_values ||
           (uintptr_t)(sorted_values + count) <= (uintptr_t)values;
}

struct indexed_words_scratch {
    segment_lists_scratch<uint64_t> lists;
    uint64_t *words;
    void *values;
    uint64_t bytes;
};

// For values of BYTES bytes.
template <unsigned BYTES> indexed_words_scratch lay_out_indexed_words(uint64_t count, void *memory)
{
    indexed_words_scratch s;
    workspace space(memory);

    s.lists = lay_out_segmented_words<uint64_t, 4>(count, memory);
    (void)space.take<char>(s.lists.bytes);
    s.words = space.take<uint64_t>(count, 16);
    s.values = space.take<char>(BYTES * count, 16);
    s.bytes = space.bytes();
    return s;
}

// Whether keys and values are sorted so: an index has 4 bytes.
template <typename Key, typename Value> bool fits_indexed_words(uint64_t count)
{
    return sizeof(Key) == 4 && !std::is_same<Value, no_values>::value && count <= (uint64_t)1 << 32;
}

template <typename Keys, typename Values, typename Starts, typename Value>
cudaError_t sort_segments_of_pairs(Keys keys, Values values, uint64_t count, Starts start, uint64_t segments,
                                   key_order order, uint32_t *sorted, Value *sorted_values, void *memory,
                                   unsigned multiprocessors, const context &on)
{
    const auto s = lay_out_indexed_words<sizeof(Value)>(count, memory);
    const keys_with_index<Keys> words = {keys, order};
    cudaError_t error =
        sort_segments_of_words<4>(words, count, start, segments, UNSIGNED_ORDER, s.lists, s.words, multiprocessors, on);

    const bool apart = are_apart(values, sorted_values, count);
    Value *moved = apart ? sorted_values : (Value *)s.values;

    if (error == cudaSuccess)
        error = transform(split_words<Values>{values, order}, count, on, (const uint64_t *)s.words, sorted, moved);
    if (error == cudaSuccess && !apart)
        error = cudaMemcpyAsync(sorted_values, moved, count * sizeof(Value), cudaMemcpyDeviceToDevice, on.stream);
    return error;
}

// One segment alone, of keys in an array: values of at most a key's size travel with their keys, which costs less than to fetch them from
// all over the array at the end. From so many keys on that a sort by digits is faster than by merges.
template <typename Keys, typename Key, typename Value> constexpr bool is_array_of_pairs()
{
    return (std::is_same<Keys, const Key *>::value || std::is_same<Keys, Key *>::value) && sizeof(Key) == 4 &&
           std::is_arithmetic<Key>::value && !std::is_same<Value, no_values>::value && sizeof(Value) <= sizeof(Key);
}

// Bytes of scratch memory that a segmented sort of `count` keys, with values of type Value, needs.
template <typename Key, typename Value = no_values> uint64_t segmented_sort_bytes(uint64_t count)
{
    const uint64_t any = lay_out_segmented_sort<Key, Value, sort_tune<sizeof(Key)>>(count, nullptr).bytes;
    uint64_t words = 0;

    if (fits_indexed_words<Key, Value>(count))
        words = lay_out_indexed_words<sizeof(Value)>(count, nullptr).bytes;
    if constexpr (is_array_of_pairs<Key *, Key, Value>())
        if (words < radix_sort_bytes<Key, Value>(count))
            words = radix_sort_bytes<Key, Value>(count);
    if constexpr (std::is_same<Value, no_values>::value && (sizeof(Key) == 4 || sizeof(Key) == 8))
        words = lay_out_segmented_words<std::conditional_t<sizeof(Key) == 4, uint32_t, uint64_t>>(count, nullptr).bytes;
    return any < words ? words : any;
}

// `sorted` becomes the keys of a sequence, those of each segment in the order of `less`, and sorted_values the values that
// go with them. Segments as in transform_lbs.cuh. The sequences may be the arrays `sorted` and `sorted_values`.
template <typename Keys, typename Values, typename Starts, typename Key, typename Value, typename Less>
cudaError_t segmented_sort(Keys keys, Values values, uint64_t count, Starts start, uint64_t segments, Key *sorted,
                           Value *sorted_values, Less less, const context &on)
{
    constexpr bool GOOD = is_called<Less, bool, Key &, Key &>();
    static_assert(GOOD, "segmented_sort: the comparison is called as bool less(key, key)");
    const called_as<GOOD, bool, Less> before(less);
    typedef sort_tune<sizeof(Key)> tuned;
    unsigned blocks, now = 0, multiprocessors = 0;
    cudaError_t error = count_blocks<tuned::SIZE>(count, &blocks);

    if (error != cudaSuccess || blocks == 0)
        return error;
    scratch space(on, segmented_sort_bytes<Key, Value>(count));
    if (space.error() != cudaSuccess)
        return space.error();
    error = count_multiprocessors(&multiprocessors);
    if (error != cudaSuccess)
        return error;
    if constexpr (std::is_same<Value, no_values>::value && ordered_words<Key, Less>::known) {
        typedef ordered_words<Key, Less> order;
        typedef typename order::word word;

        return sort_segments_of_words<0>(keys, count, start, segments, order::order,
                                         lay_out_segmented_words<word>(count, space.memory()), (word *)sorted,
                                         multiprocessors, on);
    } else if constexpr (sizeof(Key) == 4 && ordered_words<Key, Less>::known) {
        if constexpr (is_array_of_pairs<Keys, Key, Value>())
            if (ordered_words<Key, Less>::order == key_type<Key>::order && segments == 1 &&
                count >= giant_tune<uint64_t, sizeof(Key)>::LEAST)
                return radix_sort((const Key *)keys, values, count, sorted, sorted_values,
                                  context(on.stream, given_memory(space.memory())));
        if (fits_indexed_words<Key, Value>(count))
            return sort_segments_of_pairs(keys, values, count, start, segments, ordered_words<Key, Less>::order,
                                          (uint32_t *)sorted, sorted_values, space.memory(), multiprocessors, on);
    }
    auto s = lay_out_segmented_sort<Key, Value, tuned>(count, space.memory());
    const two_arrays<Key> both = {{sorted, s.keys}};
    const two_arrays<Value> both_values = {{sorted_values, s.values}};
    const unsigned at_once = blocks < RESIDENT_TILES * multiprocessors ? blocks : RESIDENT_TILES * multiprocessors;

    error = cudaMemsetAsync(s.heads, 0, s.cleared, on.stream);
    if (error == cudaSuccess)
        error = transform(mark_first_key<Starts>{start, segments, count}, segments, on, s.heads);
    if (error != cudaSuccess)
        return error;
    sort_segments_kernel<tuned><<<blocks, tuned::THREADS, 0, on.stream>>>(
        keys, values, count, (const unsigned *)s.heads, before, sorted, sorted_values);
    for (uint64_t width = tuned::SIZE; width < count; width *= 2, now ^= 1) {
        split_segments_sort_kernel<tuned><<<blocks / SPLIT_THREADS + 1, SPLIT_THREADS, 0, on.stream>>>(
            both, count, width, start, segments, before, s.tiles, (const uint8_t *)s.where[now], s.where[now ^ 1],
            s.parts);
        merge_segments_kernel<tuned><<<at_once, tuned::THREADS, 0, on.stream>>>(both, both_values, count, width, before,
                                                                                s.tiles, (const uint8_t *)s.where[now],
                                                                                (const moving_part *)s.parts);
    }
    if (blocks > 1)
        gather_tiles_kernel<tuned><<<at_once, tuned::THREADS, 0, on.stream>>>(both, both_values, count, s.tiles,
                                                                              (const uint8_t *)s.where[now]);
    return cudaPeekAtLastError();
}

// Sorts the segments of an array of keys.
template <typename Key, typename Starts, typename Less>
cudaError_t segmented_sort(Key *keys, uint64_t count, Starts start, uint64_t segments, Less less, const context &on)
{
    return segmented_sort((const Key *)keys, no_values(), count, start, segments, keys, (no_values *)nullptr, less, on);
}

// Sorts the segments of an array of keys, and an array of values the same way.
template <typename Key, typename Value, typename Starts, typename Less>
cudaError_t segmented_sort(Key *keys, Value *values, uint64_t count, Starts start, uint64_t segments, Less less,
                           const context &on)
{
    return segmented_sort((const Key *)keys, (const Value *)values, count, start, segments, keys, values, less, on);
}

} // namespace sb

#endif
