/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The references of key order, pattern.sort, pattern.merge and select.kth, and what their descriptors add: normalising,
 * shapes, the certifier. Answers computed by hand stand in corpus/.
 */
#include "../ref/key.h"
#include "../ref/pattern_merge.h"
#include "../ref/pattern_sort.h"
#include "../ref/select.h"
#include "pattern_fixture.h"
#include "suite.h"

extern const sb_algorithm *const sb_harness_algorithms_select[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_sort[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_merge[];

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
        uint64_t keys[MAX_ITEMS], sorted[MAX_ITEMS], alone[MAX_ITEMS], n;
        uint32_t values[MAX_ITEMS], sorted_values[MAX_ITEMS];
        bool seen[MAX_ITEMS] = {false};

        start(from);
        n = from < 3 * KEY_TYPES ? from / KEY_TYPES : below(MAX_ITEMS);
        draw_keys(t, keys, n);
        for (uint64_t i = 0; i < n; i++)
            values[i] = (uint32_t)i;
        CHECK(sb_ref_pattern_sort(type, keys, values, n, sorted, sorted_values) == SB_REF_OK);
        CHECK(sb_ref_pattern_sort(type, keys, NULL, n, alone, from % 2 ? NULL : values) == SB_REF_OK);
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
        uint64_t drawn[2 * MAX_ITEMS], a[MAX_ITEMS], b[MAX_ITEMS], both[2 * MAX_ITEMS], merged[2 * MAX_ITEMS],
            expected[2 * MAX_ITEMS], m, n;
        uint32_t tags[2 * MAX_ITEMS], merged_tags[2 * MAX_ITEMS], expected_tags[2 * MAX_ITEMS];

        start(from);
        m = below(5) == 0 ? 0 : below(MAX_ITEMS);
        n = below(5) == 0 ? 0 : below(MAX_ITEMS);
        draw_keys(t, drawn, m + n);
        for (uint64_t i = 0; i < m + n; i++)
            tags[i] = (uint32_t)i;
        CHECK(sb_ref_pattern_sort(type, drawn, NULL, m, a, NULL) == SB_REF_OK);
        CHECK(sb_ref_pattern_sort(type, (char *)drawn + m * size, NULL, n, b, NULL) == SB_REF_OK);
        memcpy(both, a, m * size);
        memcpy((char *)both + m * size, b, n * size);
        CHECK(sb_ref_pattern_sort(type, both, tags, m + n, expected, expected_tags) == SB_REF_OK);
        sb_ref_pattern_merge(type, a, tags, m, b, tags + m, n, merged, merged_tags);
        CHECK(memcmp(merged, expected, (m + n) * size) == 0);
        CHECK(memcmp(merged_tags, expected_tags, (m + n) * sizeof *tags) == 0);
        memset(merged, 0xa5, sizeof merged);
        sb_ref_pattern_merge(type, a, NULL, m, b, NULL, n, merged, NULL);
        CHECK(memcmp(merged, expected, (m + n) * size) == 0);
    }
}
END_TEST

START_TEST(select_is_not_the_kth_of_the_sorted_keys)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES;
        sb_ref_type type = key_types[t];
        uint64_t keys[MAX_ITEMS], sorted[MAX_ITEMS], n, key;

        start(from);
        n = from < 3 * KEY_TYPES ? from / KEY_TYPES : below(MAX_ITEMS);
        draw_keys(t, keys, n);
        CHECK(sb_ref_pattern_sort(type, keys, NULL, n, sorted, NULL) == SB_REF_OK);
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

    ck_assert_int_eq(sb_ref_pattern_sort(SB_REF_U64, &key, NULL, n, &to, NULL), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_pattern_sort(SB_REF_U64, &key, &value, n, &to, &to_value), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_select_kth(SB_REF_U64, &key, n, 1, &to), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_select_kth(SB_REF_U64, &key, n, n, &to), SB_REF_NO_MEMORY);
}
END_TEST

START_TEST(sort_or_merge_normalise_makes_no_case_or_changes_one)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % (KEY_TYPES - 1);
        const sb_algorithm *algorithm =
            from % 3 ? sb_harness_algorithms_pattern_merge[0] : sb_harness_algorithms_pattern_sort[0];
        uint64_t keys[MAX_ITEMS], values[MAX_ITEMS], pairs;
        sb_case c;

        start(from);
        pairs = below(3);
        c = make(algorithm, key_types[t], pairs, 0);
        for (size_t i = 0; i < MAX_ITEMS; i++)
            values[i] = draw();
        for (size_t i = 0; i < algorithm->input_count; i += 2) {
            uint64_t n = below(MAX_ITEMS);

            draw_keys(t, keys, n);
            set(&c, i, keys, n);
            set(&c, i + 1, values, below(2) ? n : below(MAX_ITEMS));
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

/* Every rank alone and several at once, in any order, with repeats. */
START_TEST(certifier_of_multi_takes_a_corruption_or_rejects_the_truth)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES, size = sb_ref_type_size(key_types[t]);
        uint64_t keys[MAX_ITEMS], k[MAX_ITEMS], n, m;
        sb_result result;
        uint8_t *bytes;
        sb_case c;

        start(from);
        n = 1 + below(MAX_ITEMS - 1);
        m = below(MAX_ITEMS);
        c = make(sb_harness_algorithms_select[1], key_types[t], 0, 0);
        draw_keys(t, keys, n);
        for (uint64_t i = 0; i < m; i++)
            k[i] = 1 + below(n);
        set(&c, SB_SELECT_KEYS, keys, n);
        set(&c, SB_SELECT_MULTI_K, k, m);
        solve(&c, &result);
        CHECK(result.status == SB_OK && certified(&c, &result));
        bytes = result.outputs[SB_SELECT_KEY].data;
        check_flips(&c, &result, bytes, size * m);
        for (uint64_t i = 0; m > 0 && i < n; i++) {
            uint8_t *at = bytes + below(m) * size;
            uint64_t right;

            memcpy(&right, at, size);
            memcpy(at, (char *)keys + i * size, size);
            CHECK(certified(&c, &result) == (memcmp(at, &right, size) == 0));
            memcpy(at, &right, size);
        }
        result.outputs[SB_SELECT_KEY].length++;
        CHECK(!certified(&c, &result));
        result.outputs[SB_SELECT_KEY].length--;
        if (m > 0) {
            ((uint64_t *)c.inputs[SB_SELECT_MULTI_K].data)[below(m)] = below(2) ? 0 : n + 1;
            CHECK(!certified(&c, &result));
        }
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(certifier_of_select_takes_a_corruption_or_rejects_the_truth)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES, size = sb_ref_type_size(key_types[t]);
        uint64_t keys[MAX_ITEMS], n, k;
        sb_result result;
        uint8_t *bytes;
        sb_case c;

        start(from);
        n = 1 + below(MAX_ITEMS - 1);
        k = 1 + below(n);
        c = make(sb_harness_algorithms_select[0], key_types[t], k, 0);
        draw_keys(t, keys, n);
        set(&c, SB_SELECT_KEYS, keys, n);
        solve(&c, &result);
        CHECK(result.status == SB_OK && certified(&c, &result));
        bytes = result.outputs[SB_SELECT_KEY].data;
        check_flips(&c, &result, bytes, size);
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

/* Another key, or any other index, in one place. */
START_TEST(certifier_of_topk_takes_a_corruption_or_rejects_the_truth)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % KEY_TYPES, size = sb_ref_type_size(key_types[t]);
        uint64_t keys[MAX_ITEMS], n, k;
        sb_result result;
        uint8_t *bytes;
        uint32_t *index;
        sb_case c;

        start(from);
        n = 1 + below(MAX_ITEMS - 1);
        k = 1 + below(n);
        c = make(sb_harness_algorithms_select[2], key_types[t], k, 0);
        draw_keys(t, keys, n);
        set(&c, SB_SELECT_KEYS, keys, n);
        solve(&c, &result);
        CHECK(result.status == SB_OK && certified(&c, &result));
        bytes = result.outputs[SB_SELECT_KEY].data;
        index = result.outputs[SB_SELECT_INDEX].data;
        for (uint64_t i = 0; i < k; i++) {
            uint32_t right = index[i];

            bytes[i * size] ^= 1;
            CHECK(!certified(&c, &result));
            bytes[i * size] ^= 1;
            for (index[i] = 0; index[i] <= n; index[i]++)
                CHECK(certified(&c, &result) == (index[i] == right));
            index[i] = right;
        }
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(malformed_sequence_passes)
{
    const uint32_t two[] = {2, 1};
    sb_case sort = make(sb_harness_algorithms_pattern_sort[0], SB_U32, 1, 0);
    sb_case merge = make(sb_harness_algorithms_pattern_merge[0], SB_U32, 0, 0);

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
    sb_case_free(&sort);
    sb_case_free(&merge);
}
END_TEST

START_TEST(sort_or_merge_descriptor_gives_something_else_than_the_reference)
{
    const uint32_t keys[] = {2, 1, 2}, values[] = {7, 8, 9}, sorted[] = {1, 2, 2}, moved[] = {8, 7, 9};
    const uint32_t merged[] = {1, 1, 2, 2, 2, 2}, merged_values[] = {8, 7, 7, 9, 8, 9};
    sb_case sort = make(sb_harness_algorithms_pattern_sort[0], SB_U32, 1, 0);
    sb_case merge = make(sb_harness_algorithms_pattern_merge[0], SB_U32, 1, 0);
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
    sb_case_free(&sort);
    sb_case_free(&merge);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, key_order_is_not_the_total_order);
    tcase_add_test(tests, sort_loses_a_key_or_the_order_or_stability);
    tcase_add_test(tests, merge_is_not_the_stable_sort_of_a_then_b);
    tcase_add_test(tests, select_is_not_the_kth_of_the_sorted_keys);
    tcase_add_test(tests, sort_or_select_goes_on_without_memory);
    tcase_add_test(tests, sort_or_merge_normalise_makes_no_case_or_changes_one);
    tcase_add_test(tests, merge_normalise_parts_values_from_keys);
    tcase_add_test(tests, certifier_of_select_takes_a_corruption_or_rejects_the_truth);
    tcase_add_test(tests, certifier_of_multi_takes_a_corruption_or_rejects_the_truth);
    tcase_add_test(tests, certifier_of_select_takes_no_key_at_all);
    tcase_add_test(tests, certifier_of_topk_takes_a_corruption_or_rejects_the_truth);
    tcase_add_test(tests, malformed_sequence_passes);
    tcase_add_test(tests, sort_or_merge_descriptor_gives_something_else_than_the_reference);
}

int main(void)
{
    return run_tests("ref/keys", add_tests, NULL, 60);
}
