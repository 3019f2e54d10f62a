/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The reference of bwt and what its descriptor adds: normalising, the cost, the certifier of bwt.forward. Answers
 * computed by hand stand in corpus/.
 */
#include "../ref/bwt.h"
#include "ref_fixture.h"
#include "suite.h"

/* Lets allocations that are too large fail under AddressSanitizer, too, instead of ending the test. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

extern const sb_algorithm *const sb_harness_algorithms_bwt[];

static int compare_rotations(const uint8_t *text, uint64_t n, uint64_t a, uint64_t b)
{
    for (uint64_t i = 0; i < n; i++)
        if (text[(a + i) % n] != text[(b + i) % n])
            return text[(a + i) % n] < text[(b + i) % n] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Finds each rotation's row by counting the rotations before it. */
static void check_rows(const uint8_t *text, uint64_t n)
{
    uint8_t last[MAX_BYTES];
    uint64_t primary;

    ck_assert_int_eq(sb_ref_bwt_forward(text, n, 0, last, &primary), SB_REF_OK);
    for (uint64_t a = 0; a < n; a++) {
        uint64_t row = 0;

        for (uint64_t b = 0; b < n; b++)
            row += compare_rotations(text, n, b, a) < 0;
        ck_assert_uint_eq(last[row], text[(a + n - 1) % n]);
        if (a == 0)
            ck_assert_uint_eq(primary, row);
    }
}

START_TEST(bwt_rows_out_of_order)
{
    uint8_t text[MAX_BYTES];

    for (uint64_t n = 1; n <= 8; n++) {
        for (uint64_t i = 0; i < power(2, n); i++) {
            spell(text, n, 2, i);
            check_rows(text, n);
        }
    }
    for (int i = 0; i < 200; i++) {
        uint64_t n = 1 + draw(60);

        fill(text, n);
        check_rows(text, n);
    }
}
END_TEST

START_TEST(bwt_inverse_does_not_undo_forward)
{
    uint8_t text[MAX_BYTES], last[MAX_BYTES], back[MAX_BYTES];
    uint64_t primary[MAX_BYTES];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (int i = 0; i < 30; i++) {
            uint64_t n = draw(i < 10 ? 10 : MAX_BYTES), blocks = sb_ref_bwt_blocks(n, pieces[p]);

            fill(text, n);
            ck_assert_int_eq(sb_ref_bwt_forward(text, n, pieces[p], last, primary), SB_REF_OK);
            ck_assert_int_eq(sb_ref_bwt_inverse(last, n, primary, blocks, pieces[p], back), SB_REF_OK);
            ck_assert_mem_eq(back, text, n);
        }
    }
}
END_TEST

START_TEST(bwt_blocks_see_each_other)
{
    uint8_t text[100], last[100], alone[100];
    uint64_t primary[100], primary_alone;

    fill(text, 100);
    for (uint64_t block = 1; block <= 102; block++) {
        ck_assert_uint_eq(sb_ref_bwt_blocks(100, block), (100 + block - 1) / block);
        ck_assert_int_eq(sb_ref_bwt_forward(text, 100, block, last, primary), SB_REF_OK);
        for (uint64_t first = 0; first < 100; first += block) {
            uint64_t length = 100 - first < block ? 100 - first : block;

            sb_ref_bwt_forward(text + first, length, 0, alone, &primary_alone);
            ck_assert_mem_eq(last + first, alone, length);
            ck_assert_uint_eq(primary[first / block], primary_alone);
        }
    }
}
END_TEST

START_TEST(bwt_inverse_of_no_transform_walks_elsewhere)
{
    uint8_t last[40], text[40];

    for (int round = 0; round < 500; round++) {
        uint64_t n = 1 + draw(40), primary = draw(n), row = primary;

        fill(last, n);
        ck_assert_int_eq(sb_ref_bwt_inverse(last, n, &primary, 1, 0, text), SB_REF_OK);
        for (uint64_t i = n; i-- > 0;) {
            uint64_t next = 0;

            ck_assert_uint_eq(text[i], last[row]);
            for (uint64_t j = 0; j < n; j++)
                next += last[j] < last[row] || (last[j] == last[row] && j < row);
            row = next;
        }
    }
}
END_TEST

START_TEST(bwt_inverse_takes_a_bad_primary)
{
    const uint8_t *last = (const uint8_t *)"nnbaaabaa";
    const uint64_t beyond[] = {3, 4, 6, 9, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    uint8_t text[9];
    uint64_t primary[3] = {3, 2, 0};

    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 2, 6, text), SB_REF_OK);
    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 1, 6, text), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 3, 6, text), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 0, 6, text), SB_REF_INVALID);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        primary[1] = beyond[i];
        ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 2, 6, text), SB_REF_INVALID);
    }
}
END_TEST

START_TEST(bwt_of_nothing_has_a_block)
{
    uint64_t primary = 0;

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        ck_assert_uint_eq(sb_ref_bwt_blocks(0, pieces[p]), 0);
        ck_assert_int_eq(sb_ref_bwt_forward(NULL, 0, pieces[p], NULL, NULL), SB_REF_OK);
        ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, NULL, 0, pieces[p], NULL), SB_REF_OK);
        ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, &primary, 1, pieces[p], NULL), SB_REF_OK);
    }
    ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, &primary, 2, 0, NULL), SB_REF_INVALID);
    primary = 1;
    ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, &primary, 1, 0, NULL), SB_REF_INVALID);
}
END_TEST

START_TEST(bwt_without_memory_goes_on)
{
    uint64_t primary = 0;

    ck_assert_int_eq(sb_ref_bwt_forward(NULL, UINT64_MAX / 4, 0, NULL, &primary), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_bwt_inverse(NULL, UINT64_MAX / 4, &primary, 1, 0, NULL), SB_REF_NO_MEMORY);
}
END_TEST

static void make_bwt_case(sb_case *c, const uint8_t *text, uint64_t n, uint64_t block)
{
    sb_case_init(c, sb_harness_algorithms_bwt[0]);
    c->parameters[SB_BWT_BLOCK] = block;
    set(c, SB_BWT_FORWARD_TEXT, text, n);
}

/* The certifier accepts the right result, and rejects it after any change of one byte or of one primary. */
static void check_certifier(const uint8_t *text, uint64_t n, uint64_t block)
{
    sb_case c;
    sb_result result;
    char why[200];
    uint8_t *last;
    uint64_t *primary;
    int taken = 0;

    make_bwt_case(&c, text, n, block);
    refer(&c, &result);
    last = result.outputs[SB_BWT_FORWARD_LAST].data;
    primary = result.outputs[SB_BWT_FORWARD_PRIMARY].data;
    ck_assert_msg(c.algorithm->certify(&c, &result, why, sizeof why), "%s", why);
    for (uint64_t i = 0; i < n; i++) {
        for (int change = 1; change < 256; change++) {
            last[i] = (uint8_t)(last[i] + change);
            taken += c.algorithm->certify(&c, &result, why, sizeof why);
            last[i] = (uint8_t)(last[i] - change);
        }
    }
    for (uint64_t b = 0; b < result.outputs[SB_BWT_FORWARD_PRIMARY].length; b++) {
        uint64_t right = primary[b];

        for (uint64_t wrong = 0; wrong <= n + 1; wrong++) {
            primary[b] = wrong == n + 1 ? UINT64_MAX : wrong;
            taken += wrong != right && c.algorithm->certify(&c, &result, why, sizeof why);
        }
        primary[b] = right;
    }
    ck_assert_int_eq(taken, 0);
    sb_result_free(&result);
    sb_case_free(&c);
}

START_TEST(bwt_certifier_takes_a_corruption)
{
    const uint64_t longest[] = {0, 20, 8, 6};
    uint8_t text[20];

    for (uint64_t letters = 1; letters <= 3; letters++) {
        for (uint64_t n = 0; n <= longest[letters]; n++) {
            for (uint64_t i = 0; i < power(letters, n); i++) {
                spell(text, n, letters, i);
                check_certifier(text, n, 0);
            }
        }
    }
    for (uint64_t i = 0; i < power(2, 6); i++) {
        spell(text, 6, 2, i);
        check_certifier(text, 6, 2);
        check_certifier(text, 6, 4);
    }
}
END_TEST

/* For every text the certifier accepts exactly one pair of last column and primary: that of the reference. */
START_TEST(bwt_certifier_takes_another_result)
{
    enum { N = 4 };
    uint8_t text[N], right[N];

    for (uint64_t t = 0; t < power(3, N); t++) {
        sb_case c;
        sb_result result;
        char why[200];
        uint8_t *last;
        uint64_t *primary, right_primary;
        int wrong = 0;

        spell(text, N, 3, t);
        make_bwt_case(&c, text, N, 0);
        refer(&c, &result);
        last = result.outputs[SB_BWT_FORWARD_LAST].data;
        primary = result.outputs[SB_BWT_FORWARD_PRIMARY].data;
        memcpy(right, last, N);
        right_primary = *primary;
        for (uint64_t l = 0; l < power(3, N); l++) {
            spell(last, N, 3, l);
            for (*primary = 0; *primary < N; ++*primary)
                wrong += c.algorithm->certify(&c, &result, why, sizeof why) !=
                         (*primary == right_primary && memcmp(last, right, N) == 0);
        }
        ck_assert_int_eq(wrong, 0);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(bwt_certifier_takes_wrong_lengths)
{
    sb_case c;
    sb_result result;
    char why[200];

    make_bwt_case(&c, (const uint8_t *)"bananabaa", 9, 6);
    refer(&c, &result);
    result.outputs[0].length--;
    ck_assert(!c.algorithm->certify(&c, &result, why, sizeof why));
    result.outputs[0].length++;
    result.outputs[1].length--;
    ck_assert(!c.algorithm->certify(&c, &result, why, sizeof why));
    result.outputs[1].length++;
    ck_assert(c.algorithm->certify(&c, &result, why, sizeof why));
    sb_result_free(&result);
    sb_case_free(&c);
}
END_TEST

START_TEST(bwt_certifier_refuses_long_repeats)
{
    uint8_t text[MAX_BYTES];

    for (int i = 0; i < 100; i++) {
        uint64_t n = draw(MAX_BYTES);
        sb_case c;
        sb_result result;
        char why[200];

        fill(text, n);
        make_bwt_case(&c, text, n, pieces[draw(sizeof pieces / sizeof *pieces)]);
        refer(&c, &result);
        ck_assert_msg(c.algorithm->certify(&c, &result, why, sizeof why), "%s", why);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

static double bwt_cost(const uint8_t *text, uint64_t n)
{
    sb_case c;
    double cost;

    make_bwt_case(&c, text, n, 0);
    cost = c.algorithm->cost(&c);
    sb_case_free(&c);
    return cost;
}

START_TEST(bwt_cost_overlooks_repetition)
{
    enum { N = 1 << 16 };
    uint8_t *text = malloc(N);
    double plain;

    ck_assert_ptr_nonnull(text);
    for (int i = 0; i < N; i++)
        text[i] = (uint8_t)draw(256);
    plain = bwt_cost(text, N);
    memcpy(text + N / 2, text, N / 2);
    ck_assert_double_gt(bwt_cost(text, N), 5 * plain); /* a text twice */
    for (int i = 0; i < N; i++)
        text[i] = (uint8_t)draw(256);
    memcpy(text + 3 * N / 4, text + N / 2, N / 4);
    ck_assert_double_gt(bwt_cost(text, N), 2 * plain); /* a repeat that does not begin with the text */
    for (int i = 3 * N / 4; i < N; i++)
        text[i] = (uint8_t)draw(256);
    memset(text + N / 8, 0, N / 8);
    ck_assert_double_gt(bwt_cost(text, N),
                        1.5 * plain); /* a run between the positions at which repeats are looked for */
    for (int i = 0; i < N; i++)
        text[i] = "abc"[i % 3];
    ck_assert_double_gt(bwt_cost(text, N), 20 * plain);
    memset(text, 0, N);
    ck_assert_double_gt(bwt_cost(text, N), 20 * plain);
    ck_assert_double_ge(bwt_cost(text, 0), 0);
    free(text);
}
END_TEST

START_TEST(bwt_inverse_normalise_changes_what_fits)
{
    const uint64_t given[] = {6, UINT64_MAX, 7, 8}; /* 6 is the length of the first block: invalid, and kept */
    sb_case c;
    const uint64_t *primary;

    sb_case_init(&c, sb_harness_algorithms_bwt[1]);
    c.parameters[SB_BWT_BLOCK] = 6;
    set(&c, SB_BWT_INVERSE_LAST, "nnbaaabaa", 9);
    set(&c, SB_BWT_INVERSE_PRIMARY, given, 2);
    ck_assert(sb_case_normalise(&c));
    ck_assert_mem_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].data, given, sizeof(uint64_t[2]));

    set(&c, SB_BWT_INVERSE_PRIMARY, given, 4);
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].length, 2);
    primary = c.inputs[SB_BWT_INVERSE_PRIMARY].data;
    ck_assert_uint_eq(primary[0], 6);
    ck_assert_uint_eq(primary[1], UINT64_MAX % 3);

    set(&c, SB_BWT_INVERSE_LAST, NULL, 0);
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].length, 0);
    set(&c, SB_BWT_INVERSE_PRIMARY, given, 1);
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].length, 1);
    sb_case_free(&c);
}
END_TEST

START_TEST(bwt_inverse_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_bwt[0], sb_harness_algorithms_bwt[1]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, bwt_rows_out_of_order);
    tcase_add_test(tests, bwt_inverse_does_not_undo_forward);
    tcase_add_test(tests, bwt_blocks_see_each_other);
    tcase_add_test(tests, bwt_inverse_of_no_transform_walks_elsewhere);
    tcase_add_test(tests, bwt_inverse_takes_a_bad_primary);
    tcase_add_test(tests, bwt_of_nothing_has_a_block);
    tcase_add_test(tests, bwt_without_memory_goes_on);
    tcase_add_test(tests, bwt_certifier_takes_a_corruption);
    tcase_add_test(tests, bwt_certifier_takes_another_result);
    tcase_add_test(tests, bwt_certifier_takes_wrong_lengths);
    tcase_add_test(tests, bwt_certifier_refuses_long_repeats);
    tcase_add_test(tests, bwt_cost_overlooks_repetition);
    tcase_add_test(tests, bwt_inverse_normalise_changes_what_fits);
    tcase_add_test(tests, bwt_inverse_asks_for_something_else);
}

int main(void)
{
    return run_tests("ref/bwt", add_tests, start, 60);
}
