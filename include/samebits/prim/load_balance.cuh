// SPDX-License-Identifier: BSD-2-Clause
//
// Load balancing: the items of segments of any lengths are shared out evenly among blocks and threads, and each item learns
// its segment.
//
// Segment s begins at item start[s]; starts do not descend, and equal starts mean empty segments. The merge of the starts
// with the numbers of the items, starts first, is the order in which a single thread would meet segments and items. It is
// cut into tiles of SIZE, so that a tile has at most SIZE segments and at most SIZE items, whatever the lengths are:
//
//     starts 0 2 2 5, 6 items        s0 i0 i1 | s1 s2 i2 | i3 i4 s3 | i5          SIZE 3
//
// In a tile each segment that has an item there leaves its number where its first item is, and an inclusive maximum of
// these numbers gives each item the last segment that began at it or before it. Storage is shared memory of the caller, free
// of older use.
// Source: S. Baxter, "Modern GPU" (2013), the load-balancing search; the merge path: merge_path.cuh.
#ifndef SAMEBITS_PRIM_LOAD_BALANCE_CUH
#define SAMEBITS_PRIM_LOAD_BALANCE_CUH

#include <samebits/prim/block.cuh>
#include <samebits/prim/merge_path.cuh>

namespace sb
{

// The numbers 0, 1, 2, ... as a sequence.
struct numbers {
    __device__ __forceinline__ uint64_t operator[](uint64_t i) const
    {
        return i;
    }
};

struct comes_before {
    __device__ __forceinline__ bool operator()(uint64_t first, uint64_t second) const
    {
        return first < second;
    }
};

// How many segments the merge of `segments` starts and `items` items has among its first `diagonal` elements. Starts is
// anything whose operator[] gives a number. All lanes of a warp call with the same arguments.
template <typename Starts>
__device__ __forceinline__ uint64_t segments_before(const Starts &start, uint64_t segments, uint64_t items,
                                                    uint64_t diagonal)
{
    return warp_merge_path(start, segments, numbers(), items, diagonal, comes_before());
}

// What a tile has: the items first_item .. first_item + items - 1, and the segments first_segment .. first_segment +
// segments - 1 begin in it. Its first items may belong to the segment first_segment - 1, which began before.
struct balanced_tile {
    uint64_t first_item, first_segment;
    unsigned items, segments;
};

// Tile number `tile` of SIZE elements; `split[t]` is segments_before(..., t * SIZE) for each tile. Any thread may call.
template <unsigned SIZE>
__device__ __forceinline__ balanced_tile balance_tile(const uint64_t *split, uint64_t tile, uint64_t segments,
                                                      uint64_t items)
{
    uint64_t begin = tile * SIZE, all = segments + items, end = all - begin < SIZE ? all : begin + SIZE;
    uint64_t first = split[tile], last = end == all ? segments : split[tile + 1];

    return {begin - first, first, (unsigned)((end - last) - (begin - first)), (unsigned)(last - first)};
}

// A word for each item of a tile: how many of the tile's segments have begun at it or before it, and at which item of the
// tile the last of them began. Later items have larger words, so a maximum finds the last.
enum : unsigned { NUMBER_BITS = 16 };

__device__ __forceinline__ unsigned number_of(unsigned word)
{
    return word & ((1u << NUMBER_BITS) - 1);
}

__device__ __forceinline__ unsigned begin_of(unsigned word)
{
    return word >> NUMBER_BITS;
}

// Writes the words of those items with which a segment of the tile begins, and 0 for all others, and calls also(slot,
// segment) once for each segment of the tile, slot 1 and up, and for the one before it, slot 0, if there is one. `word` is
// shared memory. All threads call; one barrier, after the zeros; the caller's next access needs another.
template <unsigned THREADS, unsigned SIZE, typename Starts, typename Also>
__device__ __forceinline__ void mark_segments(const balanced_tile &tile, const Starts &start, uint64_t segments,
                                              uint64_t items, unsigned (&word)[SIZE], Also also)
{
    static_assert(SIZE % THREADS == 0 && SIZE < 1u << NUMBER_BITS, "as many items for each thread; a word holds both");

#pragma unroll
    for (unsigned i = 0; i < SIZE / THREADS; i++)
        word[i * THREADS + threadIdx.x] = 0;
    __syncthreads(); // all words are 0 before any is set
    if (threadIdx.x == THREADS - 1 && tile.first_segment != 0)
        also(0, tile.first_segment - 1);
    for_rows<THREADS>(tile.segments, [&](unsigned s) {
        const uint64_t segment = tile.first_segment + s, begin = start[segment];
        const uint64_t end = segment + 1 < segments ? (uint64_t)start[segment + 1] : items;

        also(s + 1, segment);
        if (begin != end && begin - tile.first_item < tile.items) // no other segment that has items begins there
            word[begin - tile.first_item] = (unsigned)(begin - tile.first_item) << NUMBER_BITS | (s + 1);
    });
}

struct nothing_else {
    __device__ __forceinline__ void operator()(unsigned, uint64_t) const
    {
    }
};

// Writes the words of all items: the segment of an item is first_segment - 1 + number_of(word). All threads call; four
// barriers, the last of which lets all threads read the words. `also`: see mark_segments.
template <unsigned THREADS, unsigned SIZE, typename Starts, unsigned WARPS, typename Also = nothing_else>
__device__ __forceinline__ void number_segments(const balanced_tile &tile, const Starts &start, uint64_t segments,
                                                uint64_t items, unsigned (&word)[SIZE], unsigned (&warp_results)[WARPS],
                                                Also also = Also())
{
    static_assert(THREADS == WARPS * WARP_LANES, "whole warps");
    constexpr unsigned EACH = SIZE / THREADS;
    unsigned mine[EACH], largest = 0;

    mark_segments<THREADS>(tile, start, segments, items, word, also);
    __syncthreads(); // all beginnings are marked
#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        mine[i] = word[threadIdx.x * EACH + i];
        largest = maximum()(largest, mine[i]);
    }
    unsigned before = block_exclusive_scan(largest, maximum(), 0u, warp_results, &largest);

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        before = maximum()(before, mine[i]);
        word[threadIdx.x * EACH + i] = before;
    }
    __syncthreads(); // all items are numbered
}

} // namespace sb

#endif
