// SPDX-License-Identifier: BSD-2-Clause
//
// Behind cluster_sum.cu: many clusters. bench.cuh has the contract.
#include "bench.cuh"

int main()
{
    const int clusters = bench::size(1024, 4), blocks = clusters * CLUSTER;
    std::vector<float> from = bench::values((size_t)(blocks * THREADS), 1), to((size_t)blocks);
    int *device_from, *device_to = bench::on_device<int>(std::vector<float>(2 * to.size()));

    for (float &value : from)
        value *= 8;
    device_from = bench::on_device<int>(from);
    return bench::compare(
        "element", (double)from.size(), device_to, to, 0,
        [&] { sums<<<blocks, THREADS>>>(device_from, device_to, device_to + blocks); },
        [&] { loop_sums(from.data(), to.data(), clusters, THREADS * CLUSTER, CLUSTER); });
}
