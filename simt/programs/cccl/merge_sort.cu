// SPDX-License-Identifier: BSD-2-Clause
//
// cub::DeviceMergeSort: keys by a comparison, stable.
#include "check.h"

#include <algorithm>
#include <cub/device/device_merge_sort.cuh>

struct by_tens {
    __host__ __device__ bool operator()(unsigned a, unsigned b) const
    {
        return a / 10 < b / 10;
    }
};

int main()
{
    std::vector<unsigned> keys = numbers(6000, 2000), sorted(keys);
    unsigned *inout = on_device(keys);
    int count = (int)keys.size();

    std::stable_sort(sorted.begin(), sorted.end(), by_tens());
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceMergeSort::StableSortKeys(memory, bytes, inout, count, by_tens());
    });
    return verdict(on_host(inout, keys.size()) == sorted, "merge sort");
}
