/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Contracts: elements as numbers, tolerances, values of arrays with shapes, and that the built-in descriptors break no rule.
 */
#include "../common/case.h"
#include "../common/number.h"
#include "../common/random.h"
#include "../harness/algorithms/table.h"
#include "../harness/contract.h"
#include "../harness/generate.h"
#include "../harness/judge.h"
#include "../harness/plan.h"
#include "../harness/values.h"
#include "suite.h"
#include <math.h>
#include <stdio.h>

static const uint32_t floats[] = {SB_F16, SB_BF16, SB_F8_E4M3, SB_F8_E5M2, SB_F32, SB_F64};

enum { FLOATS = sizeof floats / sizeof *floats };

START_TEST(descriptor_breaks_a_rule)
{
    char why[256];

    for (size_t i = 0; sb_built_in_at(i) != NULL; i++) {
        ck_assert_msg(sb_contract_name(sb_built_in_at(i)->name), "%s", sb_built_in_at(i)->name);
        ck_assert_msg(sb_contract_check(sb_built_in_at(i), why, sizeof why), "%s: %s", sb_built_in_at(i)->name, why);
    }
}
END_TEST

START_TEST(number_of_bits_is_wrong)
{
    static const struct {
        uint32_t type;
        uint64_t bits;
        double number;
    } known[] = {
        {SB_F16, 0x3c00, 1},
        {SB_F16, 0x7bff, 65504},
        {SB_F16, 1, 0x1p-24},
        {SB_F16, 0xfc00, -(double)INFINITY},
        {SB_F16, 0x3555, 0.333251953125},
        {SB_BF16, 0x3f80, 1},
        {SB_BF16, 0xc2f7, -123.5},
        {SB_BF16, 0x7f7f, 0x1.fep127},
        {SB_F8_E4M3, 0x7e, 448},
        {SB_F8_E4M3, 0x38, 1},
        {SB_F8_E4M3, 1, 0x1p-9},
        {SB_F8_E5M2, 0x7b, 57344},
        {SB_F8_E5M2, 0x3c, 1},
        {SB_F8_E5M2, 1, 0x1p-16},
        {SB_F32, 0x40490fdb, 0x1.921fb6p1},
        {SB_I8, 0x80, -128},
        {SB_I16, 0xffff, -1},
        {SB_I64, UINT64_MAX, -1},
        {SB_U16, 0xffff, 65535},
        {SB_U64, 1, 1},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ck_assert_msg(sb_bits_to_number(known[i].type, known[i].bits) == known[i].number, "%zu: %g", i,
                      sb_bits_to_number(known[i].type, known[i].bits));
        ck_assert_uint_eq(sb_number_to_bits(known[i].type, known[i].number), known[i].bits);
    }
    ck_assert(isnan(sb_bits_to_number(SB_F8_E4M3, 0xff)) && isnan(sb_bits_to_number(SB_F16, 0x7c01)));
    ck_assert_uint_eq(sb_number_to_bits(SB_F16, 65520),
                      0x7c00); /* half past the last number: to even, which is infinity */
    ck_assert_uint_eq(sb_number_to_bits(SB_F16, 65519.99), 0x7bff);
    ck_assert_uint_eq(sb_number_to_bits(SB_F8_E4M3, 1000), 0x7f);
    ck_assert_uint_eq(sb_number_to_bits(SB_I8, 1000), 0x7f);
    ck_assert_uint_eq(sb_number_to_bits(SB_I8, -1000), 0x80);
    ck_assert_uint_eq(sb_number_to_bits(SB_U8, -1), 0);
    ck_assert_uint_eq(sb_number_to_bits(SB_I16, 2.5), 2);
    ck_assert_uint_eq(sb_number_to_bits(SB_U64, 1e30), UINT64_MAX);
    ck_assert_uint_eq(sb_number_to_bits(SB_I32, (double)NAN), 0);
}
END_TEST

/* Of the two neighbours of a number in the type, the nearer one is taken, and of two equally near ones the even one. */
START_TEST(rounding_is_not_to_nearest_even)
{
    uint32_t type = floats[_i];
    sb_random random = {(uint64_t)_i};

    for (int k = 0; k < 20000; k++) {
        uint64_t top = (uint64_t)1 << (8 * sb_type_size(type) - 1), bits = sb_random_next(&random) & (top - 1);
        double low = sb_bits_to_number(type, bits), high = sb_bits_to_number(type, bits + 1),
               middle = low + (high - low) / 2;
        uint64_t even = bits + (bits & 1);

        if (!isfinite(low) || !isfinite(high) || type == SB_F64)
            continue;
        ck_assert_uint_eq(sb_number_to_bits(type, low), bits);
        ck_assert_uint_eq(sb_number_to_bits(type, middle), even);
        ck_assert_uint_eq(sb_number_to_bits(type, nextafter(middle, low)), bits);
        ck_assert_uint_eq(sb_number_to_bits(type, nextafter(middle, high)), bits + 1);
        ck_assert_uint_eq(sb_number_to_bits(type, -middle), even | top);
    }
    for (int k = 0; k < 20000; k++) { /* those that C has, too */
        uint64_t bits = sb_random_next(&random), wide, narrow = 0;
        double number;
        float rounded;

        memcpy(&number, &bits, sizeof number);
        rounded = (float)number;
        memcpy(&narrow, &rounded, sizeof rounded);
        wide = sb_number_to_bits(SB_F64, number);
        ck_assert(isnan(number) || (wide == bits && sb_number_to_bits(SB_F32, number) == narrow));
    }
}
END_TEST

/* ---- tolerances ---- */

static double gives, magnitude;

static void give(const sb_view *view)
{
    for (uint64_t i = 0; i < view->parameters[0]; i++) {
        view->outputs[0][i] = gives;
        if (view->magnitudes[0] != NULL)
            view->magnitudes[0][i] = magnitude;
    }
}

/* Is `got` right for `exact`, as an element of the type judged by the tolerance? The input is one number. */
static bool right(uint32_t type, sb_tolerance tolerance, double input, double exact, double got, char text[512])
{
    sb_field in = {.name = "x", .type = SB_F32, .shape = "terms"};
    sb_field out = {.name = "y", .type = type, .shape = "terms 1", .tolerance = tolerance};
    sb_parameter terms = {.name = "terms", .dimension = true};
    sb_algorithm a = {.name = "a.b",
                      .parameters = &terms,
                      .parameter_count = 1,
                      .inputs = &in,
                      .input_count = 1,
                      .outputs = &out,
                      .output_count = 1,
                      .compute = give};
    sb_result expected, other = {.status = SB_OK};
    sb_case c;
    bool good;

    gives = exact;
    sb_case_init(&c, &a);
    c.parameters[0] = 4;
    ck_assert(sb_case_normalise(&c));
    sb_number_set(&c.inputs[0], 3, input);
    ck_assert(sb_case_reference(&c, &expected));
    ck_assert(sb_result_copy(&other, &expected, 1));
    sb_number_set(&other.outputs[0], 2, got);
    good = sb_results_agree(&c, &expected, &other, NULL, text, 512);
    ck_assert(sb_results_agree(&c, &other, &expected, NULL, text, 512) ==
              good); /* a hand-computed answer has no exact numbers */
    if (!good)
        sb_results_agree(&c, &expected, &other, NULL, text, 512);
    sb_result_free(&other);
    sb_result_free(&expected);
    sb_case_free(&c);
    return good;
}

START_TEST(tolerance_is_wrong)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    const sb_tolerance same = {.judging = SB_SAME}, ulp = {.judging = SB_ULP, .ulps = 2};
    const sb_tolerance relative = {.judging = SB_RELATIVE, .relative = 1e-3, .absolute = 1e-6};
    const sb_tolerance gamma = {.judging = SB_GAMMA, .terms = "terms", .arithmetic = SB_F32};
    char text[512];

    ck_assert(right(SB_F32, same, 1, 1.5, 1.5, text) && right(SB_F32, same, 1, nan, -nan, text));
    ck_assert(!right(SB_F32, same, 1, 1.5, 1.5000001, text) &&
              strstr(text, "y[2][0]: expected 1.5, got 1.5000001") != NULL);
    ck_assert(right(SB_F32, ulp, 1, 1, 1 + 0x1p-22, text) && !right(SB_F32, ulp, 1, 1, 1 + 0x1.8p-22, text));
    ck_assert(strstr(text, "= 2 ulps of f32") != NULL);
    ck_assert(right(SB_F16, ulp, 1, 0, 0x1p-23, text) && !right(SB_F16, ulp, 1, 0, 0x1.8p-23, text));
    ck_assert(right(SB_F32, relative, 1, 100, 100.099, text) && !right(SB_F32, relative, 1, 100, 100.101, text));
    ck_assert(right(SB_F32, relative, 1, 0, 9e-7, text) && !right(SB_F32, relative, 1, 0, 1.1e-6, text));
    /* An infinity and a NaN are right for themselves alone. */
    ck_assert(right(SB_F32, relative, 1, inf, inf, text) && !right(SB_F32, relative, 1, inf, 3e38, text));
    ck_assert(!right(SB_F32, relative, 1, inf, -inf, text) && !right(SB_F32, relative, 1, nan, 0, text));
    ck_assert(!right(SB_F32, relative, 1, 1, nan, text) && !right(SB_F32, relative, 1, 1, inf, text));
    /* Past the end of the range, too: 65504 is the largest. */
    ck_assert(right(SB_F16, relative, 1, 65500, inf, text) && !right(SB_F16, relative, 1, 65000, inf, text));
    ck_assert(!right(SB_F16, relative, 1, 65500, -inf, text) && !right(SB_F16, relative, 1, 65500, nan, text));
    ck_assert(right(SB_F8_E4M3, relative, 1, 448, nan, text));
    /* gamma(4) of f32 is about 2^-22; the magnitude is 2^10, and the result is rounded to f32: 2^-24 |exact|. */
    magnitude = 0x1p10;
    ck_assert(right(SB_F32, gamma, 0.5, 1, 1 + 0x1p-12, text) && !right(SB_F32, gamma, 0.5, 1, 1 + 0x1.01p-12, text));
    ck_assert(strstr(text, "gamma(terms) of f32 * 1024, rounded to f32") != NULL);
    ck_assert(right(SB_F16, gamma, 0.5, 1, 1 + 0x1p-10, text) == false &&
              right(SB_F16, gamma, 0.5, 1.0004, 1 + 0x1p-10, text));
    /* Whole numbers are added exactly, up to 2^24. */
    ck_assert(!right(SB_F32, gamma, 3, 1, 1 + 0x1p-12, text) && strstr(text, "without rounding") != NULL);
    magnitude = 0x1p25;
    ck_assert(right(SB_F32, gamma, 3, 1, 1 + 0x1p-12, text));
    magnitude = nan;
    ck_assert(!right(SB_F32, gamma, 3, 1, 1 + 0x1p-12, text) && strstr(text, "sets no magnitude") != NULL);
}
END_TEST

/* ---- values ---- */

static void nothing(const sb_view *view)
{
    (void)view;
}

static const sb_algorithm two = {
    .name = "test.shapes",
    SB_PARAMETERS({.name = "rows", .dimension = true, .max = 100000}, {.name = "columns", .dimension = true, .min = 1}),
    SB_INPUTS({.name = "x", .type = SB_F32, .shape = "rows columns"},
              {.name = "half", .type = SB_F16, .shape = "columns 2"},
              {.name = "small", .type = SB_I8, .shape = "rows"}),
    SB_OUTPUTS({.name = "y", .type = SB_F32, .shape = "rows"}),
    .compute = nothing,
};

static const sb_algorithm without_dimensions = {
    .name = "test.fixed",
    SB_INPUTS({.name = "x", .type = SB_F32, .shape = "8"}),
    SB_OUTPUTS({.name = "y", .type = SB_F32, .shape = "8"}),
    .compute = nothing,
};

static const struct {
    const char *name;
    uint64_t hash;
} pinned[] = {
    {"exact", 0x3e6ef46a679ac421},      {"normal", 0x8a32c5269f8e5d10},      {"uniform", 0x434fa589468bdcfa},
    {"equal", 0x47048b9ba8e7e6af},      {"ramp", 0x5d77e582e66c6bd7},        {"outlier", 0x74603079acb230f0},
    {"powers", 0x8bd132d8c4c67770},     {"log-uniform", 0xa4f61cc93d789779}, {"cancelling", 0xe1cd7b48f1756d5b},
    {"zeros", 0x1d807f74d8dc6510},      {"denormals", 0x4897e09768cd63f7},   {"offset", 0xf59d33b4903f1b1e},
    {"infinities", 0x7106ab9018486343}, {"nans", 0x5af3d77344059a27},        {"few", 0x58a62ca0f56de604},
};

START_TEST(values_drift)
{
    const uint64_t parameters[SB_MAX_PARAMETERS] = {30, 40};
    sb_case c;

    ck_assert_str_eq(pinned[_i].name, sb_generators(&two)[_i]);
    ck_assert(sb_generate(&c, &two, pinned[_i].name, 1200, 7, parameters));
    ck_assert_msg(sb_case_hash(&c) == pinned[_i].hash, "{\"%s\", 0x%016llx},", pinned[_i].name,
                  (unsigned long long)sb_case_hash(&c));
    ck_assert_uint_eq(c.inputs[0].length, 1200);
    ck_assert_uint_eq(c.inputs[1].length, 80);
    sb_case_free(&c);
}
END_TEST

/* An array whose type is a parameter gets numbers of that type. */
START_TEST(type_by_parameter_is_left_out)
{
    static const char *const words[] = {"", "", "", "u32", "", "", "f32", "", "", "", "", "", "f16", NULL};
    const sb_algorithm typed = {
        .name = "test.typed",
        .summary = "",
        SB_PARAMETERS({.name = "type", .words = words}, {.name = "rows", .dimension = true}),
        SB_INPUTS({.name = "x", .shape = "rows"}),
        SB_OUTPUTS({.name = "y", .shape = "rows", .tolerance = {.judging = SB_ULP, .ulps = 1}}),
        .compute = nothing,
    };
    static const uint64_t types[] = {SB_U32, SB_F32, SB_F16};
    uint64_t seen[16] = {0};
    char why[256];
    sb_case c;

    ck_assert_msg(sb_contract_check(&typed, why, sizeof why), "%s", why);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {types[t], 50};

        ck_assert(sb_generate(&c, &typed, "exact", 50, 1, parameters));
        ck_assert_uint_eq(c.inputs[0].type, types[t]);
        for (uint64_t i = 0; i < 50; i++)
            ck_assert(fabs(sb_number_at(&c.inputs[0], i)) <= 16);
        sb_case_free(&c);
    }
    for (uint64_t index = 0; index < 64; index++) {
        ck_assert(sb_generate_nth(&c, &typed, 1, index, 1500, NULL));
        seen[c.inputs[0].type]++;
        sb_case_free(&c);
    }
    ck_assert(seen[SB_U32] > 0 && seen[SB_F32] > 0 && seen[SB_F16] > 0);
}
END_TEST

/* Is what the page says of each of them so? */
START_TEST(values_are_not_what_their_name_says)
{
    const uint64_t parameters[SB_MAX_PARAMETERS] = {30, 40};
    double sum = 0, squares = 0;
    sb_case c;

    ck_assert(sb_generate(&c, &two, "normal", 0, 3, parameters));
    for (uint64_t i = 0; i < 1200; i++) {
        sum += sb_number_at(&c.inputs[0], i);
        squares += sb_number_at(&c.inputs[0], i) * sb_number_at(&c.inputs[0], i);
    }
    ck_assert(fabs(sum / 1200) < 0.1 && fabs(squares / 1200 - 1) < 0.1);
    sb_case_free(&c);
    ck_assert(sb_generate(&c, &two, "outlier", 0, 3, parameters));
    for (uint64_t r = 0; r < 30; r++) {
        int outliers = 0;

        for (uint64_t i = 0; i < 40; i++)
            outliers += fabs(sb_number_at(&c.inputs[0], 40 * r + i)) == 64;
        ck_assert_int_eq(outliers, 1);
    }
    sb_case_free(&c);
    ck_assert(sb_generate(&c, &two, "denormals", 0, 3, parameters));
    for (uint64_t i = 0; i < 80; i++)
        ck_assert(fpclassify((float)sb_number_at(&c.inputs[0], i)) == FP_SUBNORMAL &&
                  fabs(sb_number_at(&c.inputs[1], i)) < 0x1p-14 && sb_number_at(&c.inputs[1], i) != 0);
    sb_case_free(&c);
    ck_assert(sb_generate(&c, &two, "few", 0, 3, parameters));
    for (size_t k = 0; k < two.input_count; k++)
        for (uint64_t i = 3; i < c.inputs[k].length; i++) {
            double x = sb_number_at(&c.inputs[k], i);

            ck_assert(x == sb_number_at(&c.inputs[k], 0) || x == sb_number_at(&c.inputs[k], 1) ||
                      x == sb_number_at(&c.inputs[k], 2));
        }
    sb_case_free(&c);
}
END_TEST

/* Of sums of products: every sum of one wide array with ones is exact in f32, and a narrower type cannot hold its numbers; a third of all cases
 * is exact. Other contracts have no such generators. */
START_TEST(exact_sums_round)
{
    const uint64_t parameters[SB_MAX_PARAMETERS] = {300, 40};
    sb_field output = two.outputs[0];
    sb_algorithm sums = two;
    size_t exact = 0;
    sb_case c;

    output.tolerance = (sb_tolerance){.judging = SB_GAMMA, .terms = "columns", .arithmetic = SB_F32};
    sums.outputs = &output;
    ck_assert(!sb_generate(&c, &two, "wide", 0, 3, parameters) && !sb_generate(&c, &two, "signs", 0, 3, parameters));
    for (uint64_t seed = 2; seed < 4; seed++) {
        const size_t wide = seed % 2; /* x or half */
        double sum = 0, most = 0;

        ck_assert(sb_generate(&c, &sums, "wide", 0, seed, parameters));
        for (uint64_t i = 0; i < c.inputs[wide].length; i++) {
            double x = fabs(sb_number_at(&c.inputs[wide], i));

            sum += x;
            most = fmax(most, x);
            ck_assert(trunc(x) == x);
        }
        ck_assert(sum > most && sum <= 0x1p24 && most > (wide == 0 ? 0x1p17 : 0x1p8));
        for (uint64_t i = 0; i < c.inputs[1 - wide].length; i++)
            ck_assert(fabs(sb_number_at(&c.inputs[1 - wide], i)) == 1);
        sb_case_free(&c);
    }
    ck_assert(sb_generate(&c, &sums, "signs", 0, 3, parameters));
    for (size_t k = 0; k < 2; k++)
        for (uint64_t i = 0; i < c.inputs[k].length; i++)
            ck_assert(fabs(sb_number_at(&c.inputs[k], i)) == 1);
    sb_case_free(&c);
    for (uint64_t index = 0; index < 64; index++) {
        ck_assert(sb_generate_nth(&c, &sums, 1, index, 1500, NULL));
        exact += strncmp(c.id, "exact-", 6) == 0 || strncmp(c.id, "wide-", 5) == 0 || strncmp(c.id, "signs-", 6) == 0;
        sb_case_free(&c);
    }
    ck_assert_uint_ge(exact, 21);
    for (uint64_t type = SB_F32; type <= SB_F64; type++) { /* a wish for what there is not is none */
        const sb_wish wish = {.generator = "signs", .exact = true, .type = type};

        ck_assert(sb_generate_sized(&c, &sums, 1, 0, 777, &wish, NULL) && strncmp(c.id, "signs-", 6) == 0);
        sb_case_free(&c);
        ck_assert(sb_generate_sized(&c, &two, 1, 0, 777, &wish, NULL) && strncmp(c.id, "exact-", 6) == 0);
        sb_case_free(&c);
    }
}
END_TEST

/* Sizes: none, one, one dimension large and the other 1 or 2, and no array larger than allowed; each among the cases that even the
 * slowest devices get, whatever the seed. */
START_TEST(sizes_leave_a_kind_out)
{
    sb_case c;

    for (uint64_t seed = 0; seed < 20; seed++) {
        bool empty = false, one = false, wide = false, tall = false, warps = false;

        for (uint64_t index = 0; index < 64; index++) {
            ck_assert(sb_generate_nth(&c, &two, seed, index, 1500, NULL));
            uint64_t rows = c.parameters[0], columns = c.parameters[1];

            ck_assert(columns >= 1 && rows * columns <= 3000);
            empty |= rows == 0;
            one |= rows == 1 && columns == 1;
            wide |= rows <= 2 && columns > 1024 && index % 4 < 2;
            tall |= columns <= 2 && rows > 1024 && index % 4 < 2;
            warps |= columns > 1 && columns < 300 && columns % 32 <= 1;
            sb_case_free(&c);
        }
        ck_assert_msg(empty && one && wide && tall && warps, "seed %d: %d%d%d%d%d", (int)seed, empty, one, wide, tall,
                      warps);
    }
    for (uint64_t index = 0; index < 4; index++) {
        for (int exact = 0; exact < 2; exact++) {
            const sb_wish wish = {.exact = exact != 0};

            ck_assert(sb_generate_sized(&c, &two, 1, index, 777, &wish, NULL));
            ck_assert_uint_eq(c.parameters[index % 2], 777);
            ck_assert_uint_le(c.inputs[0].length, 2 * 777);
            ck_assert(!exact || strncmp(c.id, "exact-", 6) == 0);
            sb_case_free(&c);
        }
    }
    ck_assert(sb_generate_sized(&c, &without_dimensions, 1, 0, 777, &(sb_wish){.generator = "no such"}, NULL));
    ck_assert_uint_eq(c.inputs[0].length, 8);
    sb_case_free(&c);
}
END_TEST

/* A row was timed on a matrix of short rows and on one of long ones, and a row costs as much as its block: a case of many short rows is
 * dear, though it has few items. */
START_TEST(estimate_forgets_a_dimension)
{
    const sb_options options = {.limit = 60};
    const sb_plan plan = {.options = &options};
    const sb_port_info port = {.info = {.flags = SB_DEVICE_EMULATED, .available = true}};
    const sb_task task = {.kind = SB_TASK_GENERATED, .algorithm = &two, .large = true, .items = 50000};
    const sb_row row = {.algorithm = &two,
                        .port = &port,
                        .timed_items = 10000,
                        .timed_seconds = 0.001,
                        .timed_extents = {5000, 5000},
                        .extent_seconds = {0.5, 0.001}};
    char why[256];
    sb_case c;

    for (uint64_t tall = 0; tall < 2; tall++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {tall ? 50000 : 2, tall ? 2 : 50000};

        ck_assert(sb_generate(&c, &two, "normal", 100000, 1, parameters));
        ck_assert_int_eq(sb_plan_fit(&plan, &task, &row, &c, why, sizeof why), tall ? SB_FIT_DEAR : SB_FIT_YES);
        sb_case_free(&c);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    add_test(tests, descriptor_breaks_a_rule);
    add_test(tests, number_of_bits_is_wrong);
    add_loop_test(tests, rounding_is_not_to_nearest_even, 0, FLOATS);
    add_test(tests, tolerance_is_wrong);
    add_loop_test(tests, values_drift, 0, (int)(sizeof pinned / sizeof *pinned));
    add_test(tests, values_are_not_what_their_name_says);
    add_test(tests, type_by_parameter_is_left_out);
    add_test(tests, exact_sums_round);
    add_test(tests, sizes_leave_a_kind_out);
    add_test(tests, estimate_forgets_a_dimension);
}

int main(void)
{
    return run_tests("contract", add_tests, NULL, 20);
}
