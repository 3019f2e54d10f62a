// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// PTX's conversions of two numbers of 8 bits, against those of cuda_fp8.h and by hand; and sums of vectors and of 16 bits in memory.
#include <cstdio>
#include <cuda_fp8.h>

__device__ unsigned wrong;

__device__ void expect(unsigned got, unsigned want, int line)
{
    if (got != want) {
        printf("line %d: %x, not %x\n", line, got, want);
        atomicAdd(&wrong, 1);
    }
}

#define CONVERT(instruction, upper, lower, want)                                                                       \
    do {                                                                                                               \
        unsigned short r;                                                                                              \
        asm(instruction " %0, %1, %2;" : "=h"(r) : "f"(upper), "f"(lower));                                            \
        expect(r, want, __LINE__);                                                                                     \
    } while (0)

__device__ unsigned short of_halves(unsigned pair)
{
    unsigned short r;

    asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(r) : "r"(pair));
    return r;
}

__global__ void convert()
{
    CONVERT("cvt.rn.satfinite.e4m3x2.f32", 1.0f, -2.0f, 0x38c0);
    CONVERT("cvt.rn.satfinite.e4m3x2.f32", 1e9f, 0.0f / 0.0f, 0x7e7f);
    CONVERT("cvt.rn.satfinite.e5m2x2.f32", 1.0f, -1e9f, 0x3cfb);
    CONVERT("cvt.rn.satfinite.relu.e4m3x2.f32", -1.0f, 3.0f, 0x0044);
    for (unsigned code = threadIdx.x; code < 256; code += blockDim.x) {
        unsigned pair;
        unsigned short both = (unsigned short)(code << 8 | 0x38); // and 1

        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"(both));
        expect(pair, (unsigned)__nv_cvt_fp8_to_halfraw((unsigned char)code, __NV_E4M3).x << 16 | 0x3c00, __LINE__);
        if ((code & 0x7f) != 0x7f) // all numbers come back
            expect(of_halves(pair), both, __LINE__);
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(pair) : "h"(both));
        expect(pair >> 16, __nv_cvt_fp8_to_halfraw((unsigned char)code, __NV_E5M2).x, __LINE__);
    }
}

__global__ void add(float *fours, unsigned *halves, unsigned short *one)
{
    float a, b, c, d;

    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(fours), "f"(1.0f), "f"(2.0f) : "memory");
    asm volatile("atom.relaxed.gpu.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                 : "l"(fours + 4), "f"(1.0f)
                 : "memory");
    if (!(a == b && b == c && c == d && a >= 0 && a < 32) && blockDim.x == 1)
        atomicAdd(&wrong, 1);
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(halves), "r"(0x3c004000) : "memory"); // 1, 2
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(halves + 1), "r"(0x3f804000) : "memory");
    asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %1};" ::"l"(halves + 2), "r"(0x3f804000) : "memory");
    asm volatile("red.global.add.noftz.f16 [%0], %1;" ::"l"(one), "h"((unsigned short)0x3c00) : "memory");
}

int main()
{
    float *fours, four[8];
    unsigned *halves, half[4], failed;
    unsigned short *one, number;

    cudaMalloc(&fours, sizeof four);
    cudaMalloc(&halves, sizeof half);
    cudaMalloc(&one, sizeof number);
    cudaMemset(fours, 0, sizeof four);
    cudaMemset(halves, 0, sizeof half);
    cudaMemset(one, 0, sizeof number);
    convert<<<1, 64>>>();
    add<<<2, 16>>>(fours, halves, one);
    cudaMemcpy(four, fours, sizeof four, cudaMemcpyDeviceToHost);
    cudaMemcpy(half, halves, sizeof half, cudaMemcpyDeviceToHost);
    cudaMemcpy(&number, one, sizeof number, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&failed, wrong, sizeof failed);
    failed += four[0] != 32 || four[1] != 64 || four[4] != 32 || four[7] != 32;
    failed += half[0] != 0x50005400 || half[1] != 0x42004280 || half[2] != half[1] || half[3] != half[1];
    failed += number != 0x5000;
    printf("%u wrong\n", failed);
    return failed != 0;
}
