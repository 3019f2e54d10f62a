// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.reduce/cub: CUB's reduction. Not all pairs of type and operator are built, because each takes a while to compile.
#include "operators.cuh"

template <typename Item, typename Op> static auto reduce_call(const sb_array &items, Item *value)
{
    return [=](void *memory, size_t &bytes) {
        return cub::DeviceReduce::Reduce(memory, bytes, (const Item *)items.data, value, items.length, Op(),
                                         identity((Item)0, Op()));
    };
}

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    return with_operator(
        parameters[SB_REDUCE_TYPE], parameters[SB_REDUCE_OP], [](auto, auto) { return (const char *)nullptr; },
        NOT_BUILT);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return with_operator(
        parameters[SB_REDUCE_TYPE], parameters[SB_REDUCE_OP],
        [&](auto item, auto op) {
            return temporary_bytes(
                reduce_call<decltype(item), decltype(op)>(inputs[SB_REDUCE_ITEMS], (decltype(item) *)nullptr));
        },
        (uint64_t)0);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return with_operator(
        parameters[SB_REDUCE_TYPE], parameters[SB_REDUCE_OP],
        [&](auto item, auto op) {
            return run(reduce_call<decltype(item), decltype(op)>(inputs[SB_REDUCE_ITEMS],
                                                                 (decltype(item) *)outputs[SB_REDUCE_VALUE].data),
                       workspace);
        },
        SB_UNSUPPORTED);
}

extern "C" const sb_variant sb_gpu_peer_pattern_reduce[] = {
    {"pattern.reduce", "cub", "CUB's reduction", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
