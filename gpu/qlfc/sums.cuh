// SPDX-License-Identifier: BSD-2-Clause
//
// Where the runs of a tile begin: sums of many numbers by blocks of 256 threads. A tile is 1024 numbers, four
// neighbours a thread; first a sum for each tile, then scan_sums, then each tile again from its own sum.
#ifndef GPU_QLFC_SUMS_CUH
#define GPU_QLFC_SUMS_CUH

#include <stdint.h>

enum { SUM_THREADS = 256, SUM_EACH = 4, SUM_TILE = SUM_THREADS * SUM_EACH };

static __host__ __device__ __forceinline__ uint64_t sum_tiles(uint64_t count)
{
    return count / SUM_TILE + (count % SUM_TILE != 0);
}

// The sum of the values of the threads before this one; `total` is that of all. Each of the block's threads calls.
static __device__ __forceinline__ uint64_t sum_before(uint64_t value, uint64_t *total)
{
    enum { SUM_LANES = 32, SUM_WARPS = SUM_THREADS / SUM_LANES };
    __shared__ uint64_t warp_sum[SUM_WARPS];
    unsigned lane = threadIdx.x % SUM_LANES, warp = threadIdx.x / SUM_LANES;
    uint64_t inclusive = value, before = 0;

    for (unsigned distance = 1; distance < SUM_LANES; distance *= 2) {
        uint64_t other = __shfl_up_sync(0xffffffffu, inclusive, distance);

        if (lane >= distance)
            inclusive += other;
    }
    __syncthreads(); // the sums of the call before have been read
    if (lane == SUM_LANES - 1)
        warp_sum[warp] = inclusive;
    __syncthreads(); // the sums are there
    *total = 0;
    for (unsigned i = 0; i < SUM_WARPS; i++) {
        before += i < warp ? warp_sum[i] : 0;
        *total += warp_sum[i];
    }
    return before + inclusive - value;
}

// One block: replaces each sum by that of those before it.
static __global__ void scan_sums(uint64_t *sums, uint64_t count, uint64_t *total)
{
    uint64_t before = 0;

    for (uint64_t tile = 0; tile < count; tile += SUM_TILE) {
        uint64_t first = tile + threadIdx.x * SUM_EACH, value[SUM_EACH], mine = 0, all;

        for (unsigned k = 0; k < SUM_EACH; k++) {
            value[k] = first + k < count ? sums[first + k] : 0;
            mine += value[k];
        }
        uint64_t here = before + sum_before(mine, &all);
        for (unsigned k = 0; k < SUM_EACH && first + k < count; k++) {
            sums[first + k] = here;
            here += value[k];
        }
        before += all;
    }
    if (threadIdx.x == 0)
        *total = before;
}

#endif
