// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The modes of PTX's arithmetic that ptx_arithmetic.cu leaves out: rounding, saturation, longer chains of carries, pairs,
// comparisons, tests, conversions, and functions that a GPU approximates.
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

__device__ void near(float got, double want, int line)
{
    if (!(fabs((double)got - want) <= 1e-3 * fabs(want) + 1e-5)) {
        printf("line %d: %g, not %g\n", line, got, want);
        atomicAdd(&wrong, 1);
    }
}
#define NEAR(got, want) near(got, want, __LINE__)

__device__ u64 next(u64 &state)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state ^ state >> 29;
}

__device__ s64 saturate(s64 v) { return v > 0x7fffffff ? 0x7fffffff : v < -0x80000000ll ? -0x80000000ll : v; }

__device__ void integers(unsigned a, unsigned b, unsigned c, u64 q, u64 w)
{
    unsigned r, s, t;
    u64 low, high;
    s64 signed_24 = (s64)((int)(a << 8) >> 8) * ((int)(b << 8) >> 8);

    asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (unsigned)saturate((s64)(int)a - (int)b));
    asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, (unsigned)saturate(((s64)(int)a * (int)b >> 32) + (int)c));
    asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, (unsigned)signed_24 + c);
    asm("mad24.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, (unsigned)(signed_24 >> 16) + c);
    asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, (unsigned)((u64)(a & 0xffffff) * (b & 0xffffff)) + c);
    asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (unsigned)signed_24);
    asm("mul.lo.s64 %0, %1, %2;" : "=l"(low) : "l"(q), "l"(w));
    EXPECT(low, q * w);
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(high) : "l"(q), "l"(w));
    EXPECT(high, (u64)((unsigned __int128)q * w >> 64));
    asm("mul.hi.s64 %0, %1, %2;" : "=l"(high) : "l"(q), "l"(w));
    EXPECT(high, (u64)((__int128)(s64)q * (s64)w >> 64));
    asm("min.u64 %0, %2, %3; max.s64 %1, %2, %3;" : "=l"(low), "=l"(high) : "l"(q), "l"(w));
    EXPECT(low, q < w ? q : w);
    EXPECT(high, (s64)q > (s64)w ? q : w);
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    EXPECT(r, c + ((int)a > (int)b ? a - b : b - a));
    asm("div.s32 %0, %2, %3; rem.s32 %1, %2, %3;" : "=r"(r), "=r"(s) : "r"(a), "r"((int)b >> 4 | 1));
    EXPECT(r * ((int)b >> 4 | 1) + s, a);
    EXPECT((int)s < 0, (int)a < 0 && s);
    asm("add.s64 %0, %1, %2;" : "=l"(low) : "l"(q), "l"(w));
    EXPECT(low, q + w);
    asm("{ .reg .u16 x, y; cvt.u16.u32 x, %1; cvt.u16.u32 y, %2; sub.u16 x, x, y; cvt.u32.u16 %0, x; }" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (a - b) & 0xffff);
    asm("add.u16x2 %0, %3, %4; min.s16x2 %1, %3, %4; max.u16x2 %2, %3, %4;" : "=r"(r), "=r"(s), "=r"(t) : "r"(a), "r"(b));
    EXPECT(r, ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16);
    EXPECT(s & 0xffff, (unsigned short)((short)a < (short)b ? a : b));
    EXPECT(s >> 16, ((int)a >> 16 < (int)b >> 16 ? a : b) >> 16);
    EXPECT(t & 0xffff, (a & 0xffff) > (b & 0xffff) ? a & 0xffff : b & 0xffff);
    EXPECT(t >> 16, a >> 16 > b >> 16 ? a >> 16 : b >> 16);
    asm("{ .reg .pred p; setp.gt.u32 p, %1, 5; selp.b32 %0, %1, %2, !p; }" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, a > 5 ? b : a);
}

/* (a1:a0) * b + (c1:c0) in 32-bit steps: every kind of multiplication with a carry. */
__device__ void carries(u64 a, unsigned b, u64 c)
{
    unsigned r[3];
    unsigned __int128 product = (unsigned __int128)a * b + c;
    u64 low, high;

    asm("mad.lo.cc.u32 %0, %3, %5, %6;\n\tmadc.lo.cc.u32 %1, %4, %5, %7;\n\tmadc.hi.u32 %2, %4, %5, 0;\n\t"
        "mad.hi.cc.u32 %1, %3, %5, %1;\n\taddc.u32 %2, %2, 0;"
        : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2])
        : "r"((unsigned)a), "r"((unsigned)(a >> 32)), "r"(b), "r"((unsigned)c), "r"((unsigned)(c >> 32)));
    EXPECT((u64)r[1] << 32 | r[0], (u64)product);
    EXPECT(r[2], (u64)(product >> 64));
    /* a - (b << 32 | b), the borrow of which comes out */
    asm("sub.cc.u32 %0, %3, %5;\n\tsubc.cc.u32 %1, %4, %5;\n\tsubc.u32 %2, 0, 0;"
        : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2])
        : "r"((unsigned)a), "r"((unsigned)(a >> 32)), "r"(b));
    EXPECT((u64)r[1] << 32 | r[0], a - ((u64)b << 32 | b));
    EXPECT(r[2], a < ((u64)b << 32 | b) ? ~0u : 0);
    /* the high halves of two products and a carry between them */
    asm("mad.lo.cc.u64 %0, %2, %3, %3;\n\tmadc.hi.cc.u64 %1, %2, %3, %4;\n\taddc.u64 %0, 0, 0;" : "=&l"(low), "=&l"(high) : "l"(a), "l"(c), "l"(~0ull - b));
    product = (unsigned __int128)a * c;
    u64 carry = (u64)product + c < c, sum = (u64)(product >> 64) + (~0ull - b);
    EXPECT(high, sum + carry);
    EXPECT(low, sum < (~0ull - b) || sum + carry < sum);
}

#define ROUNDED(mode, intrinsic)                                                                                       \
    do {                                                                                                               \
        asm("add." mode ".f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));                                                \
        EXPECT(BITS(f), BITS(__fadd_##intrinsic(a, b)));                                                               \
        asm("sub." mode ".f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));                                                \
        EXPECT(BITS(f), BITS(__fsub_##intrinsic(a, b)));                                                               \
        asm("mul." mode ".f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));                                                \
        EXPECT(BITS(f), BITS(__fmul_##intrinsic(a, b)));                                                               \
        asm("div." mode ".f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));                                                \
        EXPECT(BITS(f), BITS(__fdiv_##intrinsic(a, b)));                                                               \
        asm("fma." mode ".f32 %0, %1, %2, %3;" : "=f"(f) : "f"(a), "f"(b), "f"(c));                                    \
        EXPECT(BITS(f), BITS(__fmaf_##intrinsic(a, b, c)));                                                            \
        asm("mad." mode ".f32 %0, %1, %2, %3;" : "=f"(f) : "f"(a), "f"(b), "f"(c));                                    \
        EXPECT(BITS(f), BITS(__fmaf_##intrinsic(a, b, c)));                                                            \
        asm("rcp." mode ".f32 %0, %1;" : "=f"(f) : "f"(a));                                                            \
        EXPECT(BITS(f), BITS(__frcp_##intrinsic(a)));                                                                  \
        asm("sqrt." mode ".f32 %0, %1;" : "=f"(f) : "f"(fabsf(a)));                                                    \
        EXPECT(BITS(f), BITS(__fsqrt_##intrinsic(fabsf(a))));                                                          \
        asm("add." mode ".f64 %0, %1, %2;" : "=d"(d) : "d"(x), "d"(y));                                                \
        EXPECT(__double_as_longlong(d), __double_as_longlong(__dadd_##intrinsic(x, y)));                               \
        asm("mul." mode ".f64 %0, %1, %2;" : "=d"(d) : "d"(x), "d"(y));                                                \
        EXPECT(__double_as_longlong(d), __double_as_longlong(__dmul_##intrinsic(x, y)));                               \
        asm("fma." mode ".f64 %0, %1, %2, %1;" : "=d"(d) : "d"(x), "d"(y));                                            \
        EXPECT(__double_as_longlong(d), __double_as_longlong(__fma_##intrinsic(x, y, x)));                             \
        asm("div." mode ".f64 %0, %1, %2;" : "=d"(d) : "d"(x), "d"(y));                                                \
        EXPECT(__double_as_longlong(d), __double_as_longlong(__ddiv_##intrinsic(x, y)));                               \
        asm("cvt." mode ".f32.f64 %0, %1;" : "=f"(f) : "d"(x));                                                        \
        EXPECT(BITS(f), BITS(__double2float_##intrinsic(x)));                                                          \
        asm("cvt." mode ".f32.s32 %0, %1;" : "=f"(f) : "r"(BITS(a)));                                                  \
        EXPECT(BITS(f), BITS(__int2float_##intrinsic((int)BITS(a))));                                                  \
        asm("cvt." mode ".f64.u64 %0, %1;" : "=d"(d) : "l"(__double_as_longlong(x)));                                  \
        EXPECT(__double_as_longlong(d), __double_as_longlong(__ull2double_##intrinsic((u64)__double_as_longlong(x)))); \
        asm("cvt." mode "i.s64.f32 %0, %1;" : "=l"(w) : "f"(c));                                                       \
        EXPECT(w, __float2ll_##intrinsic(c));                                                                          \
        asm("cvt." mode "i.u32.f64 %0, %1;" : "=r"(r) : "d"(x));                                                       \
        EXPECT(r, __double2uint_##intrinsic(x));                                                                       \
    } while (0)

__device__ void floats(float a, float b, float c)
{
    double d, x = (double)a / 3, y = (double)b * 1.1;
    float f, nan = __uint_as_float(0x7fffffff);
    unsigned r;
    u64 w;

    ROUNDED("rn", rn);
    ROUNDED("rz", rz);
    ROUNDED("rm", rd);
    ROUNDED("rp", ru);
    asm("sub.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(__fsub_rn(a, b)));
    asm("mul.sat.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(__saturatef(__fmul_rn(a, b))));
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(a), "f"(b), "f"(c));
    EXPECT(BITS(f), BITS(__saturatef(__fmaf_rn(a, b, c))));
    asm("add.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(0x1p-130f), "f"(1.0f)); /* the operand counts as 0 */
    EXPECT(BITS(f), BITS(1.0f));
    asm("add.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(-0x1p-130f), "f"(-0.0f));
    EXPECT(BITS(f), 0x80000000);
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(nan));
    EXPECT(BITS(f), 0x7fffffff);
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(a < b ? a : b));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(b));
    EXPECT(BITS(f), BITS(a > b ? a : b));
    asm("max.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(nan));
    EXPECT(BITS(f), BITS(a));
    asm("max.f64 %0, %1, %2;" : "=d"(d) : "d"(x), "d"(y));
    EXPECT(d == (x > y ? x : y), 1);
    asm("abs.f32 %0, %1;" : "=f"(f) : "f"(a));
    EXPECT(BITS(f), BITS(a) & 0x7fffffff);
    asm("neg.f64 %0, %1;" : "=d"(d) : "d"(x));
    EXPECT(d == -x, 1);
    asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f) : "f"(a));
    EXPECT(BITS(f), BITS(__saturatef(a)));
    asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(f) : "f"(a));
    EXPECT(BITS(f), BITS(floorf(a)));
    asm("cvt.rni.f64.f64 %0, %1;" : "=d"(d) : "d"(x));
    EXPECT(d == rint(x), 1);
    asm("cvt.rzi.u64.f64 %0, %1;" : "=l"(w) : "d"(-1.5));
    EXPECT(w, 0);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r) : "f"(1e30f));
    EXPECT(r, 0x7fffffff);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r) : "f"(nan));
    EXPECT(r, 0);
    asm("cvt.rzi.s64.f32 %0, %1;" : "=l"(w) : "f"(nan));
    EXPECT(w, 1ull << 63);
    asm("cvt.s64.s32 %0, %1;" : "=l"(w) : "r"(BITS(a)));
    EXPECT(w, (s64)(int)BITS(a));
    asm("cvt.u16.u32 %0, %1;" : "=h"(*(unsigned short *)&r) : "r"(BITS(a)));
    EXPECT((unsigned short)r, BITS(a) & 0xffff);
    asm("cvt.sat.s16.s64 %0, %1;" : "=h"(*(unsigned short *)&r) : "l"(-1ull << 40));
    EXPECT((unsigned short)r, 0x8000);
    asm("{ .reg .b16 h; cvt.rz.f16.f32 h, %1; cvt.f64.f16 %0, h; }" : "=d"(d) : "f"(1 + 0x1.8p-10f));
    EXPECT(d == 1 + 0x1p-10, 1);
    asm("{ .reg .b16 h; cvt.rn.f16.s32 h, 2049; cvt.rzi.s32.f16 %0, h; }" : "=r"(r)); /* halfway: to even */
    EXPECT(r, 2048);
}

#define COMPARISON(type, name, expression)                                                                             \
    do {                                                                                                               \
        asm("{ .reg .pred p; setp." name "." type " p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : OPERAND(a), OPERAND(b)); \
        EXPECT(r, expression);                                                                                         \
    } while (0)

#define OPERAND(x) "r"(x)
__device__ void compare_words(unsigned a, unsigned b)
{
    int x = (int)a, y = (int)b;
    unsigned r;

    COMPARISON("u32", "eq", a == b);
    COMPARISON("s32", "ne", a != b);
    COMPARISON("u32", "lt", a < b);
    COMPARISON("s32", "lt", x < y);
    COMPARISON("u32", "le", a <= b);
    COMPARISON("s32", "le", x <= y);
    COMPARISON("u32", "gt", a > b);
    COMPARISON("s32", "gt", x > y);
    COMPARISON("u32", "ge", a >= b);
    COMPARISON("s32", "ge", x >= y);
    COMPARISON("u32", "lo", a < b);
    COMPARISON("u32", "ls", a <= b);
    COMPARISON("u32", "hi", a > b);
    COMPARISON("u32", "hs", a >= b);
    asm("{ .reg .pred p, q; setp.eq.u32 p, %1, 3; setp.lt.or.u32 q, %1, %2, p; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, a < b || a == 3);
    asm("{ .reg .pred p, q; setp.eq.u32 p, %1, 3; setp.lt.xor.u32 q, %1, %2, !p; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(a), "r"(b));
    EXPECT(r, (a < b) != (a != 3));
    asm("{ .reg .pred p, q, r; setp.eq.u32 p, %1, 3; setp.lt.and.u32 q|r, %1, %2, p; selp.u32 %0, 1, 0, q; @r add.u32 %0, %0, 2; }"
        : "=r"(r)
        : "r"(a), "r"(b));
    EXPECT(r, a == 3 ? a < b ? 1 : 2 : 0);
    asm("{ .reg .pred p, q; setp.lt.u32 p, %1, %2; setp.eq.u32 q, %1, 3; and.pred p, p, q; not.pred q, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(r)
        : "r"(a), "r"(b));
    EXPECT(r, !(a < b && a == 3));
    asm("{ .reg .pred p, q; setp.lt.u32 p, %1, %2; setp.eq.u32 q, %1, 3; or.pred p, p, q; xor.pred p, p, q; selp.u32 %0, 1, 0, p; }"
        : "=r"(r)
        : "r"(a), "r"(b));
    EXPECT(r, a < b && a != 3);
}
#undef OPERAND

#define OPERAND(x) "f"(x)
__device__ void compare_floats(float a, float b)
{
    const bool apart = a != a || b != b;
    unsigned r;

    COMPARISON("f32", "eq", a == b);
    COMPARISON("f32", "ne", !apart && a != b);
    COMPARISON("f32", "lt", a < b);
    COMPARISON("f32", "le", a <= b);
    COMPARISON("f32", "gt", a > b);
    COMPARISON("f32", "ge", a >= b);
    COMPARISON("f32", "equ", apart || a == b);
    COMPARISON("f32", "neu", apart || a != b);
    COMPARISON("f32", "ltu", apart || a < b);
    COMPARISON("f32", "leu", apart || a <= b);
    COMPARISON("f32", "gtu", apart || a > b);
    COMPARISON("f32", "geu", apart || a >= b);
    COMPARISON("f32", "num", !apart);
    COMPARISON("f32", "nan", apart);
}
#undef OPERAND

#define TEST(name, want)                                                                                               \
    asm("{ .reg .pred p; testp." name ".f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a));                       \
    EXPECT(r, want)

__device__ void tests(unsigned bits)
{
    const float a = __uint_as_float(bits);
    const unsigned size = bits & 0x7fffffff;
    unsigned r;

    TEST("finite", size < 0x7f800000);
    TEST("infinite", size == 0x7f800000);
    TEST("number", size <= 0x7f800000);
    TEST("notanumber", size > 0x7f800000);
    TEST("normal", !size || (size >= 0x800000 && size < 0x7f800000)); // zeros count, by the definition of PTX
    TEST("subnormal", size && size < 0x800000);
}

__device__ void approximate(float a)
{
    float f;

    asm("rcp.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, 1 / (double)a);
    asm("div.approx.f32 %0, %1, %2;" : "=f"(f) : "f"(a), "f"(3.0f));
    NEAR(f, (double)a / 3);
    asm("div.full.f32 %0, %1, %2;" : "=f"(f) : "f"(7.0f), "f"(a));
    NEAR(f, 7 / (double)a);
    asm("sqrt.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, sqrt((double)a));
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, 1 / sqrt((double)a));
    asm("sin.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, sin((double)a));
    asm("cos.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, cos((double)a));
    asm("lg2.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, log2((double)a));
    asm("ex2.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, exp2((double)a));
    asm("tanh.approx.f32 %0, %1;" : "=f"(f) : "f"(a));
    NEAR(f, tanh((double)a));
}

/* The n-th set bit of `mask` from `base` on, upwards or downwards, as the PTX ISA describes it. */
__device__ void find_nth(unsigned mask, unsigned base, int n)
{
    unsigned r, want = ~0u;
    int left = n < 0 ? -n : n;

    if (n == 0)
        want = mask >> base & 1 ? base : ~0u;
    for (int i = (int)base; n && i >= 0 && i < 32; i += n < 0 ? -1 : 1)
        if ((mask >> i & 1) && --left == 0) {
            want = (unsigned)i;
            break;
        }
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(mask), "r"(base), "r"(n));
    EXPECT(r, want);
}

__global__ void all()
{
    static const float edges[] = {0, -0.0f, 1, -2.5f, 1e38f, -1e38f, INFINITY, -INFINITY, NAN, 0x1p-140f};
    u64 state = threadIdx.x;

    for (int i = 0; i < 60; i++) {
        unsigned a = (unsigned)next(state), b = (unsigned)next(state);

        integers(a, b, (unsigned)next(state), next(state), next(state));
        carries(i % 4 ? next(state) : ~0ull, i % 3 ? b : ~0u, i % 5 ? next(state) : ~0ull);
        floats((float)(int)a / 1e9f, (float)(int)b / 3e9f, (float)a * (float)b);
        compare_words(3, b % 7);
        compare_words(a >> (i % 32), i % 3 ? b >> (i % 32) : a >> (i % 32));
        compare_floats(edges[i % 10], edges[(i + threadIdx.x) % 10]);
        tests(i % 2 ? a : BITS(edges[i / 2 % 10]));
        approximate((float)(a % 1000 + 1) / 300);
        find_nth(a & b, i % 32, (int)(threadIdx.x % 13) - 6);
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
