// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.segreduce/lbs: sb::segmented_reduce of <samebits/pattern/lbs_segreduce.cuh>, which says how it works, why it is
// right, and what it costs. A block takes a tile of 1920 items and segments, or 1152 for items of 64 bits. If segments have 256
// items on average, a warp takes a tile of 256 to 4096 items.
// Source: S. Baxter, "Modern GPU" (2013).
#include "keys.cuh"
#include "operator.cuh"
#include <samebits/pattern/lbs_segreduce.cuh>

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t items = inputs[SB_SEGREDUCE_ITEMS].length, segments = inputs[SB_SEGREDUCE_OFFSET].length - 1;

    if (sb_operator_item_size(parameters[SB_SEGREDUCE_TYPE]) == 4)
        return sb::segreduce_bytes<uint32_t>(items, segments);
    return sb::segreduce_bytes<uint64_t>(items, segments);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_operator(parameters[SB_SEGREDUCE_TYPE], parameters[SB_SEGREDUCE_OP], [=](auto op) {
        typedef typename decltype(op)::item item;
        const sb_array &items = inputs[SB_SEGREDUCE_ITEMS], &offset = inputs[SB_SEGREDUCE_OFFSET];

        return sb_status_of(sb::segmented_reduce((const item *)items.data, items.length, (const uint64_t *)offset.data,
                                                 offset.length - 1, op, decltype(op)::identity(),
                                                 (item *)outputs[SB_SEGREDUCE_VALUE].data,
                                                 sb::context(0, sb::given_memory(workspace))));
    });
}

static const uint64_t sizes[] = {sb::long_tune<8>::MIN_ITEMS, sb::segreduce_tune<8>::SIZE, sb::segreduce_tune<4>::SIZE,
                                 sb::long_tune<8>::ITEMS, 0};

extern "C" const sb_variant sb_gpu_pattern_segreduce_lbs[] = {
    {"pattern.segreduce", "lbs", "a block reduces a tile of segments and items; what is left over is scanned", nullptr,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
