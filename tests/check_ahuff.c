/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Properties of the reference of adaptive Huffman coding and of its descriptors. Answers computed by hand stand in
 * corpus/.
 *
 * From the environment: srcdir, where corpus/real is.
 */
#include "../core/algorithm.h"
#include "../core/case.h"
#include "../ref/ahuff.h"
#include "../ref/bits.h"
#include "draw.h"
#include <check.h>
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const sb_algorithm *const sb_harness_algorithms_ahuff[];

enum { MOST = 700, LARGEST = 1 << 20 };

/* n bytes of up to 2^8 letters; the higher a letter, the rarer. */
static void fill(uint8_t *bytes, uint64_t n)
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
    c->payload = malloc(SB_REF_AHUFF_MOST * n + 1);
    c->offset = malloc((c->offsets + 1) * sizeof *c->offset);
    ck_assert(c->payload != NULL && c->offset != NULL);
    memset(c->payload, 0xa5, SB_REF_AHUFF_MOST * n + 1);
    sb_ref_ahuff_encode(bytes, n, chunk, &c->bits, c->payload, c->offset);
    c->payload_bytes = sb_ref_bytes_for(c->bits);
    ck_assert_uint_le(c->payload_bytes, SB_REF_AHUFF_MOST * n);
    ck_assert_uint_eq(c->payload[SB_REF_AHUFF_MOST * n], 0xa5);
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

static const uint64_t pieces[] = {0, 1, 2, 7, 255, 256, MOST, UINT64_MAX};

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
    uint8_t bytes[MOST];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (uint64_t n = 0; n <= MOST; n += 1 + n / 6) {
            fill(bytes, n);
            check_step(bytes, n, pieces[p]);
        }
    }
}
END_TEST

/* Each chunk begins with a new tree: its bits are those that it has alone. */
START_TEST(chunks_see_each_other)
{
    uint8_t bytes[MOST];
    code all, alone;

    for (uint64_t chunk = 1; chunk < MOST; chunk = 3 * chunk + 1) {
        fill(bytes, MOST);
        make_code(&all, bytes, MOST, chunk);
        for (uint64_t i = 0; i < all.offsets; i++) {
            uint64_t first = i * chunk, end = i + 1 < all.offsets ? all.offset[i + 1] : all.bits;

            make_code(&alone, bytes + first, MOST - first < chunk ? MOST - first : chunk, 0);
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
    n = fread(bytes, 1, LARGEST, in);
    fclose(in);
    ck_assert_uint_gt(n, 100000);
    ck_assert_uint_lt(n, LARGEST);
    return n;
}

START_TEST(text_is_enlarged_or_the_corpus_gets_out_of_step)
{
    uint8_t *bytes = malloc(LARGEST);
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

/* The mixes that cost most: all values, new in every chunk, or equally frequent and far apart. */
START_TEST(payload_takes_more_than_its_bound)
{
    uint8_t *bytes = malloc(LARGEST);
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

/* With one thing changed the call is either invalid, or gives other bytes of which this is the code; and it stays
 * within the room that `bits` says. */
static void check_changed(const code *c, const uint8_t *bytes, uint64_t n)
{
    uint8_t back[8 * 3 * 64];
    uint64_t decoded, room = c->bits < 8 * c->payload_bytes ? c->bits : 8 * c->payload_bytes;
    code again;

    memset(back, 0xa5, sizeof back);
    if (decode(c, back, &decoded) == SB_REF_OK) {
        ck_assert(decoded != n || memcmp(back, bytes, n) != 0);
        make_code(&again, back, decoded, c->chunk);
        ck_assert_uint_eq(again.bits, c->bits);
        ck_assert_mem_eq(again.payload, c->payload, c->payload_bytes);
        ck_assert_uint_eq(again.offsets, c->offsets);
        for (uint64_t i = 0; i < c->offsets; i++)
            ck_assert_uint_eq(again.offset[i], c->offset[i]);
        free_code(&again);
    }
    while (room < sizeof back && back[room] == 0xa5)
        room++;
    ck_assert_uint_eq(room, sizeof back);
}

START_TEST(decode_overlooks_a_change)
{
    uint8_t bytes[MOST];
    code c;

    for (int round = 0; round < 30; round++) {
        uint64_t n = 2 + draw(60);

        fill(bytes, n);
        make_code(&c, bytes, n, draw(5) * draw(10));
        for (uint64_t bit = 0; bit < 8 * c.payload_bytes; bit++) {
            c.payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
            check_changed(&c, bytes, n);
            c.payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (uint64_t i = 0; i < c.offsets; i++) {
            c.offset[i]++;
            check_changed(&c, bytes, n);
            c.offset[i]--;
        }
        c.bits++;
        check_changed(&c, bytes, n);
        c.bits -= 2;
        check_changed(&c, bytes, n);
        c.bits++;
        c.payload_bytes--;
        check_changed(&c, bytes, n);
        c.payload_bytes++;
        c.offsets--;
        check_changed(&c, bytes, n);
        c.offsets++;
        free_code(&c);
    }
}
END_TEST

static void set(sb_case *c, int input, const void *data, uint64_t length)
{
    ck_assert(sb_array_set(&c->inputs[input], data, length));
}

START_TEST(normalise_makes_no_code_or_changes_one)
{
    uint8_t bytes[MOST];
    int valid = 0, invalid = 0;

    for (int round = 0; round < 200; round++) {
        uint64_t n = draw(MOST), bits[3] = {draw(1u << 30), draw(1u << 30), draw(1u << 30)};
        uint64_t room[SB_MAX_ARRAYS] = {0}, decoded;
        sb_case c, before;
        uint8_t *back;
        char why[200];

        fill(bytes, n);
        sb_case_init(&c, sb_harness_algorithms_ahuff[1]);
        c.parameters[SB_AHUFF_CHUNK] = pieces[draw(sizeof pieces / sizeof *pieces)];
        set(&c, SB_AHUFF_PAYLOAD, bytes, n);
        ck_assert(!sb_case_shape(&c, room, why, sizeof why));
        set(&c, SB_AHUFF_BITS, bits, 3 * draw(2));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, room, why, sizeof why));
        ck_assert_uint_le(room[SB_AHUFF_BYTES], 8 * c.inputs[SB_AHUFF_PAYLOAD].length);
        ck_assert(sb_case_copy(&before, &c));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_equal(&before, &c));
        back = malloc(room[SB_AHUFF_BYTES] + 1);
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

int main(void)
{
    Suite *suite = suite_create("ahuff");
    TCase *tests = tcase_create("properties");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, start, NULL);
    tcase_add_test(tests, decoder_gets_out_of_step);
    tcase_add_test(tests, chunks_see_each_other);
    tcase_add_loop_test(tests, text_is_enlarged_or_the_corpus_gets_out_of_step, 0, sizeof files / sizeof *files);
    tcase_add_test(tests, payload_takes_more_than_its_bound);
    tcase_add_test(tests, decode_overlooks_a_change);
    tcase_add_test(tests, normalise_makes_no_code_or_changes_one);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
