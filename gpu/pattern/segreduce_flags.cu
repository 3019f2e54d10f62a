// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.segreduce/flags: a flag marks the first item of each segment, and a segmented scan of all items gives each
// segment's value at its last item.
//
// Three kernels, made of <samebits/pattern/transform.cuh> and <samebits/pattern/scan.cuh>: a thread for each segment sets
// its flag, one scan combines items up to each flag (prim/segmented_scan.cuh), and a thread for each segment takes the
// value at its last item, or the identity if it has none.
// Cost: items and flags are read once, and as many values with their marks, 8 bytes for an item of 4, are written to
// workspace; however long the segments are.
// Source: G. E. Blelloch, "Prefix sums and their applications" (1990).
#include "keys.cuh"
#include "operator.cuh"
#include <samebits/pattern/scan.cuh>
#include <samebits/pattern/transform.cuh>
#include <samebits/prim/segmented_scan.cuh>

namespace
{

struct mark_first {
    __device__ __forceinline__ void operator()(uint64_t s, const uint64_t *offset, uint8_t *first) const
    {
        if (offset[s] != offset[s + 1])
            first[offset[s]] = 1; // no other segment that has items begins there
    }
};

template <typename Item> struct marked_item {
    __device__ __forceinline__ sb::marked<Item> operator()(uint64_t i, const Item *items, const uint8_t *first) const
    {
        return {items[i], first[i]};
    }
};

template <typename Op> struct take_last {
    typedef typename Op::item item;

    __device__ __forceinline__ void operator()(uint64_t s, const uint64_t *offset, const sb::marked<item> *scanned,
                                               item *value) const
    {
        value[s] = offset[s] == offset[s + 1] ? Op::identity() : scanned[offset[s + 1] - 1].value;
    }
};

template <typename Item> struct arrays {
    sb::marked<Item> *scanned;
    void *scan;
    uint8_t *first;
};

} // namespace

template <typename Item> static uint64_t lay_out(arrays<Item> *a, uint64_t n, void *memory)
{
    sb::workspace space(memory);

    a->scanned = space.take<sb::marked<Item>>(n);
    a->scan = space.take<char>(sb::scan_bytes<sb::marked<Item>>(n), 16);
    a->first = space.take<uint8_t>(n);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_SEGREDUCE_ITEMS].length;
    arrays<uint32_t> words;
    arrays<uint64_t> wide;

    return sb_operator_item_size(parameters[SB_SEGREDUCE_TYPE]) == 4 ? lay_out(&words, n, nullptr)
                                                                     : lay_out(&wide, n, nullptr);
}

template <typename Op>
static sb_status launch_reduce(Op op, const sb_array &items, const sb_array &offset, void *value, void *workspace)
{
    typedef typename Op::item item;
    const sb::context on;
    const uint64_t n = items.length, segments = offset.length - 1, *starts = (const uint64_t *)offset.data;
    arrays<item> a = {};

    lay_out(&a, n, workspace);
    cudaError_t error = n == 0 ? cudaSuccess : cudaMemsetAsync(a.first, 0, n, 0);
    if (error == cudaSuccess)
        error = sb::transform(mark_first(), segments, on, starts, a.first);
    if (error == cudaSuccess)
        error = sb::transform_scan(marked_item<item>(), n, sb::segmented<Op>{op}, sb::unmarked(Op::identity()),
                                   sb::INCLUSIVE, a.scanned, (sb::marked<item> *)nullptr,
                                   sb::context(0, sb::given_memory(a.scan)), (const item *)items.data,
                                   (const uint8_t *)a.first);
    if (error == cudaSuccess)
        error =
            sb::transform(take_last<Op>(), segments, on, starts, (const sb::marked<item> *)a.scanned, (item *)value);
    return sb_status_of(error);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_operator(parameters[SB_SEGREDUCE_TYPE], parameters[SB_SEGREDUCE_OP], [=](auto op) {
        return launch_reduce(op, inputs[SB_SEGREDUCE_ITEMS], inputs[SB_SEGREDUCE_OFFSET],
                             outputs[SB_SEGREDUCE_VALUE].data, workspace);
    });
}

static const uint64_t sizes[] = {sb::default_tune<16>::SIZE, sb::default_tune<8>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_segreduce_flags[] = {
    {"pattern.segreduce", "flags", "flags mark the segments' first items, and a segmented scan combines up to them",
     nullptr, workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
