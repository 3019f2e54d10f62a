// SPDX-License-Identifier: BSD-2-Clause
//
// pattern.sort/odd_even: Batcher's odd-even merge sort; network.cuh says how its steps run.
//
// The first step of a merge compares each element of the first run with that of the second. After it, runs of `step`
// elements that lie between the first and the last one are compared with the next run in pairs. It has fewer comparisons
// than the bitonic network, but those of a step cross the borders of tiles: so merges of more than a tile are a kernel for
// each step.
// Source: K. E. Batcher, "Sorting networks and their applications" (1968); D. E. Knuth, "The Art of Computer Programming" 3
// (1973), 5.2.2, algorithm M.
#include "network_sort.cuh"

namespace
{

struct odd_even {
    static constexpr uint64_t MIN_WIDE = 1;

    static __device__ __forceinline__ uint64_t partner(uint64_t i, uint64_t size, uint64_t step)
    {
        if (step == size / 2)
            return i ^ step;
        const uint64_t in_run = i & (size - 1);

        if (in_run < step || in_run >= size - step) // no run before the first, or behind the last
            return i;
        return (i & step) != 0 ? i + step : i - step;
    }
};

} // namespace

extern "C" const sb_variant sb_gpu_pattern_sort_odd_even[] = {
    {"pattern.sort", "odd_even", "the odd-even merge network on keys with their indices", refuses, workspace_bytes,
     launch<odd_even>, sizes},
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
