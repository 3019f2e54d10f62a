// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.sort/radix: sb::radix_sort of <samebits/pattern/radix_sort.cuh>, which says how it works, why it is right, and what
// it costs. A block takes a tile of 6144 keys of 32 bits, or 3072 of 64 bits.
// Source: A. Adinets and D. Merrill, "Onesweep" (2022).
#include "keys.cuh"
#include <samebits/pattern/radix_sort.cuh>

template <typename Key> static uint64_t bytes_for(const uint64_t *parameters, uint64_t n)
{
    return parameters[SB_SORT_PAIRS] != 0 ? sb::radix_sort_bytes<Key, uint32_t>(n) : sb::radix_sort_bytes<Key>(n);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_SORT_KEYS].length;

    return parameters[SB_SORT_TYPE] == SB_U64 ? bytes_for<uint64_t>(parameters, n) : bytes_for<uint32_t>(parameters, n);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SORT_KEYS].length / sb::radix_tune<8>::SIZE >= sb::MAX_BLOCKS ? "more tiles than blocks in a grid"
                                                                                   : nullptr;
}

template <typename Key>
static sb_status sort(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb::context on(0, sb::given_memory(workspace));
    const Key *keys = (const Key *)inputs[SB_SORT_KEYS].data;
    const uint64_t n = inputs[SB_SORT_KEYS].length;
    Key *sorted = (Key *)outputs[SB_SORT_KEYS].data;

    if (parameters[SB_SORT_PAIRS] == 0)
        return sb_status_of(sb::radix_sort(keys, n, sorted, on));
    return sb_status_of(sb::radix_sort(keys, (const uint32_t *)inputs[SB_SORT_VALUES].data, n, sorted,
                                       (uint32_t *)outputs[SB_SORT_VALUES].data, on));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    switch (parameters[SB_SORT_TYPE]) {
    case SB_U32:
        return sort<uint32_t>(parameters, inputs, outputs, workspace);
    case SB_I32:
        return sort<int32_t>(parameters, inputs, outputs, workspace);
    case SB_F32:
        return sort<float>(parameters, inputs, outputs, workspace);
    case SB_U64:
        return sort<uint64_t>(parameters, inputs, outputs, workspace);
    }
    return SB_INVALID;
}

static const uint64_t sizes[] = {sb::radix_tune<8>::SIZE, sb::radix_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_sort_radix[] = {
    {"pattern.sort", "radix", "8 bits a pass, one sweep over the keys in each, by look-back", refuses, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
