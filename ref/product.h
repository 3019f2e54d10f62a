/* SPDX-License-Identifier: BSD-2-Clause
 *
 * When is a sum of products of floats right, whatever the order of additions, and whether or not a product and an addition
 * are fused? The products are of one of these kinds:
 *
 * - *Special*: a factor is NaN or infinite. Then the result follows from IEEE 754: NaN if a product is NaN or if products
 *   are infinite with both signs, else the infinity. Any NaN is right.
 * - *Exact*: every product is a number of the type, and all are integers times one power of two, whose magnitudes add up to
 *   at most 2^p times that power. Then every order gives the exact sum. It must be equal to the bit.
 * - *Real*: all others. The result must be within the bound of sum.h, where each product counts as a term: of n products
 *   each is rounded once, and takes part in at most n - 1 additions. (J. Wilkinson, "Rounding errors in algebraic
 *   processes", 1963; N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, 2002, section 3.1.)
 *
 * A product of 0 is exact to add, and does not count. If there is no other, the result is 0 of either sign. Without any
 * product it is +0.
 */
#ifndef REF_PRODUCT_H
#define REF_PRODUCT_H

#include "sum.h"
#include "type.h"

typedef struct sb_ref_products {
    sb_ref_type type; /* SB_REF_F32 or SB_REF_F64 */
    uint64_t count;   /* products so far */
    uint64_t terms;   /* those that are finite and not 0 */
    double magnitude; /* the sum of their magnitudes */
    bool exact;       /* the definition above holds, with the powers of two 2^unit */
    int unit;
    bool tiny;             /* a product underflows, or its rounding error may */
    bool nan, plus, minus; /* there are products that are NaN, infinity, -infinity */
    sb_ref_sum *sum;       /* of the finite products, exactly; NULL: not needed */
} sb_ref_products;

/* Starts with no product. If `sum` is not NULL, it is cleared, and sb_ref_products_right can be called. */
void sb_ref_products_clear(sb_ref_products *products, sb_ref_type type, sb_ref_sum *sum);

/* Adds the product of two numbers of the type. */
void sb_ref_products_add(sb_ref_products *products, double left, double right);

/* Has every order of additions a result that the above decides? NULL: it has. Otherwise the reason why not: a product that
 * is not 0 underflows (below 2^-126 in f32, below 2^-968 in f64, where its rounding error does), a sum may overflow, or the
 * products are real and more than 2^(p-2). */
const char *sb_ref_products_unfit(const sb_ref_products *products);

/* Is `got`, which differs from the result of the reference in its bits, right all the same? */
bool sb_ref_products_right(const sb_ref_products *products, double got);

#endif
