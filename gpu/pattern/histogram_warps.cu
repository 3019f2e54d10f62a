// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.histogram/warps: atomics in shared memory, with counts of its own for each warp; see
// histogram_warps.cuh.
#include "histogram_warps.cuh"

static const char *refuses(const uint64_t *, const sb_array *inputs)
{
    return inputs[SB_HISTOGRAM_BYTES].length > 0xffffffffu ? "more than 2^32 - 1 bytes" : nullptr;
}

static sb_status launch(const uint64_t *, const sb_array *inputs, sb_array *outputs, void *)
{
    return count_bytes(inputs[SB_HISTOGRAM_BYTES], (unsigned long long *)outputs[SB_HISTOGRAM_COUNT].data) ? SB_OK
                                                                                                           : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_pattern_histogram_warps[] = {
    {"pattern.histogram", "warps", "shared atomics of a warp, one for each run of a thread", refuses, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
