// SPDX-License-Identifier: BSD-2-Clause
//
// Behind mma_attention.cu or wgmma_attention.cu: heads of 64 columns, without a mask. bench.cuh has the contract.
#include "bench.cuh"

int main()
{
    const int heads = bench::size(2, 1), tokens = bench::size(512, 64);
    const size_t count = (size_t)heads * (size_t)tokens * WIDTH;
    const std::vector<float> q = bench::values(count, 1), k = bench::values(count, 2), v = bench::values(count, 3);
    std::vector<float> y(count);
    const half *device_q = bench::on_device<half>(q), *device_k = bench::on_device<half>(k),
               *device_v = bench::on_device<half>(v);
    half *device_y = bench::on_device<half>(y);

    return bench::compare(
        "product", 2.0 * (double)count * tokens, device_y, y, bench::HALF,
        [&] { run(device_q, device_k, device_v, device_y, heads, tokens, WIDTH, false); },
        [&] { loop_attention(q.data(), k.data(), v.data(), y.data(), heads, tokens, WIDTH); });
}
