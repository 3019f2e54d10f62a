/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Codes of 8, 6 and 4 bits as bits: what simt_small.h makes types of, and what PTX's conversions need.
 */
#ifndef SIMT_SMALL_BITS_H
#define SIMT_SMALL_BITS_H

#include "simt_half.h"

namespace simt
{

/* Bits of the fraction, bias of the exponent, the magnitude of the largest finite number, the sign's bit. */
struct small_format {
    int fraction, bias;
    unsigned largest, sign;
};

inline constexpr small_format e4m3 = {3, 7, 0x7e, 0x80};  /* 448; 0x7f is not a number */
inline constexpr small_format e5m2 = {2, 15, 0x7b, 0x80}; /* 57344; 0x7c is infinite, what follows is not a number */
inline constexpr small_format e2m3 = {3, 1, 0x1f, 0x20};  /* 7.5 */
inline constexpr small_format e3m2 = {2, 3, 0x1f, 0x20};  /* 28 */
inline constexpr small_format e2m1 = {1, 1, 0x7, 0x8};    /* 6 */

SIMT_INLINE double power_of_two(int exponent) /* -1022 to 1023 */
{
    return __builtin_bit_cast(double, (uint64_t)(exponent + 1023) << 52);
}

SIMT_INLINE int exponent_of(double v) /* of a normal number */
{
    return (int)(__builtin_bit_cast(uint64_t, v) >> 52 & 0x7ff) - 1023;
}

/* The magnitude of a number >= 0; of one that is too large, the one after the largest. Its unit in the last place is a
 * power of two, so the quotient is exact, and what rint or trunc makes of it counts the units. */
SIMT_INLINE unsigned small_magnitude(double v, const small_format &f, bool nearest)
{
    const int lowest = 1 - f.bias;
    int exponent = exponent_of(v);
    double units;
    unsigned magnitude;

    if (exponent < lowest) /* subnormal, or a subnormal double */
        exponent = lowest;
    if (exponent > f.bias + 2) /* above all formats */
        return f.largest + 1;
    units = v * power_of_two(f.fraction - exponent);
    magnitude = (unsigned)(nearest ? __builtin_rint(units) : __builtin_trunc(units));
    magnitude += (unsigned)(exponent - lowest) << f.fraction; /* the leading 1 adds one to the exponent */
    return magnitude <= f.largest ? magnitude : f.largest + 1;
}

SIMT_INLINE unsigned small_sign(double v, const small_format &f)
{
    return __builtin_signbit(v) ? f.sign : 0;
}

SIMT_INLINE double small_value(unsigned code, const small_format &f)
{
    unsigned magnitude = code & (f.sign - 1);
    int exponent = (int)(magnitude >> f.fraction), lowest = exponent ? exponent : 1;
    double units = magnitude - (double)((unsigned)(exponent ? exponent - 1 : 0) << f.fraction);
    double value = units * power_of_two(lowest - f.bias - f.fraction);

    return code & f.sign ? -value : value;
}

/* A float that is not a number has all bits set but the sign before CUDA converts it; a double keeps its bits. */
SIMT_INLINE double with_one_nan(float v)
{
    return v == v ? v : __builtin_bit_cast(float, 0x7fffffffu);
}

/* To 8 bits. What is not a number keeps its sign and in E5M2 the upper bits of its fraction; what is too large becomes the code after the
 * largest, infinite, or not a number in E4M3, unless it saturates. */
SIMT_INLINE unsigned eight_bits(double v, bool saturates, const small_format &f)
{
    unsigned magnitude;

    if (v != v && f.largest == e4m3.largest)
        return small_sign(v, f) | 0x7f;
    if (v != v)
        return small_sign(v, f) | 0x7e | (unsigned)(__builtin_bit_cast(uint64_t, v) >> 50 & 1);
    magnitude = small_magnitude(__builtin_fabs(v), f, true);
    if (magnitude > f.largest && saturates)
        magnitude = f.largest;
    return small_sign(v, f) | magnitude;
}

/* The bits of a half. */
SIMT_INLINE unsigned short half_of_eight(unsigned code, const small_format &f)
{
    unsigned magnitude = code & 0x7f;

    if (magnitude > f.largest)
        return (unsigned short)(magnitude == 0x7c ? (code & 0x80) << 8 | 0x7c00 : 0x7fff);
    return half_bits(small_value(code, f));
}

} // namespace simt

#endif
