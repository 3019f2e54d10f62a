// SPDX-License-Identifier: BSD-2-Clause
//
// cub::DeviceHistogram: how often each of 64 equal ranges occurs.
#include "check.h"

#include <cub/device/device_histogram.cuh>

int main()
{
    std::vector<unsigned> samples = numbers(30000, 256), counts(64);
    unsigned *in = on_device(samples), *bins = device_memory<unsigned>(counts.size());
    int count = (int)samples.size();

    for (unsigned sample : samples)
        counts[sample / 4]++;
    with_memory([&](void *memory, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(memory, bytes, in, bins, 65, 0u, 256u, count);
    });
    return verdict(on_host(bins, counts.size()) == counts, "histogram");
}
