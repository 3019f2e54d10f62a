// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.lbs/path: sb::load_balance_search of <samebits/pattern/transform_lbs.cuh>, which says how it works, why it is
// right, and what it costs. A block takes a tile of 2816 items and segments, or of 7680 where there are many items.
// Source: S. Baxter, "Modern GPU" (2013).
#include "keys.cuh"
#include <samebits/pattern/transform_lbs.cuh>

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return sb::lbs_bytes(sb_max_items(inputs[SB_LBS_OFFSET].length), inputs[SB_LBS_OFFSET].length);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)parameters;
    return sb_status_of(
        sb::load_balance_search(outputs[SB_LBS_SEGMENT].length, (const uint64_t *)inputs[SB_LBS_OFFSET].data,
                                inputs[SB_LBS_OFFSET].length - 1, (uint32_t *)outputs[SB_LBS_SEGMENT].data,
                                (uint32_t *)outputs[SB_LBS_RANK].data, sb::context(0, sb::given_memory(workspace))));
}

static const uint64_t sizes[] = {sb::lbs_tune::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_lbs_path[] = {
    {"pattern.lbs", "path", "a block takes a tile of the merge of segments and items", nullptr, workspace_bytes, launch,
     sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
