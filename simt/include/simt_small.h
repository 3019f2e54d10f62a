/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Floating-point numbers of 8, 6 and 4 bits, for cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: the formats of "OCP 8-bit Floating
 * Point Specification" (Open Compute Project 2023) and "OCP Microscaling Formats" (2023). A code is a sign and a magnitude;
 * magnitudes are in the order of the values. A value is rounded once, from a double, which holds every argument exactly.
 *
 * What is not a number becomes the largest number in formats that have no such code; infinite and too large values
 * become the largest number, too, unless a conversion to 8 bits is called with __NV_NOSAT.
 */
#ifndef SIMT_SMALL_H
#define SIMT_SMALL_H

#include "cuda_bf16.h"
#include "simt_small_bits.h"

#ifdef __cplusplus

#ifndef SIMT_ROUND_MODE
#define SIMT_ROUND_MODE
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#endif

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;

namespace simt
{

/* To 4 or 6 bits: they have neither infinite numbers nor codes for what is not a number. */
SIMT_INLINE unsigned small_bits(double v, const small_format &f, enum cudaRoundMode mode)
{
    unsigned magnitude = v == v ? small_magnitude(__builtin_fabs(v), f, mode == cudaRoundNearest) : f.largest;

    if (magnitude > f.largest)
        magnitude = f.largest;
    return magnitude | (v == v ? small_sign(v, f) : 0);
}

/* Two or four codes in one integer: the first is the lowest. */
template <int bits, typename _S> SIMT_INLINE _S pack(unsigned a, unsigned b)
{
    return (_S)(a | b << bits);
}

/* The members of a type that holds one code. `Format` has the type of the code (storage), the conversions from a double,
 * float, half and bfloat16 (from), and to half (half). */
template <typename Format> struct small {
    typename Format::storage __x;

    small() = default;
    SIMT_MEMBER explicit small(const __half v) : __x(Format::from(v))
    {
    }
    SIMT_MEMBER explicit small(const __nv_bfloat16 v) : __x(Format::from(v))
    {
    }
    SIMT_MEMBER explicit small(float v) : __x(Format::from(v))
    {
    }
    SIMT_MEMBER explicit small(double v) : __x(Format::from(v))
    {
    }
#define SIMT_SMALL_INTEGER(_I)                                                                                         \
    SIMT_MEMBER explicit small(_I v) : __x(Format::from_integer(v))                                                    \
    {                                                                                                                  \
    }                                                                                                                  \
    SIMT_MEMBER explicit operator _I() const                                                                           \
    {                                                                                                                  \
        return simt::integer_of<_I>(__builtin_trunc((double)(float)*this));                                            \
    }
    SIMT_SMALL_INTEGER(short)
    SIMT_SMALL_INTEGER(unsigned short)
    SIMT_SMALL_INTEGER(int)
    SIMT_SMALL_INTEGER(unsigned)
    SIMT_SMALL_INTEGER(long)
    SIMT_SMALL_INTEGER(unsigned long)
    SIMT_SMALL_INTEGER(long long)
    SIMT_SMALL_INTEGER(unsigned long long)
#undef SIMT_SMALL_INTEGER
    SIMT_MEMBER explicit operator signed char() const
    {
        return simt::integer_of<signed char>(__builtin_trunc((double)(float)*this));
    }
    SIMT_MEMBER explicit operator unsigned char() const
    {
        return simt::integer_of<unsigned char>(__builtin_trunc((double)(float)*this));
    }
    SIMT_MEMBER explicit operator char() const
    {
        return (char)simt::integer_of<std::conditional_t<std::is_signed_v<char>, signed char, unsigned char>>(
            __builtin_trunc((double)(float)*this));
    }
    SIMT_MEMBER explicit operator bool() const
    {
        return Format::is_true(__x);
    }
    SIMT_MEMBER explicit operator __half() const
    {
        return Format::half(__x);
    }
    SIMT_MEMBER explicit operator float() const
    {
        return Format::value(__x);
    }
    SIMT_MEMBER explicit operator double() const
    {
        return (double)Format::value(__x);
    }
    SIMT_MEMBER explicit operator __nv_bfloat16() const
    {
        return __float2bfloat16_rz(Format::value(__x));
    }
};

template <typename Format> struct small_pair {
    typename Format::storage2 __x;

    small_pair() = default;
#define SIMT_SMALL_PAIR(_V)                                                                                            \
    SIMT_MEMBER explicit small_pair(const _V v)                                                                        \
        : __x(pack<Format::bits, typename Format::storage2>(Format::from(v.x), Format::from(v.y)))                     \
    {                                                                                                                  \
    }
    SIMT_SMALL_PAIR(__half2)
    SIMT_SMALL_PAIR(__nv_bfloat162)
    SIMT_SMALL_PAIR(float2)
    SIMT_SMALL_PAIR(double2)
#undef SIMT_SMALL_PAIR
    SIMT_MEMBER explicit operator __half2() const
    {
        return __half2(Format::half(first()), Format::half(second()));
    }
    SIMT_MEMBER explicit operator float2() const
    {
        return make_float2(Format::value(first()), Format::value(second()));
    }

  protected:
    SIMT_MEMBER typename Format::storage first() const
    {
        return (typename Format::storage)(__x & ((1u << Format::bits) - 1));
    }
    SIMT_MEMBER typename Format::storage second() const
    {
        return (typename Format::storage)(__x >> Format::bits);
    }
};

template <typename Format> struct small_quadruple {
    typename Format::storage4 __x;

    small_quadruple() = default;
#define SIMT_SMALL_QUADRUPLE(_V, V2)                                                                                   \
    SIMT_MEMBER explicit small_quadruple(const _V v)                                                                   \
        : small_quadruple(small_pair<Format>(V2{v.x, v.y}), small_pair<Format>(V2{v.z, v.w}))                          \
    {                                                                                                                  \
    }
    SIMT_SMALL_QUADRUPLE(float4, float2)
    SIMT_SMALL_QUADRUPLE(double4, double2)
    SIMT_SMALL_QUADRUPLE(double4_16a, double2)
    SIMT_SMALL_QUADRUPLE(double4_32a, double2)
#undef SIMT_SMALL_QUADRUPLE
    SIMT_MEMBER explicit small_quadruple(const __half2 low, const __half2 high)
        : small_quadruple(small_pair<Format>(low), small_pair<Format>(high))
    {
    }
    SIMT_MEMBER explicit small_quadruple(const __nv_bfloat162 low, const __nv_bfloat162 high)
        : small_quadruple(small_pair<Format>(low), small_pair<Format>(high))
    {
    }
    SIMT_MEMBER explicit operator float4() const
    {
        return make_float4(value(0), value(1), value(2), value(3));
    }

  private:
    SIMT_MEMBER small_quadruple(const small_pair<Format> &low, const small_pair<Format> &high)
        : __x(pack<2 * Format::bits, typename Format::storage4>(low.__x, high.__x))
    {
    }
    SIMT_MEMBER float value(int i) const
    {
        return Format::value((typename Format::storage)(__x >> Format::bits * i & ((1u << Format::bits) - 1)));
    }
};

/* A format of 4, 6 or 8 bits, of which conversion(v) makes a code. */
template <typename _S, typename _S2, typename _S4, int shift> struct small_kind {
    using storage = _S;
    using storage2 = _S2;
    using storage4 = _S4;
    static constexpr int bits = shift;
};

} // namespace simt

/* The three types of a format: T, T2 and T4. */
#define SIMT_SMALL_TYPES(T, T2, T4, Format)                                                                            \
    struct T : simt::small<Format> {                                                                                   \
        using simt::small<Format>::small;                                                                              \
    };                                                                                                                 \
    struct __attribute__((aligned(sizeof(Format::storage2)))) T2 : simt::small_pair<Format> {                          \
        using simt::small_pair<Format>::small_pair;                                                                    \
    };                                                                                                                 \
    struct __attribute__((aligned(sizeof(Format::storage4)))) T4 : simt::small_quadruple<Format> {                     \
        using simt::small_quadruple<Format>::small_quadruple;                                                          \
    };

/* __nv_cvt_float_to_NAME and the others: `parameters` follow the value, `arguments` name them; CODE(double) is the code. */
#define SIMT_SMALL_FROM(name, storage, storage2, bits, parameters, arguments, code)                                    \
    SIMT_INLINE storage __nv_cvt_double_to_##name(const double x, SIMT_LIST parameters)                                \
    {                                                                                                                  \
        return (storage)code(x, SIMT_LIST arguments);                                                                  \
    }                                                                                                                  \
    SIMT_INLINE storage __nv_cvt_float_to_##name(const float x, SIMT_LIST parameters)                                  \
    {                                                                                                                  \
        return (storage)code(simt::with_one_nan(x), SIMT_LIST arguments);                                              \
    }                                                                                                                  \
    SIMT_INLINE storage __nv_cvt_halfraw_to_##name(const __half_raw x, SIMT_LIST parameters)                           \
    {                                                                                                                  \
        return __nv_cvt_float_to_##name(simt::half_value(x.x), SIMT_LIST arguments);                                   \
    }                                                                                                                  \
    SIMT_INLINE storage __nv_cvt_bfloat16raw_to_##name(const __nv_bfloat16_raw x, SIMT_LIST parameters)                \
    {                                                                                                                  \
        return __nv_cvt_float_to_##name(simt::bfloat16_value(x.x), SIMT_LIST arguments);                               \
    }                                                                                                                  \
    SIMT_INLINE storage2 __nv_cvt_double2_to_##name##x2(const double2 x, SIMT_LIST parameters)                         \
    {                                                                                                                  \
        return simt::pack<bits, storage2>(__nv_cvt_double_to_##name(x.x, SIMT_LIST arguments),                         \
                                          __nv_cvt_double_to_##name(x.y, SIMT_LIST arguments));                        \
    }                                                                                                                  \
    SIMT_INLINE storage2 __nv_cvt_float2_to_##name##x2(const float2 x, SIMT_LIST parameters)                           \
    {                                                                                                                  \
        return simt::pack<bits, storage2>(__nv_cvt_float_to_##name(x.x, SIMT_LIST arguments),                          \
                                          __nv_cvt_float_to_##name(x.y, SIMT_LIST arguments));                         \
    }                                                                                                                  \
    SIMT_INLINE storage2 __nv_cvt_halfraw2_to_##name##x2(const __half2_raw x, SIMT_LIST parameters)                    \
    {                                                                                                                  \
        return simt::pack<bits, storage2>(__nv_cvt_halfraw_to_##name(__half_raw{x.x}, SIMT_LIST arguments),            \
                                          __nv_cvt_halfraw_to_##name(__half_raw{x.y}, SIMT_LIST arguments));           \
    }                                                                                                                  \
    SIMT_INLINE storage2 __nv_cvt_bfloat16raw2_to_##name##x2(const __nv_bfloat162_raw x, SIMT_LIST parameters)         \
    {                                                                                                                  \
        return simt::pack<bits, storage2>(                                                                             \
            __nv_cvt_bfloat16raw_to_##name(__nv_bfloat16_raw{x.x}, SIMT_LIST arguments),                               \
            __nv_cvt_bfloat16raw_to_##name(__nv_bfloat16_raw{x.y}, SIMT_LIST arguments));                              \
    }
#define SIMT_LIST(...) __VA_ARGS__

/* A Format whose conversions are those functions, called with `...`. */
#define SIMT_SMALL_FORMAT(Format, name, _S, _S2, _S4, shift, magnitudes, ...)                                          \
    namespace simt                                                                                                     \
    {                                                                                                                  \
    struct Format : small_kind<_S, _S2, _S4, shift> {                                                                  \
        static _S from(double v)                                                                                       \
        {                                                                                                              \
            return __nv_cvt_double_to_##name(v, __VA_ARGS__);                                                          \
        }                                                                                                              \
        static _S from(float v)                                                                                        \
        {                                                                                                              \
            return __nv_cvt_float_to_##name(v, __VA_ARGS__);                                                           \
        }                                                                                                              \
        static _S from(const __half v)                                                                                 \
        {                                                                                                              \
            return __nv_cvt_halfraw_to_##name((__half_raw)v, __VA_ARGS__);                                             \
        }                                                                                                              \
        static _S from(const __nv_bfloat16 v)                                                                          \
        {                                                                                                              \
            return __nv_cvt_bfloat16raw_to_##name((__nv_bfloat16_raw)v, __VA_ARGS__);                                  \
        }                                                                                                              \
        template <typename _I> static _S from_integer(_I v) /* CUDA rounds it to a float first */                      \
        {                                                                                                              \
            return from((float)v);                                                                                     \
        }                                                                                                              \
        static bool is_true(_S code)                                                                                   \
        {                                                                                                              \
            return (code & (magnitudes)) != 0;                                                                         \
        }                                                                                                              \
        static __half half(_S code);                                                                                   \
        static float value(_S code)                                                                                    \
        {                                                                                                              \
            return (float)half(code);                                                                                  \
        }                                                                                                              \
    };                                                                                                                 \
    }

#endif

#endif
