/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of floats without any rounding, and how far a sum computed in floating point may be from them.
 *
 * n numbers added in any order and bracketing, each addition rounded to p bits, give a result with
 *
 *     |result - exact sum| <= gamma(n) * sum of |terms|,  gamma(n) = n*u / (1 - n*u),  u = 2^-p,
 *
 * as long as nothing overflows (subnormal results are exact); p is 24 for f32, 53 for f64. It is used where n*u <= 1/4.
 * On an exact case, where all terms are integers times one power of two and the sum of their magnitudes is at most 2^p
 * of these units, every order gives the exact sum, to the bit.
 *
 * Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, sections 3.1 and 4.2.
 */
#ifndef REF_SUM_H
#define REF_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* In limbs of 32 bits: a double is a whole multiple of 2^-1074 and less than 2^1024, that is 2098 bits; 64 bits more
 * for the number of terms, and 53 for a factor of the bound. */
enum { SB_REF_SUM_LIMBS = 70 };

/* The magnitudes of the positive and of the negative terms, summed as fixed-point numbers in units of 2^-1074, the
 * least significant limb first. Limbs outside [low, high) are 0. */
typedef struct sb_ref_sum {
    uint32_t positive[SB_REF_SUM_LIMBS];
    uint32_t negative[SB_REF_SUM_LIMBS];
    unsigned low, high;
    uint64_t terms;
} sb_ref_sum;

void sb_ref_sum_clear(sb_ref_sum *sum);

/* Adds a finite term. */
void sb_ref_sum_add(sb_ref_sum *sum, double term);

/* Is `got` within the bound for the terms added so far? Decided without rounding. `precision` is p; the terms are at
 * most 2^(p-2). False when `got` is not finite. */
bool sb_ref_sum_within(const sb_ref_sum *sum, double got, unsigned precision);

#endif
