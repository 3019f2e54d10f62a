// SPDX-License-Identifier: BSD-2-Clause
//
// mtf.encode/32symbols: one warp encodes one chunk, 32 symbols a step (tables.cuh).
//
// Shared memory: the two tables, 512 bytes a warp. Limit: about 118 instructions a step. By ncu on 64 MiB of
// transformed text (H200) the pipe of integer and logic operations is 66% busy, the most of all, 2.9 instructions leave
// a multiprocessor in a cycle, and device memory is 5% busy.
#include "symbols.cuh"

extern "C" const sb_variant sb_gpu_mtf_encode_32symbols[] = {
    {"mtf.encode", "32symbols", "32 symbols ranked at once, then one shift for all", refuses_symbols<32>, nullptr,
     launch_symbols<32>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
