// SPDX-License-Identifier: BSD-2-Clause
//
// The merge path: where any stretch of the result of merging two sorted sequences begins, and the merge of a stretch by one
// thread.
//
//     Each step of a merge takes an element of a or one of b. So after d steps i elements come from a and d - i from b,
//     and (i, d - i) is a point of the diagonal d. i is the smallest number for which a[i] comes after b[d - i - 1]; since
//     that is false below and true above, a binary search finds it.
//
// Sequences are anything that has operator[]: pointers to global or shared memory, or an object that computes elements.
// less(x, y) is a strict weak order; of equal elements those of a come first. So the merge is stable.
// Called by any thread, on its own, except warp_merge_path. No storage, no barriers.
// Source: O. Green, R. McColl and D. Bader, "GPU merge path" (2012).
#ifndef SAMEBITS_PRIM_MERGE_PATH_CUH
#define SAMEBITS_PRIM_MERGE_PATH_CUH

#include <samebits/prim/warp.cuh>
#include <stdint.h>

namespace sb
{

// How many of the first `diagonal` results of merging a and b come from a; diagonal <= a_count + b_count. Size is an
// unsigned type that holds a_count + b_count.
template <typename A, typename B, typename Size, typename Less>
__device__ __forceinline__ Size merge_path(const A &a, Size a_count, const B &b, Size b_count, Size diagonal,
                                           const Less &less)
{
    Size low = diagonal > b_count ? diagonal - b_count : 0, high = diagonal < a_count ? diagonal : a_count;

    while (low < high) {
        Size middle = low + (high - low) / 2;

        if (less(b[diagonal - 1 - middle], a[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The same by a warp: all lanes call with the same arguments, and each tries one of 32 elements at a time. In sequences of
// 2^24 elements 5 loads follow each other, where a search by one thread has 24.
template <typename A, typename B, typename Less>
__device__ __forceinline__ uint64_t warp_merge_path(const A &a, uint64_t a_count, const B &b, uint64_t b_count,
                                                    uint64_t diagonal, const Less &less)
{
    uint64_t low = diagonal > b_count ? diagonal - b_count : 0, high = diagonal < a_count ? diagonal : a_count;

    while (low < high) { // the same in all lanes
        uint64_t step = (high - low) / WARP_LANES + 1, tried = low + step * lane_index() + step - 1;
        unsigned below =
            (unsigned)__popc(__ballot_sync(FULL_MASK, tried < high && !less(b[diagonal - 1 - tried], a[tried])));

        low += step * below; // the last lane tries `high` or more, so not all are below
        high = high < low + step - 1 ? high : low + step - 1;
    }
    return low;
}

// Merges EACH results of the runs keys[a] .. keys[a_end - 1] and keys[b] .. keys[b_end - 1]: result i becomes key[i], and
// index[i] is where it was in `keys`. When both runs have ended, key[i] and index[i] mean nothing. One load for each
// result.
template <unsigned EACH, typename Keys, typename Key, typename Less>
__device__ __forceinline__ void merge_serially(const Keys &keys, unsigned a, unsigned a_end, unsigned b, unsigned b_end,
                                               const Less &less, Key (&key)[EACH], unsigned (&index)[EACH])
{
    Key next_a = keys[a < a_end ? a : 0], next_b = keys[b < b_end ? b : 0];

#pragma unroll
    for (unsigned i = 0; i < EACH; i++) {
        bool from_a = a < a_end && (b >= b_end || !less(next_b, next_a));

        key[i] = from_a ? next_a : next_b;
        index[i] = from_a ? a : b;
        unsigned next = (from_a ? ++a : ++b);

        if (next < (from_a ? a_end : b_end)) {
            Key loaded = keys[next];

            next_a = from_a ? loaded : next_a;
            next_b = from_a ? next_b : loaded;
        }
    }
}

} // namespace sb

#endif
