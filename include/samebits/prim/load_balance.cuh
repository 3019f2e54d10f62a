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
// these numbers gives each item the last segment that began at it or before it.
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
// anything whose operator[] gives a number. Any thread may call.
template <typename Starts>
__device__ __forceinline__ uint64_t segments_before(const Starts &start, uint64_t segments, uint64_t items,
                                                    uint64_t diagonal)
{
    return merge_path(start, segments, numbers(), items, diagonal, comes_before());
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

// For each item j of the tile, number[j] becomes how many of the tile's segments have begun at it or before it: the segment
// of the item is first_segment - 1 + number[j]. `number` is shared memory. All threads call; four barriers, the first of
// which frees `number` and `warp_results` of older use, the last of which lets all threads read `number`.
template <unsigned THREADS, unsigned SIZE, typename Starts, unsigned WARPS>
__device__ __forceinline__ void number_segments(const balanced_tile &tile, const Starts &start, uint64_t segments,
                                                uint64_t items, unsigned (&number)[SIZE],
                                                unsigned (&warp_results)[WARPS])
{
    static_assert(THREADS == WARPS * WARP_LANES && SIZE % THREADS == 0, "whole warps, as many items for each thread");
    const unsigned each = SIZE / THREADS;
    unsigned largest = 0;

    __syncthreads(); // the storage is free
    for (unsigned i = threadIdx.x; i < SIZE; i += THREADS)
        number[i] = 0;
    __syncthreads(); // all numbers are 0 before any is set
    for (unsigned s = threadIdx.x; s < tile.segments; s += THREADS) {
        uint64_t segment = tile.first_segment + s, begin = start[segment];
        uint64_t end = segment + 1 < segments ? (uint64_t)start[segment + 1] : items;

        if (begin != end && begin - tile.first_item < tile.items)
            number[begin - tile.first_item] = s + 1; // no other segment that has items begins there
    }
    __syncthreads(); // all beginnings are marked
    for (unsigned i = 0; i < each; i++) {
        unsigned here = number[threadIdx.x * each + i];

        largest = here > largest ? here : largest;
    }
    unsigned before = block_exclusive_scan(largest, maximum(), 0u, warp_results, &largest);

    for (unsigned i = 0; i < each; i++) {
        unsigned here = number[threadIdx.x * each + i];

        before = here > before ? here : before;
        number[threadIdx.x * each + i] = before;
    }
    __syncthreads(); // all items are numbered
}

} // namespace sb

#endif
