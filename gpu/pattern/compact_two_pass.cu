// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.compact/two_pass: sb::transform_compact of <samebits/pattern/transform_compact.cuh>, which says how it works, why
// it is right, and what it costs: the first pass marks and counts, the second writes. A block takes a tile of 4096 items.
// Source: G. E. Blelloch, "Prefix sums and their applications" (1990).
#include "compact.cuh"

namespace
{

struct write_item {
    template <typename Key>
    __device__ __forceinline__ void operator()(uint64_t place, uint64_t i, const Key *items, Key *kept) const
    {
        kept[place] = items[i];
    }
};

} // namespace

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return sb::transform_compact::bytes(inputs[SB_COMPACT_ITEMS].length);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_order(parameters[SB_COMPACT_TYPE], [=](auto order) {
        typedef typename decltype(order)::key key;
        const sb_array &items = inputs[SB_COMPACT_ITEMS];
        const keep_item<decltype(order)> keep = {parameters[SB_COMPACT_KEEP], (key)parameters[SB_COMPACT_LIMIT], order};
        sb::transform_compact kept(items.length, sb::context(0, sb::given_memory(workspace)));
        cudaError_t error = kept.mark(keep, &outputs[SB_COMPACT_KEPT].length, (const key *)items.data);

        if (error == cudaSuccess)
            error = kept.write(write_item(), (const key *)items.data, (key *)outputs[SB_COMPACT_KEPT].data);
        return sb_status_of(error);
    });
}

static const uint64_t sizes[] = {sb::mark_tune::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_compact_two_pass[] = {
    {"pattern.compact", "two_pass", "the first pass marks and counts, the second writes", refuses, workspace_bytes,
     launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
