/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Exact sums of floats, and the error bound of sums that are computed in floating point.
 *
 * If n numbers are added in any order and bracketing, and each addition is rounded to p bits, the result satisfies
 *
 *     |result - exact sum| <= gamma(n) * sum of |terms|,  gamma(n) = n u / (1 - n u),  u = 2^-p,
 *
 * as long as nothing overflows (subnormal results are exact). p is 24 for f32 and 53 for f64. The bound is used where
 * n u <= 1/4.
 *
 * On an exact case every order gives the exact sum, to the bit: all terms are integers times one power of two, and
 * their magnitudes add up to at most 2^p times that power.
 *
 * The exact sum is kept in a fixed-point accumulator as wide as the range of binary64 (a Kulisch accumulator).
 *
 * Source of the bound: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, sections 3.1 and
 * 4.2.
 */
#ifndef REF_SUM_H
#define REF_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* Limbs of 32 bits. A double is a multiple of 2^-1074 and below 2^1024, which takes 2098 bits. Sums of up to 2^64 terms
 * take 64 more, and the bound multiplies by a factor of up to 53 bits: 2215 bits, in 70 limbs. */
enum { SB_REF_SUM_LIMBS = 70 };

/* The exponent of the lowest bit set in the significand of a finite number other than 0. */
int sb_ref_lowest_bit(double number);

/* The sums of the magnitudes of the positive and of the negative terms, in units of 2^-1074, least significant limb
 * first. Limbs outside [low, high) are 0. `terms` counts the terms, zeros included. */
typedef struct sb_ref_sum {
    uint32_t positive[SB_REF_SUM_LIMBS];
    uint32_t negative[SB_REF_SUM_LIMBS];
    unsigned low, high;
    uint64_t terms;
} sb_ref_sum;

void sb_ref_sum_clear(sb_ref_sum *sum);

/* Adds a term, which must be finite. */
void sb_ref_sum_add(sb_ref_sum *sum, double term);

/* Is `got` within the bound for the terms added so far? Decided without rounding. `precision` is p; at most 2^(p-2)
 * terms may have been added. False if `got` is not finite. */
bool sb_ref_sum_within(const sb_ref_sum *sum, double got, unsigned precision);

#endif
