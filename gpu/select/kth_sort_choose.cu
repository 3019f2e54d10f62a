// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/sort_choose: sorts all keys, and takes the one at n - k.
//
// The sort orders indices by a radix sort of 8 bits a pass (sort.cuh), so the input stays as it is. It is the method
// that the others are measured against.
// Cost: 4 passes for 4-byte keys, 8 for 8-byte keys, each of which reads and writes 8 bytes for each key; 16 bytes of
// workspace for each key.
// Source: the baseline of T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, "Fast k-selection algorithms for
// graphics processing units" (2012).
#include "kth.cuh"
#include "sort.cuh"

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return inputs[SB_SELECT_KEYS].length > sb::RADIX_MAX_PAIRS ? "more keys than the sort takes" : nullptr;
}

static uint64_t lay_out(sort_space *a, uint64_t n, void *workspace)
{
    sb::workspace space(workspace);

    take_sort_space(a, n, &space);
    return space.bytes();
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    sort_space a = {};

    (void)parameters;
    return lay_out(&a, inputs[SB_SELECT_KEYS].length, nullptr);
}

template <typename Word>
static __global__ void choose(const Word *keys, const uint32_t *order, uint64_t rank, Word *key)
{
    *key = keys[order[rank]];
}

template <typename Word>
static sb_status launch_select(const sb_array &keys, uint64_t k, uint64_t, sb::key_order order, void *key,
                               void *workspace)
{
    const Word *from = (const Word *)keys.data;
    const uint32_t *sorted;
    sort_space a = {};

    lay_out(&a, keys.length, workspace);
    if (!sort_keys(from, keys.length, order, false, a, &sorted))
        return SB_FAILED;
    choose<<<1, 1>>>(from, sorted, sb::rank_from_below(keys.length, k), (Word *)key);
    return cudaPeekAtLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

extern "C" const sb_variant sb_gpu_select_kth_sort_choose[] = {
    {"select.kth", "sort_choose", "sorts all keys and takes the one at n - k", refuses, workspace_bytes,
     launch_kth<launch_select<uint32_t>, launch_select<uint64_t>>},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
