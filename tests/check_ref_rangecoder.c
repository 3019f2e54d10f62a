/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tests of the references of rangecoder and mixcoder, and of the functions `normalise` and `invert` of its descriptors. The corpus has
 * the hand-computed answers.
 */
#include "../ref/mixcoder.h"
#include "../ref/range.h"
#include "../ref/rangecoder.h"
#include "ref_fixture.h"
#include "suite.h"

extern const sb_algorithm *const sb_harness_algorithms_rangecoder[];

enum { WORD = 4 };

static void check_round_trip(const uint8_t *ranks, uint64_t n, uint64_t segment)
{
    uint64_t segments = sb_ref_range_segments(n, segment), bytes, offset[MAX_BYTES + 1];
    uint8_t payload[MAX_BYTES + 1], back[MAX_BYTES + 1];

    payload[n] = back[n] = 0xa5;
    offset[segments] = 77;
    bytes = sb_ref_rangecoder_encode(ranks, n, segment, payload, offset);
    ck_assert_uint_le(bytes, n);
    ck_assert_uint_eq(payload[n], 0xa5);
    ck_assert_uint_eq(offset[segments], 77);
    ck_assert_int_eq(sb_ref_rangecoder_decode(payload, bytes, offset, segment, back, n), SB_REF_OK);
    ck_assert_mem_eq(back, ranks, n);
    ck_assert_uint_eq(back[n], 0xa5);
}

START_TEST(rangecoder_decode_does_not_undo_encode)
{
    uint8_t ranks[MAX_BYTES];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (int i = 0; i < 60; i++) {
            uint64_t n = i < 5 ? (uint64_t)i : 1 + draw(MAX_BYTES);

            fill(ranks, n);
            check_round_trip(ranks, n, pieces[p]);
            for (uint64_t k = 0; k < n; k++) /* all bit lengths, short ones more often, and runs of zeros */
                ranks[k] = (uint8_t)(draw(2) ? draw((uint64_t)1 << draw(9)) : 0);
            check_round_trip(ranks, n, pieces[p]);
        }
        for (uint64_t n = 0; n <= MAX_BYTES; n++)
            check_round_trip(memset(ranks, 0, n), n, pieces[p]);
    }
}
END_TEST

/* Segments are independent: each has the payload that it has when it is encoded alone. */
START_TEST(rangecoder_segments_see_each_other)
{
    uint8_t ranks[MAX_BYTES], payload[MAX_BYTES], alone[MAX_BYTES];
    uint64_t offset[MAX_BYTES], zero;

    for (int i = 0; i < 50; i++) {
        uint64_t n = 1 + draw(MAX_BYTES), segment = 1 + draw(n), bytes;

        fill(ranks, n);
        bytes = sb_ref_rangecoder_encode(ranks, n, segment, payload, offset);
        for (uint64_t k = 0; k < sb_ref_range_segments(n, segment); k++) {
            uint64_t length = k * segment + segment < n ? segment : n - k * segment;
            uint64_t size = sb_ref_rangecoder_encode(ranks + k * segment, length, 0, alone, &zero);

            ck_assert_uint_eq(zero, 0);
            ck_assert_uint_eq(size, ((k + 1) * segment < n ? offset[k + 1] : bytes) - offset[k]);
            ck_assert_mem_eq(alone, payload + offset[k], size);
        }
    }
}
END_TEST

/* The size of the code is near the entropy of the ranks. The margins allow for the last word, which is not full, and
 * for the adaptation of the estimates. */
START_TEST(rangecoder_code_is_longer_than_it_must_be)
{
    enum { N = 40000 };
    uint8_t *ranks = malloc(N), *payload = malloc(N);
    uint64_t offset;

    /* Rank k has the probability 2^-(k + 1): the entropy is 2 bits a rank. The margin is 4%. */
    for (uint64_t i = 0; i < N; i++)
        for (ranks[i] = 0; draw(2) == 0;)
            ranks[i]++;
    ck_assert_uint_lt(sb_ref_rangecoder_encode(ranks, N, 0, payload, &offset), N / 4 * 104 / 100);
    /* One rank in 64 is 1: the entropy is 0.116 bits a rank. The margin is 25%, because the context of a run's digit
     * does not hold the index of the digit. */
    for (uint64_t i = 0; i < N; i++)
        ranks[i] = draw(64) == 0;
    ck_assert_uint_lt(sb_ref_rangecoder_encode(ranks, N, 0, payload, &offset), N * 0.116 / 8 * 1.25);
    for (uint64_t i = 0; i < N; i++)
        ranks[i] = 0;
    ck_assert_uint_eq(sb_ref_rangecoder_encode(ranks, N, 0, payload, &offset), WORD);
    free(ranks);
    free(payload);
}
END_TEST

/* A coded segment has one code. With a bit changed it is invalid or decodes to other ranks; shortened or extended, it
 * is invalid. */
START_TEST(rangecoder_decode_overlooks_a_change)
{
    uint8_t ranks[MAX_BYTES], payload[MAX_BYTES], back[MAX_BYTES];
    uint64_t offset, invalid = 0, cases = 0;

    for (int i = 0; i < 100; i++) {
        uint64_t n = 20 + draw(MAX_BYTES - 20), bytes;

        fill(ranks, n);
        bytes = sb_ref_rangecoder_encode(ranks, n, 0, payload, &offset);
        if (bytes == n)
            continue;
        for (uint64_t bit = 0; bit < 8 * bytes; bit++) {
            sb_ref_status status;

            payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
            status = sb_ref_rangecoder_decode(payload, bytes, &offset, 0, back, n);
            ck_assert(status == SB_REF_INVALID || memcmp(back, ranks, n) != 0);
            invalid += status == SB_REF_INVALID;
            cases++;
            payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (uint64_t cut = 0; cut < bytes; cut++)
            ck_assert_int_eq(sb_ref_rangecoder_decode(payload, cut, &offset, 0, back, n), SB_REF_INVALID);
        memset(payload + bytes, 0, n - bytes);
        for (uint64_t more = bytes + 1; more < n; more++)
            ck_assert_int_eq(sb_ref_rangecoder_decode(payload, more, &offset, 0, back, n), SB_REF_INVALID);
    }
    ck_assert_uint_gt(cases, 1000);
    ck_assert_uint_gt(invalid, cases / 2);
}
END_TEST

static void check_mixed_round_trip(const uint8_t *bytes, uint64_t n, uint64_t segment)
{
    uint8_t *payload = malloc(n + 1), *back = malloc(n + 1);
    uint64_t offset[MAX_BYTES + 1], size;

    ck_assert_ptr_nonnull(payload);
    ck_assert_ptr_nonnull(back);
    payload[n] = back[n] = 0xa5;
    size = sb_ref_mixcoder_encode(bytes, n, segment, payload, offset);
    ck_assert_uint_le(size, n);
    ck_assert_uint_eq(payload[n], 0xa5);
    ck_assert_int_eq(sb_ref_mixcoder_decode(payload, size, offset, segment, back, n), SB_REF_OK);
    ck_assert_mem_eq(back, bytes, n);
    ck_assert_uint_eq(back[n], 0xa5);
    free(payload);
    free(back);
}

START_TEST(mixcoder_decode_does_not_undo_encode)
{
    uint8_t bytes[MAX_BYTES];

    for (int i = 0; i < 200; i++) {
        uint64_t n = i < 5 ? (uint64_t)i : 1 + draw(MAX_BYTES);

        fill(bytes, n);
        check_mixed_round_trip(bytes, n, i % 2 ? 0 : 1 + n / 3);
        for (uint64_t k = 0, run; k < n; k += run) { /* runs of all exponents that fit */
            run = 1 + draw((uint64_t)1 << draw(9));
            run = run < n - k ? run : n - k;
            memset(bytes + k, (int)draw(4), run);
        }
        check_mixed_round_trip(bytes, n, i % 2 ? 0 : 1 + n / 3);
    }
}
END_TEST

/* Exponents to 22: from 9 on the bits below the top one are not modelled, from 19 on nodes are shared. */
START_TEST(mixcoder_long_runs_do_not_come_back)
{
    enum { MOST = 3 << 22 };
    uint8_t *bytes = malloc(MOST);
    uint64_t n = 0;

    ck_assert_ptr_nonnull(bytes);
    for (int exponent = 0; exponent <= 22; exponent++) {
        const uint64_t run = ((uint64_t)1 << exponent) + draw((uint64_t)1 << exponent) / 8;

        memset(bytes + n, exponent, run);
        n += run;
    }
    ck_assert_uint_le(n, MOST);
    check_mixed_round_trip(bytes, n, 0);
    free(bytes);
}
END_TEST

/* As for rangecoder: a coded segment has one code. */
START_TEST(mixcoder_decode_overlooks_a_change)
{
    uint8_t bytes[MAX_BYTES], payload[MAX_BYTES], back[MAX_BYTES];
    uint64_t offset, invalid = 0, cases = 0;

    for (int i = 0; i < 12; i++) {
        uint64_t n = 20 + draw(MAX_BYTES - 20), size;

        fill(bytes, n);
        for (uint64_t k = 1; k < n; k++) /* so that coding is shorter */
            bytes[k] = draw(4) ? bytes[k - 1] : bytes[k] % 8;
        size = sb_ref_mixcoder_encode(bytes, n, 0, payload, &offset);
        if (size == n)
            continue;
        for (uint64_t bit = 0; bit < 8 * size; bit++) {
            sb_ref_status status;

            payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
            status = sb_ref_mixcoder_decode(payload, size, &offset, 0, back, n);
            ck_assert(status == SB_REF_INVALID || memcmp(back, bytes, n) != 0);
            invalid += status == SB_REF_INVALID;
            cases++;
            payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (uint64_t cut = 0; cut < size; cut++)
            ck_assert_int_eq(sb_ref_mixcoder_decode(payload, cut, &offset, 0, back, n), SB_REF_INVALID);
        memset(payload + size, 0, n - size);
        for (uint64_t more = size + 1; more < n; more++)
            ck_assert_int_eq(sb_ref_mixcoder_decode(payload, more, &offset, 0, back, n), SB_REF_INVALID);
    }
    ck_assert_uint_gt(cases, 1000);
    ck_assert_uint_gt(invalid, cases / 2);
}
END_TEST

START_TEST(rangecoder_decode_of_random_bytes_writes_past_end)
{
    uint8_t payload[MAX_BYTES], back[MAX_BYTES + 1];
    uint64_t offset[MAX_BYTES], valid = 0;

    for (int i = 0; i < 4000; i++) {
        uint64_t n = draw(MAX_BYTES), segment = pieces[draw(sizeof pieces / sizeof *pieces)],
                 bytes = draw(2) ? n : draw(n + 10);

        for (uint64_t k = 0; k < bytes; k++)
            payload[k] = (uint8_t)draw(256);
        if (i % 4 == 0)
            memset(payload, i % 8 ? 255 : 0, bytes);
        for (uint64_t k = 0; k < sb_ref_range_segments(n, segment); k++)
            offset[k] = k == 0 || draw(8) ? k * bytes / sb_ref_range_segments(n, segment) : draw(bytes + 2);
        back[n] = 0xa5;
        valid += sb_ref_rangecoder_decode(payload, bytes, offset, segment, back, n) == SB_REF_OK;
        ck_assert_uint_eq(back[n], 0xa5);
    }
    ck_assert_uint_gt(valid, 100); /* random bytes are valid if all segments are stored */
    ck_assert_uint_lt(valid, 2000);
}
END_TEST

START_TEST(rangecoder_normalise_changes_well_formed_or_leaves_malformed)
{
    uint64_t capacity[SB_MAX_ARRAYS], valid = 0, drawn[8], zero = 0;
    uint8_t bytes[MAX_BYTES];
    char why[200];
    sb_case c;

    sb_case_init(&c, sb_harness_algorithms_rangecoder[1]);
    c.parameters[SB_RANGECODER_DECODE_COUNT] = 8;
    set(&c, SB_RANGECODER_PAYLOAD, "\274\0\0\1", 4);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_RANGECODER_OFFSET, &zero, 1);
    c.parameters[SB_RANGECODER_DECODE_COUNT] = (1 << 24) + 4 * 256 + 1;
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    c.parameters[SB_RANGECODER_DECODE_COUNT]--;
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.parameters[SB_RANGECODER_DECODE_COUNT], (1 << 24) + 4 * 256);
    ck_assert_mem_eq(c.inputs[SB_RANGECODER_PAYLOAD].data, "\274\0\0\1", 4);
    for (int i = 0; i < 400; i++) {
        uint64_t n = draw(MAX_BYTES);
        sb_result result;

        fill(bytes, n);
        for (int k = 0; k < 8; k++)
            drawn[k] = draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
        c.parameters[SB_RANGECODER_SEGMENT] = pieces[draw(sizeof pieces / sizeof *pieces)];
        c.parameters[SB_RANGECODER_DECODE_COUNT] = UINT64_MAX;
        set(&c, SB_RANGECODER_PAYLOAD, bytes, n);
        set(&c, SB_RANGECODER_OFFSET, drawn, draw(9));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
        refer(&c, &result);
        valid += result.status == SB_OK;
        sb_result_free(&result);
    }
    ck_assert_uint_gt(valid, 250);
    ck_assert_uint_lt(valid, 390);
    sb_case_free(&c);
}
END_TEST

START_TEST(rangecoder_inverse_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_rangecoder[0], sb_harness_algorithms_rangecoder[1]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, rangecoder_decode_does_not_undo_encode);
    tcase_add_test(tests, rangecoder_segments_see_each_other);
    tcase_add_test(tests, rangecoder_code_is_longer_than_it_must_be);
    tcase_add_test(tests, rangecoder_decode_overlooks_a_change);
    tcase_add_test(tests, mixcoder_decode_does_not_undo_encode);
    tcase_add_test(tests, mixcoder_long_runs_do_not_come_back);
    tcase_add_test(tests, mixcoder_decode_overlooks_a_change);
    tcase_add_test(tests, rangecoder_decode_of_random_bytes_writes_past_end);
    tcase_add_test(tests, rangecoder_normalise_changes_well_formed_or_leaves_malformed);
    tcase_add_test(tests, rangecoder_inverse_asks_for_something_else);
}

int main(void)
{
    return run_tests("ref/rangecoder", add_tests, start, 60);
}
