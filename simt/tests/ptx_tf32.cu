// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Conversions to TF32, which has 10 bits of fraction: to the nearest (ties to even, or away from zero) and towards zero.
#include <cstdint>
#include <cstdio>

__global__ void convert(const uint32_t *from, uint32_t (*to)[3])
{
    const uint32_t x = from[threadIdx.x];
    uint32_t *y = to[threadIdx.x];

    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(y[0]) : "f"(__uint_as_float(x)));
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y[1]) : "f"(__uint_as_float(x)));
    asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(y[2]) : "f"(__uint_as_float(x)));
}

int main()
{
    static const uint32_t from[] = {0x3f800fff, 0x3f801000, 0x3f803000, 0x3f801001, 0xbf803000, 0x7f7fffff, 0xff800000, 0x80000000};
    static const uint32_t expected[][3] = {
        {0x3f800000, 0x3f800000, 0x3f800000}, // less than half
        {0x3f800000, 0x3f802000, 0x3f800000}, // half, even below
        {0x3f804000, 0x3f804000, 0x3f802000}, // half, odd below
        {0x3f802000, 0x3f802000, 0x3f800000}, // more than half
        {0xbf804000, 0xbf804000, 0xbf802000},
        {0x7f800000, 0x7f800000, 0x7f7fe000}, // overflow
        {0xff800000, 0xff800000, 0xff800000},          // infinity
        {0x80000000, 0x80000000, 0x80000000},
    };
    constexpr int COUNT = sizeof from / sizeof *from;
    uint32_t *device, (*got)[3], result[COUNT][3];
    int wrong = 0;

    cudaMalloc(&device, sizeof from);
    cudaMalloc(&got, sizeof result);
    cudaMemcpy(device, from, sizeof from, cudaMemcpyHostToDevice);
    convert<<<1, COUNT>>>(device, got);
    cudaMemcpy(result, got, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++)
            if (result[i][k] != expected[i][k]) {
                printf("%08x: %d gives %08x, expected %08x\n", from[i], k, result[i][k], expected[i][k]);
                wrong++;
            }
    return wrong != 0;
}
