// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.sort/bitonic: the bitonic sorting network; network.cuh says how its steps run.
//
// To merge two ascending runs, element i of the first is compared with the i-th from the end of the second: afterwards no
// element of the lower half is above one of the upper half, and each half is bitonic. Such a half is sorted by comparisons
// over half its size, a quarter, and so on.
// Source: K. E. Batcher, "Sorting networks and their applications" (1968).
#include "network_sort.cuh"

namespace
{

struct bitonic {
    static constexpr uint64_t MIN_WIDE = NETWORK_TILE;

    static __device__ __forceinline__ uint64_t partner(uint64_t i, uint64_t size, uint64_t step)
    {
        return step == size / 2 ? i ^ (size - 1) : i ^ step;
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_pattern_sort_bitonic[] = {
    {"pattern.sort", "bitonic", "the bitonic network on keys with their indices", refuses, workspace_bytes,
     launch<bitonic>, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
