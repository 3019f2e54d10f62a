// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.merge/path: sb::merge of <samebits/pattern/merge.cuh>, which says how it works, why it is right, and what it
// costs. A block merges a tile of 3840 keys of 32 bits, or 2816 of 64 bits.
// Source: O. Green, R. McColl and D. Bader, "GPU merge path" (2012).
#include "keys.cuh"
#include <samebits/pattern/merge.cuh>

static uint64_t count_keys(const sb_array *inputs)
{
    return inputs[SB_MERGE_A_KEYS].length + inputs[SB_MERGE_B_KEYS].length;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return count_keys(inputs) / sb::merge_tune<8>::SIZE >= sb::MAX_BLOCKS ? "more tiles than blocks in a grid"
                                                                          : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return parameters[SB_SORT_TYPE] == SB_U64 ? sb::merge_bytes<uint64_t>(count_keys(inputs))
                                              : sb::merge_bytes<uint32_t>(count_keys(inputs));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb::context on(0, sb::given_memory(workspace));
    const bool pairs = parameters[SB_SORT_PAIRS] != 0;

    return sb_with_order(parameters[SB_SORT_TYPE], [=](auto order) {
        typedef typename decltype(order)::key key;
        const sb_array &a = inputs[SB_MERGE_A_KEYS], &b = inputs[SB_MERGE_B_KEYS];
        const key *a_keys = (const key *)a.data, *b_keys = (const key *)b.data;
        key *keys = (key *)outputs[SB_SORT_KEYS].data;

        if (!pairs)
            return sb_status_of(sb::merge(a_keys, a.length, b_keys, b.length, keys, order, on));
        return sb_status_of(sb::merge(a_keys, (const uint32_t *)inputs[SB_MERGE_A_VALUES].data, a.length, b_keys,
                                      (const uint32_t *)inputs[SB_MERGE_B_VALUES].data, b.length, keys,
                                      (uint32_t *)outputs[SB_SORT_VALUES].data, order, on));
    });
}

static const uint64_t sizes[] = {sb::merge_tune<8>::SIZE, sb::merge_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_merge_path[] = {
    {"pattern.merge", "path", "a block merges a tile, whose runs it finds on the merge path", refuses, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
