// SPDX-License-Identifier: BSD-2-Clause
//
// bulk.insert/lbs: sb::bulk_insert of <samebits/pattern/bulk.cuh>, which says how it works, why it is right, and what it
// costs, after a check of the indices: none is below the one before it, or above the number of items. A block takes a tile
// of 3840 results.
// Source: S. Baxter, "Modern GPU" (2013).
#include "bulk.cuh"

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &items = inputs[SB_BULK_ITEMS], &index = inputs[SB_BULK_INDEX];
    const sb_status valid = check_indices(index, items.length, false, workspace);

    if (valid != SB_OK)
        return valid;
    return sb_with_element(parameters[SB_BULK_TYPE], [=](auto element) {
        typedef decltype(element) type;

        return sb_status_of(sb::bulk_insert((const type *)items.data, items.length, (const uint32_t *)index.data,
                                            (const type *)inputs[SB_BULK_VALUES].data, index.length,
                                            (type *)outputs[SB_BULK_OUT].data, bulk_context(workspace)));
    });
}

extern "C" const sb_variant sb_gpu_bulk_insert_lbs[] = {
    {"bulk.insert", "lbs", "a load-balancing search says how many values go before each item", nullptr,
     bulk_workspace_bytes, launch, bulk_sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
