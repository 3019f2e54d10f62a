/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The references of pattern.histogram and huffman and what their descriptors add. Answers computed by hand stand
 * in corpus/.
 */
#include "../ref/bits.h"
#include "../ref/huffman.h"
#include "../ref/pattern_histogram.h"
#include "ref_fixture.h"
#include "suite.h"

extern const sb_algorithm *const sb_harness_algorithms_huffman[];

START_TEST(histogram_miscounts)
{
    uint8_t bytes[MAX_BYTES];
    uint64_t count[256], expected[256];

    for (uint64_t n = 0; n < MAX_BYTES; n += 1 + n / 3) {
        fill(bytes, n);
        memset(count, 0xa5, sizeof count);
        sb_ref_pattern_histogram(bytes, n, count);
        memset(expected, 0, sizeof expected);
        for (uint64_t i = 0; i < n; i++)
            for (int s = 0; s < 256; s++)
                expected[s] += bytes[i] == s;
        ck_assert_mem_eq(count, expected, sizeof count);
    }
}
END_TEST

/* huffman */

/* Counts of up to `symbols` symbols, of all magnitudes below 2^24. */
static void fill_counts(uint64_t count[256], uint64_t symbols)
{
    memset(count, 0, 256 * sizeof *count);
    for (uint64_t i = 0; i < symbols; i++)
        count[draw(256)] = draw((uint64_t)1 << draw(25));
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The least number of bits that a code for these counts takes: the sum of all merged weights. */
static uint64_t min_bits(const uint64_t count[256])
{
    uint64_t weight[256], bits = 0;
    size_t n = 0;

    for (int s = 0; s < 256; s++)
        if (count[s] != 0)
            weight[n++] = count[s];
    if (n == 1)
        return weight[0];
    for (; n > 1; n--) {
        qsort(weight, n, sizeof *weight, ascending);
        weight[0] += weight[1];
        bits += weight[0];
        weight[1] = weight[n - 1];
    }
    return bits;
}

START_TEST(huffman_lengths_are_not_optimal_or_no_code)
{
    uint64_t count[256];
    uint8_t length[256];

    for (int round = 0; round < 150; round++) {
        uint64_t bits = 0, kraft = 0, symbols = 0, misordered = 0;

        fill_counts(count, draw(300));
        ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_OK);
        for (int s = 0; s < 256; s++) {
            bits += count[s] * length[s];
            symbols += count[s] != 0;
            ck_assert_int_eq(length[s] != 0, count[s] != 0);
            ck_assert_uint_le(length[s], SB_REF_HUFFMAN_MAX_LENGTH);
            kraft += length[s] == 0 ? 0 : (uint64_t)1 << (SB_REF_HUFFMAN_MAX_LENGTH - length[s]);
            for (int t = 0; t < 256; t++)
                misordered +=
                    count[s] != 0 && (count[t] > count[s] || (count[t] == count[s] && t > s)) && length[t] > length[s];
        }
        ck_assert_uint_eq(misordered, 0);
        ck_assert_uint_eq(bits, min_bits(count));
        if (symbols > 1)
            ck_assert_uint_eq(kraft, (uint64_t)1 << SB_REF_HUFFMAN_MAX_LENGTH);
    }
}
END_TEST

START_TEST(huffman_counts_of_2_32_are_taken)
{
    uint64_t count[256] = {0};
    uint8_t length[256];

    count[3] = UINT32_MAX - 1;
    count[200] = 1;
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_OK);
    count[200] = 2;
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_INVALID);
    count[200] = UINT64_MAX - count[3] + 2; /* wraps round to 1 */
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_INVALID);
    count[3] = (uint64_t)1 << 32;
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_huffman_encode(NULL, (uint64_t)1 << 32, 0, length, count, NULL, NULL), SB_REF_INVALID);
}
END_TEST

typedef struct code {
    uint8_t length[256];
    uint64_t bits;
    uint8_t payload[MAX_BYTES];
    uint64_t payload_bytes;
    uint64_t offset[MAX_BYTES];
    uint64_t offsets;
    uint64_t chunk;
} code;

static void make_code(code *c, const uint8_t *bytes, uint64_t n, uint64_t chunk)
{
    memset(c, 0xa5, sizeof *c);
    ck_assert_int_eq(sb_ref_huffman_encode(bytes, n, chunk, c->length, &c->bits, c->payload, c->offset), SB_REF_OK);
    c->chunk = chunk;
    c->payload_bytes = (c->bits + 7) / 8;
    c->offsets = sb_ref_chunks(n, chunk);
    ck_assert_uint_le(c->payload_bytes, n);
}

static sb_ref_status decode(const code *c, uint8_t *bytes, uint64_t *n)
{
    return sb_ref_huffman_decode(c->length, c->bits, c->payload, c->payload_bytes, c->offset, c->offsets, c->chunk,
                                 bytes, n);
}

START_TEST(huffman_decode_does_not_undo_encode)
{
    uint8_t bytes[MAX_BYTES], back[8 * MAX_BYTES];
    code c;

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (uint64_t n = 0; n < MAX_BYTES; n += 1 + n / 4) {
            uint64_t decoded, position = 0;

            fill(bytes, n);
            make_code(&c, bytes, n, pieces[p]);
            ck_assert_int_eq(decode(&c, back, &decoded), SB_REF_OK);
            ck_assert_uint_eq(decoded, n);
            ck_assert_mem_eq(back, bytes, n);
            for (uint64_t i = 0; i < n; i++) {
                if (pieces[p] == 0 ? i == 0 : i % pieces[p] == 0)
                    ck_assert_uint_eq(c.offset[pieces[p] == 0 ? 0 : i / pieces[p]], position);
                position += c.length[bytes[i]];
            }
            ck_assert_uint_eq(position, c.bits);
        }
    }
}
END_TEST

START_TEST(huffman_decode_takes_a_bad_table)
{
    const uint8_t payload = 0;
    uint64_t offset = 0, n;
    uint8_t bytes[2];

    for (int longer = 0; longer < 256; longer++) {
        uint8_t length[256] = {1, 1, 0, (uint8_t)longer};

        ck_assert_int_eq(sb_ref_huffman_decode(length, 1, &payload, 1, &offset, 1, 0, bytes, &n),
                         longer == 0 ? SB_REF_OK : SB_REF_INVALID);
        length[0] = length[1] = 2;
        ck_assert_int_eq(sb_ref_huffman_decode(length, 2, &payload, 1, &offset, 1, 0, bytes, &n),
                         longer == 1 ? SB_REF_OK : SB_REF_INVALID);
    }
}
END_TEST

/* A code, and the bytes whose code it was before the change. */
typedef struct changed {
    const code *code;
    const uint8_t *bytes;
    uint64_t n;
} changed;

/* A changed code is either invalid or stands for other bytes; the decoder writes no more bytes than `bits` allows. */
static void check_changed(const void *context)
{
    const changed *change = context;
    const code *c = change->code;
    uint8_t back[8 * MAX_BYTES + 1];
    uint64_t decoded, capacity = c->bits < 8 * c->payload_bytes ? c->bits : 8 * c->payload_bytes;

    memset(back, 0xa5, sizeof back);
    if (decode(c, back, &decoded) == SB_REF_OK)
        ck_assert(decoded != change->n || memcmp(back, change->bytes, change->n) != 0);
    while (capacity < sizeof back && back[capacity] == 0xa5)
        capacity++;
    ck_assert_uint_eq(capacity, sizeof back);
}

START_TEST(huffman_decode_overlooks_a_change)
{
    uint8_t bytes[MAX_BYTES];
    code c;

    for (int round = 0; round < 20; round++) {
        uint64_t n = 2 + draw(60);
        const changed change = {&c, bytes, n};

        fill(bytes, n);
        bytes[0] = (uint8_t)(bytes[1] + 1); /* with one symbol alone, a second one in the table would change nothing */
        make_code(&c, bytes, n, draw(5) * draw(10));
        for_each_change(c.payload, c.payload_bytes, c.offset, c.offsets, check_changed, &change);
        for (int s = 0; s < 256; s++) {
            c.length[s]++;
            check_changed(&change);
            c.length[s]--;
        }
        for (uint64_t *field = &c.bits; field != NULL; field = field == &c.bits            ? &c.payload_bytes
                                                               : field == &c.payload_bytes ? &c.offsets
                                                                                           : NULL) {
            ++*field;
            check_changed(&change);
            *field -= 2;
            if (*field != UINT64_MAX)
                check_changed(&change);
            ++*field;
        }
    }
}
END_TEST

START_TEST(huffman_normalise_changes_what_fits)
{
    sb_case c, before;
    uint64_t bits = 7, many[2] = {5, 9};
    const uint8_t payload[] = {1, 2, 3};

    sb_case_init(&c, sb_harness_algorithms_huffman[2]);
    set(&c, SB_HUFFMAN_DECODE_LENGTH, NULL, 256);
    set(&c, SB_HUFFMAN_DECODE_BITS, &bits, 1);
    set(&c, SB_HUFFMAN_DECODE_PAYLOAD, payload, 3);
    set(&c, SB_HUFFMAN_DECODE_OFFSET, many, 2);
    ck_assert(sb_case_copy(&before, &c));
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_case_equal(&before, &c));
    sb_case_free(&before);
    sb_case_free(&c);

    sb_case_init(&c, sb_harness_algorithms_huffman[0]);
    set(&c, SB_HUFFMAN_LENGTHS_COUNT, NULL, 256);
    ((uint64_t *)c.inputs[0].data)[77] = UINT32_MAX;
    ck_assert(sb_case_copy(&before, &c));
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_case_equal(&before, &c));
    sb_case_free(&before);
    sb_case_free(&c);
}
END_TEST

START_TEST(huffman_decode_normalise_makes_no_code)
{
    uint8_t bytes[MAX_BYTES];
    int valid = 0, invalid = 0;

    for (int round = 0; round < 200; round++) {
        uint64_t n = draw(MAX_BYTES), bits[3] = {draw(1u << 30), draw(1u << 30), draw(1u << 30)};
        sb_case c;
        sb_result result;

        fill(bytes, n);
        sb_case_init(&c, sb_harness_algorithms_huffman[2]);
        c.parameters[SB_HUFFMAN_CHUNK] = pieces[draw(sizeof pieces / sizeof *pieces)];
        set(&c, (int)draw(2) * SB_HUFFMAN_DECODE_PAYLOAD, bytes, n);
        set(&c, SB_HUFFMAN_DECODE_BITS, bits, 2 * draw(2) + (n == 256 ? 2 : 0));
        ck_assert(sb_case_normalise(&c));
        refer(&c, &result);
        valid += result.status == SB_OK && result.outputs[0].length == n;
        invalid += result.status == SB_INVALID;
        sb_result_free(&result);
        sb_case_free(&c);
    }
    ck_assert_int_ge(valid, 150);
    ck_assert_int_ge(invalid, 5);
}
END_TEST

START_TEST(huffman_lengths_normalise_keeps_too_much_or_flattens)
{
    int longest = 0;

    for (int round = 0; round < 50; round++) {
        uint64_t count[300];
        uint64_t n = draw(300);
        sb_case c;
        sb_result result;

        for (uint64_t i = 0; i < n; i++)
            count[i] = draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
        sb_case_init(&c, sb_harness_algorithms_huffman[0]);
        set(&c, SB_HUFFMAN_LENGTHS_COUNT, count, n);
        ck_assert(sb_case_normalise(&c));
        refer(&c, &result);
        ck_assert_int_eq(result.status, SB_OK);
        for (int s = 0; s < 256; s++)
            if (((const uint8_t *)result.outputs[0].data)[s] > longest)
                longest = ((const uint8_t *)result.outputs[0].data)[s];
        sb_result_free(&result);
        sb_case_free(&c);
    }
    ck_assert_int_gt(longest, 20);
}
END_TEST

START_TEST(huffman_decode_capacity_is_not_bounded_by_the_payload)
{
    const uint64_t bits = UINT64_MAX;
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[200];
    sb_case c;

    sb_case_init(&c, sb_harness_algorithms_huffman[2]);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_HUFFMAN_DECODE_LENGTH, NULL, 256);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_HUFFMAN_DECODE_BITS, &bits, 1);
    set(&c, SB_HUFFMAN_DECODE_PAYLOAD, "abc", 3);
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert_uint_eq(capacity[SB_HUFFMAN_DECODE_BYTES], 24);
    sb_case_free(&c);
}
END_TEST

START_TEST(huffman_inverse_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_huffman[1], sb_harness_algorithms_huffman[2]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, histogram_miscounts);
    tcase_add_test(tests, huffman_lengths_are_not_optimal_or_no_code);
    tcase_add_test(tests, huffman_counts_of_2_32_are_taken);
    tcase_add_test(tests, huffman_decode_does_not_undo_encode);
    tcase_add_test(tests, huffman_decode_takes_a_bad_table);
    tcase_add_test(tests, huffman_decode_overlooks_a_change);
    tcase_add_test(tests, huffman_normalise_changes_what_fits);
    tcase_add_test(tests, huffman_decode_normalise_makes_no_code);
    tcase_add_test(tests, huffman_lengths_normalise_keeps_too_much_or_flattens);
    tcase_add_test(tests, huffman_decode_capacity_is_not_bounded_by_the_payload);
    tcase_add_test(tests, huffman_inverse_asks_for_something_else);
}

int main(void)
{
    return run_tests("ref/huffman", add_tests, start, 60);
}
