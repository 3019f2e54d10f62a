// SPDX-License-Identifier: BSD-2-Clause
//
// A sort by a network: what pattern.sort/bitonic and pattern.sort/odd_even share. Keys become elements of network.cuh, which
// are sorted and become keys again; then values are gathered by the indices.
// Cost: n log(n)^2 / 4 comparisons, and what network.cuh says.
#ifndef GPU_PATTERN_NETWORK_SORT_CUH
#define GPU_PATTERN_NETWORK_SORT_CUH

#include "network.cuh"

namespace
{

template <typename Word> struct make_element {
    sb::key_order order;

    __device__ __forceinline__ void operator()(uint64_t i, const Word *keys, element<Word> *elements) const
    {
        elements[i] = element<Word>::of(sb::to_ordered(keys[i], order), (uint32_t)i);
    }
};

template <typename Word> struct take_element {
    sb::key_order order;
    bool pairs;

    __device__ __forceinline__ void operator()(uint64_t i, const element<Word> *elements, const uint32_t *values,
                                               Word *sorted, uint32_t *sorted_values) const
    {
        const element<Word> e = elements[i];

        sorted[i] = sb::from_ordered(e.key(), order);
        if (pairs)
            sorted_values[i] = values[e.index()];
    }
};

} // namespace

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SORT_KEYS].length > UINT32_MAX ? "2^32 keys or more: their indices have 32 bits" : nullptr;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return inputs[SB_SORT_KEYS].length *
           (parameters[SB_SORT_TYPE] == SB_U64 ? sizeof(element<uint64_t>) : sizeof(element<uint32_t>));
}

template <typename Network, typename Word>
static sb_status sort_by_network(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace,
                                 sb::key_order order)
{
    const sb::context on;
    const uint64_t n = inputs[SB_SORT_KEYS].length;
    const bool pairs = parameters[SB_SORT_PAIRS] != 0;
    const unsigned tiles = (unsigned)sb::divide_up(n, NETWORK_TILE);
    element<Word> *elements = (element<Word> *)workspace;

    if (n == 0)
        return SB_OK;
    cudaError_t error =
        sb::transform(make_element<Word>{order}, n, on, (const Word *)inputs[SB_SORT_KEYS].data, elements);

    network_tile<Network><<<tiles, NETWORK_THREADS>>>(elements, n, (uint64_t)2, (uint64_t)1, (uint64_t)NETWORK_TILE);
    for (uint64_t size = 2 * NETWORK_TILE; size / 2 < n && error == cudaSuccess; size *= 2)
        error = merge_by_network<Network>(elements, n, size);
    if (error == cudaSuccess)
        error = sb::transform(take_element<Word>{order, pairs}, n, on, (const element<Word> *)elements,
                              (const uint32_t *)inputs[SB_SORT_VALUES].data, (Word *)outputs[SB_SORT_KEYS].data,
                              (uint32_t *)outputs[SB_SORT_VALUES].data);
    return sb_status_of(error == cudaSuccess ? cudaPeekAtLastError() : error);
}

template <typename Network>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    switch (parameters[SB_SORT_TYPE]) {
    case SB_U32:
        return sort_by_network<Network, uint32_t>(parameters, inputs, outputs, workspace, sb::UNSIGNED_ORDER);
    case SB_I32:
        return sort_by_network<Network, uint32_t>(parameters, inputs, outputs, workspace, sb::SIGNED_ORDER);
    case SB_F32:
        return sort_by_network<Network, uint32_t>(parameters, inputs, outputs, workspace, sb::FLOAT_ORDER);
    case SB_U64:
        return sort_by_network<Network, uint64_t>(parameters, inputs, outputs, workspace, sb::UNSIGNED_ORDER);
    }
    return SB_INVALID;
}

static const uint64_t sizes[] = {NETWORK_TILE, 0};

#endif
