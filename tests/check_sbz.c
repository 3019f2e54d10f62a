/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The container and the codecs of sbz, without the program.
 */
#include "../sbz/codec.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes in memory that grows, and where they are read. */
typedef struct memory {
    uint8_t *bytes;
    size_t size, room, at;
    size_t step; /* bytes that one read gives at most; 0: all */
} memory;

static bool append(void *to, const void *bytes, size_t size)
{
    memory *m = to;

    if (m->size + size > m->room) {
        m->room = 2 * (m->size + size);
        m->bytes = realloc(m->bytes, m->room);
        ck_assert_ptr_nonnull(m->bytes);
    }
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
    return true;
}

static ptrdiff_t take(void *from, void *bytes, size_t size)
{
    memory *m = from;
    size_t left = m->size - m->at;

    size = size < left ? size : left;
    size = m->step != 0 && size > m->step ? m->step : size;
    memcpy(bytes, m->bytes + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static bool take_at(void *from, uint64_t offset, void *bytes, size_t size)
{
    const memory *m = from;

    if (offset > m->size || size > m->size - offset)
        return false;
    memcpy(bytes, m->bytes + offset, size);
    return true;
}

static sbz_codec *open_codec(sbz_where where, const char *stages)
{
    const sbz_settings settings = {.where = where, .stages = stages};
    char error[SBZ_ERROR];
    sbz_codec *codec = sbz_codec_open(&settings, error, sizeof error);

    ck_assert_msg(codec != NULL, "%s", error);
    return codec;
}

/* One stream of `text` in blocks of `block` bytes. */
static void compress(sbz_codec *codec, const uint8_t *text, size_t size, uint32_t block, memory *to)
{
    char error[SBZ_ERROR];
    sbz_record record = {0};
    sbz_writer writer;

    sbz_writer_init(&writer, block, append, to);
    for (size_t at = 0; at < size; at += block) {
        sbz_text piece = {.data = (uint8_t *)text + at, .size = size - at < block ? size - at : block};

        ck_assert_msg(sbz_codec_encode(codec, &piece, 1, &record, error, sizeof error), "%s", error);
        ck_assert_int_eq(sbz_writer_block(&writer, &record), SBZ_WRITTEN);
    }
    ck_assert_int_eq(sbz_writer_end(&writer), SBZ_WRITTEN);
    ck_assert_uint_le(writer.written, sbz_worst_size(size, block));
    sbz_writer_free(&writer);
    sbz_record_free(&record);
}

static sbz_read_status decompress(sbz_codec *codec, memory *from, memory *to, char *error)
{
    sbz_record record = {0};
    sbz_text text = {0};
    sbz_reader reader;
    sbz_read_status status;

    error[0] = '\0';
    sbz_reader_init(&reader, SBZ_LARGEST_BLOCK, false, take, from);
    while ((status = sbz_reader_next(&reader, &record)) == SBZ_READ_BLOCK) {
        ck_assert_msg(sbz_codec_decode(codec, &record, 1, &text, error, SBZ_ERROR), "%s", error);
        if (text.error[0] != '\0') {
            snprintf(error, SBZ_ERROR, "%s", text.error);
            status = SBZ_READ_BAD;
            break;
        }
        append(to, text.data, text.size);
    }
    if (status == SBZ_READ_BAD && error[0] == '\0')
        snprintf(error, SBZ_ERROR, "%s", reader.error);
    sbz_reader_free(&reader);
    sbz_record_free(&record);
    sbz_text_free(&text);
    return status;
}

static void fill_text(uint8_t *text, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        text[i] = (uint8_t)("swiss miss is missing; this is his island\n"[(seed >> 60) + i % 27]);
    }
}

static void round_trip(const char *stages, size_t size, uint32_t block)
{
    sbz_codec *codec = open_codec(SBZ_CPU, stages);
    uint8_t *text = malloc(size + 1);
    memory packed = {.step = 1000}, unpacked = {0};
    char error[SBZ_ERROR];

    fill_text(text, size, size);
    compress(codec, text, size, block, &packed);
    ck_assert_msg(decompress(codec, &packed, &unpacked, error) == SBZ_READ_END, "%s", error);
    ck_assert_uint_eq(unpacked.size, size);
    ck_assert_mem_eq(unpacked.bytes == NULL ? text : unpacked.bytes, text, size);
    free(text);
    free(packed.bytes);
    free(unpacked.bytes);
    sbz_codec_close(codec);
}

START_TEST(checksum_is_not_that_of_xz_or_does_not_join)
{
    ck_assert_uint_eq(sbz_checksum(0, "123456789", 9), 0x995dc9bbdf1939fau);
    for (size_t i = 0; i <= 9; i++)
        ck_assert_uint_eq(
            sbz_checksum_join(sbz_checksum(0, "123456789", i), sbz_checksum(0, "123456789" + i, 9 - i), 9 - i),
            0x995dc9bbdf1939fau);
}
END_TEST

START_TEST(a_text_does_not_come_back)
{
    static const size_t sizes[] = {0, 1, 2, 255, 4096, 5000, 100000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        round_trip(NULL, sizes[i], 1 << 20);
        round_trip(NULL, sizes[i], 5000);
    }
}
END_TEST

START_TEST(an_index_is_not_found_from_the_end)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    uint8_t text[10000];
    memory packed = {0};
    char error[SBZ_ERROR];
    sbz_index index;

    fill_text(text, sizeof text, 1);
    compress(codec, text, sizeof text, 3000, &packed);
    compress(codec, text, 0, 3000, &packed);
    ck_assert_msg(sbz_index_read(&index, packed.size, take_at, &packed, error, sizeof error), "%s", error);
    ck_assert_uint_eq(index.count, 0);
    ck_assert_msg(sbz_index_read(&index, index.start, take_at, &packed, error, sizeof error), "%s", error);
    ck_assert_uint_eq(index.start, 0);
    ck_assert_uint_eq(index.count, 4);
    ck_assert_uint_eq(index.original, sizeof text);
    ck_assert_uint_eq(index.checksum, sbz_checksum(0, text, sizeof text));
    sbz_index_free(&index);
    free(packed.bytes);
    sbz_codec_close(codec);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sbz");
    TCase *tests = tcase_create("sbz");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, checksum_is_not_that_of_xz_or_does_not_join);
    tcase_add_test(tests, a_text_does_not_come_back);
    tcase_add_test(tests, an_index_is_not_found_from_the_end);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
