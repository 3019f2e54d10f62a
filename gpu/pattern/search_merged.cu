// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.search/merged: sb::transform_search of <samebits/pattern/sorted_search.cuh>, which says how it works, why it is
// right, and what it costs: needles and haystack are merged without writing the result. A block takes a tile of 3840 keys
// of 32 bits, or 2816 of 64 bits.
// Source: S. Baxter, "Modern GPU" (2013).
#include "search.cuh"

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t count = inputs[SB_SEARCH_NEEDLES].length + inputs[SB_SEARCH_HAYSTACK].length;

    return parameters[SB_SEARCH_TYPE] == SB_U64 ? sb::search_bytes<uint64_t>(count) : sb::search_bytes<uint32_t>(count);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return (inputs[SB_SEARCH_NEEDLES].length + inputs[SB_SEARCH_HAYSTACK].length) / sb::merge_tune<8>::SIZE >=
                   sb::MAX_BLOCKS
               ? "more tiles than blocks in a grid"
               : nullptr;
}

template <sb::bound BOUND, typename Order>
static sb_status launch_search(const sb_array *inputs, bool match, Order order, sb_array *outputs, void *workspace)
{
    typedef typename Order::key key;
    const sb_array &needles = inputs[SB_SEARCH_NEEDLES], &haystack = inputs[SB_SEARCH_HAYSTACK];

    return sb_status_of(sb::transform_search<key, BOUND>(
        (const key *)needles.data, needles.length, (const key *)haystack.data, haystack.length, order,
        write_bound<key, BOUND>{haystack.length, match}, sb::context(0, sb::given_memory(workspace)),
        (const key *)needles.data, (const key *)haystack.data, (uint32_t *)outputs[SB_SEARCH_INDEX].data,
        (uint8_t *)outputs[SB_SEARCH_MATCHED].data));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const bool match = parameters[SB_SEARCH_MATCH] != 0, lower = parameters[SB_SEARCH_BOUND] == SB_BOUND_LOWER;

    return sb_with_order(parameters[SB_SEARCH_TYPE], [=](auto order) {
        return lower ? launch_search<sb::LOWER_BOUND>(inputs, match, order, outputs, workspace)
                     : launch_search<sb::UPPER_BOUND>(inputs, match, order, outputs, workspace);
    });
}

static const uint64_t sizes[] = {sb::merge_tune<8>::SIZE, sb::merge_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_search_merged[] = {
    {"pattern.search", "merged", "a block merges a tile of needles and haystack", refuses, workspace_bytes, launch,
     sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
