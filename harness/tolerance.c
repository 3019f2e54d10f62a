/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tolerances: contract in tolerance.h.
 */
#include "tolerance.h"
#include "../common/case.h"
#include "../common/number.h"
#include "../common/shape.h"
#include "case_text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is the same for all elements of an output. */
typedef struct judged {
    const sb_algorithm *algorithm;
    const sb_field *field;
    const sb_tolerance *tolerance;
    const uint64_t *parameters;
    const double *exact, *magnitude;
    uint32_t type;
    double gamma;     /* of SB_GAMMA: gamma(terms) */
    double underflow; /* of SB_GAMMA: what products below the range of the arithmetic lose, all together */
    double
        whole_limit; /* of SB_GAMMA: up to this magnitude no order of whole numbers rounds; 0: inputs are not whole */
} judged;

static bool inputs_whole(const sb_case *c)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        for (uint64_t k = 0; k < c->inputs[i].length; k++) {
            double number = sb_number_at(&c->inputs[i], k);

            if (!isfinite(number) || trunc(number) != number)
                return false;
        }
    return true;
}

/* Half the distance from 1 to the next number. */
static double unit_roundoff(uint32_t type)
{
    return ldexp(1, -sb_float_fraction(type) - 1);
}

static void prepare_gamma(judged *j, const sb_case *c)
{
    uint32_t arithmetic = j->tolerance->arithmetic;
    uint64_t terms = 0;
    double nu;

    sb_shape_length(c->algorithm, j->tolerance->terms, c->parameters, &terms);
    nu = (double)terms * unit_roundoff(arithmetic);
    j->gamma = nu < 1 ? nu / (1 - nu) : (double)INFINITY;
    j->underflow = (double)terms * sb_float_min(arithmetic);
    j->whole_limit = inputs_whole(c) ? ldexp(1, sb_float_fraction(arithmetic) + 1) : 0;
}

/* NaN: the reference gives none, and nothing is within a bound. */
static double magnitude_of(const judged *j, uint64_t k)
{
    return j->magnitude != NULL ? j->magnitude[k] : (double)NAN;
}

static double bound_of(const judged *j, uint64_t k)
{
    const sb_tolerance *t = j->tolerance;
    double exact = fabs(j->exact[k]), bound;

    switch (t->judging) {
    case SB_ULP:
        if (sb_type_kind(j->type) != SB_KIND_FLOAT)
            return t->ulps;
        bound = exact > 0 ? ldexp(1, ilogb(exact) - sb_float_fraction(j->type)) : 0;
        return t->ulps * fmax(bound, sb_float_min(j->type));
    case SB_RELATIVE:
        return t->absolute + t->relative * exact;
    case SB_SCALED:
        return t->absolute + t->relative * fabs(magnitude_of(j, k));
    case SB_GAMMA:
        if (magnitude_of(j, k) <= j->whole_limit)
            return 0;
        bound = j->gamma * magnitude_of(j, k) + j->underflow;
        if (sb_type_kind(j->type) == SB_KIND_FLOAT)
            bound += unit_roundoff(j->type) * (exact + bound) + sb_float_min(j->type);
        return bound;
    default:
        return 0;
    }
}

/* The error of element k as a part of its bound: at most 1 is right. `right` has the rounded exact number. */
static double part_of_bound(const judged *j, uint64_t k, const sb_array *right, const sb_array *given)
{
    size_t size = sb_type_size(j->type);
    double exact, bound, most = 0, expected, got;

    if (memcmp((const char *)right->data + k * size, (const char *)given->data + k * size, size) == 0)
        return 0;
    expected = sb_number_at(right, k);
    got = sb_number_at(given, k);
    if (isnan(got) && isnan(expected))
        return 0;
    if (j->tolerance->judging == SB_SAME)
        return (double)INFINITY;
    if (got == expected)
        return 0;
    exact = j->exact[k];
    bound = bound_of(j, k);
    if (sb_type_kind(j->type) == SB_KIND_FLOAT)
        most = sb_float_max(j->type);
    /* A partial sum may leave the range of the arithmetic, in some order, although the sum does not. */
    if (j->tolerance->judging == SB_GAMMA && magnitude_of(j, k) > sb_float_max(j->tolerance->arithmetic) &&
        isfinite(exact))
        return 0;
    if (!isfinite(exact) || isnan(bound))
        return (double)INFINITY;
    if (!isfinite(got)) /* past the end of the range, where SB_F8_E4M3 has its NaN */
        return most > 0 && fabs(exact) + bound >= most &&
                       (isnan(got) ? j->type == SB_F8_E4M3 : signbit(got) == signbit(exact))
                   ? 0
                   : (double)INFINITY;
    return bound > 0 ? fabs(got - exact) / bound : (double)INFINITY;
}

/* y[1][3] */
static size_t print_element(char *text, size_t size, const judged *j, uint64_t k)
{
    uint64_t extents[SB_MAX_RANK], indices[SB_MAX_RANK];
    int rank = j->field->shape != NULL ? sb_shape_extents(j->algorithm, j->field->shape, j->parameters, extents) : 0;
    size_t used = (size_t)snprintf(text, size, "%s", j->field->name);

    for (int i = rank - 1; i >= 0; i--) {
        indices[i] = k % extents[i];
        k /= extents[i];
    }
    if (rank <= 0)
        indices[0] = k, rank = 1;
    for (int i = 0; i < rank && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "[%llu]", (unsigned long long)indices[i]);
    return used;
}

static void describe(const judged *j, uint64_t k, const sb_array *expected, const sb_array *got, char *text,
                     size_t size)
{
    const sb_tolerance *t = j->tolerance;
    char left[64], right[64];
    size_t used = print_element(text, size, j, k);

    sb_element_text(left, sizeof left, expected, k);
    sb_element_text(right, sizeof right, got, k);
    used += (size_t)snprintf(text + used, size - used, ": expected %s, got %s", left, right);
    if (t->judging == SB_SAME || used >= size)
        return;
    used += (size_t)snprintf(text + used, size - used, ": the error is %.3g, and the bound %.3g",
                             fabs(sb_number_at(got, k) - j->exact[k]), bound_of(j, k));
    if (used >= size)
        return;
    if (t->judging == SB_ULP)
        snprintf(text + used, size - used, " = %g ulps of %s", t->ulps, sb_type_name(j->type));
    else if (t->judging == SB_RELATIVE)
        snprintf(text + used, size - used, " = %g + %g * |%.6g|", t->absolute, t->relative, j->exact[k]);
    else if (t->judging == SB_SCALED)
        snprintf(text + used, size - used, " = %g + %g * %.6g, the magnitude", t->absolute, t->relative,
                 magnitude_of(j, k));
    else if (isnan(magnitude_of(j, k)))
        snprintf(text + used, size - used, ": the reference sets no magnitude");
    else if (magnitude_of(j, k) <= j->whole_limit)
        snprintf(text + used, size - used, ": whole numbers up to %.6g are added without rounding", magnitude_of(j, k));
    else
        snprintf(text + used, size - used, " = gamma(%s) of %s * %.6g, rounded to %s", t->terms,
                 sb_type_name(t->arithmetic), magnitude_of(j, k), sb_type_name(j->type));
}

bool sb_has_bounds(const sb_algorithm *algorithm)
{
    for (size_t i = 0; i < algorithm->output_count; i++)
        if (algorithm->outputs[i].tolerance.judging != SB_SAME)
            return true;
    return false;
}

bool sb_tolerances_hold(const sb_case *c, const sb_result *expected, const sb_result *got, sb_worst *worst, char *why,
                        size_t size)
{
    const sb_result *reference = expected->exact[0] != NULL ? expected : got;
    const sb_result *other = reference == expected ? got : expected;
    double most = 0;

    *worst = (sb_worst){.part = 0};
    for (size_t i = 0; i < c->algorithm->output_count; i++) {
        judged j = {.algorithm = c->algorithm,
                    .field = &c->algorithm->outputs[i],
                    .tolerance = &c->algorithm->outputs[i].tolerance,
                    .parameters = c->parameters,
                    .exact = reference->exact[i],
                    .magnitude = reference->magnitude[i],
                    .type = expected->outputs[i].type};

        if (j.exact == NULL && j.tolerance->judging != SB_SAME) { /* a `reference` that gives its elements alone */
            snprintf(why, size, "%s has a tolerance, and its reference gives no exact numbers", j.field->name);
            *worst = (sb_worst){.part = (double)INFINITY, .output = i};
            return false;
        }
        if (j.tolerance->judging == SB_GAMMA)
            prepare_gamma(&j, c);
        for (uint64_t k = 0; k < expected->outputs[i].length; k++) {
            double part = part_of_bound(&j, k, &reference->outputs[i], &other->outputs[i]);

            if (part > most) {
                most = part;
                *worst = (sb_worst){.part = part, .output = i, .element = k};
                print_element(worst->name, sizeof worst->name, &j, k);
                if (part > 1)
                    describe(&j, k, &reference->outputs[i], &other->outputs[i], why, size);
            }
        }
    }
    return most <= 1;
}
