// SPDX-License-Identifier: BSD-2-Clause
//
// interval.move/lbs: sb::interval_move of <samebits/pattern/interval.cuh>, which says how it works, why it is right, and what
// it costs. A block takes a tile of 1792 elements and segments.
// Source: S. Baxter, "Modern GPU" (2013).
#include "interval.cuh"

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_element(parameters[SB_INTERVAL_TYPE], [=](auto element) {
        typedef decltype(element) type;
        const sb_array &offset = inputs[SB_INTERVAL_OFFSET], &out = outputs[SB_INTERVAL_OUT];

        return sb_status_of(sb::interval_move(
            (const type *)inputs[SB_INTERVAL_ITEMS].data, (const uint64_t *)offset.data,
            (const uint64_t *)inputs[SB_MOVE_SOURCE].data, (const uint64_t *)inputs[SB_MOVE_TARGET].data,
            offset.length - 1, out.length, (type *)out.data, sb::context(0, sb::given_memory(workspace))));
    });
}

extern "C" const sb_variant sb_gpu_interval_move_lbs[] = {
    {"interval.move", "lbs", "a load-balancing search gives each element its source and target", nullptr,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
