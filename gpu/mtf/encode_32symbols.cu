// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/32symbols: one warp encodes one chunk, 32 symbols in each step (tables.cuh).
//
// Shared memory: the two tables, 512 bytes for each warp. Cost: about 118 instructions in each step. What limits it: by
// ncu on 64 MiB of transformed text (H200) the pipe of integer and logic operations is the busiest, at 66%; a
// multiprocessor issues 2.9 instructions in each cycle, and device memory is 5% busy.
#include "symbols.cuh"

extern "C" const sb_variant sb_gpu_mtf_encode_32symbols[] = {
    {"mtf.encode", "32symbols", "32 symbols ranked at once, then one shift for all", refuses<SYMBOLS_THREADS / 32>,
     nullptr, launch_chunks<encode_symbols<32>, SYMBOLS_THREADS / 32, SYMBOLS_THREADS>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
