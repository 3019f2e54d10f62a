/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PTX's arithmetic of f16, bf16 and pairs of them, as functions: fma.rn.f16x2 is ::simt::ptx::fma<half_pair>. Each is computed
 * exactly, or rounded to odd, in double and rounded once; what is approximate on a GPU is that of the C library. Not a number is
 * 0x7fff.
 */
#ifndef SIMT_PTX_SIXTEEN_H
#define SIMT_PTX_SIXTEEN_H

#include "simt_ptx.h"

namespace simt::ptx
{

template <typename T>
static constexpr bool is_bfloat16 = std::is_same_v<T, bfloat16> || std::is_same_v<T, bfloat16_pair>;

template <typename T> SIMT_INLINE double sixteen_value(uint16_t bits)
{
    return is_bfloat16<T> ? bfloat16_value(bits) : half_value(bits);
}

template <typename T> SIMT_INLINE uint16_t sixteen_bits(double v)
{
    return is_bfloat16<T> ? bfloat16_bits(v) : half_bits(v);
}

/* Of a number, or of both numbers of a pair: the bits that `of` gives for theirs. */
template <typename T, typename _F> SIMT_INLINE T each_sixteen(_F of, source a, source b, source c)
{
    unsigned low = of((uint16_t)a.bits, (uint16_t)b.bits, (uint16_t)c.bits);

    if constexpr (sizeof(T) == 2)
        return T{(uint16_t)low};
    else
        return T{low | (unsigned)of((uint16_t)(a.bits >> 16), (uint16_t)(b.bits >> 16), (uint16_t)(c.bits >> 16))
                           << 16};
}

#define SIMT_PTX_OF_SIXTEEN(type, name, parameters, b, c, value)                                                       \
    template <> inline __attribute__((always_inline)) type name<type> parameters                                       \
    {                                                                                                                  \
        return each_sixteen<type>(                                                                                     \
            [](uint16_t bits, uint16_t second, uint16_t third) __attribute__((always_inline))->uint16_t {              \
                using T = type;                                                                                        \
                const double x = sixteen_value<T>(bits), y = sixteen_value<T>(second), z = sixteen_value<T>(third);    \
                                                                                                                       \
                (void)x, (void)y, (void)z;                                                                             \
                return value;                                                                                          \
            },                                                                                                         \
            a, b, c);                                                                                                  \
    }
#define SIMT_PTX_SIXTEEN(name, parameters, b, c, value)                                                                \
    SIMT_PTX_OF_SIXTEEN(half, name, parameters, b, c, value)                                                           \
    SIMT_PTX_OF_SIXTEEN(half_pair, name, parameters, b, c, value)                                                      \
    SIMT_PTX_OF_SIXTEEN(bfloat16, name, parameters, b, c, value)                                                       \
    SIMT_PTX_OF_SIXTEEN(bfloat16_pair, name, parameters, b, c, value)
#define SIMT_PTX_SIXTEEN_1(name, value) SIMT_PTX_SIXTEEN(name, (source a), source{}, source{}, value)
#define SIMT_PTX_SIXTEEN_2(name, value) SIMT_PTX_SIXTEEN(name, (source a, source b), b, source{}, value)
#define SIMT_PTX_SIXTEEN_3(name, value) SIMT_PTX_SIXTEEN(name, (source a, source b, source c), b, c, value)

template <typename T> T fma_relu(source a, source b, source c);
template <typename T> T saturated_sixteen(source a);
template <typename T> T flushed_sixteen(source a);

SIMT_PTX_SIXTEEN_1(neg, (uint16_t)(bits ^ 0x8000))
SIMT_PTX_SIXTEEN_1(abs, (uint16_t)(bits & 0x7fff))
SIMT_PTX_SIXTEEN_1(ex2, sixteen_bits<T>(__builtin_exp2(x)))
SIMT_PTX_SIXTEEN_1(tanh, sixteen_bits<T>(__builtin_tanh(x)))
SIMT_PTX_SIXTEEN_2(add, sixteen_bits<T>(odd_sum(x, y)))
SIMT_PTX_SIXTEEN_2(sub, sixteen_bits<T>(odd_sum(x, -y)))
SIMT_PTX_SIXTEEN_2(mul, sixteen_bits<T>(x *y))
SIMT_PTX_SIXTEEN_2(min, sixteen_bits<T>(::simt_lesser<double>(x, y)))
SIMT_PTX_SIXTEEN_2(max, sixteen_bits<T>(::simt_greater<double>(x, y)))
SIMT_PTX_SIXTEEN_2(min_NaN, x != x || y != y ? (uint16_t)0x7fff : sixteen_bits<T>(::simt_lesser<double>(x, y)))
SIMT_PTX_SIXTEEN_2(max_NaN, x != x || y != y ? (uint16_t)0x7fff : sixteen_bits<T>(::simt_greater<double>(x, y)))
SIMT_PTX_SIXTEEN_3(fma, sixteen_bits<T>(odd_sum(x *y, z)))
/* Less than 0, and -0, become 0. */
SIMT_PTX_SIXTEEN_3(fma_relu, sixteen_bits<T>(odd_sum(x *y, z) <= 0 ? 0.0 : odd_sum(x * y, z)))

/* .sat, also for not a number; .ftz, of f16 only: bf16 has none. */
SIMT_PTX_SIXTEEN_1(saturated_sixteen, sixteen_bits<T>(x > 0 ? x < 1 ? x : 1.0 : 0.0))
SIMT_PTX_SIXTEEN_1(flushed_sixteen, bits & 0x7c00 ? bits : (uint16_t)(bits & 0x8000))

} // namespace simt::ptx

#endif
