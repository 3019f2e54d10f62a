/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The references of the codes for runs of zeros (rle0, rle0x, zrun) and what their descriptors add. Answers computed by
 * hand stand in corpus/.
 */
#include "../ref/rle0.h"
#include "../ref/rle0x.h"
#include "../ref/zrun.h"
#include "ref_fixture.h"
#include "suite.h"

extern const sb_algorithm *const sb_harness_algorithms_rle0[];
extern const sb_algorithm *const sb_harness_algorithms_rle0x[];
extern const sb_algorithm *const sb_harness_algorithms_zrun[];

typedef uint64_t encoder(const uint8_t *bytes, uint64_t n, uint8_t *code);
typedef sb_ref_status decoder(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length);

static encoder *const encoders[] = {sb_ref_rle0_encode, sb_ref_rle0x_encode};
static decoder *const decoders[] = {sb_ref_rle0_decode, sb_ref_rle0x_decode};

static void check_runs(int k, const uint8_t *bytes, uint64_t n)
{
    uint8_t code[2 * MAX_BYTES + 1], back[MAX_BYTES + 1];
    uint64_t written, length;

    code[2 * n] = 0xa5;
    written = encoders[k](bytes, n, code);
    ck_assert_uint_le(written, 2 * n);
    ck_assert_uint_eq(code[2 * n], 0xa5);
    ck_assert_int_eq(decoders[k](code, written, NULL, &length), SB_REF_OK);
    ck_assert_uint_eq(length, n);
    back[n] = 0xa5;
    ck_assert_int_eq(decoders[k](code, written, back, &length), SB_REF_OK);
    ck_assert_uint_eq(length, n);
    ck_assert_mem_eq(back, bytes, n);
    ck_assert_uint_eq(back[n], 0xa5);
}

START_TEST(rle_loses_a_run)
{
    uint8_t bytes[MAX_BYTES];

    for (uint64_t run = 0; run <= 600; run++) {
        memset(bytes, 0, run + 2);
        bytes[0] = 'a';
        bytes[run + 1] = 'b';
        check_runs(_i, bytes, run + 2);
        check_runs(_i, bytes, run + 1);
        check_runs(_i, bytes + 1, run);
    }
    for (int i = 0; i < 300; i++) {
        uint64_t n = draw(MAX_BYTES);

        fill(bytes, n);
        check_runs(_i, bytes, n);
    }
}
END_TEST

START_TEST(rle_code_of_a_run_has_another_length)
{
    uint8_t zeros[MAX_BYTES] = {0}, code[2 * MAX_BYTES];

    for (uint64_t run = 1; run <= 600; run++) {
        ck_assert_uint_eq(sb_ref_rle0_encode(zeros, run, code), (run + 254) / 255 * 2);
        ck_assert_uint_eq(sb_ref_rle0x_encode(zeros, run, code), 2 + run / 255);
    }
}
END_TEST

/* Is this code valid? Read backwards from the contract: cut off one valid item at a time. */
static int valid_code(int k, const uint8_t *code, uint64_t n)
{
    uint64_t item = 1;

    if (n == 0)
        return 1;
    if (code[0] == 0) {
        while (k == 1 && item < n && code[item] == 255)
            item++;
        if (item == n || (item == 1 && code[item] == 0))
            return 0;
        item++;
    }
    return valid_code(k, code + item, n - item);
}

START_TEST(rle_decoder_takes_a_fault_or_refuses_a_code)
{
    const uint8_t letters[] = {0, 1, 254, 255};
    uint8_t code[6], again[8000], bytes[4000], back[4000];
    uint64_t length, counted;

    for (uint64_t n = 0; n <= 6; n++) {
        for (uint64_t i = 0; i < power(4, n); i++) {
            spell(code, n, 4, i);
            for (uint64_t j = 0; j < n; j++)
                code[j] = letters[code[j]];
            ck_assert_int_eq(decoders[_i](code, n, bytes, &length),
                             valid_code(_i, code, n) ? SB_REF_OK : SB_REF_INVALID);
            decoders[_i](code, n, NULL, &counted);
            ck_assert_uint_eq(counted, length);
            if (valid_code(_i, code, n)) {
                ck_assert_int_eq(decoders[_i](again, encoders[_i](bytes, length, again), back, &counted), SB_REF_OK);
                ck_assert_uint_eq(counted, length);
                ck_assert_mem_eq(back, bytes, length);
            }
        }
    }
}
END_TEST

/* zrun */

START_TEST(zrun_digits_do_not_add_up)
{
    uint8_t zeros[MAX_BYTES] = {0};
    uint16_t symbols[MAX_BYTES];
    uint64_t length;

    for (uint64_t run = 0; run < MAX_BYTES; run++) {
        uint64_t sum = 0, digits = 0;

        while (((uint64_t)2 << digits) - 1 <= run)
            digits++;
        ck_assert_int_eq(sb_ref_zrun_encode(zeros, run, symbols, &length), SB_REF_OK);
        ck_assert_uint_eq(length, digits);
        for (uint64_t i = 0; i < length; i++)
            sum += (symbols[i] + (uint64_t)1) << i;
        ck_assert_uint_eq(sum, run);
    }
}
END_TEST

/* Every row of symbols is the code of some ranks, unless it has one over 256. */
START_TEST(zrun_decode_is_not_the_reverse)
{
    const uint16_t letters[] = {0, 1, 2, 256, 257, 0x8000};

    for (uint64_t n = 0; n <= 5; n++) {
        for (uint64_t i = 0; i < power(6, n); i++) {
            uint8_t word[5], ranks[64];
            uint16_t symbols[5], again[64];
            uint64_t length, counted;
            int valid = 1;

            spell(word, n, 6, i);
            for (uint64_t k = 0; k < n; k++) {
                symbols[k] = letters[word[k]];
                valid &= symbols[k] <= 256;
            }
            ck_assert_int_eq(sb_ref_zrun_decode(symbols, n, ranks, &length), valid ? SB_REF_OK : SB_REF_INVALID);
            sb_ref_zrun_decode(symbols, n, NULL, &counted);
            ck_assert_uint_eq(counted, length);
            if (!valid)
                continue;
            ck_assert_int_eq(sb_ref_zrun_encode(ranks, length, again, &counted), SB_REF_OK);
            ck_assert_uint_eq(counted, n);
            ck_assert_mem_eq(again, symbols, n * sizeof *symbols);
        }
    }
}
END_TEST

START_TEST(zrun_takes_2_32_ranks)
{
    uint16_t symbols[100] = {0};
    uint64_t length;

    ck_assert_int_eq(sb_ref_zrun_encode(NULL, (uint64_t)1 << 32, NULL, &length), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_zrun_decode(symbols, 32, NULL, &length), SB_REF_OK);
    ck_assert_uint_eq(length, UINT32_MAX);
    for (uint64_t n = 33; n <= 100; n++)
        ck_assert_int_eq(sb_ref_zrun_decode(symbols, n, NULL, &length), SB_REF_INVALID);
    symbols[32] = 2;
    ck_assert_int_eq(sb_ref_zrun_decode(symbols, 33, NULL, &length), SB_REF_INVALID);
    symbols[31] = 1;
    ck_assert_int_eq(sb_ref_zrun_decode(symbols, 32, NULL, &length), SB_REF_INVALID);
    ck_assert_uint_eq(length, ((uint64_t)1 << 31) - 1);
}
END_TEST

START_TEST(zrun_normalise_changes_what_fits_or_leaves_too_much)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    uint16_t symbols[MAX_BYTES] = {0};
    char why[200];
    sb_case c;

    sb_case_init(&c, sb_harness_algorithms_zrun[1]);
    set(&c, SB_ZRUN_IN, symbols, 20);
    ck_assert(sb_case_normalise(&c));
    ck_assert_mem_eq(c.inputs[SB_ZRUN_IN].data, symbols, 20 * sizeof *symbols);
    for (uint64_t n = 0; n < MAX_BYTES; n++) {
        for (uint64_t i = 0; i < n; i++)
            symbols[i] = (uint16_t)(draw(40) == 0 ? 2 : draw(2));
        set(&c, SB_ZRUN_IN, symbols, n);
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    }
    set(&c, SB_ZRUN_IN, memset(symbols, 0, sizeof symbols), 32);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    sb_case_free(&c);
}
END_TEST

START_TEST(runs_inverse_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_rle0[0], sb_harness_algorithms_rle0[1]);
    check_inverse(sb_harness_algorithms_rle0x[0], sb_harness_algorithms_rle0x[1]);
    check_inverse(sb_harness_algorithms_zrun[0], sb_harness_algorithms_zrun[1]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, rle_loses_a_run, 0, 2);
    tcase_add_test(tests, rle_code_of_a_run_has_another_length);
    tcase_add_loop_test(tests, rle_decoder_takes_a_fault_or_refuses_a_code, 0, 2);
    tcase_add_test(tests, zrun_digits_do_not_add_up);
    tcase_add_test(tests, zrun_decode_is_not_the_reverse);
    tcase_add_test(tests, zrun_takes_2_32_ranks);
    tcase_add_test(tests, zrun_normalise_changes_what_fits_or_leaves_too_much);
    tcase_add_test(tests, runs_inverse_asks_for_something_else);
}

int main(void)
{
    return run_tests("ref/runs", add_tests, start, 60);
}
