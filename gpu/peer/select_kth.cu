// SPDX-License-Identifier: BSD-2-Clause
//
// select.kth/cub_sort: sorts all keys, descending, by CUB's radix sort, and takes the k-th.
// Cost: as the sort. The workspace is one more array of n keys, and what CUB needs.
#include "peer.cuh"

static const char *refuses(const uint64_t *parameters, const sb_array *)
{
    return with_integer(
        parameters[SB_SELECT_TYPE], [](auto) { return (const char *)nullptr; }, "CUB orders -0 and +0 as equal keys");
}

// The sorted keys come first in the workspace, CUB's memory behind them.
template <typename Key> static auto sort_call(const sb_array &keys, Key *sorted)
{
    return [=](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeysDescending(memory, bytes, (const Key *)keys.data, sorted, keys.length);
    };
}

template <typename Key> static uint64_t sorted_bytes(uint64_t n)
{
    return sb::round_up(n * sizeof(Key), 256);
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];

    return with_integer(
        parameters[SB_SELECT_TYPE],
        [&](auto key) {
            typedef decltype(key) Key;
            return sorted_bytes<Key>(keys.length) + (uint64_t)temporary_bytes(sort_call<Key>(keys, nullptr));
        },
        (uint64_t)0);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array &keys = inputs[SB_SELECT_KEYS];
    uint64_t k = parameters[SB_SELECT_K];

    if (k == 0 || k > keys.length)
        return SB_INVALID;
    return with_integer(
        parameters[SB_SELECT_TYPE],
        [&](auto key) {
            typedef decltype(key) Key;
            Key *sorted = (Key *)workspace;
            sb_status status = run(sort_call<Key>(keys, sorted), (char *)workspace + sorted_bytes<Key>(keys.length));

            if (status == SB_OK && cudaMemcpyAsync(outputs[SB_SELECT_KEY].data, sorted + k - 1, sizeof(Key),
                                                   cudaMemcpyDeviceToDevice, 0) != cudaSuccess)
                status = SB_FAILED;
            return status;
        },
        SB_UNSUPPORTED);
}

extern "C" const sb_variant sb_gpu_peer_select_kth[] = {
    {"select.kth", "cub_sort", "CUB's radix sort, then the k-th", refuses, workspace_bytes, launch},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
