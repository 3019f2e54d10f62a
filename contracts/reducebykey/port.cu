// SPDX-License-Identifier: BSD-2-Clause
//
// reducebykey.runs: one block goes through the pairs, a tile of as many as it has threads at a time. A scan of the heads of runs numbers the
// runs; a head writes its key and clears its sum, and all add their values by atomic operations.
#include <samebits/cuda_device.h>
#include <samebits/prim/block.cuh>

enum { COUNT };         // parameters
enum { KEY, VALUE };    // inputs, and outputs
enum { THREADS = 256 }; // of the block, and pairs of a tile; not tuned

static __global__ void reduce(const uint32_t *key, const uint32_t *value, uint32_t *run, uint32_t *sum, uint64_t count,
                              unsigned long long *runs)
{
    __shared__ uint32_t warps[THREADS / 32];
    uint64_t before = 0; // runs that begin before the tile

    for (uint64_t first = 0; first < count; first += THREADS) {
        uint64_t i = first + threadIdx.x;
        bool head = i < count && (i == 0 || key[i] != key[i - 1]);
        uint32_t heads = sb::block_inclusive_scan((uint32_t)head, sb::add(), 0u, warps), total = 0;
        uint64_t mine = before + heads - 1;

        if (head) {
            run[mine] = key[i];
            sum[mine] = 0;
        }
        __syncthreads(); // all sums of the tile are 0, and all have read the results of the warps
        if (i < count)
            atomicAdd(&sum[mine], value[i]);
        if (threadIdx.x == THREADS - 1)
            warps[0] = heads;
        __syncthreads(); // the last thread has written how many heads the tile has
        total = warps[0];
        __syncthreads(); // all have read it, before the next scan writes
        before += total;
    }
    if (threadIdx.x == 0)
        *runs = before;
}

static uint64_t workspace(const uint64_t *, const sb_array *)
{
    return sizeof(unsigned long long);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    unsigned long long runs = 0;

    reduce<<<1, THREADS>>>((const uint32_t *)inputs[KEY].data, (const uint32_t *)inputs[VALUE].data,
                           (uint32_t *)outputs[KEY].data, (uint32_t *)outputs[VALUE].data, parameters[COUNT],
                           (unsigned long long *)workspace);
    if (cudaMemcpy(&runs, workspace, sizeof runs, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    outputs[KEY].length = outputs[VALUE].length = runs;
    return SB_OK;
}

SB_VARIANTS({"reducebykey.runs", "block", "one block, a tile at a time", nullptr, workspace, launch})
