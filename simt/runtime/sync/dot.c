/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The inner product of a tensor core. NVIDIA documents neither the order nor the width of its sums. What stands here was found from
 * tables of results of an NVIDIA H200 (compute capability 9.0), after the methods of Fasi, Higham, Mikaitis and Pranesh (Numerical
 * behavior of NVIDIA tensor cores, 2021): small integers, exponents that are spread, sums that cancel, one large term among small ones,
 * subnormal numbers, zeros of both signs, infinities and NaNs, and random bits. simt/README.md says how many results agree.
 *
 * - Products are exact. Their exponents are the sums of the operands' exponents: nothing is normalised before the sum. Subnormal
 *   operands are numbers like others.
 * - Up to 16 products are added at once, together with the addend. Each term keeps 25 bits behind the point of the largest exponent of
 *   them all, and the rest is cut off. A term of zero has no exponent. The sum of the terms is exact.
 * - A result of 32 bits is cut off, one of 16 bits rounded to the nearest number, the even one of two. Zero is +0. NaN is 0x7fffffff
 *   or 0x7fff.
 * - A product of tf32 of mma.h is made of two of four terms each, in the order of k; those of mma.sync are not.
 * - wgmma of 8-bit numbers adds 32 products at once, keeps 13 bits of each term, and 13 bits of the fraction of a 32-bit result.
 * - mma.sync of 8-bit numbers is made of two products of 16-bit ones: the first and second of each four numbers along k, then the third
 *   and fourth; the addend is added to that by an ordinary addition.
 * - m8n8k4 is made of fused multiply-adds of 32 bits.
 * - f64 is a chain of fused multiply-adds in the order of k. In each the NaN of B comes first, then that of the sum, then that of
 *   A.
 */
#include "dot.h"

#include <math.h>
#include <string.h>

typedef struct rule {
    unsigned products; /* that are added at once */
    unsigned fraction; /* bits behind the point of the largest term that a term keeps */
    unsigned kept;     /* bits of the fraction of a result of 32 bits */
} rule;

enum {
    MOST = 32,       /* products that are added at once */
    FRAGMENT_N = 16, /* columns of a tf32 product of mma.h; those of mma.sync have 8 */
    LOWEST = -1000   /* below the exponents of all types */
};

static const struct format {
    int exponent, fraction, unused; /* bits; unused ones are the lowest */
} formats[] = {
    [SIMT_F16] = {5, 10, 0}, [SIMT_BF16] = {8, 7, 0}, [SIMT_TF32] = {8, 10, 13},
    [SIMT_E4M3] = {4, 3, 0}, [SIMT_E5M2] = {5, 2, 0}, [SIMT_F32] = {8, 23, 0},
};

simt_number simt_number_of(simt_element type, uint32_t bits)
{
    const struct format *f = &formats[type];
    const uint32_t fraction = bits >> f->unused & ((1u << f->fraction) - 1);
    const int exponent = (int)(bits >> (f->unused + f->fraction) & ((1u << f->exponent) - 1));
    const int last = (1 << f->exponent) - 1, bias = last >> 1;
    simt_number n = {.significand = (int32_t)(fraction | (exponent ? 1u << f->fraction : 0)),
                     .exponent = (int16_t)((exponent ? exponent : 1) - bias),
                     .negative = bits >> (f->unused + f->fraction + f->exponent) & 1};

    if (type == SIMT_E4M3) /* it has no infinities, and one NaN for each sign */
        n.special = exponent == last && fraction == 7 ? SIMT_IS_NAN : 0;
    else if (exponent == last)
        n.special = fraction ? SIMT_IS_NAN : SIMT_IS_INFINITE;
    if (n.negative)
        n.significand = -n.significand;
    return n;
}

static uint32_t nan_of(simt_element type)
{
    return type == SIMT_F16 ? 0x7fff : 0x7fffffff;
}

/* The value is sum * 2^(exponent - fraction). */
static uint32_t result_of(int64_t sum, int exponent, unsigned fraction, simt_element type)
{
    const struct format *f = &formats[type];
    const int bias = (1 << (f->exponent - 1)) - 1;
    const uint32_t sign = sum < 0 ? 1u << (f->exponent + f->fraction) : 0;
    uint64_t left = (uint64_t)(sum < 0 ? -sum : sum), bits;
    int top, biased, drop;

    if (!left)
        return 0;
    top = 63 - __builtin_clzll(left);
    biased = exponent - (int)fraction + top + bias;
    drop = top - f->fraction + (biased < 1 ? 1 - biased : 0);
    if (drop > 62)
        drop = 62;
    bits = drop >= 0 ? left >> drop : left << -drop;
    if (type == SIMT_F16 && drop > 0) {
        uint64_t half = 1ull << (drop - 1), rest = left & (2 * half - 1);

        bits += rest > half || (rest == half && bits & 1);
    }
    if (!bits)
        return 0;   /* without a sign */
    if (biased > 1) /* the highest bit of `bits` adds 1 to the exponent, also where rounding has carried into it */
        bits += (uint64_t)(biased - 1) << f->fraction;
    if (bits >> f->fraction >= (1u << f->exponent) - 1)
        bits = (uint64_t)((1u << f->exponent) - 1) << f->fraction; /* infinity */
    return sign | (uint32_t)bits;
}

/* The sum if a NaN or an infinity takes part. */
static uint32_t special(const simt_number *a, const simt_number *b, unsigned count, simt_number c, simt_element type)
{
    const struct format *f = &formats[type];
    const uint32_t infinity = ((1u << f->exponent) - 1) << f->fraction;
    bool nan = c.special == SIMT_IS_NAN, plus = c.special == SIMT_IS_INFINITE && !c.negative;
    bool minus = c.special == SIMT_IS_INFINITE && c.negative;

    for (unsigned i = 0; i < count; i++) {
        if ((a[i].special | b[i].special) & SIMT_IS_NAN)
            nan = true;
        else if (a[i].special | b[i].special) {
            if (!a[i].significand || !b[i].significand)
                nan = true;
            else if (a[i].negative == b[i].negative)
                plus = true;
            else
                minus = true;
        }
    }
    if (nan || (plus && minus))
        return nan_of(type);
    return minus ? 1u << (f->exponent + f->fraction) | infinity : infinity;
}

/* A term of `own` bits behind the point, cut off at 2^(top - fraction). At most 24 bits of it and 25 more fit. */
static inline int64_t aligned(int32_t significand, int own, int exponent, int top, unsigned fraction)
{
    const uint64_t magnitude = (uint64_t)(significand < 0 ? -(int64_t)significand : significand) << fraction;
    const int right = own + top - exponent;
    const int64_t kept = (int64_t)(magnitude >> (right < 63 ? right : 63));

    return significand < 0 ? -kept : kept;
}

static uint32_t dot(const simt_number *a, const simt_number *b, unsigned count, const simt_mma *what, uint32_t c,
                    const rule *r)
{
    const simt_element result = what->d;
    const int own = formats[what->a].fraction + formats[what->b].fraction;
    simt_element type = what->c;

    for (unsigned from = 0; from < count; from += r->products) {
        const unsigned many = from + r->products < count ? r->products : count - from;
        const simt_number sum = simt_number_of(type, c);
        int top = sum.significand ? sum.exponent : LOWEST, exponent[MOST];
        int32_t product[MOST];
        unsigned special_ones = sum.special;
        int64_t total;

        for (unsigned i = 0; i < many; i++) {
            const simt_number x = a[from + i], y = b[from + i];

            special_ones |= x.special | y.special;
            product[i] = x.significand * y.significand;
            exponent[i] = product[i] ? x.exponent + y.exponent : LOWEST;
            top = exponent[i] > top ? exponent[i] : top;
        }
        if (special_ones) {
            c = special(a + from, b + from, many, sum, result);
        } else {
            total = aligned(sum.significand, formats[type].fraction, sum.exponent, top, r->fraction);
            for (unsigned i = 0; i < many; i++)
                total += aligned(product[i], own, exponent[i], top, r->fraction);
            c = result_of(total, top, r->fraction, result);
            if (result == SIMT_F32)
                c &= ~0u << (23 - r->kept);
        }
        type = result;
    }
    return c;
}

/* --- mma.sync of 8-bit numbers */

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return value != value ? nan_of(SIMT_F32) : bits;
}

/* Their sum, rounded once. All numbers of 16 bits are multiples of 2^-24, which with 41 bits are whole here. */
static uint32_t add_halves(uint32_t x, uint32_t y)
{
    const simt_number a = simt_number_of(SIMT_F16, x), b = simt_number_of(SIMT_F16, y);
    const simt_number one = {.significand = 1};

    if (a.special | b.special)
        return special(&a, &one, 1, b, SIMT_F16);
    if (!a.significand && !b.significand)
        return a.negative && b.negative ? 0x8000 : 0;
    return result_of(((int64_t)a.significand << (a.exponent + 14)) + ((int64_t)b.significand << (b.exponent + 14)), 0,
                     24, SIMT_F16);
}

/* e4m3 as a number of 16 bits has no subnormal numbers. */
static simt_number normalised(simt_number n, simt_element type)
{
    while (type == SIMT_E4M3 && n.significand && n.significand < 8 && n.significand > -8) {
        n.significand *= 2;
        n.exponent--;
    }
    return n;
}

static uint32_t dot_of_eights(const simt_mma *what, const simt_number *a, const simt_number *b, unsigned count,
                              uint32_t c)
{
    const rule r = {count / 2, 25, 23};
    simt_number x[64], y[64];
    unsigned at = 0;
    uint32_t sum;

    for (unsigned pair = 0; pair < 2; pair++)
        for (unsigned i = 0; i < count; i++)
            if (i / 2 % 2 == pair) {
                x[at] = normalised(a[i], what->a);
                y[at++] = normalised(b[i], what->b);
            }
    sum = dot(x, y, count, what, 0, &r);
    return what->d == SIMT_F16 ? add_halves(sum, c) : bits_of_float(float_of(sum) + float_of(c));
}

/* --- m8n8k4 of 16-bit numbers */

static float float_of_half(simt_number n)
{
    if (n.special == SIMT_IS_NAN)
        return NAN;
    return copysignf(n.special ? INFINITY : ldexpf((float)n.significand, n.exponent - 10), n.negative ? -1.0f : 1.0f);
}

static uint32_t half_of_float(float value)
{
    const simt_number n = simt_number_of(SIMT_F32, bits_of_float(value)), one = {.significand = 1};

    if (n.special)
        return special(&n, &one, 1, (simt_number){0}, SIMT_F16);
    return (n.negative ? 0x8000 : 0) | result_of(n.significand, n.exponent, 23, SIMT_F16);
}

static uint32_t dot_of_four(const simt_mma *what, const simt_number *a, const simt_number *b, uint32_t c)
{
    float x[4], y[4], sum = what->c == SIMT_F32 ? float_of(c) : float_of_half(simt_number_of(SIMT_F16, c));

    for (unsigned i = 0; i < 4; i++) {
        x[i] = float_of_half(a[i]);
        y[i] = float_of_half(b[i]);
    }
    if (what->d == SIMT_F32)
        return bits_of_float(sum + fmaf(x[3], y[3], fmaf(x[2], y[2], fmaf(x[1], y[1], fmaf(x[0], y[0], 0)))));
    sum += fmaf(x[1], y[1], x[0] * y[0]);
    sum += fmaf(x[3], y[3], x[2] * y[2]);
    return half_of_float(sum);
}

/* --- */

uint32_t simt_dot(const simt_mma *what, const simt_number *a, const simt_number *b, unsigned count, uint32_t c)
{
    static const rule usual = {16, 25, 23}, of_fours = {4, 25, 23}, of_eights = {32, 13, 13};
    const bool eights = what->a == SIMT_E4M3 || what->a == SIMT_E5M2;

    if (what->flags & SIMT_MMA_QUADS)
        return dot_of_four(what, a, b, c);
    if (eights && !(what->flags & SIMT_MMA_GROUP))
        return dot_of_eights(what, a, b, count, c);
    if (what->a == SIMT_TF32 && what->n == FRAGMENT_N && !(what->flags & SIMT_MMA_GROUP))
        return dot(a, b, count, what, c, &of_fours);
    return dot(a, b, count, what, c, eights ? &of_eights : &usual);
}

static uint64_t quiet(uint64_t nan)
{
    return nan | 1ull << 51;
}

uint64_t simt_dot_of_doubles(const uint64_t *a, const uint64_t *b, unsigned count, uint64_t c)
{
    double sum, x, y;

    for (unsigned i = 0; i < count; i++) {
        memcpy(&sum, &c, sizeof sum);
        memcpy(&x, &a[i], sizeof x);
        memcpy(&y, &b[i], sizeof y);
        if (y != y) {
            c = quiet(b[i]);
        } else if (sum != sum) {
            c = quiet(c);
        } else if (x != x) {
            c = quiet(a[i]);
        } else {
            sum = fma(x, y, sum);
            memcpy(&c, &sum, sizeof c);
            if (sum != sum) /* infinity minus infinity, or infinity times zero */
                c = 0xfff8000000000000;
        }
    }
    return c;
}
