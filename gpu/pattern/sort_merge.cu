// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.sort/merge: sb::mergesort of <samebits/pattern/mergesort.cuh>, which says how it works, why it is right, and what it
// costs: blocks sort tiles, passes merge runs along merge paths. Keys alone are sorted by networks in registers, in tiles of
// 8192 keys of 32 bits or 4096 of 64 bits; keys with values by comparisons that keep equal keys in their order, in tiles of
// 2816.
// Source: O. Green, R. McColl and D. Bader, "GPU merge path" (2012).
#include "keys.cuh"
#include <samebits/pattern/mergesort.cuh>

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_SORT_KEYS].length;

    return parameters[SB_SORT_TYPE] == SB_U64 ? sb::mergesort_bytes<uint64_t, uint32_t>(n)
                                              : sb::mergesort_bytes<uint32_t, uint32_t>(n);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb::context on(0, sb::given_memory(workspace));

    return sb_with_order(parameters[SB_SORT_TYPE], [=](auto order) {
        typedef typename decltype(order)::key key;
        const key *keys = (const key *)inputs[SB_SORT_KEYS].data;
        const uint64_t n = inputs[SB_SORT_KEYS].length;
        key *sorted = (key *)outputs[SB_SORT_KEYS].data;

        if (parameters[SB_SORT_PAIRS] == 0)
            return sb_status_of(sb::mergesort(keys, sb::no_values(), n, sorted, (sb::no_values *)nullptr, order, on));
        return sb_status_of(sb::mergesort(keys, (const uint32_t *)inputs[SB_SORT_VALUES].data, n, sorted,
                                          (uint32_t *)outputs[SB_SORT_VALUES].data, order, on));
    });
}

static const uint64_t sizes[] = {sb::word_merge_tune<4>::SIZE, sb::word_sort_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_sort_merge[] = {
    {"pattern.sort", "merge", "blocks sort tiles, passes merge runs along merge paths", nullptr, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
