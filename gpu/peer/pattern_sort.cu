// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.sort/cub_radix and pattern.sort/cub_merge: CUB's radix sort and its stable merge sort, of keys and of pairs.
//
// CUB's radix sort orders -0 and +0 as equal keys, so it refuses floats. The merge sort takes a comparison, which is that of
// totalOrder here. It sorts in place: the keys are copied to the output first.
#include "peer.cuh"

template <typename Key> struct before {
    __device__ bool operator()(Key a, Key b) const
    {
        return a < b;
    }
};

template <> struct before<float> {
    __device__ bool operator()(float a, float b) const
    {
        return sb::to_ordered(__float_as_uint(a), sb::FLOAT_ORDER) <
               sb::to_ordered(__float_as_uint(b), sb::FLOAT_ORDER);
    }
};

template <typename Key> static auto radix_call(const sb_array *inputs, const sb_array *outputs, bool pairs)
{
    const Key *keys = (const Key *)inputs[SB_SORT_KEYS].data;
    const uint32_t *values = (const uint32_t *)inputs[SB_SORT_VALUES].data;
    Key *sorted = outputs ? (Key *)outputs[SB_SORT_KEYS].data : nullptr;
    uint32_t *moved = outputs ? (uint32_t *)outputs[SB_SORT_VALUES].data : nullptr;
    uint64_t n = inputs[SB_SORT_KEYS].length;

    return [=](void *memory, size_t &bytes) {
        return pairs ? cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted, values, moved, n)
                     : cub::DeviceRadixSort::SortKeys(memory, bytes, keys, sorted, n);
    };
}

template <typename Key> static auto merge_call(const sb_array *inputs, const sb_array *outputs, bool pairs)
{
    Key *keys = outputs ? (Key *)outputs[SB_SORT_KEYS].data : nullptr;
    uint32_t *values = outputs ? (uint32_t *)outputs[SB_SORT_VALUES].data : nullptr;
    uint64_t n = inputs[SB_SORT_KEYS].length;

    return [=](void *memory, size_t &bytes) {
        return pairs ? cub::DeviceMergeSort::StableSortPairs(memory, bytes, keys, values, n, before<Key>())
                     : cub::DeviceMergeSort::StableSortKeys(memory, bytes, keys, n, before<Key>());
    };
}

static const char *refuses_floats(const uint64_t *parameters, const sb_array *)
{
    return with_integer(
        parameters[SB_SORT_TYPE], [](auto) { return (const char *)nullptr; },
        "CUB's radix sort orders -0 and +0 as equal keys");
}

static uint64_t radix_workspace(const uint64_t *parameters, const sb_array *inputs)
{
    return with_integer(
        parameters[SB_SORT_TYPE],
        [&](auto key) {
            return (uint64_t)temporary_bytes(
                radix_call<decltype(key)>(inputs, nullptr, parameters[SB_SORT_PAIRS] != 0));
        },
        (uint64_t)0);
}

static sb_status launch_radix(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return with_integer(
        parameters[SB_SORT_TYPE],
        [&](auto key) {
            return run(radix_call<decltype(key)>(inputs, outputs, parameters[SB_SORT_PAIRS] != 0), workspace);
        },
        SB_UNSUPPORTED);
}

template <typename Function> static auto with_key(uint64_t type, Function f)
{
    return type == SB_F32 ? f(0.0f) : with_integer(type, f, decltype(f(0.0f))());
}

static uint64_t merge_workspace(const uint64_t *parameters, const sb_array *inputs)
{
    return with_key(parameters[SB_SORT_TYPE], [&](auto key) {
        return (uint64_t)temporary_bytes(merge_call<decltype(key)>(inputs, nullptr, parameters[SB_SORT_PAIRS] != 0));
    });
}

static sb_status launch_merge(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const size_t key_bytes = parameters[SB_SORT_TYPE] == SB_U64 ? 8 : 4;

    for (unsigned i = 0; i < 2; i++)
        if (inputs[i].length > 0 &&
            cudaMemcpyAsync(outputs[i].data, inputs[i].data, inputs[i].length * (i == SB_SORT_KEYS ? key_bytes : 4),
                            cudaMemcpyDeviceToDevice, 0) != cudaSuccess)
            return SB_FAILED;
    return with_key(parameters[SB_SORT_TYPE], [&](auto key) {
        return run(merge_call<decltype(key)>(inputs, outputs, parameters[SB_SORT_PAIRS] != 0), workspace);
    });
}

extern "C" const sb_variant sb_gpu_peer_pattern_sort[] = {
    {"pattern.sort", "cub_radix", "CUB's radix sort", refuses_floats, radix_workspace, launch_radix},
    {"pattern.sort", "cub_merge", "CUB's merge sort", nullptr, merge_workspace, launch_merge},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
