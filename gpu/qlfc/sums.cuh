// SPDX-License-Identifier: BSD-2-Clause
//
// Prefix sums of many numbers by blocks of 256 threads. A tile is 1024 numbers, four adjacent ones for each thread: a
// kernel of the caller sums each tile, scan_sums turns the sums into those of all tiles before, and another kernel of
// the caller goes through each tile again, from its own sum on.
#ifndef GPU_QLFC_SUMS_CUH
#define GPU_QLFC_SUMS_CUH

#include <samebits/prim/block.cuh>

enum {
    SUM_THREADS = 256, // of a block; not tuned
    SUM_EACH = 4,      // numbers for each thread; not tuned
    SUM_TILE = SUM_THREADS * SUM_EACH
};

static __host__ __device__ __forceinline__ uint64_t sum_tiles(uint64_t count)
{
    return sb::divide_up(count, SUM_TILE);
}

// The sum of the values of the threads before this one; *total is that of all. All threads of the block call, once in a kernel.
static __device__ __forceinline__ uint64_t sum_before(uint64_t value, uint64_t *total)
{
    __shared__ uint64_t warp_sums[SUM_THREADS / sb::WARP_LANES];

    return sb::block_exclusive_sum(value, warp_sums, total);
}

// One block: replaces each sum by that of those before it.
static __global__ void scan_sums(uint64_t *sums, uint64_t count, uint64_t *total)
{
    __shared__ uint64_t warp_sums[SUM_THREADS / sb::WARP_LANES];

    sb::block_scan_array<SUM_EACH>(sums, count, warp_sums, total);
}

#endif
