/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Integer and floating-point functions that CUDA has and C++ does not. Integer functions, conversions and IEEE
 * operations give the same bits as on a GPU; mathematical functions are those of the C library.
 */
#ifndef SIMT_MATH_H
#define SIMT_MATH_H

#include <limits.h>

#include "simt_launch.h"

/* --- integers */

SIMT_INLINE int __popc(unsigned v)
{
    return __builtin_popcount(v);
}

SIMT_INLINE int __popcll(unsigned long long v)
{
    return __builtin_popcountll(v);
}

SIMT_INLINE int __clz(int v)
{
    return v ? __builtin_clz((unsigned)v) : 32;
}

SIMT_INLINE int __clzll(long long v)
{
    return v ? __builtin_clzll((unsigned long long)v) : 64;
}

SIMT_INLINE int __ffs(int v)
{
    return __builtin_ffs(v);
}

SIMT_INLINE int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}

SIMT_INLINE unsigned __brev(unsigned v)
{
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(v);
}

SIMT_INLINE unsigned long long __brevll(unsigned long long v)
{
    return (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
}

/* The low three bits of each nibble of s pick a byte of y:x. */
SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;

    for (int i = 0; i < 4; i++)
        result |= ((unsigned)(bytes >> 8 * (s >> 4 * i & 7)) & 255) << 8 * i;
    return result;
}

SIMT_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32);
}

SIMT_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) << (shift < 32 ? shift : 32) >> 32);
}

SIMT_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}

SIMT_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift < 32 ? shift : 32));
}

SIMT_INLINE int __mulhi(int a, int b)
{
    return (int)((int64_t)a * b >> 32);
}

SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}

SIMT_INLINE long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}

SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

SIMT_INLINE int __mul24(int a, int b)
{
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8));
}

SIMT_INLINE unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}

SIMT_INLINE unsigned __sad(int a, int b, unsigned c)
{
    return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}

SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return (a > b ? a - b : b - a) + c;
}

SIMT_INLINE int __hadd(int a, int b)
{
    return (int)(((int64_t)a + b) >> 1);
}

SIMT_INLINE int __rhadd(int a, int b)
{
    return (int)(((int64_t)a + b + 1) >> 1);
}

SIMT_INLINE unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((uint64_t)a + b) >> 1);
}

SIMT_INLINE unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((uint64_t)a + b + 1) >> 1);
}

SIMT_INLINE int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 32; i += 8)
        c = (int)((unsigned)c + (unsigned)((int8_t)(a >> i) * (int8_t)(b >> i)));
    return c;
}

SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8)
        c += (a >> i & 255) * (b >> i & 255);
    return c;
}

/* The two halves of a times two bytes of b, the low or the high ones. */
SIMT_INLINE int __dp2a_lo(int a, int b, int c)
{
    return (int)((unsigned)c + (unsigned)((int16_t)a * (int8_t)b) + (unsigned)((a >> 16) * (int8_t)(b >> 8)));
}

SIMT_INLINE int __dp2a_hi(int a, int b, int c)
{
    return __dp2a_lo(a, b >> 16, c);
}

SIMT_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}

SIMT_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return __dp2a_lo(a, b >> 16, c);
}

SIMT_INLINE int __dp4a(char4 a, char4 b, int c)
{
    return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}

SIMT_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

SIMT_INLINE int __dp2a_lo(short2 a, char4 b, int c)
{
    return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}

SIMT_INLINE int __dp2a_hi(short2 a, char4 b, int c)
{
    return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}

SIMT_INLINE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_lo(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

SIMT_INLINE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_hi(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

/* The n-th set bit from bit `base`: upwards for n > 0, downwards for n < 0, base itself for 0; -1: there is none.
 * The smallest n, which has no absolute value, gives 0 on the GPU, whatever the others are. */
SIMT_INLINE unsigned __fns(unsigned mask, unsigned base, int n)
{
    if (n == INT_MIN)
        return 0;

    int step = n < 0 ? -1 : 1, left = n == 0 ? 1 : n < 0 ? -n : n;

    if (n == 0)
        return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
    for (int bit = (int)base; bit >= 0 && bit < 32; bit += step)
        if ((mask >> bit & 1) && --left == 0)
            return (unsigned)bit;
    return 0xffffffffu;
}

/* --- bits of floating-point numbers */

#define SIMT_BITS(name, to, from)                                                                                      \
    SIMT_INLINE to name(from v)                                                                                        \
    {                                                                                                                  \
        return __builtin_bit_cast(to, v);                                                                              \
    }

SIMT_BITS(__float_as_int, int, float)
SIMT_BITS(__float_as_uint, unsigned, float)
SIMT_BITS(__int_as_float, float, int)
SIMT_BITS(__uint_as_float, float, unsigned)
SIMT_BITS(__double_as_longlong, long long, double)
SIMT_BITS(__longlong_as_double, double, long long)

SIMT_INLINE int __double2hiint(double v)
{
    return (int)(__builtin_bit_cast(uint64_t, v) >> 32);
}

SIMT_INLINE int __double2loint(double v)
{
    return (int)__builtin_bit_cast(uint64_t, v);
}

SIMT_INLINE double __hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double, (uint64_t)(unsigned)high << 32 | (unsigned)low);
}

/* --- conversions: out of range gives the nearest value. Not a number: 0 from float to 32 bits, otherwise
 * the top bit alone. */

#define SIMT_TO_INTEGER(name, to, from, round, low, beyond, invalid)                                                   \
    SIMT_INLINE to name(from v)                                                                                        \
    {                                                                                                                  \
        double d = round((double)v);                                                                                   \
        if (d != d)                                                                                                    \
            return (to)(invalid);                                                                                      \
        if (d < (double)(low))                                                                                         \
            return (to)(low);                                                                                          \
        if (d >= beyond)                                                                                               \
            return (to) ~(to)(low);                                                                                    \
        return (to)d;                                                                                                  \
    }

#define SIMT_TO_INTEGERS(name, to, from, low, beyond, invalid)                                                         \
    SIMT_TO_INTEGER(name##_rn, to, from, __builtin_rint, low, beyond, invalid)                                         \
    SIMT_TO_INTEGER(name##_rz, to, from, __builtin_trunc, low, beyond, invalid)                                        \
    SIMT_TO_INTEGER(name##_ru, to, from, __builtin_ceil, low, beyond, invalid)                                         \
    SIMT_TO_INTEGER(name##_rd, to, from, __builtin_floor, low, beyond, invalid)

SIMT_TO_INTEGERS(__float2int, int, float, INT_MIN, 0x1p31, 0)
SIMT_TO_INTEGERS(__float2uint, unsigned, float, 0u, 0x1p32, 0)
SIMT_TO_INTEGERS(__float2ll, long long, float, LLONG_MIN, 0x1p63, LLONG_MIN)
SIMT_TO_INTEGERS(__float2ull, unsigned long long, float, 0ull, 0x1p64, 1ull << 63)
SIMT_TO_INTEGERS(__double2int, int, double, INT_MIN, 0x1p31, INT_MIN)
SIMT_TO_INTEGERS(__double2uint, unsigned, double, 0u, 0x1p32, 1u << 31)
SIMT_TO_INTEGERS(__double2ll, long long, double, LLONG_MIN, 0x1p63, LLONG_MIN)
SIMT_TO_INTEGERS(__double2ull, unsigned long long, double, 0ull, 0x1p64, 1ull << 63)

#define SIMT_CONVERT(name, to, from)                                                                                   \
    SIMT_INLINE to name(from v)                                                                                        \
    {                                                                                                                  \
        return (to)v;                                                                                                  \
    }

SIMT_CONVERT(__int2float_rn, float, int)
SIMT_CONVERT(__uint2float_rn, float, unsigned)
SIMT_CONVERT(__ll2float_rn, float, long long)
SIMT_CONVERT(__ull2float_rn, float, unsigned long long)
SIMT_CONVERT(__int2double_rn, double, int)
SIMT_CONVERT(__uint2double_rn, double, unsigned)
SIMT_CONVERT(__ll2double_rn, double, long long)
SIMT_CONVERT(__ull2double_rn, double, unsigned long long)
SIMT_CONVERT(__double2float_rn, float, double)

/* --- arithmetic that the compiler must not change, and fast forms */

#define SIMT_ARITHMETIC(prefix, T)                                                                                     \
    SIMT_INLINE T prefix##add_rn(T a, T b)                                                                             \
    {                                                                                                                  \
        return a + b;                                                                                                  \
    }                                                                                                                  \
    SIMT_INLINE T prefix##sub_rn(T a, T b)                                                                             \
    {                                                                                                                  \
        return a - b;                                                                                                  \
    }                                                                                                                  \
    SIMT_INLINE T prefix##mul_rn(T a, T b)                                                                             \
    {                                                                                                                  \
        return a * b;                                                                                                  \
    }                                                                                                                  \
    SIMT_INLINE T prefix##div_rn(T a, T b)                                                                             \
    {                                                                                                                  \
        return a / b;                                                                                                  \
    }                                                                                                                  \
    SIMT_INLINE T prefix##rcp_rn(T a)                                                                                  \
    {                                                                                                                  \
        return 1 / a;                                                                                                  \
    }

SIMT_ARITHMETIC(__f, float)
SIMT_ARITHMETIC(__d, double)

SIMT_INLINE float __fsqrt_rn(float v)
{
    return __builtin_sqrtf(v);
}

SIMT_INLINE double __dsqrt_rn(double v)
{
    return __builtin_sqrt(v);
}

SIMT_INLINE float __fmaf_rn(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

SIMT_INLINE double __fma_rn(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

SIMT_INLINE float __fmaf_ieee_rn(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

/* --- the same, rounded towards zero, up and down */

#define SIMT_ROUNDED(prefix, T, rounded, suffix, mode)                                                                 \
    SIMT_INLINE T prefix##add##suffix(T a, T b)                                                                        \
    {                                                                                                                  \
        return rounded(SIMT_SUM, mode, a, b, 0);                                                                       \
    }                                                                                                                  \
    SIMT_INLINE T prefix##sub##suffix(T a, T b)                                                                        \
    {                                                                                                                  \
        return rounded(SIMT_SUM, mode, a, -b, 0);                                                                      \
    }                                                                                                                  \
    SIMT_INLINE T prefix##mul##suffix(T a, T b)                                                                        \
    {                                                                                                                  \
        return rounded(SIMT_PRODUCT, mode, a, b, 0);                                                                   \
    }                                                                                                                  \
    SIMT_INLINE T prefix##div##suffix(T a, T b)                                                                        \
    {                                                                                                                  \
        return rounded(SIMT_QUOTIENT, mode, a, b, 0);                                                                  \
    }                                                                                                                  \
    SIMT_INLINE T prefix##rcp##suffix(T a)                                                                             \
    {                                                                                                                  \
        return rounded(SIMT_QUOTIENT, mode, 1, a, 0);                                                                  \
    }                                                                                                                  \
    SIMT_INLINE T prefix##sqrt##suffix(T a)                                                                            \
    {                                                                                                                  \
        return rounded(SIMT_ROOT, mode, a, 0, 0);                                                                      \
    }

#define SIMT_DIRECTED(suffix, mode)                                                                                    \
    SIMT_ROUNDED(__f, float, simt_rounded_float, suffix, mode)                                                         \
    SIMT_ROUNDED(__d, double, simt_rounded_double, suffix, mode)                                                       \
    SIMT_INLINE float __fmaf##suffix(float a, float b, float c)                                                        \
    {                                                                                                                  \
        return simt_rounded_float(SIMT_MULTIPLY_ADD, mode, a, b, c);                                                   \
    }                                                                                                                  \
    SIMT_INLINE float __fmaf_ieee##suffix(float a, float b, float c)                                                   \
    {                                                                                                                  \
        return simt_rounded_float(SIMT_MULTIPLY_ADD, mode, a, b, c);                                                   \
    }                                                                                                                  \
    SIMT_INLINE double __fma##suffix(double a, double b, double c)                                                     \
    {                                                                                                                  \
        return simt_rounded_double(SIMT_MULTIPLY_ADD, mode, a, b, c);                                                  \
    }                                                                                                                  \
    SIMT_INLINE float __int2float##suffix(int v)                                                                       \
    {                                                                                                                  \
        return simt_float_of_signed(mode, v);                                                                          \
    }                                                                                                                  \
    SIMT_INLINE float __uint2float##suffix(unsigned v)                                                                 \
    {                                                                                                                  \
        return simt_float_of_unsigned(mode, v);                                                                        \
    }                                                                                                                  \
    SIMT_INLINE float __ll2float##suffix(long long v)                                                                  \
    {                                                                                                                  \
        return simt_float_of_signed(mode, v);                                                                          \
    }                                                                                                                  \
    SIMT_INLINE float __ull2float##suffix(unsigned long long v)                                                        \
    {                                                                                                                  \
        return simt_float_of_unsigned(mode, v);                                                                        \
    }                                                                                                                  \
    SIMT_INLINE double __ll2double##suffix(long long v)                                                                \
    {                                                                                                                  \
        return simt_double_of_signed(mode, v);                                                                         \
    }                                                                                                                  \
    SIMT_INLINE double __ull2double##suffix(unsigned long long v)                                                      \
    {                                                                                                                  \
        return simt_double_of_unsigned(mode, v);                                                                       \
    }                                                                                                                  \
    SIMT_INLINE float __double2float##suffix(double v)                                                                 \
    {                                                                                                                  \
        return simt_float_of_double(mode, v);                                                                          \
    }

SIMT_DIRECTED(_rz, SIMT_ZERO)
SIMT_DIRECTED(_ru, SIMT_UP)
SIMT_DIRECTED(_rd, SIMT_DOWN)

SIMT_INLINE float __saturatef(float v)
{
    return v > 0 ? v < 1 ? v : 1.0f : 0.0f; /* also for not a number */
}

SIMT_INLINE float saturate(float v)
{
    return __saturatef(v);
}

/* C23 has some functions of CUDA, and newer C libraries (glibc 2.41 and 2.42) declare them: then this defines what is declared,
 * and a call is of the code here. */
#define SIMT_OF_C23 extern "C" inline __attribute__((always_inline, unused))

SIMT_OF_C23 float rsqrtf(float v) noexcept
{
    return (float)(1 / __builtin_sqrt((double)v));
}

SIMT_OF_C23 double rsqrt(double v) noexcept
{
    return 1 / __builtin_sqrt(v);
}

SIMT_INLINE float __frsqrt_rn(float v)
{
    return rsqrtf(v);
}

SIMT_INLINE float fdividef(float a, float b)
{
    return a / b;
}

SIMT_INLINE float __fdividef(float a, float b)
{
    return a / b;
}

/* Macros, since the C library declares functions of these names. */
#define __expf(v)          expf(v)
#define __exp10f(v)        exp10f(v)
#define __logf(v)          logf(v)
#define __log2f(v)         log2f(v)
#define __log10f(v)        log10f(v)
#define __sinf(v)          sinf(v)
#define __cosf(v)          cosf(v)
#define __tanf(v)          tanf(v)
#define __powf(a, b)       powf(a, b)
#define __sincosf(v, s, c) sincosf(v, s, c)

/* --- functions that C does not have */

#define SIMT_FUNCTION_AS(linkage, name, expression)                                                                    \
    linkage double name(double x) noexcept                                                                             \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    linkage float name##f(float x) noexcept                                                                            \
    {                                                                                                                  \
        return (float)name((double)x);                                                                                 \
    }                                                                                                                  \
    SIMT_INLINE float name(float x)                                                                                    \
    {                                                                                                                  \
        return name##f(x);                                                                                             \
    }

#define SIMT_FUNCTION(name, expression) SIMT_FUNCTION_AS(SIMT_INLINE, name, expression)

SIMT_FUNCTION(erfinv, simt_erfinv(x))
SIMT_FUNCTION(erfcinv, simt_erfcinv(x))
SIMT_FUNCTION(erfcx, simt_erfcx(x))
SIMT_FUNCTION(normcdf, simt_normcdf(x))
SIMT_FUNCTION(normcdfinv, simt_normcdfinv(x))
SIMT_FUNCTION(cyl_bessel_i0, simt_cyl_bessel_i(0, x))
SIMT_FUNCTION(cyl_bessel_i1, simt_cyl_bessel_i(1, x))
SIMT_FUNCTION(rcbrt, (double)(1 / __builtin_cbrtl((long double)x)))

SIMT_INLINE void sincospi(double x, double *sine, double *cosine)
{
    double s, c;

    simt_sincospi(x, &s, &c);
    *sine = s;
    *cosine = c;
}

SIMT_INLINE void sincospif(float x, float *sine, float *cosine)
{
    double s, c;

    simt_sincospi((double)x, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}

SIMT_INLINE double simt_sinpi(double x)
{
    double s, c;

    simt_sincospi(x, &s, &c);
    return s;
}

SIMT_INLINE double simt_cospi(double x)
{
    double s, c;

    simt_sincospi(x, &s, &c);
    return c;
}

SIMT_FUNCTION_AS(SIMT_OF_C23, sinpi, simt_sinpi(x))
SIMT_FUNCTION_AS(SIMT_OF_C23, cospi, simt_cospi(x))

/* The length of a vector; an infinite part makes it infinite, whatever the others are. */
template <typename... T> SIMT_INLINE long double simt_length(T... part)
{
    if ((__builtin_isinf(part) || ...))
        return __builtin_infl();
    return __builtin_sqrtl((((long double)part * (long double)part) + ...));
}

#define SIMT_NORMS(T, suffix)                                                                                          \
    SIMT_INLINE T rhypot##suffix(T a, T b)                                                                             \
    {                                                                                                                  \
        return (T)(1 / simt_length(a, b));                                                                             \
    }                                                                                                                  \
    SIMT_INLINE T norm3d##suffix(T a, T b, T c)                                                                        \
    {                                                                                                                  \
        return (T)simt_length(a, b, c);                                                                                \
    }                                                                                                                  \
    SIMT_INLINE T rnorm3d##suffix(T a, T b, T c)                                                                       \
    {                                                                                                                  \
        return (T)(1 / simt_length(a, b, c));                                                                          \
    }                                                                                                                  \
    SIMT_INLINE T norm4d##suffix(T a, T b, T c, T d)                                                                   \
    {                                                                                                                  \
        return (T)simt_length(a, b, c, d);                                                                             \
    }                                                                                                                  \
    SIMT_INLINE T rnorm4d##suffix(T a, T b, T c, T d)                                                                  \
    {                                                                                                                  \
        return (T)(1 / simt_length(a, b, c, d));                                                                       \
    }                                                                                                                  \
    SIMT_INLINE T norm##suffix(int count, const T *parts)                                                              \
    {                                                                                                                  \
        long double all = 0;                                                                                           \
        for (int i = 0; i < count; i++)                                                                                \
            all = simt_length(all, parts[i]);                                                                          \
        return (T)all;                                                                                                 \
    }                                                                                                                  \
    SIMT_INLINE T rnorm##suffix(int count, const T *parts)                                                             \
    {                                                                                                                  \
        return 1 / norm##suffix(count, parts);                                                                         \
    }

SIMT_NORMS(double, )
SIMT_NORMS(float, f)

/* --- functions that C has too, where it leaves open what CUDA says: which zero is less, what is out of range,
 * which exponent a zero has */

template <typename T> SIMT_INLINE T simt_lesser(T a, T b)
{
    if (a != a || b < a)
        return b;
    return b != b || a < b || __builtin_signbit(a) ? a : b;
}

template <typename T> SIMT_INLINE T simt_greater(T a, T b)
{
    if (a != a || b > a)
        return b;
    return b != b || a > b || !__builtin_signbit(a) ? a : b;
}

template <typename T> SIMT_INLINE int simt_exponent(T v)
{
    if (v == 0 || v != v)
        return -__INT_MAX__ - 1;
    return __builtin_isinf(v) ? __INT_MAX__ : (int)__builtin_logb((double)v);
}

/* Replace those of the C library. */
#define SIMT_INSTEAD extern "C" inline __attribute__((always_inline, gnu_inline))

#define SIMT_OF_TWO(name, T, function)                                                                                 \
    SIMT_INSTEAD T name(T a, T b) noexcept                                                                             \
    {                                                                                                                  \
        return function(a, b);                                                                                         \
    }

#define SIMT_OF_ONE(name, _R, T, expression)                                                                           \
    SIMT_INSTEAD _R name(T v) noexcept                                                                                 \
    {                                                                                                                  \
        return (_R)expression;                                                                                         \
    }

SIMT_OF_TWO(fminf, float, simt_lesser)
SIMT_OF_TWO(fmin, double, simt_lesser)
SIMT_OF_TWO(fmaxf, float, simt_greater)
SIMT_OF_TWO(fmax, double, simt_greater)
SIMT_OF_ONE(ilogbf, int, float, simt_exponent(v))
SIMT_OF_ONE(ilogb, int, double, simt_exponent(v))
SIMT_OF_ONE(lrintf, long, float, __float2ll_rn(v))
SIMT_OF_ONE(lrint, long, double, __double2ll_rn(v))
SIMT_OF_ONE(llrintf, long long, float, __float2ll_rn(v))
SIMT_OF_ONE(llrint, long long, double, __double2ll_rn(v))
SIMT_OF_ONE(lroundf, long, float, __float2ll_rz(__builtin_roundf(v)))
SIMT_OF_ONE(lround, long, double, __double2ll_rz(__builtin_round(v)))
SIMT_OF_ONE(llroundf, long long, float, __float2ll_rz(__builtin_roundf(v)))
SIMT_OF_ONE(llround, long long, double, __double2ll_rz(__builtin_round(v)))

/* --- min and max in the global namespace, with CUDA's mixed forms; for floating point, a number beats not a number */

#define SIMT_MIN_MAX(_R, _A, _B)                                                                                       \
    SIMT_INLINE constexpr _R min(_A a, _B b)                                                                           \
    {                                                                                                                  \
        return (_R)a < (_R)b ? (_R)a : (_R)b;                                                                          \
    }                                                                                                                  \
    SIMT_INLINE constexpr _R max(_A a, _B b)                                                                           \
    {                                                                                                                  \
        return (_R)a > (_R)b ? (_R)a : (_R)b;                                                                          \
    }

SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned, unsigned, unsigned)
SIMT_MIN_MAX(unsigned, int, unsigned)
SIMT_MIN_MAX(unsigned, unsigned, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)

SIMT_INLINE float min(float a, float b)
{
    return simt_lesser(a, b);
}

SIMT_INLINE float max(float a, float b)
{
    return simt_greater(a, b);
}

SIMT_INLINE double min(double a, double b)
{
    return simt_lesser<double>(a, b);
}

SIMT_INLINE double max(double a, double b)
{
    return simt_greater<double>(a, b);
}

SIMT_INLINE double min(float a, double b)
{
    return simt_lesser<double>(a, b);
}

SIMT_INLINE double min(double a, float b)
{
    return simt_lesser<double>(a, b);
}

SIMT_INLINE double max(float a, double b)
{
    return simt_greater<double>(a, b);
}

SIMT_INLINE double max(double a, float b)
{
    return simt_greater<double>(a, b);
}

SIMT_INLINE unsigned umin(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

SIMT_INLINE unsigned umax(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

SIMT_INLINE long long llmin(long long a, long long b)
{
    return a < b ? a : b;
}

SIMT_INLINE long long llmax(long long a, long long b)
{
    return a > b ? a : b;
}

SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return a < b ? a : b;
}

SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return a > b ? a : b;
}

#endif
