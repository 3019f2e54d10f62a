/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Properties of the reference of adaptive Huffman coding and of its descriptors. Answers computed by hand stand in
 * corpus/.
 *
 * From the environment: srcdir, where corpus/real is.
 */
#include "../ref/ahuff.h"
#include "../ref/bits.h"
#include "ref_fixture.h"
#include "suite.h"
#include <stdio.h>

extern const sb_algorithm *const sb_harness_algorithms_ahuff[];

enum { MAX_FILE_BYTES = 1 << 20 };

/* n bytes of up to 2^8 letters; higher letters are rarer. */
static void fill_skewed(uint8_t *bytes, uint64_t n)
{
    uint64_t letters = (uint64_t)1 << draw(9), bias = 1 + draw(3);

    for (uint64_t i = 0; i < n; i++) {
        uint64_t letter = draw(letters);

        for (uint64_t k = 1; k < bias; k++)
            letter = draw(letter + 1);
        bytes[i] = (uint8_t)letter;
    }
}

typedef struct code {
    uint64_t bits, payload_bytes, offsets, chunk;
    uint8_t *payload;
    uint64_t *offset;
} code;

static void make_code(code *c, const uint8_t *bytes, uint64_t n, uint64_t chunk)
{
    c->chunk = chunk;
    c->offsets = sb_ref_chunks(n, chunk);
    c->payload = malloc(SB_REF_AHUFF_MAX_BYTES * n + 1);
    c->offset = malloc((c->offsets + 1) * sizeof *c->offset);
    ck_assert(c->payload != NULL && c->offset != NULL);
    memset(c->payload, 0xa5, SB_REF_AHUFF_MAX_BYTES * n + 1);
    sb_ref_ahuff_encode(bytes, n, chunk, &c->bits, c->payload, c->offset);
    c->payload_bytes = sb_ref_bytes_for(c->bits);
    ck_assert_uint_le(c->payload_bytes, SB_REF_AHUFF_MAX_BYTES * n);
    ck_assert_uint_eq(c->payload[SB_REF_AHUFF_MAX_BYTES * n], 0xa5);
}

static void free_code(code *c)
{
    free(c->payload);
    free(c->offset);
}

static sb_ref_status decode(const code *c, uint8_t *bytes, uint64_t *n)
{
    return sb_ref_ahuff_decode(c->bits, c->payload, c->payload_bytes, c->offset, c->offsets, c->chunk, bytes, n);
}

static const uint64_t chunk_sizes[] = {0, 1, 2, 7, 255, 256, MAX_BYTES, UINT64_MAX};

static void check_step(const uint8_t *bytes, uint64_t n, uint64_t chunk)
{
    uint64_t decoded;
    uint8_t *back;
    code c;

    make_code(&c, bytes, n, chunk);
    back = malloc(8 * c.payload_bytes + 1);
    ck_assert(back != NULL);
    ck_assert_int_eq(decode(&c, back, &decoded), SB_REF_OK);
    ck_assert_uint_eq(decoded, n);
    if (n > 0)
        ck_assert_mem_eq(back, bytes, n);
    free(back);
    free_code(&c);
}

START_TEST(decoder_gets_out_of_step)
{
    uint8_t bytes[MAX_BYTES];

    for (size_t p = 0; p < sizeof chunk_sizes / sizeof *chunk_sizes; p++) {
        for (uint64_t n = 0; n <= MAX_BYTES; n += 1 + n / 6) {
            fill_skewed(bytes, n);
            check_step(bytes, n, chunk_sizes[p]);
        }
    }
}
END_TEST

/* Each chunk begins with a new tree: its bits are those that it has alone. */
START_TEST(chunks_see_each_other)
{
    uint8_t bytes[MAX_BYTES];
    code all, alone;

    for (uint64_t chunk = 1; chunk < MAX_BYTES; chunk = 3 * chunk + 1) {
        fill_skewed(bytes, MAX_BYTES);
        make_code(&all, bytes, MAX_BYTES, chunk);
        for (uint64_t i = 0; i < all.offsets; i++) {
            uint64_t first = i * chunk, end = i + 1 < all.offsets ? all.offset[i + 1] : all.bits;

            make_code(&alone, bytes + first, MAX_BYTES - first < chunk ? MAX_BYTES - first : chunk, 0);
            ck_assert_uint_eq(end - all.offset[i], alone.bits);
            for (uint64_t bit = 0; bit < alone.bits; bit++)
                ck_assert_int_eq(sb_ref_get_bit(all.payload, all.offset[i] + bit), sb_ref_get_bit(alone.payload, bit));
            free_code(&alone);
        }
        free_code(&all);
    }
}
END_TEST

/* A real file, and whether it is text. */
typedef struct file {
    const char *name;
    int text;
} file;

static const file files[] = {
    {"ecoli-536.fna", 1},       {"genesis-exodus.txt", 1}, {"httpd-manual-de.txt", 1},
    {"sqlite-changes.html", 1}, {"stb_image.h.txt", 1},    {"lua.elf", 0},
    {"sqlite-pie.jpg", 0},      {"sqlite-pie.ppm", 0},
};

static uint64_t read_file(const char *name, uint8_t *bytes)
{
    const char *folder = getenv("srcdir");
    char path[4096];
    uint64_t n;
    FILE *in;

    snprintf(path, sizeof path, "%s/corpus/real/%s", folder == NULL ? "." : folder, name);
    in = fopen(path, "rb");
    ck_assert_msg(in != NULL, "%s cannot be opened", path);
    n = fread(bytes, 1, MAX_FILE_BYTES, in);
    fclose(in);
    ck_assert_uint_gt(n, 100000);
    ck_assert_uint_lt(n, MAX_FILE_BYTES);
    return n;
}

START_TEST(text_is_enlarged_or_the_corpus_gets_out_of_step)
{
    uint8_t *bytes = malloc(MAX_FILE_BYTES);
    uint64_t n = read_file(files[_i].name, bytes);
    code c;

    for (uint64_t chunk = 0; chunk <= 65536; chunk = chunk == 0 ? 4096 : 16 * chunk) {
        check_step(bytes, n, chunk);
        make_code(&c, bytes, n, chunk);
        if (files[_i].text)
            ck_assert_uint_lt(c.payload_bytes, n * 3 / 4);
        free_code(&c);
    }
    free(bytes);
}
END_TEST

/* The mixes that cost most: every chunk has all values as new ones, or all values are equally frequent. */
START_TEST(payload_takes_more_than_its_bound)
{
    uint8_t *bytes = malloc(MAX_FILE_BYTES);
    code c;

    for (uint64_t chunk = 16; chunk <= 65536; chunk *= 2) {
        for (uint64_t i = 0; i < 65536; i++)
            bytes[i] = (uint8_t)(i * 167 + i / 256);
        make_code(&c, bytes, 65536, chunk);
        ck_assert_uint_lt(c.payload_bytes, 2 * 65536);
        free_code(&c);
    }
    free(bytes);
}
END_TEST

/* A code, and the bytes whose code it was before the change. */
typedef struct changed {
    const code *code;
    const uint8_t *bytes;
    uint64_t n;
} changed;

/* A changed code is either invalid, or it is the code of other bytes; the decoder writes no more bytes than `bits`
 * allows. */
static void check_changed(const void *context)
{
    const changed *change = context;
    const code *c = change->code;
    uint8_t back[8 * 3 * 64];
    uint64_t decoded, capacity = c->bits < 8 * c->payload_bytes ? c->bits : 8 * c->payload_bytes;
    code again;

    memset(back, 0xa5, sizeof back);
    if (decode(c, back, &decoded) == SB_REF_OK) {
        ck_assert(decoded != change->n || memcmp(back, change->bytes, change->n) != 0);
        make_code(&again, back, decoded, c->chunk);
        ck_assert_uint_eq(again.bits, c->bits);
        ck_assert_mem_eq(again.payload, c->payload, c->payload_bytes);
        ck_assert_uint_eq(again.offsets, c->offsets);
        for (uint64_t i = 0; i < c->offsets; i++)
            ck_assert_uint_eq(again.offset[i], c->offset[i]);
        free_code(&again);
    }
    while (capacity < sizeof back && back[capacity] == 0xa5)
        capacity++;
    ck_assert_uint_eq(capacity, sizeof back);
}

START_TEST(decode_overlooks_a_change)
{
    uint8_t bytes[MAX_BYTES];
    code c;

    for (int round = 0; round < 30; round++) {
        uint64_t n = 2 + draw(60);
        const changed change = {&c, bytes, n};

        fill_skewed(bytes, n);
        make_code(&c, bytes, n, draw(5) * draw(10));
        for_each_change(c.payload, c.payload_bytes, c.offset, c.offsets, check_changed, &change);
        c.bits++;
        check_changed(&change);
        c.bits -= 2;
        check_changed(&change);
        c.bits++;
        c.payload_bytes--;
        check_changed(&change);
        c.payload_bytes++;
        c.offsets--;
        check_changed(&change);
        c.offsets++;
        free_code(&c);
    }
}
END_TEST

START_TEST(normalise_makes_no_code_or_changes_one)
{
    uint8_t bytes[MAX_BYTES];
    int valid = 0, invalid = 0;

    for (int round = 0; round < 200; round++) {
        uint64_t n = draw(MAX_BYTES), bits[3] = {draw(1u << 30), draw(1u << 30), draw(1u << 30)};
        uint64_t capacity[SB_MAX_ARRAYS] = {0}, decoded;
        sb_case c, before;
        uint8_t *back;
        char why[200];

        fill_skewed(bytes, n);
        sb_case_init(&c, sb_harness_algorithms_ahuff[1]);
        c.parameters[SB_AHUFF_CHUNK] = chunk_sizes[draw(sizeof chunk_sizes / sizeof *chunk_sizes)];
        set(&c, SB_AHUFF_PAYLOAD, bytes, n);
        ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
        set(&c, SB_AHUFF_BITS, bits, 3 * draw(2));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
        ck_assert_uint_le(capacity[SB_AHUFF_BYTES], 8 * c.inputs[SB_AHUFF_PAYLOAD].length);
        ck_assert(sb_case_copy(&before, &c));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_equal(&before, &c));
        back = malloc(capacity[SB_AHUFF_BYTES] + 1);
        if (sb_ref_ahuff_decode(*(uint64_t *)c.inputs[SB_AHUFF_BITS].data, c.inputs[SB_AHUFF_PAYLOAD].data,
                                c.inputs[SB_AHUFF_PAYLOAD].length, c.inputs[SB_AHUFF_OFFSET].data,
                                c.inputs[SB_AHUFF_OFFSET].length, c.parameters[SB_AHUFF_CHUNK], back,
                                &decoded) == SB_REF_OK)
            valid += decoded == n && (n == 0 || memcmp(back, bytes, n) == 0);
        else
            invalid++;
        free(back);
        sb_case_free(&before);
        sb_case_free(&c);
    }
    ck_assert_int_ge(valid, 150);
    ck_assert_int_ge(invalid, 5);
}
END_TEST

START_TEST(inverse_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_ahuff[0], sb_harness_algorithms_ahuff[1]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, decoder_gets_out_of_step);
    tcase_add_test(tests, chunks_see_each_other);
    tcase_add_loop_test(tests, text_is_enlarged_or_the_corpus_gets_out_of_step, 0, sizeof files / sizeof *files);
    tcase_add_test(tests, payload_takes_more_than_its_bound);
    tcase_add_test(tests, decode_overlooks_a_change);
    tcase_add_test(tests, normalise_makes_no_code_or_changes_one);
    tcase_add_test(tests, inverse_asks_for_something_else);
}

int main(void)
{
    return run_tests("ref/ahuff", add_tests, start, 60);
}
