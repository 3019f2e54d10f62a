/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arithmetic of the 16-bit floating-point types, for cuda_fp16.h and cuda_bf16.h: functions of one number, and of pairs. Each
 * operation is computed exactly, or rounded to odd, and then rounded once to the type. Functions that are approximate on a
 * GPU (hexp, hsin, hrsqrt, ...) are those of the C library, rounded.
 */
#ifndef SIMT_SIXTEEN_H
#define SIMT_SIXTEEN_H

#include "simt_half.h"
#include "simt_memory.h"

namespace simt
{

/* What a type of 16 bits is: `bits` rounds a double, `value` is exact, `pair` holds two. */
template <typename T> struct sixteen;

template <typename T> using scalar_only = std::enable_if_t<sizeof(sixteen<T>) != 0 && !sixteen<T>::is_pair, int>;
template <typename T> using pair_only = std::enable_if_t<sizeof(sixteen<T>) != 0 && sixteen<T>::is_pair, int>;

template <typename T> SIMT_INLINE T sixteen_of_bits(uint16_t bits)
{
    typename sixteen<T>::raw raw = {bits};

    return T(raw);
}

template <typename T> SIMT_INLINE uint16_t bits_of_sixteen(T v)
{
    return ((typename sixteen<T>::raw)v).x;
}

template <typename T> SIMT_INLINE double exact(T v)
{
    return (double)sixteen<T>::value(bits_of_sixteen(v));
}

template <typename T> SIMT_INLINE T rounded_to(double v)
{
    return sixteen_of_bits<T>(sixteen<T>::bits(v, SIMT_NEAREST));
}

/* .sat: 0 to 1, and 0 for what is not a number. */
SIMT_INLINE double to_unit(double v)
{
    return v > 0 ? v < 1 ? v : 1.0 : 0.0;
}

/* To an integer: out of range gives the nearest value; not a number 0, or the top bit of 64 bits. */
template <typename _I> SIMT_INLINE _I integer_of(double v)
{
    constexpr _I min_value = std::is_signed_v<_I> ? (_I)((std::make_unsigned_t<_I>)1 << (8 * sizeof(_I) - 1)) : _I(0);

    if (v != v)
        return sizeof(_I) == 8 ? (_I)(1ull << 63) : _I(0);
    if (v <= (double)min_value)
        return min_value;
    if (v >= 2 * (double)((std::make_unsigned_t<_I>)1 << (8 * sizeof(_I) - 1 - std::is_signed_v<_I>)))
        return (_I)~min_value;
    return (_I)v;
}

SIMT_INLINE double whole(double v, simt_rounding mode)
{
    return mode == SIMT_ZERO   ? __builtin_trunc(v)
           : mode == SIMT_UP   ? __builtin_ceil(v)
           : mode == SIMT_DOWN ? __builtin_floor(v)
                               : __builtin_rint(v);
}

template <typename T, typename _I> SIMT_INLINE T sixteen_of_integer(_I v, simt_rounding mode)
{
    uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

    return sixteen_of_bits<T>(sixteen<T>::bits(odd_integer(magnitude, v < 0), mode));
}

} // namespace simt

/* --- one number */

#define SIMT_SIXTEEN_1(name, expression)                                                                               \
    template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE T name(T a)                                            \
    {                                                                                                                  \
        double x = simt::exact(a);                                                                                     \
        return simt::rounded_to<T>(expression);                                                                        \
    }                                                                                                                  \
    template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P SIMT_PAIR_##name(_P a)                              \
    {                                                                                                                  \
        return _P(name(a.x), name(a.y));                                                                               \
    }

#define SIMT_SIXTEEN_2(name, expression)                                                                               \
    template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE T name(T a, T b)                                       \
    {                                                                                                                  \
        double x = simt::exact(a), y = simt::exact(b);                                                                 \
        return simt::rounded_to<T>(expression);                                                                        \
    }                                                                                                                  \
    template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P SIMT_PAIR_##name(_P a, _P b)                        \
    {                                                                                                                  \
        return _P(name(a.x, b.x), name(a.y, b.y));                                                                     \
    }

#define SIMT_SIXTEEN_3(name, expression)                                                                               \
    template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE T name(T a, T b, T c)                                  \
    {                                                                                                                  \
        double x = simt::exact(a), y = simt::exact(b), z = simt::exact(c);                                             \
        return simt::rounded_to<T>(expression);                                                                        \
    }                                                                                                                  \
    template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P SIMT_PAIR_##name(_P a, _P b, _P c)                  \
    {                                                                                                                  \
        return _P(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                                           \
    }

#define SIMT_PAIR___hadd       __hadd2
#define SIMT_PAIR___hsub       __hsub2
#define SIMT_PAIR___hmul       __hmul2
#define SIMT_PAIR___hdiv       __h2div
#define SIMT_PAIR___hadd_rn    __hadd2_rn
#define SIMT_PAIR___hsub_rn    __hsub2_rn
#define SIMT_PAIR___hmul_rn    __hmul2_rn
#define SIMT_PAIR___hadd_sat   __hadd2_sat
#define SIMT_PAIR___hsub_sat   __hsub2_sat
#define SIMT_PAIR___hmul_sat   __hmul2_sat
#define SIMT_PAIR___hfma       __hfma2
#define SIMT_PAIR___hfma_sat   __hfma2_sat
#define SIMT_PAIR___hfma_relu  __hfma2_relu
#define SIMT_PAIR___hmax       __hmax2
#define SIMT_PAIR___hmin       __hmin2
#define SIMT_PAIR___hmax_nan   __hmax2_nan
#define SIMT_PAIR___hmin_nan   __hmin2_nan
#define SIMT_PAIR_hceil        h2ceil
#define SIMT_PAIR_hfloor       h2floor
#define SIMT_PAIR_htrunc       h2trunc
#define SIMT_PAIR_hrint        h2rint
#define SIMT_PAIR_hsqrt        h2sqrt
#define SIMT_PAIR_hrcp         h2rcp
#define SIMT_PAIR_hrsqrt       h2rsqrt
#define SIMT_PAIR_hexp         h2exp
#define SIMT_PAIR_hexp2        h2exp2
#define SIMT_PAIR_hexp10       h2exp10
#define SIMT_PAIR_hlog         h2log
#define SIMT_PAIR_hlog2        h2log2
#define SIMT_PAIR_hlog10       h2log10
#define SIMT_PAIR_hsin         h2sin
#define SIMT_PAIR_hcos         h2cos
#define SIMT_PAIR_htanh        h2tanh
#define SIMT_PAIR_htanh_approx h2tanh_approx

SIMT_SIXTEEN_2(__hadd, simt::odd_sum(x, y))
SIMT_SIXTEEN_2(__hsub, simt::odd_sum(x, -y))
SIMT_SIXTEEN_2(__hmul, x *y)
SIMT_SIXTEEN_2(__hdiv, x / y)
SIMT_SIXTEEN_2(__hadd_rn, simt::odd_sum(x, y))
SIMT_SIXTEEN_2(__hadd_sat, simt::to_unit(simt::odd_sum(x, y)))
SIMT_SIXTEEN_2(__hsub_rn, simt::odd_sum(x, -y))
SIMT_SIXTEEN_2(__hsub_sat, simt::to_unit(simt::odd_sum(x, -y)))
SIMT_SIXTEEN_2(__hmul_rn, x *y)
SIMT_SIXTEEN_2(__hmul_sat, simt::to_unit(x *y))
SIMT_SIXTEEN_3(__hfma, simt::odd_sum(x *y, z))
SIMT_SIXTEEN_3(__hfma_sat, simt::to_unit(simt::odd_sum(x *y, z)))

/* Less than 0, and -0, become 0. */
SIMT_INLINE double simt_relu(double v)
{
    return v <= 0 ? 0.0 : v;
}

SIMT_SIXTEEN_3(__hfma_relu, simt_relu(simt::odd_sum(x *y, z)))
SIMT_SIXTEEN_2(__hmax, simt_greater<double>(x, y))
SIMT_SIXTEEN_2(__hmin, simt_lesser<double>(x, y))
SIMT_SIXTEEN_2(__hmax_nan, x != x || y != y ? __builtin_nan("") : simt_greater<double>(x, y))
SIMT_SIXTEEN_2(__hmin_nan, x != x || y != y ? __builtin_nan("") : simt_lesser<double>(x, y))
SIMT_SIXTEEN_1(hceil, __builtin_ceil(x))
SIMT_SIXTEEN_1(hfloor, __builtin_floor(x))
SIMT_SIXTEEN_1(htrunc, __builtin_trunc(x))
SIMT_SIXTEEN_1(hrint, __builtin_rint(x))
SIMT_SIXTEEN_1(hsqrt, __builtin_sqrt(x))
SIMT_SIXTEEN_1(hrcp, 1 / x)
SIMT_SIXTEEN_1(hrsqrt, 1 / __builtin_sqrt(x))
SIMT_SIXTEEN_1(hexp, __builtin_exp(x))
SIMT_SIXTEEN_1(hexp2, __builtin_exp2(x))
SIMT_SIXTEEN_1(hexp10, __builtin_pow(10, x))
SIMT_SIXTEEN_1(hlog, __builtin_log(x))
SIMT_SIXTEEN_1(hlog2, __builtin_log2(x))
SIMT_SIXTEEN_1(hlog10, __builtin_log10(x))
SIMT_SIXTEEN_1(hsin, __builtin_sin(x))
SIMT_SIXTEEN_1(hcos, __builtin_cos(x))
SIMT_SIXTEEN_1(htanh, __builtin_tanh(x))
SIMT_SIXTEEN_1(htanh_approx, __builtin_tanh(x))

/* The sign is a bit: no rounding. What is not a number becomes the canonical one. */
template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE T __hneg(T a)
{
    uint16_t bits = simt::bits_of_sixteen(a);

    return simt::exact(a) != simt::exact(a) ? simt::sixteen_of_bits<T>(0x7fff)
                                            : simt::sixteen_of_bits<T>((uint16_t)(bits ^ 0x8000));
}

template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE T __habs(T a)
{
    return simt::exact(a) != simt::exact(a) ? simt::sixteen_of_bits<T>(0x7fff)
                                            : simt::sixteen_of_bits<T>(simt::bits_of_sixteen(a) & 0x7fff);
}

template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P __hneg2(_P a)
{
    return _P(__hneg(a.x), __hneg(a.y));
}

template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P __habs2(_P a)
{
    return _P(__habs(a.x), __habs(a.y));
}

template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE bool __hisnan(T a)
{
    return simt::exact(a) != simt::exact(a);
}

/* -1 and 1 for the infinities. */
template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE int __hisinf(T a)
{
    return __builtin_isinf(simt::exact(a)) ? (simt::exact(a) < 0 ? -1 : 1) : 0;
}

/* (a.x + a.y i) (b.x + b.y i) + c, in four rounded steps. */
template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P __hcmadd(_P a, _P b, _P c)
{
    auto real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);

    return _P(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}

/* --- comparisons: false for what is not a number; true in the forms that end in u */

#define SIMT_SIXTEEN_COMPARE(name, expression)                                                                         \
    template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE bool __h##name(T a, T b)                               \
    {                                                                                                                  \
        double x = simt::exact(a), y = simt::exact(b);                                                                 \
        return expression;                                                                                             \
    }                                                                                                                  \
    template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE bool __hb##name##2(_P a, _P b)                         \
    {                                                                                                                  \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                             \
    }                                                                                                                  \
    template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P __h##name##2(_P a, _P b)                            \
    {                                                                                                                  \
        using T = decltype(a.x);                                                                                       \
        return _P(simt::rounded_to<T>(__h##name(a.x, b.x)), simt::rounded_to<T>(__h##name(a.y, b.y)));                 \
    }                                                                                                                  \
    template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE unsigned __h##name##2_mask(_P a, _P b)                 \
    {                                                                                                                  \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                          \
    }

SIMT_SIXTEEN_COMPARE(eq, x == y)
SIMT_SIXTEEN_COMPARE(ne, x<y || x> y)
SIMT_SIXTEEN_COMPARE(lt, x < y)
SIMT_SIXTEEN_COMPARE(le, x <= y)
SIMT_SIXTEEN_COMPARE(gt, x > y)
SIMT_SIXTEEN_COMPARE(ge, x >= y)
SIMT_SIXTEEN_COMPARE(equ, !(x < y || x > y))
SIMT_SIXTEEN_COMPARE(neu, !(x == y))
SIMT_SIXTEEN_COMPARE(ltu, !(x >= y))
SIMT_SIXTEEN_COMPARE(leu, !(x > y))
SIMT_SIXTEEN_COMPARE(gtu, !(x <= y))
SIMT_SIXTEEN_COMPARE(geu, !(x < y))

template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P __hisnan2(_P a)
{
    using T = decltype(a.x);

    return _P(simt::rounded_to<T>(__hisnan(a.x)), simt::rounded_to<T>(__hisnan(a.y)));
}

/* --- other lanes, and atomics */

#define SIMT_SIXTEEN_SHUFFLE(name, argument)                                                                           \
    template <typename T, simt::scalar_only<T> = 0>                                                                    \
    SIMT_INLINE T name(unsigned mask, T value, argument where, int width = 32, SIMT_PLACE)                             \
    {                                                                                                                  \
        return simt::sixteen_of_bits<T>(                                                                               \
            (uint16_t)::name(mask, (unsigned)simt::bits_of_sixteen(value), where, width, simt_file, simt_line));       \
    }                                                                                                                  \
    template <typename _P, simt::pair_only<_P> = 0>                                                                    \
    SIMT_INLINE _P name(unsigned mask, _P value, argument where, int width = 32, SIMT_PLACE)                           \
    {                                                                                                                  \
        unsigned all = simt::bits_of_sixteen(value.x) | (unsigned)simt::bits_of_sixteen(value.y) << 16;                \
        using T = decltype(value.x);                                                                                   \
        all = ::name(mask, all, where, width, simt_file, simt_line);                                                   \
        return _P(simt::sixteen_of_bits<T>((uint16_t)all), simt::sixteen_of_bits<T>((uint16_t)(all >> 16)));           \
    }

SIMT_SIXTEEN_SHUFFLE(__shfl_sync, int)
SIMT_SIXTEEN_SHUFFLE(__shfl_up_sync, unsigned)
SIMT_SIXTEEN_SHUFFLE(__shfl_down_sync, unsigned)
SIMT_SIXTEEN_SHUFFLE(__shfl_xor_sync, int)

template <typename T, simt::scalar_only<T> = 0> SIMT_INLINE T atomicAdd(T *address, T operand)
{
    unsigned short *word = (unsigned short *)address, seen = 0, old = atomicCAS(word, seen, seen);

    do {
        seen = old;
        old = atomicCAS(word, seen, simt::bits_of_sixteen(__hadd(simt::sixteen_of_bits<T>(seen), operand)));
    } while (old != seen);
    return simt::sixteen_of_bits<T>(old);
}

/* Each half is added atomically, not both together. */
template <typename _P, simt::pair_only<_P> = 0> SIMT_INLINE _P atomicAdd(_P *address, _P operand)
{
    return _P(atomicAdd(&address->x, operand.x), atomicAdd(&address->y, operand.y));
}

/* --- the types: a number, a pair, their bits, and C's operators */

/* Inlined, so that a finding names the line of the program. */
#define SIMT_MEMBER __attribute__((always_inline))

#define SIMT_SIXTEEN_CONVERSION(T, _I)                                                                                 \
    SIMT_MEMBER T(_I v) : T(simt::sixteen_of_integer<T, _I>(v, SIMT_NEAREST))                                          \
    {                                                                                                                  \
    }                                                                                                                  \
    SIMT_MEMBER operator _I() const                                                                                    \
    {                                                                                                                  \
        return simt::integer_of<_I>(__builtin_trunc((double)(float)*this));                                            \
    }                                                                                                                  \
    SIMT_MEMBER T &operator=(_I v)                                                                                     \
    {                                                                                                                  \
        return *this = T(v);                                                                                           \
    }

#define SIMT_SIXTEEN_TYPES(T, T2, Other, to_bits, to_value)                                                            \
    typedef struct __attribute__((aligned(2))) T##_raw {                                                               \
        unsigned short x;                                                                                              \
    } T##_raw;                                                                                                         \
    typedef struct __attribute__((aligned(4))) T2##_raw {                                                              \
        unsigned short x, y;                                                                                           \
    } T2##_raw;                                                                                                        \
    struct T;                                                                                                          \
    struct T2;                                                                                                         \
    struct Other;                                                                                                      \
    template <> struct simt::sixteen<T> {                                                                              \
        using raw = T##_raw;                                                                                           \
        static constexpr bool is_pair = false;                                                                         \
        static uint16_t bits(double v, simt_rounding mode)                                                             \
        {                                                                                                              \
            return simt::to_bits(v, mode);                                                                             \
        }                                                                                                              \
        static float value(uint16_t v)                                                                                 \
        {                                                                                                              \
            return simt::to_value(v);                                                                                  \
        }                                                                                                              \
    };                                                                                                                 \
    template <> struct simt::sixteen<T2> {                                                                             \
        static constexpr bool is_pair = true;                                                                          \
    };                                                                                                                 \
    struct __attribute__((aligned(2))) T {                                                                             \
        T() = default;                                                                                                 \
        SIMT_MEMBER constexpr T(const T##_raw &raw) : __x(raw.x)                                                       \
        {                                                                                                              \
        }                                                                                                              \
        SIMT_MEMBER constexpr operator T##_raw() const                                                                 \
        {                                                                                                              \
            return T##_raw{__x};                                                                                       \
        }                                                                                                              \
        SIMT_MEMBER operator T##_raw() const volatile                                                                  \
        {                                                                                                              \
            return T##_raw{__x};                                                                                       \
        }                                                                                                              \
        SIMT_MEMBER T &operator=(const T##_raw &raw)                                                                   \
        {                                                                                                              \
            __x = raw.x;                                                                                               \
            return *this;                                                                                              \
        }                                                                                                              \
        explicit T(const Other v); /* in cuda_bf16.h, where both are complete */                                       \
        SIMT_MEMBER T(float v) : __x(simt::to_bits((double)v, SIMT_NEAREST))                                           \
        {                                                                                                              \
        }                                                                                                              \
        SIMT_MEMBER T(double v) : __x(simt::to_bits##_of(v))                                                           \
        {                                                                                                              \
        }                                                                                                              \
        SIMT_MEMBER operator float() const                                                                             \
        {                                                                                                              \
            return simt::to_value(__x);                                                                                \
        }                                                                                                              \
        SIMT_MEMBER T &operator=(float v)                                                                              \
        {                                                                                                              \
            return *this = T(v);                                                                                       \
        }                                                                                                              \
        SIMT_MEMBER T &operator=(double v)                                                                             \
        {                                                                                                              \
            return *this = T(v);                                                                                       \
        }                                                                                                              \
        SIMT_SIXTEEN_CONVERSION(T, short)                                                                              \
        SIMT_SIXTEEN_CONVERSION(T, unsigned short)                                                                     \
        SIMT_SIXTEEN_CONVERSION(T, int)                                                                                \
        SIMT_SIXTEEN_CONVERSION(T, unsigned)                                                                           \
        SIMT_SIXTEEN_CONVERSION(T, long)                                                                               \
        SIMT_SIXTEEN_CONVERSION(T, unsigned long)                                                                      \
        SIMT_SIXTEEN_CONVERSION(T, long long)                                                                          \
        SIMT_SIXTEEN_CONVERSION(T, unsigned long long)                                                                 \
        SIMT_MEMBER operator signed char() const                                                                       \
        {                                                                                                              \
            return simt::integer_of<signed char>(__builtin_trunc((double)(float)*this));                               \
        }                                                                                                              \
        SIMT_MEMBER operator unsigned char() const                                                                     \
        {                                                                                                              \
            return simt::integer_of<unsigned char>(__builtin_trunc((double)(float)*this));                             \
        }                                                                                                              \
        SIMT_MEMBER operator char() const                                                                              \
        {                                                                                                              \
            return (char)simt::integer_of<std::conditional_t<std::is_signed_v<char>, signed char, unsigned char>>(     \
                __builtin_trunc((double)(float)*this));                                                                \
        }                                                                                                              \
        SIMT_MEMBER constexpr operator bool() const                                                                    \
        {                                                                                                              \
            return (__x & 0x7fff) != 0;                                                                                \
        }                                                                                                              \
                                                                                                                       \
      protected:                                                                                                       \
        unsigned short __x;                                                                                            \
    };                                                                                                                 \
    struct __attribute__((aligned(4))) T2 {                                                                            \
        T x, y;                                                                                                        \
        T2() = default;                                                                                                \
        SIMT_MEMBER constexpr T2(const T &a, const T &b) : x(a), y(b)                                                  \
        {                                                                                                              \
        }                                                                                                              \
        SIMT_MEMBER constexpr T2(const T2##_raw &raw) : x(T##_raw{raw.x}), y(T##_raw{raw.y})                           \
        {                                                                                                              \
        }                                                                                                              \
        SIMT_MEMBER constexpr operator T2##_raw() const                                                                \
        {                                                                                                              \
            return T2##_raw{((T##_raw)x).x, ((T##_raw)y).x};                                                           \
        }                                                                                                              \
    };

#define SIMT_SIXTEEN_OPERATOR(T, symbol, function)                                                                     \
    SIMT_INLINE T operator symbol(const T &a, const T &b)                                                              \
    {                                                                                                                  \
        return function(a, b);                                                                                         \
    }                                                                                                                  \
    SIMT_INLINE T &operator symbol##=(T &a, const T &b)                                                                \
    {                                                                                                                  \
        return a = function(a, b);                                                                                     \
    }

#define SIMT_SIXTEEN_RELATION(T, symbol, function)                                                                     \
    SIMT_INLINE bool operator symbol(const T &a, const T &b)                                                           \
    {                                                                                                                  \
        return function(a, b);                                                                                         \
    }

#define SIMT_SIXTEEN_SIGNS(T, negate, one, add, subtract)                                                              \
    SIMT_INLINE T operator+(const T &a)                                                                                \
    {                                                                                                                  \
        return a;                                                                                                      \
    }                                                                                                                  \
    SIMT_INLINE T operator-(const T &a)                                                                                \
    {                                                                                                                  \
        return negate(a);                                                                                              \
    }                                                                                                                  \
    SIMT_INLINE T &operator++(T &a)                                                                                    \
    {                                                                                                                  \
        return a = add(a, one);                                                                                        \
    }                                                                                                                  \
    SIMT_INLINE T &operator--(T &a)                                                                                    \
    {                                                                                                                  \
        return a = subtract(a, one);                                                                                   \
    }                                                                                                                  \
    SIMT_INLINE T operator++(T &a, int)                                                                                \
    {                                                                                                                  \
        T old = a;                                                                                                     \
        ++a;                                                                                                           \
        return old;                                                                                                    \
    }                                                                                                                  \
    SIMT_INLINE T operator--(T &a, int)                                                                                \
    {                                                                                                                  \
        T old = a;                                                                                                     \
        --a;                                                                                                           \
        return old;                                                                                                    \
    }

#define SIMT_SIXTEEN_OPERATORS(T, T2)                                                                                  \
    SIMT_SIXTEEN_OPERATOR(T, +, __hadd)                                                                                \
    SIMT_SIXTEEN_OPERATOR(T, -, __hsub)                                                                                \
    SIMT_SIXTEEN_OPERATOR(T, *, __hmul)                                                                                \
    SIMT_SIXTEEN_OPERATOR(T, /, __hdiv)                                                                                \
    SIMT_SIXTEEN_OPERATOR(T2, +, __hadd2)                                                                              \
    SIMT_SIXTEEN_OPERATOR(T2, -, __hsub2)                                                                              \
    SIMT_SIXTEEN_OPERATOR(T2, *, __hmul2)                                                                              \
    SIMT_SIXTEEN_OPERATOR(T2, /, __h2div)                                                                              \
    SIMT_SIXTEEN_SIGNS(T, __hneg, T(1.0f), __hadd, __hsub)                                                             \
    SIMT_SIXTEEN_SIGNS(T2, __hneg2, T2(T(1.0f), T(1.0f)), __hadd2, __hsub2)                                            \
    SIMT_SIXTEEN_RELATION(T, ==, __heq)                                                                                \
    SIMT_SIXTEEN_RELATION(T, !=, __hneu)                                                                               \
    SIMT_SIXTEEN_RELATION(T, <, __hlt)                                                                                 \
    SIMT_SIXTEEN_RELATION(T, <=, __hle)                                                                                \
    SIMT_SIXTEEN_RELATION(T, >, __hgt)                                                                                 \
    SIMT_SIXTEEN_RELATION(T, >=, __hge)                                                                                \
    SIMT_SIXTEEN_RELATION(T2, ==, __hbeq2)                                                                             \
    SIMT_SIXTEEN_RELATION(T2, !=, __hbneu2)                                                                            \
    SIMT_SIXTEEN_RELATION(T2, <, __hblt2)                                                                              \
    SIMT_SIXTEEN_RELATION(T2, <=, __hble2)                                                                             \
    SIMT_SIXTEEN_RELATION(T2, >, __hbgt2)                                                                              \
    SIMT_SIXTEEN_RELATION(T2, >=, __hbge2)

/* --- conversions, whose names contain the type's: __float2half_rz, __half2int_rn, ... */

#define SIMT_SIXTEEN_INTEGER_MODE(T, name, _I, word, suffix, mode)                                                     \
    SIMT_INLINE T __##word##2##name##suffix(_I v)                                                                      \
    {                                                                                                                  \
        return simt::sixteen_of_integer<T, _I>(v, mode);                                                               \
    }                                                                                                                  \
    SIMT_INLINE _I __##name##2##word##suffix(T v)                                                                      \
    {                                                                                                                  \
        return simt::integer_of<_I>(simt::whole(simt::exact(v), mode));                                                \
    }

#define SIMT_SIXTEEN_INTEGER(T, name, _I, word)                                                                        \
    SIMT_SIXTEEN_INTEGER_MODE(T, name, _I, word, _rn, SIMT_NEAREST)                                                    \
    SIMT_SIXTEEN_INTEGER_MODE(T, name, _I, word, _rz, SIMT_ZERO)                                                       \
    SIMT_SIXTEEN_INTEGER_MODE(T, name, _I, word, _ru, SIMT_UP)                                                         \
    SIMT_SIXTEEN_INTEGER_MODE(T, name, _I, word, _rd, SIMT_DOWN)

#define SIMT_SIXTEEN_FROM_FLOAT(T, name, suffix, mode)                                                                 \
    SIMT_INLINE T __float2##name##suffix(float v)                                                                      \
    {                                                                                                                  \
        return simt::sixteen_of_bits<T>(simt::sixteen<T>::bits((double)v, mode));                                      \
    }

#define SIMT_SIXTEEN_CONVERSIONS(T, T2, name)                                                                          \
    SIMT_SIXTEEN_INTEGER(T, name, short, short)                                                                        \
    SIMT_SIXTEEN_INTEGER(T, name, unsigned short, ushort)                                                              \
    SIMT_SIXTEEN_INTEGER(T, name, int, int)                                                                            \
    SIMT_SIXTEEN_INTEGER(T, name, unsigned, uint)                                                                      \
    SIMT_SIXTEEN_INTEGER(T, name, long long, ll)                                                                       \
    SIMT_SIXTEEN_INTEGER(T, name, unsigned long long, ull)                                                             \
    SIMT_SIXTEEN_FROM_FLOAT(T, name, , SIMT_NEAREST)                                                                   \
    SIMT_SIXTEEN_FROM_FLOAT(T, name, _rn, SIMT_NEAREST)                                                                \
    SIMT_SIXTEEN_FROM_FLOAT(T, name, _rz, SIMT_ZERO)                                                                   \
    SIMT_SIXTEEN_FROM_FLOAT(T, name, _ru, SIMT_UP)                                                                     \
    SIMT_SIXTEEN_FROM_FLOAT(T, name, _rd, SIMT_DOWN)                                                                   \
    SIMT_INLINE T __double2##name(double v)                                                                            \
    {                                                                                                                  \
        return T(v);                                                                                                   \
    }                                                                                                                  \
    SIMT_INLINE signed char __##name##2char_rz(T v)                                                                    \
    {                                                                                                                  \
        return simt::integer_of<signed char>(__builtin_trunc(simt::exact(v)));                                         \
    }                                                                                                                  \
    SIMT_INLINE unsigned char __##name##2uchar_rz(T v)                                                                 \
    {                                                                                                                  \
        return simt::integer_of<unsigned char>(__builtin_trunc(simt::exact(v)));                                       \
    }                                                                                                                  \
    SIMT_INLINE float __##name##2float(T v)                                                                            \
    {                                                                                                                  \
        return v;                                                                                                      \
    }                                                                                                                  \
    SIMT_INLINE short __##name##_as_short(T v)                                                                         \
    {                                                                                                                  \
        return (short)simt::bits_of_sixteen(v);                                                                        \
    }                                                                                                                  \
    SIMT_INLINE unsigned short __##name##_as_ushort(T v)                                                               \
    {                                                                                                                  \
        return simt::bits_of_sixteen(v);                                                                               \
    }                                                                                                                  \
    SIMT_INLINE T __short_as_##name(short v)                                                                           \
    {                                                                                                                  \
        return simt::sixteen_of_bits<T>((uint16_t)v);                                                                  \
    }                                                                                                                  \
    SIMT_INLINE T __ushort_as_##name(unsigned short v)                                                                 \
    {                                                                                                                  \
        return simt::sixteen_of_bits<T>(v);                                                                            \
    }                                                                                                                  \
    SIMT_INLINE float __low2float(T2 v)                                                                                \
    {                                                                                                                  \
        return v.x;                                                                                                    \
    }                                                                                                                  \
    SIMT_INLINE float __high2float(T2 v)                                                                               \
    {                                                                                                                  \
        return v.y;                                                                                                    \
    }                                                                                                                  \
    SIMT_INLINE T __low2##name(T2 v)                                                                                   \
    {                                                                                                                  \
        return v.x;                                                                                                    \
    }                                                                                                                  \
    SIMT_INLINE T __high2##name(T2 v)                                                                                  \
    {                                                                                                                  \
        return v.y;                                                                                                    \
    }                                                                                                                  \
    SIMT_INLINE T2 __low2##name##2(T2 v)                                                                               \
    {                                                                                                                  \
        return T2(v.x, v.x);                                                                                           \
    }                                                                                                                  \
    SIMT_INLINE T2 __high2##name##2(T2 v)                                                                              \
    {                                                                                                                  \
        return T2(v.y, v.y);                                                                                           \
    }                                                                                                                  \
    SIMT_INLINE T2 __lowhigh2highlow(T2 v)                                                                             \
    {                                                                                                                  \
        return T2(v.y, v.x);                                                                                           \
    }                                                                                                                  \
    SIMT_INLINE T2 __lows2##name##2(T2 a, T2 b)                                                                        \
    {                                                                                                                  \
        return T2(a.x, b.x);                                                                                           \
    }                                                                                                                  \
    SIMT_INLINE T2 __highs2##name##2(T2 a, T2 b)                                                                       \
    {                                                                                                                  \
        return T2(a.y, b.y);                                                                                           \
    }                                                                                                                  \
    SIMT_INLINE T2 __##name##2##name##2(T v)                                                                           \
    {                                                                                                                  \
        return T2(v, v);                                                                                               \
    }                                                                                                                  \
    SIMT_INLINE T2 make_##name##2(T a, T b)                                                                            \
    {                                                                                                                  \
        return T2(a, b);                                                                                               \
    }                                                                                                                  \
    SIMT_INLINE T2 __float2##name##2_rn(float v)                                                                       \
    {                                                                                                                  \
        return T2(T(v), T(v));                                                                                         \
    }                                                                                                                  \
    SIMT_INLINE T2 __floats2##name##2_rn(float a, float b)                                                             \
    {                                                                                                                  \
        return T2(T(a), T(b));                                                                                         \
    }                                                                                                                  \
    SIMT_INLINE T2 __float22##name##2_rn(float2 v)                                                                     \
    {                                                                                                                  \
        return T2(T(v.x), T(v.y));                                                                                     \
    }                                                                                                                  \
    SIMT_INLINE float2 __##name##22float2(T2 v)                                                                        \
    {                                                                                                                  \
        return make_float2(v.x, v.y);                                                                                  \
    }

#endif
