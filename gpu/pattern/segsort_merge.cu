// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.segsort/merge: sb::segmented_sort of <samebits/pattern/segmented_sort.cuh>, which says how it works, why it is
// right, and what it costs. Keys alone, and keys of 32 bits with values, are sorted by classes of lengths: at most 512 keys in
// registers, at most 8192 (4096 of 64 bits) by a block, longer ones by merges, giant ones by digits. Keys of 64 bits with
// values, and floats: merges that no segment needs are left out; a block takes a tile of 2816 keys.
// Source: S. Baxter, "Modern GPU" (2013).
#include "keys.cuh"
#include <samebits/pattern/segmented_sort.cuh>

template <typename Key> static uint64_t bytes_for(const uint64_t *parameters, uint64_t n)
{
    return parameters[SB_SEGSORT_MODE] == SB_SEGSORT_MODE_KEYS ? sb::segmented_sort_bytes<Key>(n)
                                                               : sb::segmented_sort_bytes<Key, uint32_t>(n);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_SEGSORT_KEYS].length;

    return parameters[SB_SEGSORT_TYPE] == SB_U64 ? bytes_for<uint64_t>(parameters, n)
                                                 : bytes_for<uint32_t>(parameters, n);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb::context on(0, sb::given_memory(workspace));

    return sb_with_order(parameters[SB_SEGSORT_TYPE], [=](auto order) {
        typedef typename decltype(order)::key key;
        const sb_array &offset = inputs[SB_SEGSORT_OFFSET];
        const key *keys = (const key *)inputs[SB_SEGSORT_KEYS].data;
        const uint64_t n = inputs[SB_SEGSORT_KEYS].length, *start = (const uint64_t *)offset.data;
        const uint64_t segments = offset.length - 1;
        key *sorted = (key *)outputs[SB_SEGSORT_KEYS].data;
        uint32_t *values = (uint32_t *)outputs[SB_SEGSORT_VALUES].data;

        switch (parameters[SB_SEGSORT_MODE]) {
        case SB_SEGSORT_MODE_KEYS:
            return sb_status_of(sb::segmented_sort(keys, sb::no_values(), n, start, segments, sorted,
                                                   (sb::no_values *)nullptr, order, on));
        case SB_SEGSORT_MODE_PAIRS:
            return sb_status_of(sb::segmented_sort(keys, (const uint32_t *)inputs[SB_SEGSORT_VALUES].data, n, start,
                                                   segments, sorted, values, order, on));
        case SB_SEGSORT_MODE_INDICES:
            return sb_status_of(sb::segmented_sort(keys, sb::numbers(), n, start, segments, sorted, values, order, on));
        }
        return SB_INVALID;
    });
}

// The last is more than a middle segment, and as long as the shortest giant one of keys with values: with few segments some are
// long. Of giant segments without values the corpus has a case.
static const uint64_t sizes[] = {sb::sort_tune<4>::SIZE, sb::short_tune<4>::SIZE, 2 * sb::word_sort_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_segsort_merge[] = {
    {"pattern.segsort", "merge",
     "by classes of lengths: networks, merges, digits; or a merge sort without the merges that no segment needs",
     nullptr, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
