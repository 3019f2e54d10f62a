// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/8symbols: one warp encodes four chunks, 8 lanes and 8 symbols a step for each (tables.cuh).
//
// Shared memory: the two tables of four chunks, 2048 bytes a warp. Limit: votes and scan cost a warp nearly what they
// cost for 32 symbols of one chunk, and the rows shifted are those of the deepest of its four chunks.
#include "symbols.cuh"

extern "C" const sb_variant sb_gpu_mtf_encode_8symbols[] = {
    {"mtf.encode", "8symbols", "8 symbols of 4 chunks ranked at once, then one shift for all", refuses_symbols<8>,
     nullptr, launch_symbols<8>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
