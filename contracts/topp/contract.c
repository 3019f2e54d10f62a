/* SPDX-License-Identifier: BSD-2-Clause
 *
 * topp.sample: nucleus sampling (A. Holtzman and others 2020) with given uniform numbers. A row has weights, which need not add up to 1. In
 * descending order, of equal ones the first first, the nucleus is the shortest prefix whose sum is at least p times the sum of the row. The token of the
 * row is the first of the nucleus at which the running sum is more than u times the sum of the nucleus, or else its last. Weights are finite
 * and at least 0; p and u are below 1 and at least 0; other cases are malformed. A row without a positive weight gives token 0.
 *
 * In f32 running sums are rounded, so that a token near the edge of the nucleus, or beside the right one, may be chosen: `within` accepts each
 * for which there are sums in the bounds of rounding.
 */
#include <math.h>
#include <samebits/contract.h>
#include <stdlib.h>

enum { ROWS, CLASSES };
enum { WEIGHT, P, U };

static bool element_fits(int input, float value)
{
    return value >= 0 && (input == WEIGHT ? value <= 1e6f : value < 1);
}

/* Absolute values, without what is too large or no number; of p and u the fraction. */
static bool normalise(sb_case *c)
{
    for (int i = 0; i < 3; i++)
        for (uint64_t k = 0; k < c->inputs[i].length; k++) {
            float *value = (float *)c->inputs[i].data + k;

            *value = isfinite(*value) ? fabsf(*value) : 0;
            if (!element_fits(i, *value))
                *value = *value - floorf(*value);
        }
    return true;
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    static const char *const names[] = {"weight", "p", "u"};

    (void)capacity;
    for (int i = 0; i < 3; i++)
        for (uint64_t k = 0; k < c->inputs[i].length; k++)
            if (!element_fits(i, ((const float *)c->inputs[i].data)[k])) {
                snprintf(why, size, "%s[%llu] is %g, and not at least 0 and %s", names[i], (unsigned long long)k,
                         (double)((const float *)c->inputs[i].data)[k], i == WEIGHT ? "at most 1e6" : "below 1");
                return false;
            }
    return true;
}

typedef struct ranked {
    float weight;
    uint32_t class;
} ranked;

static int descending(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                  : (x->class > y->class) - (x->class < y->class);
}

/* The classes of a row in descending order. */
static void rank(const sb_case *c, uint64_t row, ranked *order)
{
    uint64_t classes = c->parameters[CLASSES];

    for (uint64_t k = 0; k < classes; k++)
        order[k] = (ranked){((const float *)c->inputs[WEIGHT].data)[row * classes + k], (uint32_t)k};
    qsort(order, classes, sizeof *order, descending);
}

static double total(const ranked *order, uint64_t classes)
{
    double sum = 0;

    for (uint64_t k = 0; k < classes; k++)
        sum += (double)order[k].weight;
    return sum;
}

static double number(const sb_case *c, int input, uint64_t row)
{
    return (double)((const float *)c->inputs[input].data)[row];
}

static uint32_t sample(const sb_case *c, uint64_t row, const ranked *order)
{
    uint64_t classes = c->parameters[CLASSES], size = 0;
    double needed = number(c, P, row) * total(order, classes), nucleus = 0, running = 0;

    do
        nucleus += (double)order[size++].weight;
    while (size < classes && nucleus < needed);
    for (uint64_t k = 0; k < size; k++) {
        running += (double)order[k].weight;
        if (running > number(c, U, row) * nucleus)
            return order[k].class;
    }
    return order[size - 1].class;
}

/* `order` NULL: out of memory, and nothing is right. */
static void reference(const sb_case *c, sb_result *result)
{
    ranked *order = malloc(c->parameters[CLASSES] * sizeof *order);

    result->status = order != NULL ? SB_OK : SB_FAILED;
    for (uint64_t row = 0; order != NULL && row < c->parameters[ROWS]; row++) {
        rank(c, row, order);
        ((uint32_t *)result->outputs[0].data)[row] =
            total(order, c->parameters[CLASSES]) > 0 ? sample(c, row, order) : 0;
    }
    free(order);
}

/* Can rounding have chosen this class? Sums err by up to `error`. */
static bool plausible(const sb_case *c, uint64_t row, const ranked *order, uint32_t class)
{
    uint64_t classes = c->parameters[CLASSES];
    double sum = total(order, classes), error = (double)(classes + 4) * 0x1p-23 * sum, running = 0, nucleus = 0;
    double needed = number(c, P, row) * sum, u = number(c, U, row), before = 0, after = INFINITY;
    bool seen = false;

    for (uint64_t k = 0; k < classes && (k == 0 || nucleus < needed + error); k++) {
        nucleus += (double)order[k].weight;
        running += (double)order[k].weight;
        if (order[k].class == class) {
            seen = true;
            before = running - (double)order[k].weight;
            after = running;
        }
        /* k may be the last of the nucleus. The class is the last, or the running sum passes u times the nucleus there. */
        if (seen && (nucleus >= needed - error || k + 1 == classes) && before <= u * nucleus + error &&
            (after >= u * nucleus - error || order[k].class == class))
            return true;
    }
    return false;
}

static bool within(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size)
{
    ranked *order = malloc((c->parameters[CLASSES] + 1) * sizeof *order);
    bool good = order != NULL;

    for (uint64_t row = 0; good && row < c->parameters[ROWS]; row++) {
        uint32_t wanted = ((const uint32_t *)expected->outputs[0].data)[row];
        uint32_t token = ((const uint32_t *)got->outputs[0].data)[row];

        rank(c, row, order);
        good = wanted == token || (token < c->parameters[CLASSES] && plausible(c, row, order, token));
        if (!good)
            snprintf(why, size, "token[%llu]: expected %u, or one beside it within rounding, got %u",
                     (unsigned long long)row, wanted, token);
    }
    free(order);
    return good;
}

SB_CONTRACTS({
    .name = "topp.sample",
    .summary = "a token of the nucleus of each row, drawn by a given uniform number",
    SB_PARAMETERS([ROWS] = {.name = "rows", .dimension = true, .typical = 64}, [CLASSES] = {.name = "classes",
                                                                                            .dimension = true,
                                                                                            .typical = 32768,
                                                                                            SB_VALUES(255, 256, 257),
                                                                                            .min = 1}),
    SB_INPUTS([WEIGHT] = {.name = "weight", .type = SB_F32, .shape = "rows classes"},
              [P] = {.name = "p", .type = SB_F32, .shape = "rows"},
              [U] = {.name = "u", .type = SB_F32, .shape = "rows"}),
    SB_OUTPUTS({.name = "token", .type = SB_U32, .shape = "rows"}),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .within = within,
})
