// SPDX-License-Identifier: BSD-2-Clause
//
// cub::DeviceScan: exclusive sums and inclusive maxima, by decoupled look-back.
#include "check.h"

#include <algorithm>
#include <cub/device/device_scan.cuh>

struct larger {
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const
    {
        return a > b ? a : b;
    }
};

int main()
{
    std::vector<unsigned> input = numbers(20000, 1000), sums(input.size()), maxima(input.size());
    unsigned *in = on_device(input), *out = device_memory<unsigned>(input.size()), sum = 0, largest = 0;
    int count = (int)input.size();
    bool good;

    for (size_t i = 0; i < input.size(); i++) {
        sums[i] = sum;
        sum += input[i];
        maxima[i] = largest = std::max(largest, input[i]);
    }
    with_memory([&](void *memory, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, count); });
    good = on_host(out, input.size()) == sums;
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceScan::InclusiveScan(memory, bytes, in, out, larger(), count);
    });
    return verdict(good && on_host(out, input.size()) == maxima, "scan");
}
