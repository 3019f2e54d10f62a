// SPDX-License-Identifier: BSD-2-Clause
//
// The kernel of the variants in which a warp codes a chunk, one byte in each step: they differ only in how they keep
// the list.
//
// Input and output pass 32 bytes at a time, one byte for each lane, so that memory is accessed in whole sectors; the
// byte of a step reaches the other lanes by a shuffle. All 32 lanes take part in every step, in the last, short batch
// of a chunk too, because the number of steps is the same in all lanes.
#ifndef GPU_MTF_BY_WARP_CUH
#define GPU_MTF_BY_WARP_CUH

#include "chunks.cuh"
#include <samebits/prim/warp.cuh>

// Warps of a block. 16 such blocks fill a multiprocessor, and few chunks still spread over many multiprocessors. Not
// tuned.
enum : unsigned { WARPS = 4, THREADS = WARPS * sb::WARP_LANES };

// A list in registers: lane l holds the positions 32*row + l, row = 0..7. A List of code_by_warp may inherit from it.
struct list_in_registers {
    struct shared {
    };
    enum : unsigned { ROWS = 256 / sb::WARP_LANES };
    unsigned list[ROWS];

    __device__ __forceinline__ explicit list_in_registers(shared *)
    {
#pragma unroll
        for (unsigned row = 0; row < ROWS; row++)
            list[row] = row * sb::WARP_LANES + sb::lane_index();
    }
};

// List is the list of a chunk. The constructor makes the list 0..255, in shared memory of type List::shared or in
// registers. step(value) takes the input of a step and returns its output: the rank of a symbol, or the symbol of a
// rank; it moves the symbol to the front. All lanes call both.
template <class List> static __global__ void code_by_warp(chunked c)
{
    __shared__ typename List::shared storage[WARPS];
    span chunk = chunk_at(c, blockIdx.x * (uint64_t)WARPS + sb::warp_index());
    unsigned lane = sb::lane_index();

    if (chunk.length == 0)
        return; // the whole warp
    List list(&storage[sb::warp_index()]);

    for (uint64_t batch = 0; batch < chunk.length; batch += sb::WARP_LANES) {
        unsigned count = chunk.length - batch < sb::WARP_LANES ? (unsigned)(chunk.length - batch) : sb::WARP_LANES;
        unsigned mine = lane < count ? c.from[chunk.first + batch + lane] : 0;
        unsigned result = 0;

        for (unsigned i = 0; i < count; i++) {
            unsigned out = list.step(sb::shuffle(mine, i));

            if (lane == i)
                result = out;
        }
        if (lane < count)
            c.to[chunk.first + batch + lane] = (uint8_t)result;
    }
}

#endif
