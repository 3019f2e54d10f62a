// SPDX-License-Identifier: BSD-2-Clause
//
// cub::DeviceSelect: the numbers of a condition, and the first of each run.
#include "check.h"

#include <algorithm>
#include <cub/device/device_select.cuh>
#include <iterator>

struct is_even {
    __host__ __device__ bool operator()(unsigned v) const
    {
        return v % 2 == 0;
    }
};

int main()
{
    std::vector<unsigned> input = numbers(10000, 3), even, firsts;
    unsigned *in = on_device(input), *out = device_memory<unsigned>(input.size());
    int *selected = device_memory<int>(1), count = (int)input.size();
    bool good;

    std::copy_if(input.begin(), input.end(), std::back_inserter(even), is_even());
    std::unique_copy(input.begin(), input.end(), std::back_inserter(firsts));
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceSelect::If(memory, bytes, in, out, selected, count, is_even());
    });
    good = on_host(selected, 1)[0] == (int)even.size() && on_host(out, even.size()) == even;
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceSelect::Unique(memory, bytes, in, out, selected, count);
    });
    return verdict(good && on_host(selected, 1)[0] == (int)firsts.size() && on_host(out, firsts.size()) == firsts, "select");
}
