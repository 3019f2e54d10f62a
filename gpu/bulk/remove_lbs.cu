// SPDX-License-Identifier: BSD-2-Clause
//
// bulk.remove/lbs: sb::bulk_remove of <samebits/pattern/bulk.cuh>, which says how it works, why it is right, and what it
// costs, after a check of the indices: each is above the one before it and below the number of items. A block takes a tile
// of 3840 results and indices.
// Source: S. Baxter, "Modern GPU" (2013).
#include "bulk.cuh"

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &items = inputs[SB_BULK_ITEMS], &index = inputs[SB_BULK_INDEX];
    const sb_status valid = check_indices(index, items.length, true, workspace);

    if (valid != SB_OK)
        return valid;
    return sb_with_element(parameters[SB_BULK_TYPE], [=](auto element) {
        typedef decltype(element) type;

        return sb_status_of(sb::bulk_remove((const type *)items.data, items.length, (const uint32_t *)index.data,
                                            index.length, (type *)outputs[SB_BULK_OUT].data, bulk_context(workspace)));
    });
}

extern "C" const sb_variant sb_gpu_bulk_remove_lbs[] = {
    {"bulk.remove", "lbs", "a load-balancing search says how many items before each result are gone", nullptr,
     bulk_workspace_bytes, launch, bulk_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
