// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// PTX's arithmetic of numbers of 16 bits and of pairs. The wanted bits are computed by hand: 1 is 0x3c00 in f16 and 0x3f80 in bf16.
#include <cstdio>

__device__ unsigned wrong;

__device__ void expect(unsigned got, unsigned want, int line)
{
    if (got != want) {
        printf("line %d: %x, not %x\n", line, got, want);
        atomicAdd(&wrong, 1);
    }
}

#define ONE(instruction, a, want)                                                                                      \
    do {                                                                                                               \
        unsigned r;                                                                                                    \
        asm(instruction " %0, %1;" : "=r"(r) : "r"(a));                                                                \
        expect(r, want, __LINE__);                                                                                     \
    } while (0)
#define TWO(instruction, a, b, want)                                                                                   \
    do {                                                                                                               \
        unsigned r;                                                                                                    \
        asm(instruction " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                                                    \
        expect(r, want, __LINE__);                                                                                     \
    } while (0)
#define THREE(instruction, a, b, c, want)                                                                              \
    do {                                                                                                               \
        unsigned r;                                                                                                    \
        asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                        \
        expect(r, want, __LINE__);                                                                                     \
    } while (0)

__device__ void pairs()
{
    TWO("add.f16x2", 0x3c004000, 0x3c003c00, 0x40004200);        // 1 + 1, 2 + 1
    TWO("add.rn.f16x2", 0x68006801, 0x3c003c00, 0x68006802);     // 2048 + 1, 2050 + 1: halfway, to even
    TWO("sub.f16x2", 0x3c004000, 0x3c003c00, 0x00003c00);        // 1 - 1, 2 - 1
    TWO("mul.f16x2", 0x3c007bff, 0xc0004000, 0xc0007c00);        // 1 * -2, 65504 * 2
    TWO("mul.rn.sat.f16x2", 0x3c00bc00, 0x40003c00, 0x3c000000); // 1 * 2, -1 * 1
    TWO("mul.ftz.f16x2", 0x04003c00, 0x38000001, 0x00000000);    // 2^-14 * 2^-1, 1 * 2^-24
    THREE("fma.rn.f16x2", 0x3c014000, 0x3c014200, 0xbc003c00,
          0x18004700); // (1 + 2^-10)^2 - 1 is halfway above 2^-9, 2 * 3 + 1
    THREE("fma.rn.relu.f16x2", 0x3c004000, 0x3c004200, 0xc0003c00, 0x00004700);
    TWO("max.f16x2", 0x7e003c00, 0x3c00c000, 0x3c003c00); // not a number and 1, 1 and -2
    TWO("min.NaN.f16x2", 0x7e003c00, 0x3c00c000, 0x7fffc000);
    ONE("neg.f16x2", 0x3c00c000, 0xbc004000);
    ONE("abs.f16x2", 0xbc00c000, 0x3c004000);
    ONE("ex2.approx.f16x2", 0x4000bc00, 0x44003800); // 4, 1/2
    ONE("tanh.approx.f16x2", 0x00007c00, 0x00003c00);
    TWO("add.bf16x2", 0x3f804000, 0x3f803f80, 0x40004040);                  // 1 + 1, 2 + 1
    TWO("mul.bf16x2", 0x3f814040, 0x3f814040, 0x3f824110);                  // (1 + 2^-7)^2 rounds to 1 + 2^-6, 3 * 3
    THREE("fma.rn.bf16x2", 0x3f814000, 0x3f814040, 0xbf803f80, 0x3c8040e0); // likewise above 2^-6
    TWO("max.bf16x2", 0x3f80bf80, 0x4000c000, 0x4000bf80);
    ONE("neg.bf16x2", 0x3f80bf80, 0xbf803f80);
}

__global__ void k()
{
    unsigned short h = 0x4200, one = 0x3c00, r; // 3 and 1
    float f;

    pairs();
    asm("add.f16 %0, %1, %2;" : "=h"(r) : "h"(h), "h"(one));
    expect(r, 0x4400, __LINE__);
    asm("{ .reg .f16 a, b; mov.b16 a, %1; mul.f16 b, a, a; sub.f16 a, b, a; mov.b16 %0, a; }" : "=h"(r) : "h"(h));
    expect(r, 0x4600, __LINE__); // 9 - 3
    asm("{ .reg .f16x2 p; mov.b32 p, {%1, %2}; fma.rn.f16x2 p, p, p, p; .reg .b16 low, high; mov.b32 {low, high}, p; "
        "mov.b16 %0, high; }"
        : "=h"(r)
        : "h"(one), "h"(h));
    expect(r, 0x4a00, __LINE__); // 12
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(1 + 0x1p-8f));
    expect(r, 0x3f80, __LINE__);
    asm("cvt.f32.bf16 %0, %1;" : "=f"(f) : "h"((unsigned short)0x4040));
    expect(f == 3, 1, __LINE__);
    asm("fma.rn.bf16 %0, %1, %1, %1;" : "=h"(r) : "h"((unsigned short)0x4040));
    expect(r, 0x4140, __LINE__); // 12
}

int main()
{
    unsigned n;

    k<<<1, 1>>>();
    cudaMemcpyFromSymbol(&n, wrong, sizeof n);
    return n != 0;
}
