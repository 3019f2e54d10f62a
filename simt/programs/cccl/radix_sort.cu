// SPDX-License-Identifier: BSD-2-Clause
//
// cub::DeviceRadixSort: pairs of 32-bit keys and values, stable; and keys downwards.
#include "check.h"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <functional>
#include <numeric>

int main()
{
    std::vector<unsigned> keys = numbers(12000, 5000), order(keys.size()), sorted(keys), down(keys);
    unsigned *in = on_device(keys), *out = device_memory<unsigned>(keys.size()), *values, *out_values = device_memory<unsigned>(keys.size());
    int count = (int)keys.size();
    bool good;

    std::iota(order.begin(), order.end(), 0u);
    values = on_device(order);
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    std::sort(sorted.begin(), sorted.end());
    std::sort(down.begin(), down.end(), std::greater<unsigned>());
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, in, out, values, out_values, count);
    });
    good = on_host(out, keys.size()) == sorted && on_host(out_values, keys.size()) == order;
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeysDescending(memory, bytes, in, out, count, 0, 13);
    });
    return verdict(good && on_host(out, keys.size()) == down, "radix sort");
}
