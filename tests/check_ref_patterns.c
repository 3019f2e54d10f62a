/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Properties of the references of selection and patterns (key order, sort, merge, select.kth, operators, reduce, scan
 * and the bound of float sums), and of what their descriptors add: normalising, shapes, the certifier, the bound.
 * Answers computed by hand stand in corpus/.
 */
#include "../core/algorithm.h"
#include "../harness/algorithms/pattern_fold.h"
#include "../core/case.h"
#include "../ref/key.h"
#include "../ref/pattern_merge.h"
#include "../ref/pattern_reduce.h"
#include "../ref/pattern_scan.h"
#include "../ref/select.h"
#include "../ref/pattern_sort.h"
#include "../ref/sum.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <samebits/algorithms.h>
#include <stdlib.h>
#include <string.h>

extern const sb_algorithm *const sb_harness_algorithms_select[], *const sb_harness_algorithms_pattern_reduce[],
                                                                     *const sb_harness_algorithms_pattern_scan[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_sort[], *const sb_harness_algorithms_pattern_merge[];

enum { MOST = 70, ROUNDS = 300 };

static uint64_t seed, state;

#define CHECK(condition) ck_assert_msg((condition), "%s, seed %llu", #condition, (unsigned long long)seed)

/* From here on the drawn numbers are those of `from`, which a failed check names. */
static void start(uint64_t from)
{
    seed = from;
    state = from;
}

static uint64_t draw(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint64_t below(uint64_t bound)
{
    return draw() % bound;
}

static const sb_ref_type key_types[] = {SB_REF_U32, SB_REF_I32, SB_REF_U64, SB_REF_F32, SB_REF_F64};
enum { KEY_TYPES = sizeof key_types / sizeof *key_types };

/* Ascending by totalOrder. */
static const uint32_t f32_keys[] = {0xffffffff, 0xffc00000, 0xff800001, 0xff800000, 0xff7fffff, 0xc0000000,
                                    0xbf800000, 0x80800000, 0x807fffff, 0x80000001, 0x80000000, 0x00000000,
                                    0x00000001, 0x007fffff, 0x00800000, 0x3f800000, 0x40000000, 0x7f7fffff,
                                    0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
static const uint64_t f64_keys[] = {0xffffffffffffffff, 0xfff8000000000001, 0xfff8000000000000, 0xfff0000000000001,
                                    0xfff0000000000000, 0xffefffffffffffff, 0xbff0000000000001, 0xbff0000000000000,
                                    0x8000000000000001, 0x8000000000000000, 0x0000000000000000, 0x0000000000000001,
                                    0x3ff0000000000000, 0x3ff0000000000001, 0x7fefffffffffffff, 0x7ff0000000000000,
                                    0x7ff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff};
static const uint32_t u32_keys[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
static const int32_t i32_keys[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX};
static const uint64_t u64_keys[] = {0, 1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX};

#define KEYS(array) array, sizeof array / sizeof *array
static const struct {
    const void *keys;
    uint64_t count;
} ordered[KEY_TYPES] = {{KEYS(u32_keys)}, {KEYS(i32_keys)}, {KEYS(u64_keys)}, {KEYS(f32_keys)}, {KEYS(f64_keys)}};

/* n keys of type number `t`: arbitrary bits, special ones, or few distinct ones. */
static void draw_keys(size_t t, void *keys, uint64_t n)
{
    size_t size = sb_ref_type_size(key_types[t]);
    uint64_t kind = below(3), distinct = 1 + below(3);

    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = draw(), pick = below(kind == 1 ? ordered[t].count : distinct);

        memcpy((char *)keys + i * size, kind == 0 ? (const char *)&word : (const char *)ordered[t].keys + pick * size,
               size);
    }
}

static bool same_key(sb_ref_type type, const void *left, uint64_t i, const void *right, uint64_t j)
{
    size_t size = sb_ref_type_size(type);

    return memcmp((const char *)left + i * size, (const char *)right + j * size, size) == 0;
}

START_TEST(key_order_is_not_the_total_order)
{
    for (size_t t = 0; t < KEY_TYPES; t++)
        for (uint64_t i = 0; i < ordered[t].count; i++)
            for (uint64_t j = 0; j < ordered[t].count; j++)
                ck_assert_msg(sb_ref_key_less(key_types[t], ordered[t].keys, i, ordered[t].keys, j) == (i < j),
                              "type %d: keys %d and %d", (int)key_types[t], (int)i, (int)j);
}
END_TEST

START_TEST(sort_loses_a_key_or_the_order_or_stability)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES;
        sb_ref_type type = key_types[t];
        uint64_t keys[MOST], sorted[MOST], alone[MOST], n;
        uint32_t values[MOST], sorted_values[MOST];
        bool seen[MOST] = {false};

        start(from);
        n = from < 3 * KEY_TYPES ? from / KEY_TYPES : below(MOST);
        draw_keys(t, keys, n);
        for (uint64_t i = 0; i < n; i++)
            values[i] = (uint32_t)i;
        CHECK(sb_ref_sort(type, keys, values, n, sorted, sorted_values) == SB_REF_OK);
        CHECK(sb_ref_sort(type, keys, NULL, n, alone, from % 2 ? NULL : values) == SB_REF_OK);
        for (uint64_t i = 0; i < n; i++)
            CHECK(values[i] == i);
        for (uint64_t i = 0; i < n; i++) {
            CHECK(sorted_values[i] < n && !seen[sorted_values[i]]);
            seen[sorted_values[i]] = true;
            CHECK(same_key(type, sorted, i, keys, sorted_values[i]) && same_key(type, sorted, i, alone, i));
            CHECK(i == 0 || sb_ref_key_less(type, sorted, i - 1, sorted, i) ||
                  (same_key(type, sorted, i - 1, sorted, i) && sorted_values[i - 1] < sorted_values[i]));
        }
    }
}
END_TEST

/* Merging is sorting what is put together, a before b. */
START_TEST(merge_is_not_the_stable_sort_of_a_then_b)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES;
        sb_ref_type type = key_types[t];
        size_t size = sb_ref_type_size(type);
        uint64_t drawn[2 * MOST], a[MOST], b[MOST], both[2 * MOST], merged[2 * MOST], expected[2 * MOST], m, n;
        uint32_t tags[2 * MOST], merged_tags[2 * MOST], expected_tags[2 * MOST];

        start(from);
        m = below(5) == 0 ? 0 : below(MOST);
        n = below(5) == 0 ? 0 : below(MOST);
        draw_keys(t, drawn, m + n);
        for (uint64_t i = 0; i < m + n; i++)
            tags[i] = (uint32_t)i;
        CHECK(sb_ref_sort(type, drawn, NULL, m, a, NULL) == SB_REF_OK);
        CHECK(sb_ref_sort(type, (char *)drawn + m * size, NULL, n, b, NULL) == SB_REF_OK);
        memcpy(both, a, m * size);
        memcpy((char *)both + m * size, b, n * size);
        CHECK(sb_ref_sort(type, both, tags, m + n, expected, expected_tags) == SB_REF_OK);
        sb_ref_merge(type, a, tags, m, b, tags + m, n, merged, merged_tags);
        CHECK(memcmp(merged, expected, (m + n) * size) == 0);
        CHECK(memcmp(merged_tags, expected_tags, (m + n) * sizeof *tags) == 0);
        memset(merged, 0xa5, sizeof merged);
        sb_ref_merge(type, a, NULL, m, b, NULL, n, merged, NULL);
        CHECK(memcmp(merged, expected, (m + n) * size) == 0);
    }
}
END_TEST

START_TEST(select_is_not_the_kth_of_the_sorted_keys)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES;
        sb_ref_type type = key_types[t];
        uint64_t keys[MOST], sorted[MOST], n, key;

        start(from);
        n = from < 3 * KEY_TYPES ? from / KEY_TYPES : below(MOST);
        draw_keys(t, keys, n);
        CHECK(sb_ref_sort(type, keys, NULL, n, sorted, NULL) == SB_REF_OK);
        CHECK(sb_ref_select_kth(type, keys, n, 0, &key) == SB_REF_INVALID);
        CHECK(sb_ref_select_kth(type, keys, n, n + 1, &key) == SB_REF_INVALID);
        for (uint64_t k = 1; k <= n; k++) {
            CHECK(sb_ref_select_kth(type, keys, n, k, &key) == SB_REF_OK);
            CHECK(same_key(type, &key, 0, sorted, n - k));
        }
    }
}
END_TEST

START_TEST(sort_or_select_goes_on_without_memory)
{
    const uint64_t n = ((uint64_t)1 << 61) + 1; /* 8 * n wraps to 8 */
    uint64_t key = 0, to;
    uint32_t value = 0, to_value;

    ck_assert_int_eq(sb_ref_sort(SB_REF_U64, &key, NULL, n, &to, NULL), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_sort(SB_REF_U64, &key, &value, n, &to, &to_value), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_select_kth(SB_REF_U64, &key, n, 1, &to), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_select_kth(SB_REF_U64, &key, n, n, &to), SB_REF_NO_MEMORY);
}
END_TEST

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
            ck_assert_int_eq(sb_ref_reduce((sb_ref_type)type, (sb_ref_op)op, items, 2, &total), status);
            ck_assert_int_eq(sb_ref_scan((sb_ref_type)type, (sb_ref_op)op, true, items, 2, result, &total), status);
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
        uint64_t items[MOST], folds[MOST + 1], result[MOST], total, n;
        size_t size = sb_ref_type_size(type);

        start(from);
        n = from < 3 ? from : below(MOST);
        for (uint64_t i = 0; i < n; i++)
            sb_ref_item_store(type, items, i, draw_item(type));
        for (uint64_t i = 0; i <= n; i++)
            CHECK(sb_ref_reduce(type, op, items, i, (char *)folds + i * size) == SB_REF_OK);
        CHECK(same_item(type, sb_ref_item_load(type, folds, 0), sb_ref_operator_find(type, op)->identity));
        for (uint64_t inclusive = 0; inclusive < 2; inclusive++) {
            CHECK(sb_ref_scan(type, op, inclusive, items, n, result, &total) == SB_REF_OK);
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

/* A case of the algorithm; parameters in their order. */
static sb_case make(const sb_algorithm *algorithm, uint64_t first, uint64_t second, uint64_t third)
{
    const uint64_t parameters[] = {first, second, third};
    sb_case c;

    sb_case_init(&c, algorithm);
    for (size_t i = 0; i < sb_parameter_count(algorithm); i++)
        c.parameters[i] = parameters[i];
    for (size_t i = 0; i < sb_input_count(algorithm); i++)
        c.inputs[i].type = sb_field_type(&c, &algorithm->inputs[i]);
    return c;
}

static void set(sb_case *c, size_t input, const void *data, uint64_t length)
{
    ck_assert(sb_array_set(&c->inputs[input], data, length));
}

static bool well_formed(const sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[256];

    return sb_case_shape(c, capacity, why, sizeof why);
}

static void solve(const sb_case *c, sb_result *result)
{
    CHECK(sb_case_reference(c, result));
}

/* n items of a real case, of different magnitudes. */
static void set_real(sb_case *c, uint64_t n)
{
    bool single = c->inputs[0].type == SB_F32;
    double f64[MOST];
    float f32[MOST];

    for (uint64_t i = 0; i < n; i++) {
        f64[i] = ldexp((double)(draw() >> 11) + 1, (int)below(40) - 60) * (below(2) == 0 ? 1 : -1);
        f32[i] = (float)f64[i];
    }
    set(c, 0, single ? (const void *)f32 : f64, n);
}

static double number_at(const sb_array *array, uint64_t i)
{
    return array->type == SB_F32 ? ((const float *)array->data)[i] : ((const double *)array->data)[i];
}

static void set_number(sb_array *array, uint64_t i, double number)
{
    if (array->type == SB_F32)
        ((float *)array->data)[i] = (float)number;
    else
        ((double *)array->data)[i] = number;
}

static void swap_numbers(sb_array *array, uint64_t i, uint64_t j)
{
    double other = number_at(array, i);

    set_number(array, i, number_at(array, j));
    set_number(array, j, other);
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
        return n == 0 ? 0 : number_at(array, from);
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
        n = 3 + below(MOST - 3);
        set_real(&c, n);
        CHECK(well_formed(&c));
        CHECK(!sb_fold_is_exact(&c));
        solve(&c, &expected);
        set(&other, 0, c.inputs[0].data, n);
        shuffle(&other.inputs[0]);
        solve(&other, &got);
        CHECK(agree(&c, &expected, &got));
        set_number(&got.outputs[0], 0, pairwise(&other.inputs[0], 0, n));
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
        double all[MOST], some[MOST];

        start(from);
        for (size_t i = 0; i < MOST; i++)
            all[i] = draw_between_1_and_2();
        CHECK(sb_array_resize(&c.inputs[0], MOST));
        for (size_t i = 0; i < MOST; i++)
            set_number(&c.inputs[0], i, all[i]);
        solve(&c, &expected);
        CHECK(agree(&c, &expected, &expected));
        CHECK(sb_result_copy(&got, &expected, 1));
        for (size_t left_out = 0; left_out < MOST; left_out++) {
            double sum = 0;

            memcpy(some, all, sizeof some);
            some[left_out] = 0;
            for (size_t i = 0; i < MOST; i++)
                sum += some[i];
            set_number(&got.outputs[0], 0, sum);
            CHECK(!agree(&c, &expected, &got));
        }
        set_number(&got.outputs[0], 0, NAN);
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
        CHECK(sb_array_resize(&c.inputs[0], MOST));
        for (size_t i = 0; i < MOST; i++)
            set_number(&c.inputs[0], i, draw_between_1_and_2());
        solve(&c, &expected);
        CHECK(agree(&c, &expected, &expected));
        CHECK(sb_result_copy(&got, &expected, 2));
        for (size_t output = 0; output < 2; output++) {
            for (size_t i = 0; i < expected.outputs[output].length; i++) {
                double right = number_at(&expected.outputs[output], i);

                set_number(&got.outputs[output], i, right + step);
                CHECK(!agree(&c, &expected, &got));
                set_number(&got.outputs[output], i, right - step);
                CHECK(!agree(&c, &expected, &got));
                set_number(&got.outputs[output], i, right);
            }
        }
        CHECK(agree(&c, &expected, &got));
        if (from < 2) {
            set_number(&got.outputs[0], 0, -0.0);
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
        n = 1 + below(MOST - 1);
        unit = (int)below(single ? 200 : 1900) - (single ? 149 : 1074);
        CHECK(sb_array_resize(&c.inputs[0], n));
        for (uint64_t i = 0; i < n; i++) {
            uint64_t units = i + 1 == n && below(2) ? budget : below(1 + (budget >> below(20)));

            units = units < budget ? units : budget;
            budget -= units;
            set_number(&c.inputs[0], i, ldexp((double)units, unit) * (units != 0 && below(2) ? -1 : 1));
        }
        CHECK(well_formed(&c) && sb_fold_is_exact(&c));
        solve(&c, &expected);
        CHECK(!agree(&c, &expected, &expected));
        for (int order = 0; order < 5; order++) {
            shuffle(&c.inputs[0]);
            solve(&c, &got);
            CHECK(memcmp(got.outputs[0].data, expected.outputs[0].data, single ? 4 : 8) == 0);
            set_number(&got.outputs[0], 0, pairwise(&c.inputs[0], 0, n));
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

/* Arbitrary bits. A well-formed case comes back as it is, to the bit. */
static void check_normalise(sb_case *c)
{
    bool formed = well_formed(c);
    uint64_t hash = sb_case_hash(c);

    CHECK(sb_case_normalise(c));
    CHECK(well_formed(c));
    CHECK(!formed || sb_case_hash(c) == hash);
    hash = sb_case_hash(c);
    CHECK(sb_case_normalise(c));
    CHECK(sb_case_hash(c) == hash);
}

START_TEST(fold_normalise_makes_no_case_or_changes_one)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        sb_case c, scan;
        uint64_t bits[MOST], type, op, n;

        start(from);
        type = SB_U32 + below(6);
        op = below(5);
        n = below(MOST);
        for (uint64_t i = 0; i < MOST; i++)
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
    set_number(&c.inputs[0], 0, 0x1p-30);
    set_number(&c.inputs[0], 1, 1);
    CHECK(well_formed(&c) && !sb_fold_is_exact(&c));
    CHECK(sb_array_resize(&c.inputs[0], most + 1));
    CHECK(!well_formed(&c));
    CHECK(sb_array_resize(&c.inputs[0], units + 2));
    set_number(&c.inputs[0], 2, -NAN);
    check_normalise(&c);
    CHECK(sb_fold_is_exact(&c) && c.inputs[0].length == units + 2);
    CHECK(number_at(&c.inputs[0], units - 1) == 1 && number_at(&c.inputs[0], units) == 0);
    sb_case_free(&c);
}
END_TEST

START_TEST(sort_or_merge_normalise_makes_no_case_or_changes_one)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % (KEY_TYPES - 1);
        const sb_algorithm *algorithm =
            from % 3 ? sb_harness_algorithms_pattern_merge[0] : sb_harness_algorithms_pattern_sort[0];
        uint64_t keys[MOST], values[MOST], pairs;
        sb_case c;

        start(from);
        pairs = below(3);
        c = make(algorithm, key_types[t], pairs, 0);
        for (size_t i = 0; i < MOST; i++)
            values[i] = draw();
        for (size_t i = 0; i < sb_input_count(algorithm); i += 2) {
            uint64_t n = below(MOST);

            draw_keys(t, keys, n);
            set(&c, i, keys, n);
            set(&c, i + 1, values, below(2) ? n : below(MOST));
        }
        check_normalise(&c);
        CHECK(c.parameters[SB_SORT_PAIRS] == pairs % 2);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(merge_normalise_parts_values_from_keys)
{
    sb_case c = make(sb_harness_algorithms_pattern_merge[0], SB_I32, 1, 0);
    const int32_t keys[] = {3, -1, 3, -7}, sorted[] = {-7, -1, 3, 3};
    const uint32_t values[] = {0, 1, 2, 3}, moved[] = {3, 1, 0, 2};

    set(&c, SB_MERGE_B_KEYS, keys, 4);
    set(&c, SB_MERGE_B_VALUES, values, 4);
    ck_assert(c.algorithm->normalise(&c));
    ck_assert_mem_eq(c.inputs[SB_MERGE_B_KEYS].data, sorted, sizeof sorted);
    ck_assert_mem_eq(c.inputs[SB_MERGE_B_VALUES].data, moved, sizeof moved);
    sb_case_free(&c);
}
END_TEST

START_TEST(malformed_case_passes)
{
    const uint32_t two[] = {2, 1};
    sb_case sort = make(sb_harness_algorithms_pattern_sort[0], SB_U32, 1, 0),
            merge = make(sb_harness_algorithms_pattern_merge[0], SB_U32, 0, 0);
    sb_case scan = make(sb_harness_algorithms_pattern_scan[0], SB_U32, SB_OP_ADD, 2);
    sb_case reduce = make(sb_harness_algorithms_pattern_reduce[0], SB_AFFINE, SB_OP_COMPOSE, 0);

    set(&sort, SB_SORT_KEYS, two, 2);
    ck_assert(!well_formed(&sort)); /* no values */
    set(&sort, SB_SORT_VALUES, two, 2);
    ck_assert(well_formed(&sort));
    sort.parameters[SB_SORT_PAIRS] = 2;
    ck_assert(!well_formed(&sort));
    set(&merge, SB_MERGE_B_KEYS, two, 2);
    ck_assert(!well_formed(&merge)); /* 2, 1 */
    set(&merge, SB_MERGE_B_KEYS, two, 1);
    ck_assert(well_formed(&merge));
    set(&merge, SB_MERGE_A_VALUES, two, 1);
    ck_assert(!well_formed(&merge)); /* a value without pairs */
    set(&merge, SB_MERGE_A_VALUES, NULL, 0);
    merge.parameters[SB_SORT_PAIRS] = 3;
    ck_assert(!well_formed(&merge));
    ck_assert(!well_formed(&scan)); /* inclusive=2 */
    scan.parameters[SB_SCAN_INCLUSIVE] = 1;
    ck_assert(well_formed(&scan));
    scan.parameters[SB_SCAN_OP] = SB_OP_COMPOSE;
    ck_assert(!well_formed(&scan));
    set(&reduce, SB_REDUCE_ITEMS, two, 1); /* 2:1 */
    ck_assert(!well_formed(&reduce));
    sb_case_free(&sort);
    sb_case_free(&merge);
    sb_case_free(&scan);
    sb_case_free(&reduce);
}
END_TEST

static bool certified(const sb_case *c, const sb_result *result)
{
    char why[256] = "";
    bool right = c->algorithm->certify(c, result, why, sizeof why);

    CHECK(right == (why[0] == '\0'));
    return right;
}

START_TEST(certifier_of_select_takes_a_corruption_or_rejects_the_truth)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES, size = sb_ref_type_size(key_types[t]);
        uint64_t keys[MOST], n, k;
        sb_result result;
        uint8_t *bytes;
        sb_case c;

        start(from);
        n = 1 + below(MOST - 1);
        k = 1 + below(n);
        c = make(sb_harness_algorithms_select[0], key_types[t], k, 0);
        draw_keys(t, keys, n);
        set(&c, SB_SELECT_KEYS, keys, n);
        solve(&c, &result);
        CHECK(result.status == SB_OK && certified(&c, &result));
        bytes = result.outputs[SB_SELECT_KEY].data;
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            CHECK(!certified(&c, &result));
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (uint64_t i = 0; i < n; i++) {
            uint64_t right;

            memcpy(&right, bytes, size);
            memcpy(bytes, (char *)keys + i * size, size);
            CHECK(certified(&c, &result) == (memcmp(bytes, &right, size) == 0));
            memcpy(bytes, &right, size);
        }
        c.parameters[SB_SELECT_K] = below(2) ? 0 : n + 1;
        CHECK(!certified(&c, &result));
        sb_result_free(&result);
        solve(&c, &result);
        CHECK(result.status == SB_INVALID && result.message[0] != '\0');
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(certifier_of_select_takes_no_key_at_all)
{
    const uint32_t keys[] = {1, 2};
    sb_case c = make(sb_harness_algorithms_select[0], SB_U32, 1, 0);
    sb_result result;

    set(&c, SB_SELECT_KEYS, keys, 2);
    solve(&c, &result);
    result.outputs[SB_SELECT_KEY].length = 0;
    ck_assert(!certified(&c, &result));
    sb_result_free(&result);
    sb_case_free(&c);
}
END_TEST

START_TEST(descriptor_gives_something_else_than_the_reference)
{
    const uint32_t keys[] = {2, 1, 2}, values[] = {7, 8, 9}, sorted[] = {1, 2, 2}, moved[] = {8, 7, 9};
    const uint32_t merged[] = {1, 1, 2, 2, 2, 2}, merged_values[] = {8, 7, 7, 9, 8, 9}, kept[] = {2, 3, 3};
    const uint32_t running[] = {2, 3, 5}, before[] = {0, 2, 3};
    sb_case sort = make(sb_harness_algorithms_pattern_sort[0], SB_U32, 1, 0),
            merge = make(sb_harness_algorithms_pattern_merge[0], SB_U32, 1, 0);
    sb_case scan = make(sb_harness_algorithms_pattern_scan[0], SB_U32, SB_OP_ADD, 1);
    sb_result result;

    set(&sort, SB_SORT_KEYS, keys, 3);
    set(&sort, SB_SORT_VALUES, values, 3);
    solve(&sort, &result);
    ck_assert_mem_eq(result.outputs[0].data, sorted, sizeof sorted);
    ck_assert_mem_eq(result.outputs[1].data, moved, sizeof moved);
    sb_result_free(&result);
    for (int i = 0; i < 4; i += 2) {
        set(&merge, (size_t)i, sorted, 3);
        set(&merge, (size_t)i + 1, i == 0 ? moved : values, 3);
    }
    solve(&merge, &result);
    ck_assert_mem_eq(result.outputs[0].data, merged, sizeof merged);
    ck_assert_mem_eq(result.outputs[1].data, merged_values, sizeof merged_values);
    sb_result_free(&result);
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
    sb_case_free(&sort);
    sb_case_free(&merge);
    sb_case_free(&scan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ref_patterns");
    TCase *tests = tcase_create("properties");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, key_order_is_not_the_total_order);
    tcase_add_test(tests, sort_loses_a_key_or_the_order_or_stability);
    tcase_add_test(tests, merge_is_not_the_stable_sort_of_a_then_b);
    tcase_add_test(tests, select_is_not_the_kth_of_the_sorted_keys);
    tcase_add_test(tests, sort_or_select_goes_on_without_memory);
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
    tcase_add_test(tests, sort_or_merge_normalise_makes_no_case_or_changes_one);
    tcase_add_test(tests, merge_normalise_parts_values_from_keys);
    tcase_add_test(tests, malformed_case_passes);
    tcase_add_test(tests, certifier_of_select_takes_a_corruption_or_rejects_the_truth);
    tcase_add_test(tests, certifier_of_select_takes_no_key_at_all);
    tcase_add_test(tests, descriptor_gives_something_else_than_the_reference);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
