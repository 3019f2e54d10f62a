// SPDX-License-Identifier: BSD-2-Clause
//
// Behind mma_gemm.cu: square matrices. bench.cuh has the contract.
#include "bench.cuh"

int main()
{
    const int n = bench::size(256, 32);
    const size_t count = (size_t)n * (size_t)n;
    const std::vector<float> a = bench::values(count, 1), b = bench::values(count, 2);
    std::vector<float> c(count);
    const half *device_a = bench::on_device<half>(a), *device_b = bench::on_device<half>(b);
    half *device_c = bench::on_device<half>(c);

    return bench::compare(
        "product", (double)count * n, device_c, c, bench::HALF, [&] { run(device_a, device_b, device_c, n, n, n); },
        [&] { loop_gemm(a.data(), b.data(), c.data(), n, n, n); });
}
