// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.pass with several chunks interleaved in a warp (buffers.cuh), between the selections of items.cuh.
#ifndef GPU_MTF_PASS_BUFFERS_CUH
#define GPU_MTF_PASS_BUFFERS_CUH

#include "buffers.cuh"
#include "items.cuh"

// The symbol of an item and the one that enters the queue share a word.
struct item_stream {
    const items &all;

    __device__ unsigned load(uint64_t index) const
    {
        return all.symbol[index] | (unsigned)all.entering[index] << 8;
    }
    static __device__ unsigned symbol(unsigned word)
    {
        return word & 255;
    }
    static __device__ unsigned entering(unsigned word)
    {
        return word >> 8;
    }
    __device__ void store(uint64_t index, unsigned position, unsigned lost) const
    {
        give_rank(all, index, position, lost);
    }
};

template <unsigned DEPTH, unsigned BUFFERS> static __global__ void pass_buffers(items all)
{
    span chunk[BUFFERS];

    if (first_of_warp<BUFFERS>() >= all.segments)
        return; // the whole warp
#pragma unroll
    for (unsigned b = 0; b < BUFFERS; b++)
        chunk[b] = segment_at(all, first_of_warp<BUFFERS>() + b);
    run_buffers<DEPTH>(item_stream{all}, all.base, chunk);
}

template <unsigned DEPTH, unsigned BUFFERS>
static sb_status launch_pass_buffers(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs,
                                     void *workspace)
{
    return launch_pass<pass_buffers<DEPTH, BUFFERS>, BUFFER_WARPS * BUFFERS, BUFFER_THREADS>(parameters, inputs,
                                                                                             outputs, workspace);
}

#endif
