// SPDX-License-Identifier: BSD-2-Clause
//
// Kernel and launch of the chunked variants that rank G symbols at once: 32 / G chunks a warp.
#ifndef GPU_MTF_SYMBOLS_CUH
#define GPU_MTF_SYMBOLS_CUH

#include "pieces.cuh"
#include "tables.cuh"

enum { SYMBOLS_THREADS = 128 };

template <unsigned G> static __global__ void __launch_bounds__(SYMBOLS_THREADS) encode_symbols(pieces p)
{
    __shared__ tables lists[SYMBOLS_THREADS / G];
    unsigned buffer = threadIdx.x / G;
    span piece = piece_at(p, blockIdx.x * (uint64_t)(SYMBOLS_THREADS / G) + buffer);

    reset<G>(&lists[buffer]);
    rank_buffer<G>(&lists[buffer], p.from + piece.first, p.to + piece.first, piece.length);
}

template <unsigned G> static const char *refuses_symbols(const uint64_t *parameters, const sb_array *inputs)
{
    return refuses<SYMBOLS_THREADS / G>(parameters, inputs);
}

template <unsigned G>
static sb_status launch_symbols(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return launch_pieces<SYMBOLS_THREADS / G>(encode_symbols<G>, SYMBOLS_THREADS, parameters, inputs, outputs);
}

#endif
