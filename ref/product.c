/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sums of products: contract in product.h.
 */
#include "product.h"
#include <float.h>
#include <math.h>
#include <stddef.h>

typedef struct number_format {
    unsigned precision;
    double largest;
    double tiny; /* a product that is not 0 must not be below this */
} number_format;

/* The error of a rounded product of doubles is a multiple of the product of the factors' last bits: if the product is at
 * least 2^-968, these are at least 2^(-968 - 106) = 2^-1074. */
static const number_format F32 = {FLT_MANT_DIG, FLT_MAX, FLT_MIN};
static const number_format F64 = {DBL_MANT_DIG, DBL_MAX, 0x1p-968};

static const number_format *format_of(sb_ref_type type)
{
    return type == SB_REF_F32 ? &F32 : &F64;
}

void sb_ref_products_clear(sb_ref_products *products, sb_ref_type type, sb_ref_sum *sum)
{
    *products = (sb_ref_products){.type = type, .exact = true, .unit = DBL_MAX_EXP, .sum = sum};
    if (sum != NULL)
        sb_ref_sum_clear(sum);
}

static uint64_t significand_of(double number, int *exponent)
{
    uint64_t significand = (uint64_t)ldexp(frexp(fabs(number), exponent), DBL_MANT_DIG);

    *exponent -= DBL_MANT_DIG;
    return significand;
}

/* Adds integer * 2^exponent, with the sign, in parts that a double holds. */
static void add_integer(sb_ref_sum *sum, uint64_t integer, int exponent, double sign)
{
    sb_ref_sum_add(sum, copysign(ldexp((double)(integer & 0xffffffff), exponent), sign));
    sb_ref_sum_add(sum, copysign(ldexp((double)(integer >> 32), exponent + 32), sign));
}

/* Adds the product without rounding, as one term: the schoolbook method with digits of 27 bits. */
static void add_exactly(sb_ref_sum *sum, double left, double right, double sign)
{
    int left_exponent, right_exponent;
    uint64_t a = significand_of(left, &left_exponent), b = significand_of(right, &right_exponent);
    uint64_t mask = ((uint64_t)1 << 27) - 1, terms = sum->terms;
    int exponent = left_exponent + right_exponent;

    add_integer(sum, (a & mask) * (b & mask), exponent, sign);
    add_integer(sum, (a & mask) * (b >> 27), exponent + 27, sign);
    add_integer(sum, (a >> 27) * (b & mask), exponent + 27, sign);
    add_integer(sum, (a >> 27) * (b >> 27), exponent + 54, sign);
    sum->terms = terms + 1;
}

/* Is the product of two numbers, rounded to the type, their product? */
static bool is_exact(sb_ref_type type, double left, double right, double product)
{
    return type == SB_REF_F32 ? (double)(float)product == product : fma(left, right, -product) == 0;
}

/* Invariant: as long as `exact` holds, the magnitude is a sum of at most 2^53 units, and so is exact itself. */
static void add_finite(sb_ref_products *products, double left, double right, double product)
{
    const number_format *format = format_of(products->type);
    double magnitude = fabs(product);

    products->terms++;
    if (magnitude < format->tiny) {
        products->tiny = true;
        return;
    }
    if (isfinite(product) && products->exact) {
        int lowest = sb_ref_lowest_bit(product);

        products->unit = lowest < products->unit ? lowest : products->unit;
        products->exact = is_exact(products->type, left, right, product) &&
                          magnitude <= ldexp(1, products->unit + (int)format->precision) - products->magnitude;
    }
    products->magnitude += magnitude;
    if (products->sum != NULL && isfinite(product))
        add_exactly(products->sum, left, right, product);
}

void sb_ref_products_add(sb_ref_products *products, double left, double right)
{
    double product = left * right; /* of floats: exact */

    products->count++;
    if (isfinite(left) && isfinite(right)) {
        if (left != 0 && right != 0)
            add_finite(products, left, right, product);
        return;
    }
    if (isnan(product))
        products->nan = true;
    else if (product > 0)
        products->plus = true;
    else
        products->minus = true;
}

/* The limit of half the largest number leaves a margin for rounding errors: with n u <= 1/4 the sum of magnitudes, here and
 * where a variant adds in another order, is off by at most a third. */
const char *sb_ref_products_unfit(const sb_ref_products *products)
{
    const number_format *format = format_of(products->type);

    if (products->tiny)
        return "a product underflows";
    if (!(products->magnitude <= format->largest / 2))
        return "the sum may overflow";
    if (!products->exact && products->terms > (uint64_t)1 << (format->precision - 2))
        return "there are too many products, and it is not an exact case";
    return NULL;
}

bool sb_ref_products_right(const sb_ref_products *products, double got)
{
    if (products->nan || (products->plus && products->minus))
        return isnan(got);
    if (products->plus || products->minus)
        return got == (products->plus ? (double)INFINITY : -(double)INFINITY);
    if (products->terms == 0)
        return products->count > 0 && got == 0;
    return !products->exact && sb_ref_sum_within(products->sum, got, format_of(products->type)->precision);
}
