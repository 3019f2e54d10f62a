// SPDX-License-Identifier: BSD-2-Clause
//
// Behind mma_conv2d.cu: filters of 3 x 3, 32 channels, 32 filters. bench.cuh has the contract.
#include "bench.cuh"

int main()
{
    const conv_extents e = {bench::size(2, 1), 32, 32, bench::size(32, 8), bench::size(32, 8), 3, 3};
    const size_t pixels = (size_t)(e.images * e.height * e.width);
    const std::vector<float> x = bench::values(pixels * (size_t)e.channels, 1);
    const std::vector<float> w = bench::values((size_t)(e.filters * e.channels * e.down * e.across), 2);
    std::vector<float> y(pixels * (size_t)e.filters);
    const half *device_x = bench::on_device<half>(x), *device_w = bench::on_device<half>(w);
    half *device_y = bench::on_device<half>(y);

    return bench::compare(
        "product", (double)y.size() * e.channels * e.down * e.across, device_y, y, bench::HALF,
        [&] { run(device_x, device_w, device_y, e); },
        [&] {
            loop_conv2d(x.data(), w.data(), y.data(), e.images, e.filters, e.channels, e.height, e.width, e.down,
                        e.across);
        });
}
