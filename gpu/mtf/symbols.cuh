// SPDX-License-Identifier: BSD-2-Clause
//
// Kernel and launch of the variants that rank G symbols of a chunk at once (tables.cuh): 32 / G chunks for each warp.
#ifndef GPU_MTF_SYMBOLS_CUH
#define GPU_MTF_SYMBOLS_CUH

#include "chunks.cuh"
#include "tables.cuh"

enum { SYMBOLS_THREADS = 128 }; // in a block: few chunks still spread over many multiprocessors. Not tuned.

template <unsigned G> static __global__ void __launch_bounds__(SYMBOLS_THREADS) encode_symbols(chunked c)
{
    __shared__ tables lists[SYMBOLS_THREADS / G];
    unsigned buffer = threadIdx.x / G;
    span chunk = chunk_at(c, blockIdx.x * (uint64_t)(SYMBOLS_THREADS / G) + buffer);

    reset<G>(&lists[buffer]);
    rank_buffer<G>(&lists[buffer], c.from + chunk.first, c.to + chunk.first, chunk.length);
}

#endif
