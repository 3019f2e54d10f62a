// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.compact/lookback: sb::compact of <samebits/pattern/transform_compact.cuh>, one pass, which says how it works, why
// it is right, and what it costs. A block takes a tile of 6144 items of 32 bits, or 3072 of 64 bits.
// Source: D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016).
#include "compact.cuh"

// The count, and behind it what the library asks for.
static const uint64_t COUNT_BYTES = 16;

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = inputs[SB_COMPACT_ITEMS].length;

    return COUNT_BYTES +
           (parameters[SB_COMPACT_TYPE] == SB_U64 ? sb::compact_bytes<uint64_t>(n) : sb::compact_bytes<uint32_t>(n));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_order(parameters[SB_COMPACT_TYPE], [=](auto order) {
        typedef typename decltype(order)::key key;
        const sb_array &items = inputs[SB_COMPACT_ITEMS];
        const keep_item<decltype(order)> keep = {parameters[SB_COMPACT_KEEP], (key)parameters[SB_COMPACT_LIMIT], order};
        const sb::context on(0, sb::given_memory((char *)workspace + COUNT_BYTES));
        uint64_t *count = (uint64_t *)workspace;
        cudaError_t error = sb::compact((const key *)items.data, items.length, keep,
                                        (key *)outputs[SB_COMPACT_KEPT].data, count, on, (const key *)items.data);

        if (error == cudaSuccess)
            error = sb_fetch(&outputs[SB_COMPACT_KEPT].length, count);
        return sb_status_of(error);
    });
}

static const uint64_t sizes[] = {sb::compact_tune<8>::SIZE, sb::compact_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_compact_lookback[] = {
    {"pattern.compact", "lookback", "one pass: a block looks back for how many items are kept before its tile", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
