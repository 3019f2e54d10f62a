/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PTX's arithmetic of f16, bf16 and pairs of them, as functions: fma.rn.f16x2 is ::simt::ptx::fma<half_pair>. Each is computed
 * exactly, or rounded to odd, in double and rounded once; what is approximate on a GPU is that of the C library. Not a number is
 * 0x7fff. Also sums of vectors in memory, and conversions to and from numbers of 8 bits.
 */
#ifndef SIMT_PTX_SIXTEEN_H
#define SIMT_PTX_SIXTEEN_H

#include "simt_ptx.h"
#include "simt_small_bits.h"

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

/* --- atom.add and red.add of vectors and of 16 bits: each number is added atomically, not all of them together */

template <typename T> SIMT_INLINE T atom_add_one(uintptr_t to, simt_scope scope, source operand)
{
    if constexpr (!std::is_class_v<T>) {
        return ::simt::atomic<T>(std::is_floating_point_v<T> ? SIMT_ADD_FLOAT : SIMT_ADD, scope, (T *)to, operand);
    } else if constexpr (sizeof(T) == 2) {
        unsigned short *at = (unsigned short *)to, seen = 0;
        unsigned short old = ::simt::atomic<unsigned short>(SIMT_COMPARE, scope, at, seen, seen);

        do {
            double sum = odd_sum(sixteen_value<T>(seen = old), sixteen_value<T>((uint16_t)operand.bits));

            old = ::simt::atomic<unsigned short>(SIMT_COMPARE, scope, at, sixteen_bits<T>(sum), seen);
        } while (old != seen);
        return T{old};
    } else {
        using One = std::conditional_t<is_bfloat16<T>, bfloat16, half>;
        unsigned low = atom_add_one<One>(to, scope, operand).bits;

        return T{low | (unsigned)atom_add_one<One>(to + 2, scope, source{operand.bits >> 16}).bits << 16};
    }
}

template <typename T, size_t size>
SIMT_INLINE vector<T, size> atom_add_each(uintptr_t to, order o, simt_scope scope, vector<source, size> operand)
{
    vector<T, size> old;

    if (o == order_release || o == order_acq_rel)
        ::simt_fence(scope);
    for (size_t i = 0; i < size; i++)
        old.element[i] = atom_add_one<T>(to + i * sizeof(T), scope, operand.element[i]);
    if (o == order_acquire || o == order_acq_rel)
        ::simt_fence(scope);
    return old;
}

/* --- cvt of two numbers of 8 bits: the first operand, or the upper half, becomes the upper one */

template <bool is_e4m3, bool relu> SIMT_INLINE unsigned eight_of(float v)
{
    return ::simt::eight_bits(::simt::with_one_nan(relu && v <= 0 ? 0 : v), true,
                              is_e4m3 ? ::simt::e4m3 : ::simt::e5m2);
}

template <bool is_e4m3, bool relu = false> SIMT_INLINE uint16_t cvt_eight(source upper, source lower)
{
    return (uint16_t)(eight_of<is_e4m3, relu>(upper) << 8 | eight_of<is_e4m3, relu>(lower));
}

template <bool is_e4m3, bool relu = false> SIMT_INLINE uint16_t cvt_eight(source pair)
{
    return (uint16_t)(eight_of<is_e4m3, relu>(half_value((uint16_t)(pair.bits >> 16))) << 8 |
                      eight_of<is_e4m3, relu>(half_value((uint16_t)pair.bits)));
}

template <bool is_e4m3, bool relu = false> SIMT_INLINE uint32_t cvt_from_eight(source codes)
{
    const auto &f = is_e4m3 ? ::simt::e4m3 : ::simt::e5m2;
    unsigned low = ::simt::half_of_eight((uint8_t)codes.bits, f);
    unsigned high = ::simt::half_of_eight((uint8_t)(codes.bits >> 8), f);

    if (relu) { /* what is not a number has no sign */
        low = low & 0x8000 ? 0 : low;
        high = high & 0x8000 ? 0 : high;
    }
    return high << 16 | low;
}

} // namespace simt::ptx

#endif
