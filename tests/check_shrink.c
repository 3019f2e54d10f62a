/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shrinking a failing case.
 */
#include "harness_fixture.h"
#include "suite.h"
#include "../harness/generate.h"
#include "../harness/shrink.h"
#include <stdlib.h>
#include <string.h>

/* An x after a y, anywhere. */
static bool has_y_then_x(const sb_case *c, void *context)
{
    const uint8_t *b = c->inputs[0].data;
    const uint8_t *y = c->inputs[0].length > 0 ? memchr(b, 'y', c->inputs[0].length) : NULL;

    ++*(unsigned *)context;
    return y != NULL && memchr(y, 'x', (size_t)(b + c->inputs[0].length - y)) != NULL;
}

START_TEST(shrinking_stops_before_the_smallest)
{
    const uint64_t chunk[SB_MAX_PARAMETERS] = {4096};
    unsigned calls = 0;
    sb_case c;

    ck_assert(sb_generate(&c, sb_algorithm_at(0), "random", 3000, 1, chunk));
    ck_assert(has_y_then_x(&c, &calls));
    calls = 0;
    ck_assert_uint_eq(sb_shrink(&c, has_y_then_x, &calls, 1000), calls);
    ck_assert_uint_le(calls, 150);
    ck_assert_uint_eq(c.inputs[0].length, 2);
    ck_assert_mem_eq(c.inputs[0].data, "yx", 2);
    ck_assert_uint_eq(c.parameters[0], 0);
    ck_assert_int_eq(strncmp(c.why, "shrunk from gen=random n=3000", 29), 0);
    sb_case_free(&c);
}
END_TEST

START_TEST(shrinking_spends_more_than_it_may)
{
    for (unsigned attempts = 0; attempts < 40; attempts++) {
        const uint64_t chunk[SB_MAX_PARAMETERS] = {4096};
        unsigned calls = 0;
        sb_case c;

        ck_assert(sb_generate(&c, sb_algorithm_at(0), "random", 3000, 1, chunk));
        ck_assert_uint_le(sb_shrink(&c, has_y_then_x, &calls, attempts), attempts);
        ck_assert_uint_le(calls, attempts);
        ck_assert(has_y_then_x(&c, &calls));
        sb_case_free(&c);
    }
}
END_TEST

/* A certain key with a value above 1000. Cutting only keys would give it another value. */
static bool has_pair(const sb_case *c, void *context)
{
    const uint32_t *keys = c->inputs[KEYS].data, *values = c->inputs[VALUES].data;

    (void)context;
    for (uint64_t i = 0; c->parameters[TYPE] == SB_U32 && i < c->inputs[KEYS].length; i++)
        if (keys[i] == 77 && values[i] > 1000 && c->parameters[COUNT] > 2)
            return true;
    return false;
}

START_TEST(shrinking_separates_arrays_of_equal_length)
{
    const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_U32, 2, 1000};
    sb_case c;

    ck_assert(sb_generate(&c, &mix, "random", 500, 1, parameters));
    ck_assert(sb_array_set(&c.inputs[VALUES], NULL, 500));
    ((uint32_t *)c.inputs[KEYS].data)[321] = 77;
    ((uint32_t *)c.inputs[VALUES].data)[321] = 123456789;
    sb_shrink(&c, has_pair, NULL, 2000);
    ck_assert_uint_eq(c.inputs[KEYS].length, 1);
    ck_assert_uint_eq(((uint32_t *)c.inputs[VALUES].data)[0], 1001);
    ck_assert_uint_eq(c.parameters[COUNT], 3);
    ck_assert_uint_eq(c.parameters[MODE], 0);
    for (int i = FLAGS; i <= WIDE; i++)
        ck_assert_uint_eq(c.inputs[i].length, 0);
    sb_case_free(&c);
}
END_TEST

/* More elements than one chunk. */
static bool has_second_chunk(const sb_case *c, void *context)
{
    (void)context;
    return c->parameters[0] > 0 && c->inputs[0].length > c->parameters[0];
}

/* The chunk can become smaller only after the array has. */
static bool has_long_chunk(const sb_case *c, void *context)
{
    (void)context;
    return c->inputs[0].length >= 3 && c->parameters[0] >= c->inputs[0].length;
}

START_TEST(shrinking_leaves_parameter_and_length_large)
{
    const uint64_t chunk[SB_MAX_PARAMETERS] = {256};
    sb_case c;

    ck_assert(sb_generate(&c, sb_algorithm_at(0), "text", 1000, 1, chunk));
    sb_shrink(&c, has_second_chunk, NULL, 400);
    ck_assert_uint_eq(c.parameters[0], 1);
    ck_assert_uint_eq(c.inputs[0].length, 2);
    ck_assert_mem_eq(c.inputs[0].data, "\0\0", 2);
    sb_case_free(&c);
    ck_assert(sb_generate(&c, sb_algorithm_at(0), "text", 256, 1, chunk));
    sb_shrink(&c, has_long_chunk, NULL, 400);
    ck_assert_uint_eq(c.inputs[0].length, 3);
    ck_assert_uint_eq(c.parameters[0], 3);
    sb_case_free(&c);
}
END_TEST

/* An element of each type that is neither of the two simplest. */
static bool has_odd_elements(const sb_case *c, void *context)
{
    const sb_array *in = c->inputs;

    (void)context;
    return c->parameters[TYPE] == SB_AFFINE && in[KEYS].length > 0 && ((sb_affine *)in[KEYS].data)->a >= 5 &&
           in[SMALL].length > 0 && *(int32_t *)in[SMALL].data <= -5 && in[BIG].length > 0 &&
           *(uint64_t *)in[BIG].data >= (uint64_t)5 << 32 && in[WIDE].length > 0 && *(double *)in[WIDE].data >= 2.5;
}

START_TEST(shrinking_leaves_odd_elements)
{
    const sb_affine map = {123457, 99999};
    const int32_t small = -100000;
    const uint64_t big = (uint64_t)1 << 60;
    const double wide = 1e10 / 3;
    sb_case c;

    sb_case_init(&c, &mix);
    c.parameters[TYPE] = SB_AFFINE;
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_array_set(&c.inputs[KEYS], &map, 1) && sb_array_set(&c.inputs[VALUES], NULL, 1));
    ck_assert(sb_array_set(&c.inputs[SMALL], &small, 1) && sb_array_set(&c.inputs[BIG], &big, 1));
    ck_assert(sb_array_set(&c.inputs[WIDE], &wide, 1));
    sb_shrink(&c, has_odd_elements, NULL, 2000);
    ck_assert_uint_eq(((sb_affine *)c.inputs[KEYS].data)->b, 0);
    ck_assert_uint_le(((sb_affine *)c.inputs[KEYS].data)->a, 9);
    ck_assert_int_eq(*(int32_t *)c.inputs[SMALL].data, -5);
    ck_assert_uint_lt(*(uint64_t *)c.inputs[BIG].data, (uint64_t)10 << 32);
    ck_assert_double_eq(*(double *)c.inputs[WIDE].data, 3);
    sb_case_free(&c);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, shrinking_stops_before_the_smallest);
    tcase_add_test(tests, shrinking_spends_more_than_it_may);
    tcase_add_test(tests, shrinking_separates_arrays_of_equal_length);
    tcase_add_test(tests, shrinking_leaves_parameter_and_length_large);
    tcase_add_test(tests, shrinking_leaves_odd_elements);
}

int main(void)
{
    return run_tests("harness/shrink", add_tests, NULL, 60);
}
