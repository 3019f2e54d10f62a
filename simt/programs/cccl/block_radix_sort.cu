// SPDX-License-Identifier: BSD-2-Clause
//
// cub::BlockRadixSort: 128 threads sort 8 keys each, with values.
#include "check.h"

#include <algorithm>
#include <cub/block/block_radix_sort.cuh>
#include <numeric>

enum { THREADS = 128, ITEMS = 8 };

__global__ void sort(unsigned *keys, unsigned *values)
{
    using Sort = cub::BlockRadixSort<unsigned, THREADS, ITEMS, unsigned>;
    __shared__ typename Sort::TempStorage storage;
    unsigned key[ITEMS], value[ITEMS];

    for (int i = 0; i < ITEMS; i++) {
        key[i] = keys[threadIdx.x * ITEMS + i];
        value[i] = values[threadIdx.x * ITEMS + i];
    }
    Sort(storage).Sort(key, value);
    for (int i = 0; i < ITEMS; i++) {
        keys[threadIdx.x * ITEMS + i] = key[i];
        values[threadIdx.x * ITEMS + i] = value[i];
    }
}

int main()
{
    std::vector<unsigned> input = numbers(THREADS * ITEMS, 300), order(input.size()), sorted(input);
    unsigned *keys = on_device(input), *values;

    std::iota(order.begin(), order.end(), 0u);
    values = on_device(order);
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return input[a] < input[b]; });
    std::sort(sorted.begin(), sorted.end());
    sort<<<1, THREADS>>>(keys, values);
    return verdict(on_host(keys, input.size()) == sorted && on_host(values, input.size()) == order, "block radix sort");
}
