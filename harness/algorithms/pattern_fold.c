/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of pattern.reduce, pattern.scan and pattern.segreduce share: contract in pattern_fold.h.
 */
#include "pattern_fold.h"
#include "../../common/case.h"
#include "../../ref/operator.h"
#include "../../ref/sum.h"
#include <float.h>
#include <math.h>
#include <samebits/algorithms.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)SB_REF_U32 == (int)SB_U32 && (int)SB_REF_I32 == (int)SB_I32 && (int)SB_REF_U64 == (int)SB_U64 &&
                   (int)SB_REF_F32 == (int)SB_F32 && (int)SB_REF_F64 == (int)SB_F64 &&
                   (int)SB_REF_AFFINE == (int)SB_AFFINE,
               "types have the same values");
_Static_assert((int)SB_REF_ADD == (int)SB_OP_ADD && (int)SB_REF_MIN == (int)SB_OP_MIN &&
                   (int)SB_REF_MAX == (int)SB_OP_MAX && (int)SB_REF_XOR == (int)SB_OP_XOR &&
                   (int)SB_REF_COMPOSE == (int)SB_OP_COMPOSE,
               "operators have the same values");
_Static_assert(sizeof(sb_ref_affine) == sizeof(sb_affine), "affine items have the same layout");
_Static_assert((int)SB_REDUCE_TYPE == (int)SB_SCAN_TYPE && (int)SB_REDUCE_OP == (int)SB_SCAN_OP &&
                   (int)SB_REDUCE_ITEMS == (int)SB_SCAN_ITEMS,
               "reduce and scan name type, op and items alike");
_Static_assert((int)SB_REDUCE_TYPE == (int)SB_SEGREDUCE_TYPE && (int)SB_REDUCE_OP == (int)SB_SEGREDUCE_OP &&
                   (int)SB_REDUCE_ITEMS == (int)SB_SEGREDUCE_ITEMS,
               "reduce and segreduce name type, op and items alike");

const char *const sb_fold_ops[] = {[SB_OP_ADD] = "add", [SB_OP_MIN] = "min",         [SB_OP_MAX] = "max",
                                   [SB_OP_XOR] = "xor", [SB_OP_COMPOSE] = "compose", NULL};

/* The properties of a floating-point type that matter here. */
typedef struct number_format {
    unsigned precision;
    double largest;
    double huge; /* a power of two: the sum of 2^(p-2) numbers below it does not overflow */
} number_format;

static const number_format F32 = {FLT_MANT_DIG, FLT_MAX, 0x1p96};
static const number_format F64 = {DBL_MANT_DIG, DBL_MAX, 0x1p960};

static const number_format *format_of(const sb_array *items)
{
    return items->type == SB_F32 ? &F32 : items->type == SB_F64 ? &F64 : NULL;
}

static const sb_array *items_of(const sb_case *c)
{
    return &c->inputs[SB_REDUCE_ITEMS];
}

/* Invariant: all numbers so far are multiples of 2^unit, and `sum` is the sum of their magnitudes. It is exact, because
 * it never exceeds 2^53 units. */
static bool all_exact(const sb_array *items, const number_format *format)
{
    int unit = DBL_MAX_EXP, lowest;
    double sum = 0, max_sum = format->largest;

    for (uint64_t i = 0; i < items->length; i++) {
        double number = sb_number_at(items, i);

        if (!isfinite(number) || (number == 0 && signbit(number)))
            return false;
        if (number == 0)
            continue;
        lowest = sb_ref_lowest_bit(number);
        if (lowest < unit) {
            unit = lowest;
            max_sum = fmin(ldexp(1, unit + (int)format->precision), format->largest);
        }
        if (fabs(number) > max_sum - sum)
            return false;
        sum += fabs(number);
    }
    return true;
}

bool sb_fold_is_exact(const sb_case *c)
{
    const number_format *format = format_of(items_of(c));

    return format != NULL && all_exact(items_of(c), format);
}

static bool are_too_many(const sb_array *items, const number_format *format)
{
    return items->length > (uint64_t)1 << (format->precision - 2);
}

/* The limit of half the largest number leaves a margin for the rounding errors of the sum of magnitudes, here and where
 * a variant adds in another order: with n u <= 1/4 both are off by at most a third. */
static bool all_real(const sb_array *items, const number_format *format, char *why, size_t size)
{
    double sum = 0;

    for (uint64_t i = 0; i < items->length; i++) {
        double number = sb_number_at(items, i);

        if (!isfinite(number)) {
            snprintf(why, size, "items[%llu] is not finite", (unsigned long long)i);
            return false;
        }
        sum += fabs(number);
    }
    if (sum > format->largest / 2) {
        snprintf(why, size, "the sum of the items may overflow");
        return false;
    }
    if (are_too_many(items, format)) {
        snprintf(why, size, "more than 2^%u items, and not an exact case", format->precision - 2);
        return false;
    }
    return true;
}

bool sb_fold_has_operator(const sb_case *c, char *why, size_t size)
{
    uint64_t type = c->parameters[SB_REDUCE_TYPE], op = c->parameters[SB_REDUCE_OP];

    if (sb_ref_operator_find((sb_ref_type)type, (sb_ref_op)op) != NULL)
        return true;
    snprintf(why, size, "type %s has no operator %s", sb_type_name((uint32_t)type),
             op <= SB_OP_COMPOSE ? sb_fold_ops[op] : "of that number");
    return false;
}

bool sb_fold_items_fit(const sb_array *items, char *why, size_t size)
{
    const number_format *format = format_of(items);

    return format == NULL || all_exact(items, format) || all_real(items, format, why, size);
}

bool sb_fold_shape(const sb_case *c, char *why, size_t size)
{
    return sb_fold_has_operator(c, why, size) && sb_fold_items_fit(items_of(c), why, size);
}

/* Clears the top bit of the exponent of huge numbers, infinities and NaNs, which makes them moderate. */
static void make_moderate(sb_array *items, const number_format *format)
{
    for (uint64_t i = 0; i < items->length; i++) {
        double number = sb_number_at(items, i);

        if (isfinite(number) && fabs(number) < format->huge)
            continue;
        if (items->type == SB_F32)
            ((uint32_t *)items->data)[i] &= ~((uint32_t)1 << 30);
        else
            ((uint64_t *)items->data)[i] &= ~((uint64_t)1 << 62);
    }
}

/* Replaces every number by -1 or 1, and by 0 once there are as many of these as an exact case may have. */
static void make_exact(sb_array *items, const number_format *format)
{
    uint64_t units = (uint64_t)1 << format->precision;

    for (uint64_t i = 0; i < items->length; i++)
        sb_number_set(items, i, i >= units ? 0 : signbit(sb_number_at(items, i)) ? -1 : 1);
}

void sb_fold_make_operator(sb_case *c)
{
    uint64_t type = c->parameters[SB_REDUCE_TYPE], *op = &c->parameters[SB_REDUCE_OP];

    if (sb_ref_operator_find((sb_ref_type)type, (sb_ref_op)*op) == NULL)
        *op = type == SB_AFFINE ? SB_OP_COMPOSE : SB_OP_ADD;
}

void sb_fold_make_items(sb_array *items)
{
    const number_format *format = format_of(items);
    char why[128];

    if (sb_fold_items_fit(items, why, sizeof why))
        return;
    if (are_too_many(items, format))
        make_exact(items, format);
    else
        make_moderate(items, format);
}

bool sb_fold_normalise(sb_case *c)
{
    sb_fold_make_operator(c);
    sb_fold_make_items(&c->inputs[SB_REDUCE_ITEMS]);
    return true;
}

/* Is sums[i] right? The sum of no items is the identity itself, +0. */
static bool is_within(const sb_ref_sum *exact, const sb_array *sums, uint64_t i, const char *name, char *why,
                      size_t size)
{
    double got = sb_number_at(sums, i);

    if (sb_ref_sum_within(exact, got, format_of(sums)->precision) && !(exact->terms == 0 && signbit(got)))
        return true;
    snprintf(why, size, "%s[%llu] is %a, outside the error bound of the exact sum of %llu items", name,
             (unsigned long long)i, got, (unsigned long long)exact->terms);
    return false;
}

bool sb_fold_within(const sb_case *c, const sb_array *sums, uint64_t skip, const char *name, char *why, size_t size)
{
    const sb_array *items = items_of(c);
    const number_format *format = format_of(items);
    sb_ref_sum exact;

    if (format == NULL || all_exact(items, format))
        return false;
    sb_ref_sum_clear(&exact);
    for (uint64_t i = 0; i < skip; i++)
        sb_ref_sum_add(&exact, sb_number_at(items, i));
    for (uint64_t i = 0; i < sums->length; i++) {
        if (i > 0)
            sb_ref_sum_add(&exact, sb_number_at(items, skip + i - 1));
        if (!is_within(&exact, sums, i, name, why, size))
            return false;
    }
    return true;
}

bool sb_fold_sum_within(const sb_array *items, const sb_array *sums, uint64_t at, const char *name, char *why,
                        size_t size)
{
    const number_format *format = format_of(items);
    sb_ref_sum exact;

    if (format == NULL || all_exact(items, format)) {
        snprintf(why, size, "%s[%llu] is not the only right result", name, (unsigned long long)at);
        return false;
    }
    sb_ref_sum_clear(&exact);
    for (uint64_t i = 0; i < items->length; i++)
        sb_ref_sum_add(&exact, sb_number_at(items, i));
    return is_within(&exact, sums, at, name, why, size);
}

double sb_fold_cost(const sb_case *c)
{
    return 10.0 * (double)items_of(c)->length;
}
