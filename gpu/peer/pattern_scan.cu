// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.scan/cub: CUB's scans, and a kernel of one thread for the total. Not all pairs of type and operator are built,
// because each takes a while to compile.
#include "operators.cuh"

template <typename Item, typename Op>
static cudaError_t scan(const sb_array &items, bool inclusive, Item *result, void *memory, size_t &bytes)
{
    const Item *from = (const Item *)items.data;

    return inclusive ? cub::DeviceScan::InclusiveScan(memory, bytes, from, result, Op(), items.length)
                     : cub::DeviceScan::ExclusiveScan(memory, bytes, from, result, Op(), identity((Item)0, Op()),
                                                      items.length);
}

template <typename Item, typename Op> static auto scan_call(const uint64_t *parameters, const sb_array &items, Item *to)
{
    bool inclusive = parameters[SB_SCAN_INCLUSIVE] != 0;

    return [=](void *memory, size_t &bytes) { return scan<Item, Op>(items, inclusive, to, memory, bytes); };
}

template <typename Item, typename Op>
static __global__ void write_total(const Item *items, uint64_t n, bool inclusive, const Item *result, Item start,
                                   Item *total)
{
    *total = n == 0 ? start : inclusive ? result[n - 1] : Op()(result[n - 1], items[n - 1]);
}

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    return with_operator(
        parameters[SB_SCAN_TYPE], parameters[SB_SCAN_OP], [](auto, auto) { return (const char *)nullptr; }, NOT_BUILT);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return with_operator(
        parameters[SB_SCAN_TYPE], parameters[SB_SCAN_OP],
        [&](auto item, auto op) {
            typedef decltype(item) Item;
            return (uint64_t)temporary_bytes(
                scan_call<Item, decltype(op)>(parameters, inputs[SB_SCAN_ITEMS], (Item *)nullptr));
        },
        (uint64_t)0);
}

template <typename Item, typename Op>
static sb_status launch_scan(const uint64_t *parameters, const sb_array &items, sb_array *outputs, void *workspace)
{
    Item *result = (Item *)outputs[SB_SCAN_RESULT].data;
    sb_status status = items.length == 0 ? SB_OK : run(scan_call<Item, Op>(parameters, items, result), workspace);

    if (status != SB_OK)
        return status;
    write_total<Item, Op><<<1, 1>>>((const Item *)items.data, items.length, parameters[SB_SCAN_INCLUSIVE] != 0, result,
                                    identity((Item)0, Op()), (Item *)outputs[SB_SCAN_TOTAL].data);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return with_operator(
        parameters[SB_SCAN_TYPE], parameters[SB_SCAN_OP],
        [&](auto item, auto op) {
            return launch_scan<decltype(item), decltype(op)>(parameters, inputs[SB_SCAN_ITEMS], outputs, workspace);
        },
        SB_UNSUPPORTED);
}

extern "C" const sb_variant sb_gpu_peer_pattern_scan[] = {
    {"pattern.scan", "cub", "CUB's scan", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
