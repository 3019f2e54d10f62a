// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.lbs/binary: each thread searches the segment of its item by itself.
//
// The segment of item i is the last one whose offset is not above i: one less than the upper bound of i in the offsets.
// Empty segments have the offset of the next one, so the last of equal offsets is the one that has the item.
// Cost: log2(segments) dependent loads for each item, most of them of the same few offsets; no workspace.
// Source: D. E. Knuth, "The Art of Computer Programming" 3 (1973), 6.2.1, for the search.
#include "keys.cuh"
#include <samebits/pattern/sorted_search.cuh>

namespace
{

struct find_segment {
    uint64_t segments;

    __device__ __forceinline__ void operator()(uint64_t item, const uint64_t *offset, uint32_t *segment,
                                               uint32_t *rank) const
    {
        uint64_t found = sb::search_bound<sb::UPPER_BOUND>(offset, segments, item, natural_order<uint64_t>()) - 1;

        segment[item] = (uint32_t)found;
        rank[item] = (uint32_t)(item - offset[found]);
    }
};

} // namespace

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters, (void)workspace;
    return sb_status_of(sb::transform(find_segment{inputs[SB_LBS_OFFSET].length - 1}, outputs[SB_LBS_SEGMENT].length,
                                      sb::context(), (const uint64_t *)inputs[SB_LBS_OFFSET].data,
                                      (uint32_t *)outputs[SB_LBS_SEGMENT].data, (uint32_t *)outputs[SB_LBS_RANK].data));
}

extern "C" const sb_variant sb_gpu_pattern_lbs_binary[] = {
    {"pattern.lbs", "binary", "each thread searches the segment of its item", nullptr, nullptr, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
