// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.join/bounds: sb::inner_join of <samebits/pattern/inner_join.cuh>, which says how it works, why it is right, and
// what it costs: a scan of the numbers of equal keys makes each key of a a segment of pairs. bounds_32 keeps places in b in 32
// bits, where bounds has 64.
// Source: S. Baxter, "Modern GPU" (2013).
#include "keys.cuh"
#include <samebits/pattern/inner_join.cuh>

namespace
{

struct write_indices {
    __device__ __forceinline__ void operator()(uint64_t pair, uint64_t i, uint64_t j, uint32_t *a, uint32_t *b) const
    {
        a[pair] = (uint32_t)i;
        b[pair] = (uint32_t)j;
    }
};

} // namespace

// Of the pairs there are no more than this: a case has no more (docs/ALGORITHMS.md).
static uint64_t max_pairs(const sb_array *inputs)
{
    return 16 * (inputs[SB_JOIN_A_KEYS].length + inputs[SB_JOIN_B_KEYS].length) + 4096;
}

template <typename Key, typename Index> static uint64_t join_bytes(const sb_array *inputs)
{
    return sb::round_up(sb::inner_join<Key, Index>::bytes(inputs[SB_JOIN_A_KEYS].length, inputs[SB_JOIN_B_KEYS].length),
                        16);
}

static const char *refuses_long(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_JOIN_B_KEYS].length > UINT32_MAX ? "2^32 keys or more in b: their places have 32 bits" : nullptr;
}

// Behind the memory of the join itself is that of its last step.
template <typename Index> static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return (parameters[SB_JOIN_TYPE] == SB_U64 ? join_bytes<uint64_t, Index>(inputs)
                                               : join_bytes<uint32_t, Index>(inputs)) +
           sb::lbs_bytes(max_pairs(inputs), inputs[SB_JOIN_A_KEYS].length);
}

template <typename Index>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return sb_with_order(parameters[SB_JOIN_TYPE], [=](auto order) {
        typedef typename decltype(order)::key key;
        const sb_array &a = inputs[SB_JOIN_A_KEYS], &b = inputs[SB_JOIN_B_KEYS];
        sb::inner_join<key, Index> join(a.length, b.length, sb::context(0, sb::given_memory(workspace)));
        uint64_t pairs;
        cudaError_t error = join.count((const key *)a.data, (const key *)b.data, order, &pairs);

        outputs[SB_JOIN_A_INDEX].length = outputs[SB_JOIN_B_INDEX].length = pairs;
        if (error == cudaSuccess)
            error = join.write_with(
                sb::context(0, sb::given_memory((char *)workspace + join_bytes<key, Index>(inputs))), write_indices(),
                (uint32_t *)outputs[SB_JOIN_A_INDEX].data, (uint32_t *)outputs[SB_JOIN_B_INDEX].data);
        return sb_status_of(error);
    });
}

static const uint64_t sizes[] = {sb::lbs_tune::SIZE, sb::merge_tune<4>::SIZE, 0};

extern "C" const sb_variant sb_gpu_pattern_join_bounds[] = {
    {"pattern.join", "bounds", "both bounds of each key, a scan of their differences, a load-balancing search", nullptr,
     workspace_bytes<uint64_t>, launch<uint64_t>, sizes},
    {"pattern.join", "bounds_32", "the same, with places in b of 32 bits", refuses_long, workspace_bytes<uint32_t>,
     launch<uint32_t>, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
