// SPDX-License-Identifier: BSD-2-Clause
//
// cub::DeviceReduce: the sum and the largest of 20000 numbers.
#include "check.h"

#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <numeric>

int main()
{
    std::vector<unsigned> input = numbers(20000, 1000);
    unsigned *in = on_device(input), *sum = device_memory<unsigned>(1), *largest = device_memory<unsigned>(1);
    int count = (int)input.size();

    with_memory([&](void *memory, size_t &bytes) { return cub::DeviceReduce::Sum(memory, bytes, in, sum, count); });
    with_memory([&](void *memory, size_t &bytes) { return cub::DeviceReduce::Max(memory, bytes, in, largest, count); });
    return verdict(on_host(sum, 1)[0] == std::accumulate(input.begin(), input.end(), 0u) &&
                       on_host(largest, 1)[0] == *std::max_element(input.begin(), input.end()),
                   "reduce");
}
