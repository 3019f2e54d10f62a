// SPDX-License-Identifier: BSD-2-Clause
//
// huffman.lengths/queues: one block, one thread for each symbol; lengths.cuh has the method and its source.
//
// Counts that add up to 2^32 or more are invalid. Shared memory: 5 KiB.
#include "lengths.cuh"
#include <samebits/algorithms.h>
#include <samebits/module.h>

static __global__ void lengths(const uint64_t *count, uint8_t *length, uint32_t *invalid)
{
    __shared__ huffman_tree tree;
    __shared__ unsigned long long total;
    const uint64_t limit = 1ull << 32;
    uint64_t mine = count[threadIdx.x];

    if (threadIdx.x == 0)
        total = 0;
    bool too_many = __syncthreads_or(mine >= limit); // and the total is 0
    atomicAdd(&total, (unsigned long long)mine);
    __syncthreads(); // the total is complete; it can have wrapped only if too_many
    too_many = too_many || total >= limit;
    if (!too_many)
        length[threadIdx.x] = (uint8_t)code_length(&tree, (uint32_t)mine);
    if (threadIdx.x == 0)
        *invalid = too_many;
}

static uint64_t workspace_bytes(const uint64_t *, const sb_array *)
{
    return sizeof(uint32_t);
}

static sb_status launch(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint32_t invalid;

    lengths<<<1, ALPHABET>>>((const uint64_t *)inputs[SB_HUFFMAN_LENGTHS_COUNT].data,
                             (uint8_t *)outputs[SB_HUFFMAN_LENGTHS_LENGTH].data, (uint32_t *)workspace);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpy(&invalid, workspace, sizeof invalid, cudaMemcpyDeviceToHost) != cudaSuccess)
        return SB_FAILED;
    return invalid ? SB_INVALID : SB_OK;
}

extern "C" const sb_variant sb_gpu_huffman_lengths_queues[] = {
    {"huffman.lengths", "queues", "leaves in order, the lightest from two queues, by one block", nullptr,
     workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
