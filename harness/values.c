/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Distributions of floats: contract in values.h, each to the bit in docs/FORMAT.md. Random bits taken for floats are of little use:
 * their exponents differ so much that one element decides each sum.
 */
#include "values.h"
#include "../common/case.h"
#include "../common/number.h"
#include <math.h>
#include <string.h>

/* Where an element stands. */
typedef struct place {
    const sb_array *array;
    uint64_t i, row; /* the index, and the elements of a row */
    bool chosen;
} place;

static double draw_sign(sb_random *random)
{
    return sb_random_below(random, 2) ? -1 : 1;
}

/* Small whole numbers: no sum of less than 2^18 products of two of them is rounded in f32. */
static double draw_exact(const place *p, sb_random *random)
{
    (void)p;
    return (double)sb_random_below(random, 17) - 8;
}

/* 1 and -1: a sum of 65,536 products stays so near to 0 that types of few bits show a term that is missing. */
static double draw_one(const place *p, sb_random *random)
{
    (void)p;
    return draw_sign(random);
}

/* Of one array the numbers need all bits of their type, so that one is seen who rounds them to a narrower type, which a bound of thousands of
 * terms would admit. About so many are not 0, and the other arrays have 1 and -1: no sum is rounded in f32, nor in f64. */
enum { WIDE_NUMBERS = 16 };

static double draw_wide(const place *p, sb_random *random)
{
    const int fraction = sb_float_fraction(p->array->type), bits = fraction < 23 ? fraction + 1 : fraction - 4;
    double sign = draw_sign(random);

    if (!p->chosen)
        return sign;
    if (sb_random_below(random, p->array->length / WIDE_NUMBERS + 1) > 0)
        return 0;
    return sign * (double)(1 + sb_random_below(random, ((uint64_t)1 << bits) - 1));
}

/* The sum of twelve numbers that are uniform in [0, 1), less 6: its variance is 1. */
static double draw_normal(const place *p, sb_random *random)
{
    int64_t sum = -((int64_t)6 << 32);

    (void)p;
    for (int i = 0; i < 6; i++) {
        uint64_t bits = sb_random_next(random);

        sum += (int64_t)(bits >> 32) + (int64_t)(bits & UINT32_MAX);
    }
    return ldexp((double)sum, -32);
}

static double draw_uniform(const place *p, sb_random *random)
{
    (void)p;
    return ldexp((double)(sb_random_next(random) >> 11), -52) - 1;
}

static double draw_equal(const place *p, sb_random *random)
{
    return p->i == 0 ? draw_normal(p, random) : sb_number_at(p->array, 0);
}

/* Three numbers, so that many elements of a row are equal to its largest. */
enum { FEW = 3 };

static double draw_few(const place *p, sb_random *random)
{
    return p->i < FEW ? draw_normal(p, random) : sb_number_at(p->array, sb_random_below(random, FEW));
}

/* The last element of a row is the largest, so that one who leaves it out is seen. */
static double draw_ramp(const place *p, sb_random *random)
{
    (void)random;
    return 4 * (double)(p->i % p->row) / (double)p->row;
}

static double draw_power(const place *p, sb_random *random)
{
    double sign = draw_sign(random);

    (void)p;
    return sign * ldexp(1, (int)sb_random_below(random, 9) - 4);
}

/* Exponents far apart; the sum of products of two such numbers stays in the range of the type. */
static double draw_log_uniform(const place *p, sb_random *random)
{
    double max = sb_float_max(p->array->type), sign = draw_sign(random);
    int reach = max > 1e30 ? 30 : max > 1e4 ? 6 : 3;
    int exponent = (int)sb_random_below(random, 2 * (uint64_t)reach + 1) - reach;

    return sign * ldexp(1 + fabs(draw_uniform(p, random)), exponent);
}

static double draw_cancelling(const place *p, sb_random *random)
{
    return p->i % 2 ? -sb_number_at(p->array, p->i - 1) : draw_normal(p, random);
}

static double draw_zero(const place *p, sb_random *random)
{
    (void)p;
    return draw_sign(random) * 0.0;
}

static double draw_denormal(const place *p, sb_random *random)
{
    double sign = draw_sign(random);
    uint64_t numbers = ((uint64_t)1 << sb_float_fraction(p->array->type)) - 1;

    return sign * sb_float_min(p->array->type) * (double)(1 + sb_random_below(random, numbers));
}

/* The mean is so many deviations that its square and those of the deviations, in one sum, leave nothing of the variance. */
static double draw_offset(const place *p, sb_random *random)
{
    return ldexp(1, (int)sb_float_fraction(p->array->type) / 2 + 1) + draw_normal(p, random);
}

#define VALUES(ROW)                                                                                                    \
    ROW("signs", draw_one, 0, false)                                                                                   \
    ROW("wide", draw_wide, 0, false)                                                                                   \
    ROW("exact", draw_exact, 0, false)                                                                                 \
    ROW("normal", draw_normal, 0, false)                                                                               \
    ROW("uniform", draw_uniform, 0, false)                                                                             \
    ROW("equal", draw_equal, 0, false)                                                                                 \
    ROW("ramp", draw_ramp, 0, false)                                                                                   \
    ROW("outlier", draw_normal, 64, true)                                                                              \
    ROW("powers", draw_power, 0, false)                                                                                \
    ROW("log-uniform", draw_log_uniform, 0, false)                                                                     \
    ROW("cancelling", draw_cancelling, 0, false)                                                                       \
    ROW("zeros", draw_zero, 0, false)                                                                                  \
    ROW("denormals", draw_denormal, 0, false)                                                                          \
    ROW("offset", draw_offset, 0, false)                                                                               \
    ROW("infinities", draw_normal, (double)INFINITY, false)                                                            \
    ROW("nans", draw_normal, (double)NAN, false)                                                                       \
    ROW("few", draw_few, 0, false)
#define NAME(name, draw, special, each_row)  name,
#define VALUE(name, draw, special, each_row) {draw, special, each_row},

const char *const sb_sum_value_names[] = {VALUES(NAME) NULL};
const char *const *const sb_value_names = sb_sum_value_names + 2; /* without `signs` and `wide` */

/* `special`, unless it is 0, with a random sign replaces one element of each row, or of the array and one more for each 64. */
static const struct {
    double (*draw)(const place *p, sb_random *random);
    double special;
    bool each_row;
} values[] = {VALUES(VALUE)};

static size_t find(const char *name)
{
    size_t i = 0;

    while (sb_sum_value_names[i] != NULL && strcmp(sb_sum_value_names[i], name) != 0)
        i++;
    return i;
}

bool sb_is_values(const char *name)
{
    return sb_sum_value_names[find(name)] != NULL;
}

/* Indices below `bound`: all equal, so that all meet in one place; in order; and the first and the last. */
static uint64_t draw_index(size_t of, uint64_t i, uint64_t first, uint64_t bound, uint64_t bits)
{
    if (values[of].draw == draw_equal)
        return i == 0 ? bits % bound : first;
    if (values[of].draw == draw_ramp)
        return i % bound;
    if (values[of].each_row)
        return bits % 2 ? bound - 1 : 0;
    return bits % bound;
}

static void make_integers(size_t of, sb_array *array, uint64_t bound, sb_random *random)
{
    bool small = values[of].draw == draw_exact || values[of].draw == draw_one || values[of].draw == draw_power ||
                 values[of].draw == draw_zero;
    size_t size = sb_type_size(array->type);
    uint64_t first = 0;

    for (uint64_t i = 0; i < array->length; i++) {
        uint64_t bits = sb_random_next(random);

        if (bound > 0)
            bits = draw_index(of, i, first, bound, bits);
        first = i == 0 ? bits : first;
        if (values[of].draw == draw_few && i >= FEW)
            memcpy((uint8_t *)array->data + i * size, (uint8_t *)array->data + bits % FEW * size, size);
        else if (small && bound == 0)
            sb_number_set(array, i, (double)(bits % 17) - (sb_type_kind(array->type) == SB_KIND_SIGNED ? 8 : 0));
        else
            memcpy((uint8_t *)array->data + i * size, &bits, size);
    }
}

static void place_special(size_t of, sb_array *array, uint64_t row, sb_random *random)
{
    uint64_t places = values[of].each_row ? array->length / row : array->length / 64 + 1;

    for (uint64_t k = 0; k < places; k++) {
        double sign = draw_sign(random);
        uint64_t at =
            values[of].each_row ? k * row + sb_random_below(random, row) : sb_random_below(random, array->length);

        sb_number_set(array, at, copysign(values[of].special, sign));
    }
}

void sb_make_values(const char *name, sb_array *array, uint64_t row, uint64_t bound, bool chosen, sb_random *random)
{
    size_t of = find(name);

    if (sb_type_kind(array->type) != SB_KIND_FLOAT) {
        make_integers(of, array, bound, random);
        return;
    }
    for (uint64_t i = 0; i < array->length; i++) {
        place p = {array, i, row, chosen};

        sb_number_set(array, i, values[of].draw(&p, random));
    }
    if (values[of].special != 0 && array->length > 0)
        place_special(of, array, row, random);
}
