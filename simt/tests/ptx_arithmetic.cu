// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Arithmetic, carries, comparisons and conversions of PTX, against wider C++ arithmetic.
#include <cstdio>

typedef unsigned long long u64;
typedef long long s64;

__device__ unsigned wrong;

__device__ void expect(u64 got, u64 want, int line)
{
    if (got != want) {
        printf("line %d: %llx, not %llx\n", line, got, want);
        atomicAdd(&wrong, 1);
    }
}
#define EXPECT(got, want) expect((u64)(got), (u64)(want), __LINE__)
#define BITS(f) __float_as_uint(f)

__device__ u64 next(u64 &state)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state ^ state >> 29;
}

__device__ void integers(unsigned a, unsigned b, unsigned c, u64 q)
{
    unsigned r, s;
    u64 w;

    asm("mul.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, a * b);
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (u64)a * b >> 32);
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (unsigned)((s64)(int)a * (int)b >> 32));
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(w) : "r"(a), "r"(b));
    EXPECT(w, (s64)(int)a * (int)b);
    asm("mul.wide.u16 %0, %1, %2;" : "=r"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    EXPECT(r, (a & 0xffff) * (b & 0xffff));
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, a * b + c);
    asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, (unsigned)((u64)a * b >> 32) + c);
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(a), "r"(b), "l"(q));
    EXPECT(w, (u64)a * b + q);
    asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (unsigned)((u64)(a & 0xffffff) * (b & 0xffffff)));
    asm("mul24.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (unsigned)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16));
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, c + (a > b ? a - b : b - a));
    asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    s64 sum = (s64)(int)a + (int)b;
    EXPECT(r, (unsigned)(sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000ll ? -0x80000000ll : sum));
    asm("min.s32 %0, %2, %3; max.u32 %1, %2, %3;" : "=r"(r), "=r"(s) : "r"(a), "r"(b));
    EXPECT(r, (unsigned)((int)a < (int)b ? a : b));
    EXPECT(s, a > b ? a : b);
    asm("abs.s32 %0, %2; neg.s32 %1, %2;" : "=r"(r), "=r"(s) : "r"(a));
    EXPECT(r, (int)a < 0 ? 0 - a : a);
    EXPECT(s, 0 - a);
    asm("div.u32 %0, %2, %3; rem.u32 %1, %2, %3;" : "=r"(r), "=r"(s) : "r"(a), "r"(b | 1));
    EXPECT((u64)r * (b | 1) + s, a);
    asm("sub.s64 %0, %1, %2;" : "=l"(w) : "l"(q), "l"((u64)a));
    EXPECT(w, q - a);
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, __dp4a(a, b, c));
}

/* 128 bits, from parts of 32. */
__device__ void carries(u64 a0, u64 a1, u64 b0, u64 b1)
{
    unsigned __int128 a = (unsigned __int128)a1 << 64 | a0, b = (unsigned __int128)b1 << 64 | b0, sum = a + b, less = a - b;
    unsigned r[4];
    u64 low, high;

    asm("add.cc.u32 %0, %4, %8; addc.cc.u32 %1, %5, %9; addc.cc.u32 %2, %6, %10; addc.u32 %3, %7, %11;"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
        : "r"((unsigned)a0), "r"((unsigned)(a0 >> 32)), "r"((unsigned)a1), "r"((unsigned)(a1 >> 32)), "r"((unsigned)b0),
          "r"((unsigned)(b0 >> 32)), "r"((unsigned)b1), "r"((unsigned)(b1 >> 32)));
    EXPECT((u64)r[1] << 32 | r[0], (u64)sum);
    EXPECT((u64)r[3] << 32 | r[2], (u64)(sum >> 64));
    asm("sub.cc.u64 %0, %2, %4;\n\tsubc.u64 %1, %3, %5;" : "=l"(low), "=l"(high) : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
    EXPECT(low, (u64)less);
    EXPECT(high, (u64)(less >> 64));
    /* a0 * b0 + a1, with a carry out of the low half */
    asm("mad.lo.cc.u64 %0, %2, %3, %4;\n\tmadc.hi.u64 %1, %2, %3, 0;" : "=l"(low), "=l"(high) : "l"(a0), "l"(b0), "l"(a1));
    sum = (unsigned __int128)a0 * b0 + a1;
    EXPECT(low, (u64)sum);
    EXPECT(high, (u64)(sum >> 64));
}

__device__ void floats(float a, float b, float c)
{
    float f, nan = __uint_as_float(0x7fffffff);
    unsigned r;

    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(a), "f"(b), "f"(c));
    EXPECT(BITS(f), BITS(__fmaf_rn(a, b, c)));
    asm("add.rz.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(__fadd_rz(a, b)));
    asm("mul.rp.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(__fmul_ru(a, b)));
    asm("div.rm.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(__fdiv_rd(a, b)));
    asm("add.sat.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(__saturatef(a + b)));
    asm("mul.ftz.f32 %0, %1, 0f0d800000;" : "=f"(f) : "f"(0x1p-120f)); /* 2^-100: below every normal number */
    EXPECT(BITS(f), 0);
    asm("min.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(nan));
    EXPECT(BITS(f), BITS(a));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(nan));
    EXPECT(BITS(f), 0x7fffffff);
    asm("copysign.f32 %0, %1, %2;" : "=f"(f) : "f"(-1.0f), "f"(a));
    EXPECT(BITS(f), BITS(a) | 0x80000000);
    asm("{ .reg .pred p, q; setp.lt.f32 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }"
        : "=r"(r)
        : "f"(a), "f"(b));
    EXPECT(r, a < b ? 1 : 2);
    asm("{ .reg .pred p, q; setp.gtu.f32 p, %1, %2; setp.ge.and.s32 q, 1, 0, p; selp.u32 %0, 5, 6, q; }"
        : "=r"(r)
        : "f"(a), "f"(nan));
    EXPECT(r, 5);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r) : "f"(a));
    EXPECT(r, (unsigned)__float2int_rz(a));
    asm("cvt.rni.u32.f32 %0, %1;" : "=r"(r) : "f"(c));
    EXPECT(r, __float2uint_rn(c));
    asm("cvt.rz.f32.f64 %0, %1;" : "=f"(f) : "d"((double)a / 3));
    EXPECT(BITS(f), BITS(__double2float_rz((double)a / 3)));
    asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(f) : "f"(a));
    EXPECT(BITS(f), BITS(ceilf(a)));
    asm("cvt.rn.f32.u64 %0, %1;" : "=f"(f) : "l"((u64)BITS(a) * BITS(b)));
    EXPECT(BITS(f), BITS(__ull2float_rn((u64)BITS(a) * BITS(b))));
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"((int)BITS(a) >> 22));
    int v = (int)BITS(a) >> 22;
    EXPECT(r, v < 0 ? 0 : v > 255 ? 255 : v);
    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(f) : "f"(1 + 0x1p-11f));
    EXPECT(BITS(f), BITS(1.0f)); /* halfway: to even */
    asm("{ .reg .b16 h; cvt.rp.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(f) : "f"(1 + 0x1p-11f));
    EXPECT(BITS(f), BITS(1 + 0x1p-10f));
}

__global__ void all()
{
    u64 state = threadIdx.x;

    for (int i = 0; i < 100; i++) {
        unsigned a = (unsigned)next(state), b = (unsigned)next(state);

        integers(a, b, (unsigned)next(state), next(state));
        carries(i % 4 ? next(state) : ~0ull, next(state), i % 3 ? next(state) : 1, next(state));
        floats((float)(int)a / 1024, (float)(int)b / 4096, (float)a * b);
    }
}

int main()
{
    unsigned result;

    all<<<1, 32>>>();
    cudaMemcpyFromSymbol(&result, wrong, sizeof result);
    printf("%u wrong\n", result);
    return result != 0;
}
