/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of 16 bits: their bits from a double, rounded once, and back. half has 10 bits of fraction and 5 of exponent,
 * bfloat16 7 and 8.
 */
#ifndef SIMT_HALF_H
#define SIMT_HALF_H

#include "simt_math.h"

namespace simt
{

/* Not a number becomes 0x7fff, as on a GPU. */
template <int fraction_bits, int exponent_bits> SIMT_INLINE uint16_t narrow(double value, simt_rounding mode)
{
    constexpr int min_exponent = 2 - (1 << (exponent_bits - 1));
    constexpr int max_exponent = (1 << (exponent_bits - 1)) - 1;
    constexpr unsigned infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    uint64_t all = __builtin_bit_cast(uint64_t, value);
    uint64_t significand = all & 0xfffffffffffff, rest, half;
    int exponent = (int)(all >> 52 & 0x7ff) - 1023, drop = 52 - fraction_bits;
    bool negative = all >> 63;
    unsigned sign = negative ? 0x8000 : 0, result;

    if (value != value)
        return 0x7fff;
    if (exponent == 1024)
        return (uint16_t)(sign | infinity);
    if (exponent == -1023)
        exponent++; /* zero or subnormal */
    else
        significand |= 1ull << 52;
    if (exponent < min_exponent)
        drop += min_exponent - exponent;
    drop = drop < 60 ? drop : 60; /* all 53 bits are below half of the last place from 55 on */
    rest = significand & ((1ull << drop) - 1);
    half = 1ull << (drop - 1);
    result = (unsigned)(significand >> drop);
    if (mode == SIMT_NEAREST)
        result += rest > half || (rest == half && (result & 1));
    else if (mode != SIMT_ZERO)
        result += rest != 0 && (mode == SIMT_DOWN) == negative;
    if (exponent > max_exponent)
        result = infinity + 1;
    else if (exponent >= min_exponent)
        result += (unsigned)(exponent - min_exponent) << fraction_bits; /* the leading 1 adds one to the exponent */
    if (result > infinity || (result == infinity && exponent <= max_exponent)) {
        bool away = mode == SIMT_NEAREST || (mode != SIMT_ZERO && (mode == SIMT_DOWN) == negative);

        result = away ? infinity : infinity - 1;
    }
    return (uint16_t)(sign | result);
}

SIMT_INLINE uint16_t half_bits(double value, simt_rounding mode = SIMT_NEAREST)
{
    return narrow<10, 5>(value, mode);
}

SIMT_INLINE uint16_t bfloat16_bits(double value, simt_rounding mode = SIMT_NEAREST)
{
    return narrow<7, 8>(value, mode);
}

/* From a double: in kernels a GPU gives the quiet NaN with its sign; the toolkit's functions for the host give 0x7fff. */
SIMT_INLINE uint16_t half_bits_of(double value)
{
    return value == value || !simt_in_kernel() ? half_bits(value)
                                               : (uint16_t)(__builtin_signbit(value) ? 0xfe00 : 0x7e00);
}

SIMT_INLINE uint16_t bfloat16_bits_of(double value)
{
    return value == value || !simt_in_kernel() ? bfloat16_bits(value)
                                               : (uint16_t)(__builtin_signbit(value) ? 0xffc0 : 0x7fc0);
}

SIMT_INLINE float half_value(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, rest = bits & 0x7fff;

    if (rest >= 0x7c00) /* infinite, or not a number */
        return __builtin_bit_cast(float, rest > 0x7c00 ? 0x7fffffffu : sign | 0x7f800000u);
    if (rest >= 0x400)
        return __builtin_bit_cast(float, sign | (rest << 13) + ((127u - 15) << 23));
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, (float)rest * 0x1p-24f));
}

SIMT_INLINE float bfloat16_value(uint16_t bits)
{
    return __builtin_bit_cast(float, (uint32_t)bits << 16);
}

/* A double between the two neighbours of an exact result, with its last bit set if it is not exact: rounding it to fewer
 * bits gives what rounding the exact result gives (Boldo and Melquiond 2008). `error` is exact minus value. */
SIMT_INLINE double to_odd(double value, double error)
{
    uint64_t all = __builtin_bit_cast(uint64_t, value);

    if (error == 0 || error != error || __builtin_isinf(value) || (all & 1))
        return value;
    return __builtin_bit_cast(double, (error > 0) == (value > 0) ? all + 1 : all - 1);
}

/* The sum, rounded to odd. The error of a sum is exact (Knuth 1969). */
SIMT_INLINE double odd_sum(double a, double b)
{
    double sum = a + b, of_b = sum - a, error = (a - (sum - of_b)) + (b - of_b);

    return __builtin_isinf(sum) ? sum : to_odd(sum, error);
}

/* An integer of 64 bits, rounded to odd: its low bits, where they do not fit, become one. */
SIMT_INLINE double odd_integer(uint64_t magnitude, bool negative)
{
    double value;

    if (magnitude >> 53)
        magnitude = (magnitude & ~0xfffull) | ((magnitude & 0xfff) ? 0x800 : 0);
    value = (double)magnitude;
    return negative ? -value : value;
}

} // namespace simt

#endif
