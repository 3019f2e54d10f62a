// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.segreduce/cub: CUB's segmented reduction. Not all pairs of type and operator are built, because each takes a while
// to compile.
#include "operators.cuh"

template <typename Item, typename Op> static auto reduce_call(const sb_array *inputs, Item *values)
{
    const uint64_t *offset = (const uint64_t *)inputs[SB_SEGREDUCE_OFFSET].data;
    const Item *items = (const Item *)inputs[SB_SEGREDUCE_ITEMS].data;
    const int64_t segments = (int64_t)inputs[SB_SEGREDUCE_OFFSET].length - 1;

    return [=](void *memory, size_t &bytes) {
        return cub::DeviceSegmentedReduce::Reduce(memory, bytes, items, values, segments, offset, offset + 1, Op(),
                                                  identity((Item)0, Op()));
    };
}

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    return with_operator(
        parameters[SB_SEGREDUCE_TYPE], parameters[SB_SEGREDUCE_OP], [](auto, auto) { return (const char *)nullptr; },
        NOT_BUILT);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return with_operator(
        parameters[SB_SEGREDUCE_TYPE], parameters[SB_SEGREDUCE_OP],
        [&](auto item, auto op) {
            return (uint64_t)temporary_bytes(
                reduce_call<decltype(item), decltype(op)>(inputs, (decltype(item) *)nullptr));
        },
        (uint64_t)0);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    if (inputs[SB_SEGREDUCE_OFFSET].length == 1)
        return SB_OK;
    return with_operator(
        parameters[SB_SEGREDUCE_TYPE], parameters[SB_SEGREDUCE_OP],
        [&](auto item, auto op) {
            return run(
                reduce_call<decltype(item), decltype(op)>(inputs, (decltype(item) *)outputs[SB_SEGREDUCE_VALUE].data),
                workspace);
        },
        SB_UNSUPPORTED);
}

extern "C" const sb_variant sb_gpu_peer_pattern_segreduce[] = {
    {"pattern.segreduce", "cub", "CUB's segmented reduction", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
