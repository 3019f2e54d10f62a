// SPDX-License-Identifier: BSD-2-Clause
//
// Behind wgmma_pipeline.cu: its product is of one block, 64 x 16 x 256, and is repeated. bench.cuh has the contract.
#include "bench.cuh"

int main()
{
    const int times = bench::size(64, 1);
    const std::vector<float> a = bench::values(M * K, 1), b = bench::values(N * K, 2);
    std::vector<float> c(M * N);
    half *device_a = bench::on_device<half>(a), *device_b = bench::on_device<half>(b);
    float *device_c = bench::on_device<float>(c);
    const CUtensorMap map_a = map_of(device_a, M), map_b = map_of(device_b, N);

    return bench::compare(
        "product", (double)M * N * K * times, device_c, c, 0,
        [&] {
            for (int i = 0; i < times; i++)
                multiply<<<1, CONSUMERS + 32>>>(map_a, map_b, device_c);
        },
        [&] {
            for (int i = 0; i < times; i++)
                loop_gemm_columns(a.data(), b.data(), c.data(), M, N, K);
        });
}
