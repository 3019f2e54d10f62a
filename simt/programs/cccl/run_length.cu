// SPDX-License-Identifier: BSD-2-Clause
//
// cub::DeviceRunLengthEncode: the runs and their lengths.
#include "check.h"

#include <cub/device/device_run_length_encode.cuh>

int main()
{
    std::vector<unsigned> input = numbers(10000, 2), keys, lengths;
    unsigned *in = on_device(input), *unique = device_memory<unsigned>(input.size()), *length = device_memory<unsigned>(input.size());
    int *runs = device_memory<int>(1), count = (int)input.size();

    for (size_t i = 0; i < input.size(); i++) {
        if (i == 0 || input[i] != input[i - 1]) {
            keys.push_back(input[i]);
            lengths.push_back(0);
        }
        lengths.back()++;
    }
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceRunLengthEncode::Encode(memory, bytes, in, unique, length, runs, count);
    });
    return verdict(on_host(runs, 1)[0] == (int)keys.size() && on_host(unique, keys.size()) == keys &&
                       on_host(length, keys.size()) == lengths,
                   "run-length");
}
