// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.reduce/shuffle: sb::reduce of <samebits/pattern/reduce.cuh>, which says how it works, why it is right, and what
// it costs: lanes combine their values by shuffles, in order. A block takes a tile of 5888 items of 32 bits, or 2816 of 64
// bits.
// Source: M. Harris, "Optimizing parallel reduction in CUDA" (2007); shuffles: J. Luitjens, "Faster parallel reductions on
// Kepler" (2014).
#include "keys.cuh"
#include "operator.cuh"
#include <samebits/pattern/reduce.cuh>

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_REDUCE_ITEMS].length / sb::default_tune<8>::SIZE >= sb::MAX_BLOCKS
               ? "more tiles than blocks in a grid"
               : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_REDUCE_ITEMS].length;

    return sb_operator_item_size(parameters[SB_REDUCE_TYPE]) == 4 ? sb::reduce_bytes<uint32_t>(n)
                                                                  : sb::reduce_bytes<uint64_t>(n);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_operator(parameters[SB_REDUCE_TYPE], parameters[SB_REDUCE_OP], [=](auto op) {
        typedef typename decltype(op)::item item;
        const sb_array &items = inputs[SB_REDUCE_ITEMS];

        return sb_status_of(sb::reduce((const item *)items.data, items.length, op, decltype(op)::identity(),
                                       (item *)outputs[SB_REDUCE_VALUE].data,
                                       sb::context(0, sb::given_memory(workspace))));
    });
}

static const uint64_t sizes[] = {sb::default_tune<8>::SIZE, sb::default_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_reduce_shuffle[] = {
    {"pattern.reduce", "shuffle",
     "a block reduces a tile by shuffles in order, and a tile of results, until one is left", refuses, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
