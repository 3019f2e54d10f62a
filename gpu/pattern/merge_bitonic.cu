// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.merge/bitonic: one merge of the bitonic network; network.cuh says how its steps run.
//
// The elements of a in descending order, and behind them those of b in ascending order, are a bitonic sequence of n elements.
// In step s = m, m / 2, ..., 1, where 2 m is the power of two from n on, element i is compared with element i xor s:
// afterwards no element of the lower half of 2 s elements is above one of the upper half, and both halves are bitonic.
// Elements from n on would be the largest, and behind the ascending end the sequence stays bitonic with them. They never
// move; so they are left out. An element has its index, that of b after those of a, so equal keys of a come first, and
// values are gathered at the end.
// Cost: n log(n) / 2 comparisons, where a merge on the merge path has about n; and what network.cuh says. Workspace: the
// elements.
// Source: K. E. Batcher, "Sorting networks and their applications" (1968).
#include "network.cuh"

namespace
{

struct half_cleaners {
    static constexpr uint64_t MIN_WIDE = NETWORK_TILE;

    static __device__ __forceinline__ uint64_t partner(uint64_t i, uint64_t, uint64_t step)
    {
        return i ^ step;
    }
};

template <typename Word> struct turn_round {
    uint64_t a_count;
    sb::key_order order;

    __device__ __forceinline__ void operator()(uint64_t i, const Word *a, const Word *b, element<Word> *elements) const
    {
        const bool of_a = i < a_count;
        const uint64_t index = of_a ? a_count - 1 - i : i;

        elements[i] = element<Word>::of(sb::to_ordered(of_a ? a[index] : b[i - a_count], order), (uint32_t)index);
    }
};

template <typename Word> struct take_merged {
    uint64_t a_count;
    sb::key_order order;
    bool pairs;

    __device__ __forceinline__ void operator()(uint64_t i, const element<Word> *elements, const uint32_t *a_values,
                                               const uint32_t *b_values, Word *merged, uint32_t *merged_values) const
    {
        const element<Word> e = elements[i];

        merged[i] = sb::from_ordered(e.key(), order);
        if (pairs)
            merged_values[i] = e.index() < a_count ? a_values[e.index()] : b_values[e.index() - a_count];
    }
};

} // namespace

static uint64_t count_keys(const sb_array *inputs)
{
    return inputs[SB_MERGE_A_KEYS].length + inputs[SB_MERGE_B_KEYS].length;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return count_keys(inputs) > UINT32_MAX ? "2^32 keys or more: their indices have 32 bits" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return count_keys(inputs) *
           (parameters[SB_SORT_TYPE] == SB_U64 ? sizeof(element<uint64_t>) : sizeof(element<uint32_t>));
}

template <typename Word>
static sb_status merge_keys(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace,
                            sb::key_order order)
{
    const sb::context on;
    const sb_array &a = inputs[SB_MERGE_A_KEYS], &b = inputs[SB_MERGE_B_KEYS];
    const uint64_t n = a.length + b.length;
    element<Word> *elements = (element<Word> *)workspace;
    uint64_t size = 2;
    cudaError_t error =
        sb::transform(turn_round<Word>{a.length, order}, n, on, (const Word *)a.data, (const Word *)b.data, elements);

    while (size < n)
        size *= 2;
    if (error == cudaSuccess && n > 1)
        error = merge_by_network<half_cleaners>(elements, n, size);
    if (error == cudaSuccess)
        error = sb::transform(take_merged<Word>{a.length, order, parameters[SB_SORT_PAIRS] != 0}, n, on,
                              (const element<Word> *)elements, (const uint32_t *)inputs[SB_MERGE_A_VALUES].data,
                              (const uint32_t *)inputs[SB_MERGE_B_VALUES].data, (Word *)outputs[SB_SORT_KEYS].data,
                              (uint32_t *)outputs[SB_SORT_VALUES].data);
    return sb_status_of(error);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    switch (parameters[SB_SORT_TYPE]) {
    case SB_U32:
        return merge_keys<uint32_t>(parameters, inputs, outputs, workspace, sb::UNSIGNED_ORDER);
    case SB_I32:
        return merge_keys<uint32_t>(parameters, inputs, outputs, workspace, sb::SIGNED_ORDER);
    case SB_F32:
        return merge_keys<uint32_t>(parameters, inputs, outputs, workspace, sb::FLOAT_ORDER);
    case SB_U64:
        return merge_keys<uint64_t>(parameters, inputs, outputs, workspace, sb::UNSIGNED_ORDER);
    }
    return SB_INVALID;
}

static const uint64_t sizes[] = {NETWORK_TILE, 0};

extern "C" const sb_variant sb_gpu_pattern_merge_bitonic[] = {
    {"pattern.merge", "bitonic", "one merge of the bitonic network, on keys with their indices", refuses,
     workspace_bytes, launch, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
