/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The reference of qlfc and what its descriptor adds. Answers computed by hand stand
 * in corpus/.
 */
#include "../ref/qlfc.h"
#include "ref_fixture.h"
#include "suite.h"

extern const sb_algorithm *const sb_harness_algorithms_qlfc[];

/* Distinct symbols strictly between byte `last`, where a run ends, and the next one that is the same, or the end. */
static unsigned distinct_after(const uint8_t *bytes, uint64_t n, uint64_t last)
{
    unsigned distinct = 0;
    uint8_t seen[256] = {0};

    for (uint64_t i = last + 1; i < n && bytes[i] != bytes[last]; i++) {
        distinct += !seen[bytes[i]];
        seen[bytes[i]] = 1;
    }
    return distinct;
}

START_TEST(qlfc_rank_is_not_the_distance_in_symbols)
{
    uint8_t bytes[MAX_BYTES], rank[MAX_BYTES], order[256];
    uint32_t length[MAX_BYTES];

    for (int i = 0; i < 300; i++) {
        uint64_t n = draw(MAX_BYTES), runs, symbols, at = 0, met = 0;
        uint8_t seen[256] = {0};

        fill(bytes, n);
        ck_assert_int_eq(sb_ref_qlfc_encode(bytes, n, rank, length, &runs, order, &symbols), SB_REF_OK);
        for (uint64_t run = 0; run < runs; at += length[run++]) {
            for (uint64_t k = at; k < at + length[run]; k++)
                ck_assert_uint_eq(bytes[k], bytes[at]);
            ck_assert(at == 0 || bytes[at] != bytes[at - 1]);
            ck_assert_uint_eq(rank[run], distinct_after(bytes, n, at + length[run] - 1));
            if (!seen[bytes[at]])
                ck_assert_uint_eq(order[met++], bytes[at]);
            seen[bytes[at]] = 1;
        }
        ck_assert_uint_eq(at, n);
        ck_assert_uint_eq(symbols, met);
    }
}
END_TEST

/* Every code of up to five runs and four symbols, of lengths 0 to 2: what is taken is what encode gives for it. */
START_TEST(qlfc_decode_takes_what_encode_does_not_give)
{
    const uint8_t orders[][4] = {{7, 0, 255, 1}, {7, 7, 255, 1}, {7, 0, 255, 7}};
    uint8_t rank[5], bytes[10], rank_again[10], order_again[256];
    uint32_t length[5], length_again[10];
    uint64_t taken = 0;

    for (uint64_t i = 0, codes = 3 * 5 * 6; i < codes * power(5, 5) * 3; i++) {
        const uint8_t *order = orders[i % 3];
        uint64_t symbols = i / 3 % 5, runs = i / 15 % 6, again, symbols_again, n = 0;

        spell(rank, 5, 5, i / codes);
        for (uint64_t run = 0; run < runs; run++)
            n += length[run] = (uint32_t)(i / codes / power(5, 5) == 0 ? 1 : draw(8) % 3);
        if (sb_ref_qlfc_decode(rank, length, runs, order, symbols, bytes) != SB_REF_OK) {
            ck_assert_int_eq(sb_ref_qlfc_decode(rank, length, runs, order, symbols, NULL), SB_REF_INVALID);
            continue;
        }
        taken++;
        ck_assert_int_eq(sb_ref_qlfc_encode(bytes, n, rank_again, length_again, &again, order_again, &symbols_again),
                         SB_REF_OK);
        ck_assert_uint_eq(again, runs);
        ck_assert_uint_eq(symbols_again, symbols);
        ck_assert(runs == 0 || memcmp(rank, rank_again, runs) == 0);
        ck_assert(runs == 0 || memcmp(length, length_again, runs * sizeof *length) == 0);
        ck_assert(symbols == 0 || memcmp(order, order_again, symbols) == 0);
    }
    ck_assert_uint_gt(taken, 0);
}
END_TEST

/* Every text of up to six of four letters comes back. */
START_TEST(qlfc_decode_refuses_what_encode_gives)
{
    uint8_t text[6], rank[6], order[256], back[6];
    uint32_t length[6];
    uint64_t runs, symbols;

    for (uint64_t n = 0; n <= 6; n++)
        for (uint64_t i = 0; i < power(4, n); i++) {
            spell(text, n, 4, i);
            sb_ref_qlfc_encode(text, n, rank, length, &runs, order, &symbols);
            ck_assert_int_eq(sb_ref_qlfc_decode(rank, length, runs, order, symbols, back), SB_REF_OK);
            ck_assert(n == 0 || memcmp(back, text, n) == 0);
        }
}
END_TEST

START_TEST(qlfc_takes_2_32_bytes)
{
    const uint8_t rank[] = {1, 0}, order[] = {5, 6};
    const uint32_t most[] = {UINT32_MAX - 1, 1}, too_many[] = {UINT32_MAX, 1};
    uint64_t runs, symbols;

    ck_assert_int_eq(sb_ref_qlfc_encode(NULL, (uint64_t)1 << 32, NULL, NULL, &runs, NULL, &symbols), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_qlfc_decode(rank, most, 2, order, 2, NULL), SB_REF_OK);
    ck_assert_int_eq(sb_ref_qlfc_decode(rank, too_many, 2, order, 2, NULL), SB_REF_INVALID);
}
END_TEST

/* Arrays that fit stay as they are; others become a code, most of them a valid one. */
START_TEST(qlfc_normalise_changes_what_fits_or_makes_no_code)
{
    const sb_algorithm *algorithm = sb_harness_algorithms_qlfc[1];
    const uint32_t huge[] = {UINT32_MAX - 1, 1}, invalid[] = {UINT32_MAX, 1};
    uint64_t capacity[SB_MAX_ARRAYS], valid = 0;
    uint8_t bytes[MAX_BYTES];
    uint32_t drawn[MAX_BYTES];
    char why[200];
    sb_case c;

    sb_case_init(&c, algorithm);
    set(&c, SB_QLFC_RANK, "\1\377", 2);
    set(&c, SB_QLFC_LENGTH, huge, 2);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_QLFC_LENGTH, invalid, 2);
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert_uint_eq(capacity[SB_QLFC_BYTES], 0);
    set(&c, SB_QLFC_LENGTH, "\2\0\0\0\3\0\0\0", 2);
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert_uint_eq(capacity[SB_QLFC_BYTES], 5);
    ck_assert(sb_case_normalise(&c));
    ck_assert_mem_eq(c.inputs[SB_QLFC_RANK].data, "\1\377", 2);
    ck_assert_uint_eq(c.inputs[SB_QLFC_ORDER].length, 0);
    for (int i = 0; i < 400; i++) {
        uint64_t n = draw(MAX_BYTES);
        sb_result result;

        fill(bytes, n);
        for (uint64_t k = 0; k < MAX_BYTES; k++)
            drawn[k] = (uint32_t)draw(UINT32_MAX);
        set(&c, SB_QLFC_RANK, bytes, n);
        set(&c, SB_QLFC_LENGTH, drawn, i % 2 ? n : draw(MAX_BYTES));
        set(&c, SB_QLFC_ORDER, bytes, draw(n + 1));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
        refer(&c, &result);
        valid += result.status == SB_OK;
        sb_result_free(&result);
    }
    ck_assert_uint_gt(valid, 200);
    ck_assert_uint_lt(valid, 390);
    sb_case_free(&c);
}
END_TEST

START_TEST(qlfc_inverse_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_qlfc[0], sb_harness_algorithms_qlfc[1]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, qlfc_rank_is_not_the_distance_in_symbols);
    tcase_add_test(tests, qlfc_decode_takes_what_encode_does_not_give);
    tcase_add_test(tests, qlfc_decode_refuses_what_encode_gives);
    tcase_add_test(tests, qlfc_takes_2_32_bytes);
    tcase_add_test(tests, qlfc_normalise_changes_what_fits_or_makes_no_code);
    tcase_add_test(tests, qlfc_inverse_asks_for_something_else);
}

int main(void)
{
    return run_tests("ref/qlfc", add_tests, start, 60);
}
