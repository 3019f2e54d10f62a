/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases and results, and cases as byte strings.
 */
#include "harness_fixture.h"
#include "suite.h"
#include "../harness/case_bytes.h"
#include "../harness/generate.h"
#include <stdlib.h>
#include <string.h>

START_TEST(hash_is_not_fnv_1a)
{
    sb_case_line line;

    /* FNV-1a over 16 zero bytes, and over 31, 2, then 'a', 'b', as computed by another program */
    parse("mtf.encode id=a chunk=0 bytes=\"\"", &line);
    ck_assert_uint_eq(sb_case_hash(&line.c), 0x88201fb960ff6465);
    sb_case_line_free(&line);
    parse("mtf.encode id=b chunk=31 bytes=\"ab\" => invalid", &line);
    ck_assert_uint_eq(sb_case_hash(&line.c), 0x5544d45eb7425d7b);
    sb_case_line_free(&line);
}
END_TEST

START_TEST(normalise_leaves_an_ill_formed_case)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    sb_case c, copy;
    const uint8_t keys[19] = {2, 0, 0, 0, 5};

    sb_case_init(&c, &mix);
    ck_assert_uint_eq(c.parameters[TYPE], SB_U32);
    ck_assert(sb_array_resize(&c.inputs[KEYS], 5));
    memcpy(c.inputs[KEYS].data, keys, 19);
    c.parameters[TYPE] = SB_AFFINE;
    c.parameters[MODE] = 1;
    ck_assert(!sb_case_shape(&c, capacity, reason, sizeof reason));
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_case_shape(&c, capacity, reason, sizeof reason));
    ck_assert_uint_eq(c.parameters[MODE], 0);
    ck_assert_uint_eq(c.inputs[KEYS].length, 2);
    ck_assert_uint_eq(c.inputs[VALUES].length, 2);
    ck_assert_uint_eq(((sb_affine *)c.inputs[KEYS].data)[0].a, 3);
    ck_assert_uint_eq(((sb_affine *)c.inputs[KEYS].data)[0].b, 5);
    ck_assert(sb_case_copy(&copy, &c));
    ck_assert(sb_case_normalise(&copy));
    ck_assert(sb_case_equal(&copy, &c));
    ((sb_affine *)copy.inputs[KEYS].data)[1].b++;
    ck_assert(!sb_case_equal(&copy, &c));
    ck_assert_uint_ne(sb_case_hash(&copy), sb_case_hash(&c));
    c.parameters[TYPE] = 99;
    ck_assert(!sb_case_shape(&c, capacity, reason, sizeof reason));
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.parameters[TYPE], SB_U32);
    ck_assert_uint_eq(c.inputs[KEYS].length, 4);
    sb_case_free(&c);
    sb_case_free(&copy);
}
END_TEST

static bool all_is_right(const sb_case *c, const sb_result *expected, const sb_result *got, char *text, size_t size)
{
    (void)c, (void)expected, (void)got, (void)text, (void)size;
    return true;
}

START_TEST(answer_hash_tells_one_nan_from_another_or_misses_a_number)
{
    static const uint32_t nans[] = {0x7fc00000, 0xffc00001}, one = 0x3f800000;
    sb_algorithm loose = {.output_count = 1, .within = all_is_right}, exact = {.output_count = 1};
    sb_case c = {.algorithm = &loose};
    sb_result results[3] = {{.status = SB_OK}, {.status = SB_OK}, {.status = SB_OK}};

    for (int i = 0; i < 3; i++)
        results[i].outputs[0].type = SB_F32;
    ck_assert(sb_array_set(&results[0].outputs[0], &nans[0], 1));
    ck_assert(sb_array_set(&results[1].outputs[0], &nans[1], 1));
    ck_assert(sb_array_set(&results[2].outputs[0], &one, 1));
    ck_assert_uint_eq(sb_answer_hash(&c, &results[0], 9), sb_answer_hash(&c, &results[1], 9));
    ck_assert_uint_eq(sb_answer_hash(&c, &results[0], 9), sb_result_hash(&results[0], 1, 9));
    ck_assert_uint_ne(sb_answer_hash(&c, &results[0], 9), sb_answer_hash(&c, &results[2], 9));
    c.algorithm = &exact;
    ck_assert_uint_ne(sb_answer_hash(&c, &results[0], 9), sb_answer_hash(&c, &results[1], 9));
    for (int i = 0; i < 3; i++)
        sb_result_free(&results[i]);
}
END_TEST

START_TEST(result_hash_misses_a_difference)
{
    sb_result results[5] = {{.status = SB_OK}, {.status = SB_OK}, {.status = SB_OK}, {.status = SB_INVALID}};

    for (int i = 0; i < 3; i++)
        results[i].outputs[0].type = results[i].outputs[1].type = SB_U8;
    ck_assert(sb_array_set(&results[1].outputs[0], "a", 1));
    ck_assert(sb_array_set(&results[2].outputs[1], "a", 1));
    ck_assert(sb_result_copy(&results[4], &results[2], 2));
    ck_assert_uint_eq(sb_result_hash(&results[4], 2, 9), sb_result_hash(&results[2], 2, 9));
    ck_assert_uint_ne(sb_result_hash(&results[2], 2, 8), sb_result_hash(&results[2], 2, 9));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            ck_assert_uint_ne(sb_result_hash(&results[i], 2, 9), sb_result_hash(&results[k], 2, 9));
    ck_assert_uint_ne(sb_result_hash(&results[0], 0, 9), sb_result_hash(&results[3], 0, 9));
    for (int i = 0; i < 5; i++)
        sb_result_free(&results[i]);
}
END_TEST

START_TEST(reference_runs_on_an_ill_formed_case)
{
    sb_result result;
    sb_case c;

    sb_case_init(&c, &mix);
    ck_assert(sb_array_resize(&c.inputs[KEYS], 3));
    ck_assert(!sb_case_reference(&c, &result));
    ck_assert_str_eq(result.message, "keys and values differ in length");
    sb_result_free(&result);
    ck_assert(sb_array_resize(&c.inputs[VALUES], 3));
    ck_assert_double_eq(sb_case_cost(&c), 1000 + 5 * 24);
    ck_assert_uint_eq(sb_case_items(&c), 3);
    ck_assert(sb_case_reference(&c, &result));
    ck_assert_uint_eq(result.outputs[0].length, 3);
    sb_result_free(&result);
    sb_case_free(&c);
}
END_TEST

START_TEST(encoded_case_decodes_to_another)
{
    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (uint64_t index = 0; index < 100; index++) {
            sb_case c, back;
            uint8_t *bytes;
            size_t size;

            nth(&c, a, index);
            ck_assert(sb_case_encode(&c, &bytes, &size));
            ck_assert(sb_case_decode(c.algorithm, bytes, size, &back));
            ck_assert_msg(sb_case_equal(&c, &back), "%s %s", c.algorithm->name, c.why);
            ck_assert_str_eq(back.id, "bytes");
            free(bytes);
            sb_case_free(&c);
            sb_case_free(&back);
        }
}
END_TEST

/* Values at which the code of a length or of a parameter changes its form. */
START_TEST(encoded_number_decodes_to_another)
{
    static const uint64_t edges[] = {0,   1,   62,  63,  64,  65,  127, 128,   191,
                                     192, 193, 199, 200, 255, 256, 257, 65535, 65536};

    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_U32, 0, edges[i]};
        sb_case c, back;
        uint8_t *bytes;
        size_t size;

        ck_assert(sb_generate(&c, &mix, "random", edges[i], 1, parameters));
        ck_assert(sb_case_encode(&c, &bytes, &size));
        ck_assert(sb_case_decode(&mix, bytes, size, &back));
        ck_assert(sb_case_equal(&c, &back));
        free(bytes);
        sb_case_free(&c);
        sb_case_free(&back);
    }
}
END_TEST

START_TEST(byte_string_decodes_to_no_case)
{
    sb_random random = {3};

    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (size_t size = 0; size < 300; size++) {
            uint64_t capacity[SB_MAX_ARRAYS];
            uint8_t bytes[300], *again;
            size_t length;
            sb_case c, back;

            for (size_t i = 0; i < size; i++)
                bytes[i] = (uint8_t)sb_random_next(&random);
            ck_assert(sb_case_decode(sb_algorithm_at(a), bytes, size, &c));
            ck_assert_msg(sb_case_shape(&c, capacity, reason, sizeof reason), "%s", reason);
            ck_assert(sb_case_encode(&c, &again, &length));
            ck_assert(sb_case_decode(c.algorithm, again, length, &back));
            ck_assert(sb_case_equal(&c, &back));
            free(again);
            sb_case_free(&c);
            sb_case_free(&back);
        }
}
END_TEST

START_TEST(byte_string_layout_drifts)
{
    /* Word 12 modulo 9, word 2, a literal of two bytes; lengths 1, a share, 2, 0, 0; a key, two flags, and 4 bytes. The
     * share is none: of 6 bytes for arrays whose elements take 25. */
    static const uint8_t mixed[] = {12, 2, 0xc1, 0x34, 0x12, 1, 0xff, 2, 0, 0, 9, 0, 0, 0, 7, 8, 1, 2, 3, 4};
    /* Five shares of 3 * 29 + 8 bytes: 3 elements each, as elements take 4 + 4 + 1 + 4 + 8 + 8 bytes; the last array
     * takes the rest. */
    static const uint8_t shared[8 + 3 * 29 + 8] = {3, 0, 0, 0xc8, 0xd0, 0xff, 0xe0, 0xf1};
    static const struct {
        uint8_t bytes[4];
        size_t size;
        uint64_t chunk, length;
    } simple[] = {{{0}, 0, 0, 0},        {{0, 'x'}, 2, 0, 1},          {{5, 'x'}, 2, 33, 1},
                  {{17, 'x'}, 2, 33, 1}, {{0x80 + 63, 'x'}, 2, 63, 1}, {{0xc1, 0, 1, 'x'}, 4, 256, 1},
                  {{0xc7, 1}, 2, 1, 0}};
    sb_case c;

    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        ck_assert(sb_case_decode(sb_algorithm_at(0), simple[i].bytes, simple[i].size, &c));
        ck_assert_uint_eq(c.parameters[0], simple[i].chunk);
        ck_assert_uint_eq(c.inputs[0].length, simple[i].length);
        sb_case_free(&c);
    }
    ck_assert(sb_case_decode(&mix, mixed, sizeof mixed, &c));
    ck_assert_uint_eq(c.parameters[TYPE], SB_U32);
    ck_assert_uint_eq(c.parameters[MODE], 2);
    ck_assert_uint_eq(c.parameters[COUNT], 0x1234);
    ck_assert_uint_eq(c.inputs[KEYS].length, 1);
    ck_assert_uint_eq(*(uint32_t *)c.inputs[KEYS].data, 9);
    ck_assert_uint_eq(*(uint32_t *)c.inputs[VALUES].data, 0);
    ck_assert_mem_eq(c.inputs[FLAGS].data, mixed + 14, 2);
    ck_assert_uint_eq(c.inputs[WIDE].length, 0);
    sb_case_free(&c);
    ck_assert(sb_case_decode(&mix, shared, sizeof shared, &c));
    for (int i = KEYS; i <= BIG; i++)
        ck_assert_uint_eq(c.inputs[i].length, 3);
    ck_assert_uint_eq(c.inputs[WIDE].length, 4);
    sb_case_free(&c);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, hash_is_not_fnv_1a);
    tcase_add_test(tests, normalise_leaves_an_ill_formed_case);
    tcase_add_test(tests, answer_hash_tells_one_nan_from_another_or_misses_a_number);
    tcase_add_test(tests, result_hash_misses_a_difference);
    tcase_add_test(tests, reference_runs_on_an_ill_formed_case);
    tcase_add_test(tests, encoded_case_decodes_to_another);
    tcase_add_test(tests, encoded_number_decodes_to_another);
    tcase_add_test(tests, byte_string_decodes_to_no_case);
    tcase_add_test(tests, byte_string_layout_drifts);
}

int main(void)
{
    return run_tests("harness/case", add_tests, NULL, 60);
}
