// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.segsort/cub: CUB's stable segmented sort, of keys and of pairs.
#include "peer.cuh"

template <typename Key>
static auto sort_call(const uint64_t *parameters, const sb_array *inputs, const sb_array *outputs)
{
    const bool pairs = parameters[SB_SEGSORT_MODE] == SB_SEGSORT_MODE_PAIRS;
    const Key *keys = (const Key *)inputs[SB_SEGSORT_KEYS].data;
    const uint32_t *values = (const uint32_t *)inputs[SB_SEGSORT_VALUES].data;
    const uint64_t *offset = (const uint64_t *)inputs[SB_SEGSORT_OFFSET].data;
    Key *sorted = outputs ? (Key *)outputs[SB_SEGSORT_KEYS].data : nullptr;
    uint32_t *moved = outputs ? (uint32_t *)outputs[SB_SEGSORT_VALUES].data : nullptr;
    const int64_t n = (int64_t)inputs[SB_SEGSORT_KEYS].length;
    const int64_t segments = (int64_t)inputs[SB_SEGSORT_OFFSET].length - 1;

    return [=](void *memory, size_t &bytes) {
        return pairs ? cub::DeviceSegmentedSort::StableSortPairs(memory, bytes, keys, sorted, values, moved, n,
                                                                 segments, offset, offset + 1)
                     : cub::DeviceSegmentedSort::StableSortKeys(memory, bytes, keys, sorted, n, segments, offset,
                                                                offset + 1);
    };
}

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    if (parameters[SB_SEGSORT_MODE] == SB_SEGSORT_MODE_INDICES)
        return "CUB's segmented sort makes no indices";
    return with_integer(
        parameters[SB_SEGSORT_TYPE], [](auto) { return (const char *)nullptr; },
        "CUB's segmented sort orders -0 and +0 as equal keys");
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return with_integer(
        parameters[SB_SEGSORT_TYPE],
        [&](auto key) { return (uint64_t)temporary_bytes(sort_call<decltype(key)>(parameters, inputs, nullptr)); },
        (uint64_t)0);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    if (inputs[SB_SEGSORT_KEYS].length == 0)
        return SB_OK;
    return with_integer(
        parameters[SB_SEGSORT_TYPE],
        [&](auto key) { return run(sort_call<decltype(key)>(parameters, inputs, outputs), workspace); },
        SB_UNSUPPORTED);
}

extern "C" const sb_variant sb_gpu_peer_pattern_segsort[] = {
    {"pattern.segsort", "cub", "CUB's segmented sort", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
