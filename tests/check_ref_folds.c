/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The references of the operators, of pattern.reduce and pattern.scan and of exact sums, and what their descriptors
 * add: normalising, shapes, the error bound of float sums. Answers computed by hand stand in corpus/.
 */
#include "../harness/algorithms/pattern_fold.h"
#include "../ref/pattern_reduce.h"
#include "../ref/pattern_scan.h"
#include "../ref/sum.h"
#include "pattern_fixture.h"
#include "suite.h"
#include <float.h>
#include <math.h>

extern const sb_algorithm *const sb_harness_algorithms_pattern_reduce[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_scan[];

static const struct {
    sb_ref_type type;
    sb_ref_op op;
} operators[] = {
    {SB_REF_U32, SB_REF_ADD}, {SB_REF_U32, SB_REF_MIN}, {SB_REF_U32, SB_REF_MAX},        {SB_REF_U32, SB_REF_XOR},
    {SB_REF_I32, SB_REF_ADD}, {SB_REF_I32, SB_REF_MIN}, {SB_REF_I32, SB_REF_MAX},        {SB_REF_I32, SB_REF_XOR},
    {SB_REF_U64, SB_REF_ADD}, {SB_REF_U64, SB_REF_MIN}, {SB_REF_U64, SB_REF_MAX},        {SB_REF_U64, SB_REF_XOR},
    {SB_REF_F32, SB_REF_ADD}, {SB_REF_F64, SB_REF_ADD}, {SB_REF_AFFINE, SB_REF_COMPOSE},
};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* An item; a float is an integer, so that sums are exact. */
static sb_ref_item draw_item(sb_ref_type type)
{
    sb_ref_item item = {.u64 = 0};
    uint64_t word = below(4) == 0 ? below(3) : draw();

    memcpy(&item, &word, sb_ref_type_size(type));
    if (type == SB_REF_F32)
        item.f32 = (float)((int)(word % 1000) - 500);
    else if (type == SB_REF_F64)
        item.f64 = (double)((int)(word % 1000) - 500);
    else if (type == SB_REF_AFFINE)
        item.affine.a |= 1;
    return item;
}

static bool same_item(sb_ref_type type, sb_ref_item left, sb_ref_item right)
{
    return memcmp(&left, &right, sb_ref_type_size(type)) == 0;
}

START_TEST(operator_has_another_identity_or_does_not_associate)
{
    sb_ref_type type = operators[_i].type;
    const sb_ref_operator *found = sb_ref_operator_find(type, operators[_i].op);

    ck_assert_ptr_nonnull(found);
    for (uint64_t from = 0; from < ROUNDS; from++) {
        start(from);
        sb_ref_item x = draw_item(type), y = draw_item(type), z = draw_item(type);

        CHECK(same_item(type, found->apply(found->identity, x), x));
        CHECK(same_item(type, found->apply(x, found->identity), x));
        CHECK(same_item(type, found->apply(found->apply(x, y), z), found->apply(x, found->apply(y, z))));
    }
}
END_TEST

START_TEST(compose_swaps_its_operands)
{
    const sb_ref_operator *found = sb_ref_operator_find(SB_REF_AFFINE, SB_REF_COMPOSE);
    sb_ref_item f = {.affine = {2, 3}}, g = {.affine = {5, 7}}, both = found->apply(f, g);

    ck_assert_uint_eq(both.affine.a, 10);
    ck_assert_uint_eq(both.affine.b, 22);
}
END_TEST

START_TEST(operator_exists_where_it_should_not)
{
    uint64_t items[2] = {0}, result[2], total;
    size_t known = 0;

    for (int type = SB_REF_U32; type <= SB_REF_AFFINE; type++) {
        for (int op = SB_REF_ADD; op <= SB_REF_COMPOSE + 1; op++) {
            sb_ref_status status = SB_REF_INVALID;

            for (size_t i = 0; i < OPERATORS; i++)
                if ((int)operators[i].type == type && (int)operators[i].op == op)
                    status = SB_REF_OK;
            known += status == SB_REF_OK;
            ck_assert_int_eq(sb_ref_pattern_reduce((sb_ref_type)type, (sb_ref_op)op, items, 2, &total), status);
            ck_assert_int_eq(sb_ref_pattern_scan((sb_ref_type)type, (sb_ref_op)op, true, items, 2, result, &total),
                             status);
        }
    }
    ck_assert_uint_eq(known, OPERATORS);
}
END_TEST

START_TEST(scan_is_not_the_reduce_of_every_prefix)
{
    sb_ref_type type = operators[_i].type;
    sb_ref_op op = operators[_i].op;

    for (uint64_t from = 0; from < ROUNDS / 10; from++) {
        uint64_t items[MAX_ITEMS], folds[MAX_ITEMS + 1], result[MAX_ITEMS], total, n;
        size_t size = sb_ref_type_size(type);

        start(from);
        n = from < 3 ? from : below(MAX_ITEMS);
        for (uint64_t i = 0; i < n; i++)
            sb_ref_item_store(type, items, i, draw_item(type));
        for (uint64_t i = 0; i <= n; i++)
            CHECK(sb_ref_pattern_reduce(type, op, items, i, (char *)folds + i * size) == SB_REF_OK);
        CHECK(same_item(type, sb_ref_item_load(type, folds, 0), sb_ref_operator_find(type, op)->identity));
        for (uint64_t inclusive = 0; inclusive < 2; inclusive++) {
            CHECK(sb_ref_pattern_scan(type, op, inclusive, items, n, result, &total) == SB_REF_OK);
            CHECK(memcmp(result, (char *)folds + inclusive * size, n * size) == 0);
            CHECK(memcmp(&total, (char *)folds + n * size, size) == 0);
        }
    }
}
END_TEST

static bool within(const double *terms, size_t n, double got, unsigned precision)
{
    sb_ref_sum sum;

    sb_ref_sum_clear(&sum);
    for (size_t i = 0; i < n; i++)
        sb_ref_sum_add(&sum, terms[i]);
    return sb_ref_sum_within(&sum, got, precision);
}

/* With p = 3 and two terms gamma is 1/3. */
START_TEST(bound_is_wider_or_narrower_than_gamma)
{
    const double plus[] = {1, 2}, mixed[] = {2, -1}, minus[] = {-0x1p-1074, -0x1p-1073}, wide[] = {0x1p1000, 0x1p-1074};
    const double huge[] = {DBL_MAX, DBL_MAX, DBL_MAX}, carry[] = {0x1.fffffffep31, 1, 0x1p32, -0x1p64};
    const double mixed_scale[] = {0x1p-1022, -0x1.8p-1023}, top[] = {0x1p1023, 0x1p1022};

    ck_assert(within(plus, 2, 4, 3) && within(plus, 2, 2, 3) && within(plus, 2, 3, 3));
    ck_assert(!within(plus, 2, nextafter(4, 5), 3) && !within(plus, 2, nextafter(2, 1), 3));
    ck_assert(within(mixed, 2, 0, 3) && within(mixed, 2, 2, 3) && within(mixed, 2, -0.0, 3));
    ck_assert(!within(mixed, 2, -0x1p-1074, 3) && !within(mixed, 2, nextafter(2, 3), 3));
    ck_assert(within(minus, 2, -0x1p-1072, 3) && within(minus, 2, -0x1p-1073, 3) && !within(minus, 2, -0x1p-1074, 3));
    ck_assert(!within(minus, 2, 0x1p-1073, 3) && !within(minus, 2, -0x1.4p-1072, 3));
    ck_assert(within(wide, 2, 0x1p1000, 53) && within(wide, 2, nextafter(0x1p1000, INFINITY), 53));
    ck_assert(!within(wide, 2, 0x1.0000000000002p1000, 53));
    ck_assert(!within(huge, 3, INFINITY, 53) && !within(huge, 3, NAN, 53) && !within(huge, 3, DBL_MAX, 53));
    ck_assert(within(carry, 4, 0x1.fffffffep31 + 1 + 0x1p32 - 0x1p64, 53) && !within(carry, 4, -0x1p64, 53));
    ck_assert(within(mixed_scale, 2, -0x1p-1024, 3) && !within(mixed_scale, 2, -0x1p-1023, 3));
    ck_assert(within(top, 2, 0x1.8p1023, 3) && within(top, 2, DBL_MAX, 3) && !within(top, 2, INFINITY, 3));
    ck_assert(within(plus, 0, 0, 53) && within(plus, 0, -0.0, 53) && !within(plus, 0, 0x1p-1074, 53));
    ck_assert(within(plus, 1, 1, 24) && within(plus, 1, 1 + 0x1p-24, 24) && !within(plus, 1, 1 + 0x1p-23, 24));
}
END_TEST

/* n items of a real case, of different magnitudes. */
static void set_real(sb_case *c, uint64_t n)
{
    bool single = c->inputs[0].type == SB_F32;
    double f64[MAX_ITEMS];
    float f32[MAX_ITEMS];

    for (uint64_t i = 0; i < n; i++) {
        f64[i] = ldexp((double)(draw() >> 11) + 1, (int)below(40) - 60) * (below(2) == 0 ? 1 : -1);
        f32[i] = (float)f64[i];
    }
    set(c, 0, single ? (const void *)f32 : f64, n);
}

static void swap_numbers(sb_array *array, uint64_t i, uint64_t j)
{
    double other = sb_number_at(array, i);

    sb_number_set(array, i, sb_number_at(array, j));
    sb_number_set(array, j, other);
}

static void shuffle(sb_array *array)
{
    for (uint64_t i = array->length; i > 1; i--)
        swap_numbers(array, i - 1, below(i));
}

/* In their type, neighbours first. */
static double pairwise(const sb_array *array, uint64_t from, uint64_t n)
{
    double sum;

    if (n <= 1)
        return n == 0 ? 0 : sb_number_at(array, from);
    sum = pairwise(array, from, n / 2) + pairwise(array, from + n / 2, n - n / 2);
    return array->type == SB_F32 ? (float)sum : sum;
}

static bool agree(const sb_case *c, const sb_result *expected, const sb_result *got)
{
    char why[256] = "";
    bool right = c->algorithm->within(c, expected, got, why, sizeof why);

    CHECK(right || !sb_fold_is_exact(c) || why[0] == '\0');
    return right;
}

START_TEST(bound_rejects_a_sum_in_another_order)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        sb_case c = make(sb_harness_algorithms_pattern_reduce[0], from % 2 ? SB_F32 : SB_F64, SB_OP_ADD, 0);
        sb_case other = make(sb_harness_algorithms_pattern_reduce[0], c.parameters[0], SB_OP_ADD, 0);
        sb_result expected, got;
        uint64_t n;

        start(from);
        n = 3 + below(MAX_ITEMS - 3);
        set_real(&c, n);
        CHECK(well_formed(&c));
        CHECK(!sb_fold_is_exact(&c));
        solve(&c, &expected);
        set(&other, 0, c.inputs[0].data, n);
        shuffle(&other.inputs[0]);
        solve(&other, &got);
        CHECK(agree(&c, &expected, &got));
        sb_number_set(&got.outputs[0], 0, pairwise(&other.inputs[0], 0, n));
        CHECK(agree(&c, &expected, &got));
        sb_case_free(&c);
        sb_case_free(&other);
        sb_result_free(&expected);
        sb_result_free(&got);
    }
}
END_TEST

/* With all bits of an f64, so that no sum of several is exact. */
static double draw_between_1_and_2(void)
{
    return 1 + ldexp((double)(draw() >> 12), -52);
}

/* All terms are in [1, 2), so that each is larger than the bound. */
START_TEST(bound_takes_a_sum_that_lacks_a_term)
{
    for (uint64_t from = 0; from < ROUNDS / 10; from++) {
        sb_case c = make(sb_harness_algorithms_pattern_reduce[0], from % 2 ? SB_F32 : SB_F64, SB_OP_ADD, 0);
        sb_result expected, got;
        double all[MAX_ITEMS], some[MAX_ITEMS];

        start(from);
        for (size_t i = 0; i < MAX_ITEMS; i++)
            all[i] = draw_between_1_and_2();
        CHECK(sb_array_resize(&c.inputs[0], MAX_ITEMS));
        for (size_t i = 0; i < MAX_ITEMS; i++)
            sb_number_set(&c.inputs[0], i, all[i]);
        solve(&c, &expected);
        CHECK(agree(&c, &expected, &expected));
        CHECK(sb_result_copy(&got, &expected, 1));
        for (size_t left_out = 0; left_out < MAX_ITEMS; left_out++) {
            double sum = 0;

            memcpy(some, all, sizeof some);
            some[left_out] = 0;
            for (size_t i = 0; i < MAX_ITEMS; i++)
                sum += some[i];
            sb_number_set(&got.outputs[0], 0, sum);
            CHECK(!agree(&c, &expected, &got));
        }
        sb_number_set(&got.outputs[0], 0, NAN);
        CHECK(!agree(&c, &expected, &got));
        sb_case_free(&c);
        sb_result_free(&expected);
        sb_result_free(&got);
    }
}
END_TEST

START_TEST(bound_of_scan_takes_a_wrong_element)
{
    for (uint64_t from = 0; from < 4; from++) {
        sb_case c = make(sb_harness_algorithms_pattern_scan[0], from % 2 ? SB_F32 : SB_F64, SB_OP_ADD, from / 2);
        double step = from % 2 ? 0x1p-10 : 0x1p-39; /* more than gamma(70) * 140 */
        sb_result expected, got;

        start(from);
        CHECK(sb_array_resize(&c.inputs[0], MAX_ITEMS));
        for (size_t i = 0; i < MAX_ITEMS; i++)
            sb_number_set(&c.inputs[0], i, draw_between_1_and_2());
        solve(&c, &expected);
        CHECK(agree(&c, &expected, &expected));
        CHECK(sb_result_copy(&got, &expected, 2));
        for (size_t output = 0; output < 2; output++) {
            for (size_t i = 0; i < expected.outputs[output].length; i++) {
                double right = sb_number_at(&expected.outputs[output], i);

                sb_number_set(&got.outputs[output], i, right + step);
                CHECK(!agree(&c, &expected, &got));
                sb_number_set(&got.outputs[output], i, right - step);
                CHECK(!agree(&c, &expected, &got));
                sb_number_set(&got.outputs[output], i, right);
            }
        }
        CHECK(agree(&c, &expected, &got));
        if (from < 2) {
            sb_number_set(&got.outputs[0], 0, -0.0);
            CHECK(!agree(&c, &expected, &got)); /* the identity is +0 */
        }
        sb_case_free(&c);
        sb_result_free(&expected);
        sb_result_free(&got);
    }
}
END_TEST

START_TEST(exact_case_has_other_bytes_in_another_order_or_a_bound)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        bool single = from % 2;
        uint64_t budget = (uint64_t)1 << (single ? 24 : 53), n;
        int unit;
        sb_case c = make(sb_harness_algorithms_pattern_reduce[0], single ? SB_F32 : SB_F64, SB_OP_ADD, 0);
        sb_result expected, got;

        start(from);
        n = 1 + below(MAX_ITEMS - 1);
        unit = (int)below(single ? 200 : 1900) - (single ? 149 : 1074);
        CHECK(sb_array_resize(&c.inputs[0], n));
        for (uint64_t i = 0; i < n; i++) {
            uint64_t units = i + 1 == n && below(2) ? budget : below(1 + (budget >> below(20)));

            units = units < budget ? units : budget;
            budget -= units;
            sb_number_set(&c.inputs[0], i, ldexp((double)units, unit) * (units != 0 && below(2) ? -1 : 1));
        }
        CHECK(well_formed(&c) && sb_fold_is_exact(&c));
        solve(&c, &expected);
        CHECK(!agree(&c, &expected, &expected));
        for (int order = 0; order < 5; order++) {
            shuffle(&c.inputs[0]);
            solve(&c, &got);
            CHECK(memcmp(got.outputs[0].data, expected.outputs[0].data, single ? 4 : 8) == 0);
            sb_number_set(&got.outputs[0], 0, pairwise(&c.inputs[0], 0, n));
            CHECK(memcmp(got.outputs[0].data, expected.outputs[0].data, single ? 4 : 8) == 0);
            sb_result_free(&got);
        }
        sb_case_free(&c);
        sb_result_free(&expected);
    }
}
END_TEST

START_TEST(exactness_is_judged_wrongly)
{
    static const struct {
        double items[3];
        bool f32, f64, f32_formed, f64_formed;
    } table[] = {
        {{0, 0, 0}, true, true, true, true},
        {{1, 2, -3}, true, true, true, true},
        {{0x1p24, 0, 0}, true, true, true, true},
        {{0x1p24, 1, 0}, false, true, true, true},
        {{0x1p24, -1, 0}, false, true, true, true},
        {{0x1p23, 0x1p23, -1}, false, true, true, true},
        {{0x1p23, 0.5, 0}, false, true, true, true},
        {{0x1p23, 0x1p22, 0x1p22}, true, true, true, true},
        {{0x1p53, 1, 0}, false, false, true, true},
        {{-1, 0x1p53, 0}, false, false, true, true},
        {{0x1p52, 0x1p52, 1}, false, false, true, true},
        {{0x1p52, 0x1p52, 0}, true, true, true, true},
        {{-0.0, 1, 2}, false, false, true, true},
        {{INFINITY, 1, 2}, false, false, false, false},
        {{1, NAN, 2}, false, false, false, false},
        {{0x1p-149, 0x1p-140, -0x1p-149}, true, true, true, true},
        {{0x1p127, 0, 0}, true, true, true, true},
        {{0x1p127, 0x1p127, 0}, false, true, false, true},
        {{0x1p127, 0x1p126, 0x1p126}, false, true, false, true},
        {{0x1p126, 1, 0}, false, false, true, true},
        {{0x1p126, 0x1p126, 1}, false, false, false, true},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        sb_case single = make(sb_harness_algorithms_pattern_reduce[0], SB_F32, SB_OP_ADD, 0);
        sb_case twice = make(sb_harness_algorithms_pattern_reduce[0], SB_F64, SB_OP_ADD, 0);
        float f32[3] = {(float)table[i].items[0], (float)table[i].items[1], (float)table[i].items[2]};

        start(i);
        set(&single, 0, f32, 3);
        set(&twice, 0, table[i].items, 3);
        CHECK(sb_fold_is_exact(&single) == table[i].f32);
        CHECK(sb_fold_is_exact(&twice) == table[i].f64);
        CHECK(well_formed(&single) == table[i].f32_formed);
        CHECK(well_formed(&twice) == table[i].f64_formed);
        sb_case_free(&single);
        sb_case_free(&twice);
    }
}
END_TEST

START_TEST(fold_normalise_makes_no_case_or_changes_one)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        sb_case c, scan;
        uint64_t bits[MAX_ITEMS], type, op, n;

        start(from);
        type = SB_U32 + below(6);
        op = below(5);
        n = below(MAX_ITEMS);
        for (uint64_t i = 0; i < MAX_ITEMS; i++)
            bits[i] = below(8) == 0 ? UINT64_MAX << below(64) : draw();
        c = make(sb_harness_algorithms_pattern_reduce[0], type, op, 0);
        set(&c, 0, bits, n);
        check_normalise(&c);
        CHECK(c.inputs[0].length == n && c.parameters[SB_REDUCE_TYPE] == type);
        CHECK(c.parameters[SB_REDUCE_OP] == op || (type == SB_AFFINE ? op != SB_OP_COMPOSE : op != SB_OP_ADD));
        scan = make(sb_harness_algorithms_pattern_scan[0], type, op, below(4));
        set(&scan, 0, bits, n);
        check_normalise(&scan);
        CHECK(memcmp(scan.inputs[0].data ? scan.inputs[0].data : "", c.inputs[0].data ? c.inputs[0].data : "",
                     sb_array_bytes(&c.inputs[0])) == 0);
        sb_case_free(&c);
        sb_case_free(&scan);
    }
}
END_TEST

START_TEST(fold_takes_more_items_than_the_bound_holds_for)
{
    sb_case c = make(sb_harness_algorithms_pattern_reduce[0], SB_F32, SB_OP_ADD, 0);
    const uint64_t most = (uint64_t)1 << 22, units = (uint64_t)1 << 24;

    start(0);
    CHECK(sb_array_resize(&c.inputs[0], most));
    sb_number_set(&c.inputs[0], 0, 0x1p-30);
    sb_number_set(&c.inputs[0], 1, 1);
    CHECK(well_formed(&c) && !sb_fold_is_exact(&c));
    CHECK(sb_array_resize(&c.inputs[0], most + 1));
    CHECK(!well_formed(&c));
    CHECK(sb_array_resize(&c.inputs[0], units + 2));
    sb_number_set(&c.inputs[0], 2, -NAN);
    check_normalise(&c);
    CHECK(sb_fold_is_exact(&c) && c.inputs[0].length == units + 2);
    CHECK(sb_number_at(&c.inputs[0], units - 1) == 1 && sb_number_at(&c.inputs[0], units) == 0);
    sb_case_free(&c);
}
END_TEST

START_TEST(malformed_fold_passes)
{
    const uint32_t two[] = {2, 1};
    sb_case scan = make(sb_harness_algorithms_pattern_scan[0], SB_U32, SB_OP_ADD, 2);
    sb_case reduce = make(sb_harness_algorithms_pattern_reduce[0], SB_AFFINE, SB_OP_COMPOSE, 0);

    ck_assert(!well_formed(&scan)); /* inclusive=2 */
    scan.parameters[SB_SCAN_INCLUSIVE] = 1;
    ck_assert(well_formed(&scan));
    scan.parameters[SB_SCAN_OP] = SB_OP_COMPOSE;
    ck_assert(!well_formed(&scan));
    set(&reduce, SB_REDUCE_ITEMS, two, 1); /* 2:1 */
    ck_assert(!well_formed(&reduce));
    sb_case_free(&scan);
    sb_case_free(&reduce);
}
END_TEST

START_TEST(scan_descriptor_gives_something_else_than_the_reference)
{
    const uint32_t keys[] = {2, 1, 2}, kept[] = {2, 3, 3};
    const uint32_t running[] = {2, 3, 5}, before[] = {0, 2, 3};
    sb_case scan = make(sb_harness_algorithms_pattern_scan[0], SB_U32, SB_OP_ADD, 1);
    sb_result result;

    set(&scan, SB_SCAN_ITEMS, keys, 3);
    solve(&scan, &result);
    ck_assert_mem_eq(result.outputs[0].data, running, sizeof running);
    ck_assert_mem_eq(result.outputs[1].data, running + 2, sizeof *running);
    sb_result_free(&result);
    scan.parameters[SB_SCAN_INCLUSIVE] = 0;
    solve(&scan, &result);
    ck_assert_mem_eq(result.outputs[0].data, before, sizeof before);
    sb_result_free(&result);
    scan.parameters[SB_SCAN_OP] = SB_OP_MAX;
    scan.parameters[SB_SCAN_INCLUSIVE] = 1;
    set(&scan, SB_SCAN_ITEMS, running, 2);
    solve(&scan, &result);
    ck_assert_mem_eq(result.outputs[0].data, kept, 2 * sizeof *kept);
    sb_result_free(&result);
    sb_case_free(&scan);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, operator_has_another_identity_or_does_not_associate, 0, OPERATORS);
    tcase_add_test(tests, compose_swaps_its_operands);
    tcase_add_test(tests, operator_exists_where_it_should_not);
    tcase_add_loop_test(tests, scan_is_not_the_reduce_of_every_prefix, 0, OPERATORS);
    tcase_add_test(tests, bound_is_wider_or_narrower_than_gamma);
    tcase_add_test(tests, bound_rejects_a_sum_in_another_order);
    tcase_add_test(tests, bound_takes_a_sum_that_lacks_a_term);
    tcase_add_test(tests, bound_of_scan_takes_a_wrong_element);
    tcase_add_test(tests, exact_case_has_other_bytes_in_another_order_or_a_bound);
    tcase_add_test(tests, exactness_is_judged_wrongly);
    tcase_add_test(tests, fold_normalise_makes_no_case_or_changes_one);
    tcase_add_test(tests, fold_takes_more_items_than_the_bound_holds_for);
    tcase_add_test(tests, malformed_fold_passes);
    tcase_add_test(tests, scan_descriptor_gives_something_else_than_the_reference);
}

int main(void)
{
    return run_tests("ref/folds", add_tests, NULL, 60);
}
