// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/8symbols: one warp encodes four chunks, each with 8 lanes and 8 symbols in each step (tables.cuh).
//
// Shared memory: the two tables of four chunks, 2048 bytes for each warp. Cost: ballots and scan cost a warp nearly
// what they cost for 32 symbols of one chunk, and it shifts as many rows as the deepest of its four chunks needs.
#include "symbols.cuh"

extern "C" const sb_variant sb_gpu_mtf_encode_8symbols[] = {
    {"mtf.encode", "8symbols", "8 symbols of 4 chunks ranked at once, then one shift for all",
     refuses<SYMBOLS_THREADS / 8>, nullptr, launch_chunks<encode_symbols<8>, SYMBOLS_THREADS / 8, SYMBOLS_THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
