/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Exact sums in fixed point: contract in sum.h.
 */
#include "sum.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Adds addend * 2^(32 * at), where addend is at most 2^63. Returns the index after the highest limb that it changed. */
static unsigned add_at(uint32_t *limbs, unsigned at, uint64_t addend)
{
    for (; addend != 0; at++) {
        addend += limbs[at];
        limbs[at] = (uint32_t)addend;
        addend >>= 32;
    }
    return at;
}

int sb_ref_lowest_bit(double number)
{
    int exponent;
    uint64_t significand = (uint64_t)ldexp(frexp(fabs(number), &exponent), DBL_MANT_DIG);

    return exponent - DBL_MANT_DIG + __builtin_ctzll(significand);
}

static unsigned larger(unsigned left, unsigned right)
{
    return left > right ? left : right;
}

void sb_ref_sum_clear(sb_ref_sum *sum)
{
    memset(sum, 0, sizeof *sum);
    sum->low = SB_REF_SUM_LIMBS;
}

/* The magnitude of a term of binary64 is significand * 2^(position - 1074). */
void sb_ref_sum_add(sb_ref_sum *sum, double term)
{
    uint32_t *limbs = signbit(term) ? sum->negative : sum->positive;
    uint64_t bits, exponent, significand, position;
    unsigned at, shift, end;

    memcpy(&bits, &term, sizeof bits);
    exponent = bits >> 52 & 0x7ff;
    significand = bits & 0xfffffffffffff;
    if (exponent != 0)
        significand |= (uint64_t)1 << 52;
    position = exponent != 0 ? exponent - 1 : 0;
    sum->terms++;
    if (significand == 0)
        return;
    at = (unsigned)(position / 32);
    shift = (unsigned)(position % 32);
    end = add_at(limbs, at, (significand & 0xffffffff) << shift);
    sum->high = larger(sum->high, end);
    end = add_at(limbs, at + 1, significand >> 32 << shift);
    sum->high = larger(sum->high, end);
    sum->low = at < sum->low ? at : sum->low;
}

static int compare(const uint32_t *left, const uint32_t *right)
{
    for (unsigned i = SB_REF_SUM_LIMBS; i-- > 0;)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

/* The minuend must not be smaller than the subtrahend. Limbs outside [low, high) are 0. */
static void subtract(const uint32_t *minuend, const uint32_t *subtrahend, unsigned low, unsigned high,
                     uint32_t *difference)
{
    uint64_t borrow = 0;

    for (unsigned i = low; i < high; i++) {
        uint64_t limb = (uint64_t)minuend[i] - subtrahend[i] - borrow;

        difference[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
}

/* Adds number * factor * 2^(32 * shift) to product. Limbs of number outside [low, high) are 0. */
static void add_multiple(const uint32_t *number, unsigned low, unsigned high, uint32_t factor, unsigned shift,
                         uint32_t *product)
{
    uint64_t carry = 0;

    for (unsigned i = low; i < high; i++) {
        carry += product[i + shift] + (uint64_t)number[i] * factor;
        product[i + shift] = (uint32_t)carry;
        carry >>= 32;
    }
    add_at(product, high + shift, carry);
}

static void multiply(const uint32_t *number, unsigned low, unsigned high, uint64_t factor, uint32_t *product)
{
    add_multiple(number, low, high, (uint32_t)factor, 0, product);
    add_multiple(number, low, high, (uint32_t)(factor >> 32), 1, product);
}

/* With 1 - n u = (2^p - n) / 2^p the bound becomes |got - exact| * (2^p - n) <= n * sum of |terms|: integers only. */
bool sb_ref_sum_within(const sb_ref_sum *sum, double got, unsigned precision)
{
    uint32_t error[SB_REF_SUM_LIMBS] = {0}, left[SB_REF_SUM_LIMBS] = {0}, right[SB_REF_SUM_LIMBS] = {0};
    sb_ref_sum rest = *sum; /* exact - got */

    if (!isfinite(got))
        return false;
    sb_ref_sum_add(&rest, -got);
    if (compare(rest.positive, rest.negative) >= 0)
        subtract(rest.positive, rest.negative, rest.low, rest.high, error);
    else
        subtract(rest.negative, rest.positive, rest.low, rest.high, error);
    multiply(error, rest.low, rest.high, ((uint64_t)1 << precision) - sum->terms, left);
    multiply(sum->positive, sum->low, sum->high, sum->terms, right);
    multiply(sum->negative, sum->low, sum->high, sum->terms, right);
    return compare(left, right) <= 0;
}
