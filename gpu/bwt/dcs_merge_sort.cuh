// SPDX-License-Identifier: BSD-2-Clause
//
// Difference-cover sort: one warp sorts a range of up to MAX_SMALL rows in place with a sorting network.
//
// The network is Batcher's odd-even merge sort for any number of rows. The pairs that a pass compares do not depend on
// the data and share no row. So lanes may take them in any order, and one __syncwarp in each pass is enough. Source: K.
// E. Batcher, "Sorting networks and their applications" (1968), as algorithm 5.2.2M of D. E. Knuth, "The Art of
// Computer Programming", volume 3 (1973).
#ifndef GPU_BWT_DCS_MERGE_SORT_CUH
#define GPU_BWT_DCS_MERGE_SORT_CUH

#include "dcs_rotations.cuh"

namespace
{

// One pass of algorithm 5.2.2M. It compares rows i and i + distance for each i with (i & bit) == wanted, where
// `wanted` is 0 or `bit`. The k-th such i is k with `wanted` inserted at the position of `bit`.
static __device__ void merge_pass(const rotations &all, const range &r, uint32_t bit, uint32_t wanted,
                                  uint32_t distance)
{
    const uint64_t pairs = r.count - distance;

    for (uint64_t base = sb::lane_index();; base += PAIRS * sb::WARP_LANES) {
        item low[PAIRS], high[PAIRS];
        uint64_t at[PAIRS];

#pragma unroll
        for (unsigned p = 0; p < PAIRS; p++) {
            uint64_t k = base + p * sb::WARP_LANES;

            at[p] = ((k & ~(uint64_t)(bit - 1)) << 1 | (k & (bit - 1))) + wanted;
            if (at[p] < pairs) {
                low[p] = all.load((uint32_t)(r.first + at[p]), r.depth);
                high[p] = all.load((uint32_t)(r.first + at[p] + distance), r.depth);
            }
        }
#pragma unroll
        for (unsigned p = 0; p < PAIRS; p++)
            if (at[p] < pairs && all.before(high[p], low[p], r.depth)) {
                all.store((uint32_t)(r.first + at[p]), high[p], r.depth);
                all.store((uint32_t)(r.first + at[p] + distance), low[p], r.depth);
            }
        if (at[0] >= pairs)
            break; // this lane has no pair left
    }
    __syncwarp(); // the next pass pairs rows of other lanes
}

// Sorts a range. The arguments are passed by value so that they stay in registers: no store through a pointer can
// change them.
static __device__ __noinline__ void merge_sort(const rotations all, const range r)
{
    uint64_t top = 1;

    if (r.count < 2)
        return;
    while (top * 2 < r.count)
        top *= 2;
    for (uint64_t bit = top; bit > 0; bit /= 2) {
        merge_pass(all, r, (uint32_t)bit, 0, (uint32_t)bit);
        for (uint64_t far = top; far > bit; far /= 2)
            merge_pass(all, r, (uint32_t)bit, (uint32_t)bit, (uint32_t)(far - bit));
    }
}

// Pushes a range that needs sorting on the stack, or sorts it now if the stack is full.
template <class Ranges> static __device__ void push_range(const rotations &all, const range &r, Ranges &ranges)
{
    if (r.count > 1 && !all.settled(r.depth) && !ranges.push(r))
        merge_sort(all, r);
}

} // namespace

#endif
