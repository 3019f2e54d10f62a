/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The container of sbz: checksums, headers, payloads, the index, and what readers refuse or recover.
 */
#include "../sbz/entropy.h"
#include "../sbz/filter.h"
#include "sbz_fixture.h"
#include "suite.h"

START_TEST(checksum_is_not_that_of_xz_or_does_not_join)
{
    ck_assert_uint_eq(sbz_checksum(0, "123456789", 9), 0x995dc9bbdf1939fau);
    for (size_t i = 0; i <= 9; i++)
        ck_assert_uint_eq(
            sbz_checksum_join(sbz_checksum(0, "123456789", i), sbz_checksum(0, &"123456789"[i], 9 - i), 9 - i),
            0x995dc9bbdf1939fau);
}
END_TEST

START_TEST(checksum_of_much_is_not_that_of_its_pieces)
{
    static const size_t sizes[] = {63, 64, 65, 127, 128, 129, 192, 1000, 200003};
    uint8_t bytes[200003];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i >> 7);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint64_t pieces = 0;

        for (size_t i = 0; i < sizes[k]; i += 63)
            pieces = sbz_checksum(pieces, bytes + i, sizes[k] - i < 63 ? sizes[k] - i : 63);
        ck_assert_uint_eq(sbz_checksum(0, bytes, sizes[k]), pieces);
    }
}
END_TEST

START_TEST(an_index_is_not_found_from_the_end)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    uint8_t text[10000];
    memory packed = {0};
    sbz_index index;
    uint64_t end;

    fill_text(text, sizeof text, 1);
    compress(codec, text, sizeof text, 3000, &packed);
    compress(codec, text, 0, 3000, &packed);
    compress(codec, text, 1000, 3000, &packed);
    ck_assert_msg(sbz_index_read(&index, packed.size, take_at, &packed) == SBZ_READ_END, "%s", index.error);
    ck_assert_uint_eq(index.count, 1);
    ck_assert_uint_eq(index.original, 1000);
    ck_assert_uint_eq(index.entries[0].original, 1000);
    ck_assert_uint_eq(index.entries[0].encoded, packed.size - index.start - SBZ_SHORT_HEADER - SBZ_SHORT_TAIL);
    ck_assert_uint_eq(index.checksum, sbz_checksum(0, text, 1000));
    ck_assert_uint_eq(index.first, index.start);
    end = index.start;
    sbz_index_free(&index);
    ck_assert_msg(sbz_index_read(&index, end, take_at, &packed) == SBZ_READ_END, "%s", index.error);
    ck_assert_uint_eq(index.count, 0);
    end = index.start;
    sbz_index_free(&index);
    ck_assert_msg(sbz_index_read(&index, end, take_at, &packed) == SBZ_READ_END, "%s", index.error);
    ck_assert_uint_eq(index.start, 0);
    ck_assert_uint_eq(index.count, 4);
    ck_assert_uint_eq(index.original, sizeof text);
    ck_assert_uint_eq(index.checksum, sbz_checksum(0, text, sizeof text));
    sbz_index_free(&index);
    free(packed.bytes);
    sbz_codec_close(codec);
}
END_TEST

/* A sum of 8 bytes at `at` in a file: that of `bytes` from `first`, and of `more_bytes` from `more`. */
typedef struct sum_field {
    size_t at, first, bytes, more, more_bytes;
} sum_field;

/* Checks the sums of a file, and writes the file to `hex` with zeros in their place. */
static void to_hex(memory *packed, const sum_field *sums, size_t count, char hex[2 * 300 + 1])
{
    for (size_t i = 0; i < count; i++) {
        uint64_t sum = sbz_checksum(sbz_checksum(0, packed->bytes + sums[i].first, sums[i].bytes),
                                    packed->bytes + sums[i].more, sums[i].more_bytes);

        for (size_t byte = 0; byte < 8; byte++)
            ck_assert_uint_eq(packed->bytes[sums[i].at + byte], (uint8_t)(sum >> 8 * byte));
    }
    for (size_t i = 0; i < count; i++)
        memset(packed->bytes + sums[i].at, 0, 8);
    ck_assert_uint_le(packed->size, 300);
    for (size_t i = 0; i < packed->size; i++)
        snprintf(hex + 2 * i, 3, "%02x", packed->bytes[i]);
}

/* Streams as docs/SBZ.md defines them; sums are replaced by zeros. */
START_TEST(the_container_has_changed)
{
    static const char expected[] = "8953425a0d0a1a0a"
                                   "01020000"
                                   "06000000"
                                   "0000000000000000" /* sum */
                                   "89534262e35c17a6"
                                   "0000000000000000"
                                   "0000000000000000" /* sum */
                                   "06000000"
                                   "06000000"
                                   "00000000"
                                   "00000000"
                                   "0000000000000000" /* sum */
                                   "737769737320"
                                   "89534262e35c17a6"
                                   "0600000000000000"
                                   "0000000000000000" /* sum */
                                   "04000000"
                                   "04000000"
                                   "00000000"
                                   "00000000"
                                   "0000000000000000" /* sum */
                                   "6d697373"
                                   "895342694bd0927d"
                                   "0200000000000000"
                                   "0000000000000000" /* sum */
                                   "06000000060000000600000000000000"
                                   "04000000040000000400000000000000"
                                   "0a00000000000000"
                                   "0000000000000000" /* sum */
                                   "ea00000000000000"
                                   "0200000000000000"
                                   "0000000000000000" /* sum */
                                   "89534265c8360fb1";
    static const sum_field sums[] = {{16, 0, 16, 0, 0},    {40, 72, 6, 0, 0},      {64, 24, 40, 0, 0},
                                     {94, 126, 4, 0, 0},   {118, 78, 40, 0, 0},    {146, 130, 16, 0, 0},
                                     {194, 72, 6, 126, 4}, {218, 154, 32, 186, 32}};
    sbz_codec *codec = open_codec(SBZ_CPU, "stored");
    memory packed = {0};
    char hex[2 * 300 + 1] = "";

    compress(codec, (const uint8_t *)"swiss miss", 10, 6, &packed);
    to_hex(&packed, sums, sizeof sums / sizeof *sums, hex);
    ck_assert_str_eq(hex, expected);
    free(packed.bytes);
    sbz_codec_close(codec);
}
END_TEST

START_TEST(a_short_stream_has_changed)
{
    static const struct {
        const char *stages, *text, *expected;
    } streams[] = {
        {"stored", "swiss miss",
         "8953425a0d0a1a0a"
         "0101"
         "0000"
         "0a000000"
         "0a000000"
         "00000000"
         "0000000000000000" /* sum */
         "0000000000000000" /* sum */
         "7377697373206d697373"
         "0a000000"
         "895342665ea193d4"},
        {"bwt,mtf,stored", "swiss miss",
         "8953425a0d0a1a0a"
         "0101"
         "0003"
         "0a000000"
         "0a000000"
         "08000000"
         "0000000000000000" /* sum */
         "0000000000000000" /* sum */
         "73776f23036c00010000"
         "0a000000"
         "895342665ea193d4"},
        {"stored", "",
         "8953425a0d0a1a0a"
         "0101"
         "0000"
         "00000000"
         "00000000"
         "00000000"
         "0000000000000000"
         "0000000000000000" /* sum */
         "00000000"
         "895342665ea193d4"},
    };

    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        const size_t size = strlen(streams[i].text);
        const sum_field sum = {32, 0, 32, 0, 0};
        sbz_codec *codec = open_codec(SBZ_CPU, streams[i].stages);
        memory packed = {0};
        char hex[2 * 300 + 1] = "";
        uint64_t contents = sbz_checksum(0, streams[i].text, size);

        compress(codec, (const uint8_t *)streams[i].text, size, 16, &packed);
        for (size_t byte = 0; byte < 8; byte++)
            ck_assert_uint_eq(packed.bytes[24 + byte], (uint8_t)(contents >> 8 * byte));
        to_hex(&packed, &sum, 1, hex);
        memset(hex + 2 * 24, '0', 16);
        ck_assert_str_eq(hex, streams[i].expected);
        free(packed.bytes);
        sbz_codec_close(codec);
    }
}
END_TEST

/* FNV-1a. A CRC would not do: headers contain their own CRC, so the CRC of a header does not depend on its fields. */
static uint64_t hash(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * 0x100000001b3u;
    return value;
}

START_TEST(a_payload_has_changed)
{
    uint8_t text[PIECES * PIECE];
    sbz_text pieces[PIECES];

    make_pieces(pieces, text);
    for (int i = 0; i < ALL_STAGES; i++) {
        sbz_codec *codec = open_codec(SBZ_CPU, all_stages[i].stages);
        memory packed = {0};
        uint64_t got;

        compress(codec, text, sizeof text, PIECE, &packed);
        got = hash(packed.bytes, packed.size);
        ck_assert_msg(got == all_stages[i].hash, "%s: now it is 0x%016llxu", all_stages[i].stages,
                      (unsigned long long)got);
        free(packed.bytes);
        sbz_codec_close(codec);
    }
}
END_TEST

START_TEST(a_stage_has_no_file_that_never_changes)
{
    for (int entropy = 0; entropy < SBZ_ENTROPIES; entropy++) {
        int cases = sbz_stages[entropy].name == NULL;

        for (int i = 0; i < ALL_STAGES && cases == 0; i++) {
            const char *last = strrchr(all_stages[i].stages, ',');

            cases += strcmp(last != NULL ? last + 1 : all_stages[i].stages, sbz_stages[entropy].name) == 0;
        }
        ck_assert_msg(cases > 0, "%s is not in all_stages of sbz_fixture.h", sbz_stages[entropy].name);
    }
    for (int filter = 0; filter < SBZ_FILTERS; filter++) {
        const char *name = sbz_filters[filter].name;
        int cases = name == NULL;

        for (int i = 0; i < ALL_STAGES && cases == 0; i++)
            cases += strcspn(all_stages[i].stages, "=,") == strlen(name) &&
                     strncmp(all_stages[i].stages, name, strlen(name)) == 0;
        ck_assert_msg(cases > 0, "%s is not in all_stages of sbz_fixture.h", name);
    }
}
END_TEST

START_TEST(random_bytes_grow_by_more_than_was_promised)
{
    enum { SIZE = 1 << 20 };
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    uint8_t *text = malloc(SIZE);
    memory packed = {0};
    uint64_t seed = 1;

    for (size_t i = 0; i < SIZE; i++)
        text[i] = (uint8_t)(next_random(&seed) >> 56);
    compress(codec, text, SIZE, 1 << 17, &packed);
    ck_assert_uint_eq(packed.size, sbz_max_size(SIZE, 1 << 17));
    ck_assert_uint_le(packed.size, SIZE + SIZE / 1000 + 96);
    free(text);
    free(packed.bytes);
    sbz_codec_close(codec);
}
END_TEST

START_TEST(streams_side_by_side_are_not_one_file)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    uint8_t text[5000];
    memory packed = {.step = 7}, unpacked = {0};
    char error[SBZ_ERROR];

    fill_text(text, sizeof text, 3);
    compress(codec, text, 2000, 900, &packed);
    compress(codec, text, 0, 900, &packed);
    compress(codec, text + 2000, 3000, 4000, &packed);
    ck_assert_msg(decompress(codec, &packed, &unpacked, error) == SBZ_READ_END, "%s", error);
    ck_assert_uint_eq(unpacked.size, sizeof text);
    ck_assert_mem_eq(unpacked.bytes, text, sizeof text);
    free(packed.bytes);
    free(unpacked.bytes);
    sbz_codec_close(codec);
}
END_TEST

START_TEST(a_stream_has_more_blocks_than_its_index_may)
{
    uint8_t byte = 'x';
    sbz_record record = {
        .block = {.original = 1, .encoded = 1, .transformed = 1, .checksum = sbz_checksum(0, &byte, 1)},
        .payload = &byte};
    sbz_record back = {0};
    memory packed = {0};
    sbz_writer writer;
    sbz_reader reader;
    sbz_read_status status;
    sbz_index index;
    uint64_t blocks = 0;

    sbz_writer_init(&writer, 1, append, &packed);
    for (int i = 0; i < SBZ_MAX_BLOCKS + 5; i++)
        ck_assert_int_eq(sbz_writer_block(&writer, &record), SBZ_WRITTEN);
    ck_assert_int_eq(sbz_writer_end(&writer), SBZ_WRITTEN);
    ck_assert_uint_eq(packed.size, sbz_max_size(SBZ_MAX_BLOCKS + 5, 1));
    sbz_reader_init(&reader, 1, false, take, &packed);
    while ((status = sbz_reader_next(&reader, &back)) == SBZ_READ_BLOCK)
        blocks++;
    ck_assert_msg(status == SBZ_READ_END, "%s", reader.error);
    ck_assert_uint_eq(blocks, SBZ_MAX_BLOCKS + 5);
    ck_assert_int_eq(sbz_index_read(&index, packed.size, take_at, &packed), SBZ_READ_END);
    ck_assert_uint_eq(index.count, 5);
    sbz_index_free(&index);
    sbz_reader_free(&reader);
    sbz_record_free(&back);
    sbz_writer_free(&writer);
    free(packed.bytes);
}
END_TEST

/* What recovery finds: blocks, reports, and the positions of the blocks: bit k stands for position 1000 k. */
typedef struct found {
    int blocks, reports;
    unsigned positions;
} found;

static found recover(memory *packed)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    found f = {0};
    sbz_record record = {0};
    sbz_text text = {0};
    sbz_reader reader;
    sbz_read_status status;

    packed->at = 0;
    sbz_reader_init(&reader, SBZ_MAX_BLOCK, true, take, packed);
    while ((status = sbz_reader_next(&reader, &record)) != SBZ_READ_END) {
        ck_assert_int_le(status, SBZ_READ_BAD);
        f.reports += status == SBZ_READ_BAD;
        if (status == SBZ_READ_BAD)
            continue;
        ck_assert_int_eq(sbz_codec_decode(codec, &record, 1, &text), SB_OK);
        if (text.error[0] != '\0') {
            f.reports++;
            sbz_reader_damaged(&reader);
            continue;
        }
        f.blocks++;
        f.positions |= 1u << record.block.position / 1000;
    }
    sbz_reader_free(&reader);
    sbz_record_free(&record);
    sbz_text_free(&text);
    sbz_codec_close(codec);
    return f;
}

START_TEST(damage_to_one_block_loses_others)
{
    enum { SIZE = 5000, BLOCKS = 5 };
    sbz_codec *codec = open_codec(SBZ_CPU, "stored");
    const size_t record = 1000 + SBZ_BLOCK_HEADER;
    uint8_t text[SIZE];

    fill_text(text, SIZE, 9);
    for (int way = 0; way < 5; way++) {
        memory packed = {.step = 100};
        found f;

        compress(codec, text, SIZE, 1000, &packed);
        uint8_t *third = packed.bytes + SBZ_STREAM_HEADER + 2 * record;

        switch (way) {
        case 0: /* a byte of the payload */
            third[500] ^= 1;
            break;
        case 1: /* a byte of the header */
            third[20] ^= 1;
            break;
        case 2: /* a part of the payload is gone */
            memmove(third + 100, third + 200, packed.size - 200 - (size_t)(third - packed.bytes));
            packed.size -= 100;
            break;
        case 3: /* the header and a part of the payload are gone */
            memmove(third, third + 200, packed.size - 200 - (size_t)(third - packed.bytes));
            packed.size -= 200;
            break;
        case 4: /* the header of the stream, too */
            third[500] ^= 1;
            packed.bytes[3] ^= 1;
            break;
        }
        f = recover(&packed);
        ck_assert_msg(f.blocks == BLOCKS - 1 && f.positions == 0x1b, "way %d: %d blocks, %x", way, f.blocks,
                      f.positions);
        ck_assert_msg(f.reports >= 1 && f.reports <= 4, "way %d: %d reports", way, f.reports);
        free(packed.bytes);
    }
    sbz_codec_close(codec);
}
END_TEST

/* One byte of a header is changed, and its sum is made right: what does the reader report? */
static const struct forgery {
    int part; /* 0: stream header, 1: header of the second block, 2: head of the index, 3: header of a short stream */
    int offset;
    uint8_t value;
    const char *says;
} forgeries[] = {
    {0, 8, 2, "version"},
    {0, 9, 3, "form"},
    {0, 9, 0, "before version 1.0"},
    {0, 12, 0, "block limit"},
    {0, 15, 0x80, "block limit"},
    {0, 14, 1, "more than the"},
    {1, 8, 0, "contents from byte"},
    {1, 16, 0, "checksum"},
    {1, 25, 0xff, "block limit"},
    {1, 26, 1, "block limit"},
    {1, 29, 0xff, "payload size"},
    {1, 33, 0xff, "primary"},
    {1, 36, SBZ_ENTROPIES, "stage"},
    {1, 36, 2, "stage"},
    {1, 36, 5, "stage"},
    {1, 36, 0x10, "stage"}, /* a distance without a filter */
    {1, 37, 4 + 1, "reduction"},
    {1, 37, 12 + 1, "stage"},
    {1, 37, 0x20 + 1, "stage"}, /* an unknown filter */
    {1, 37, 0xc0 + 1, "stage"}, /* planes of one byte */
    {1, 38, 1, "stage"},
    {1, 39, 1, "stage"},
    {2, 8, 3, "index counts"},
    {2, 11, 1, "more blocks"},
    {2, 12, 1, "more blocks"},
    {0, 10, 1, "features"},
    {0, 11, 1, ""}, /* may be ignored */
    {3, 8, 2, "version"},
    {3, 9, 2, "damaged"},
    {3, 10, SBZ_ENTROPIES, "stage"},
    {3, 11, 12 + 1, "stage"},
    {3, 11, 4 + 1, "reduction"},
    {3, 11, 8 + 1, "reduction"},
    {3, 12, 0xff, "payload size"},
    {3, 15, 0x80, "block limit"},
    {3, 17, 0xff, "payload size"},
    {3, 21, 0xff, "primary"},
    {3, 24, 0, "checksum"},
};

START_TEST(a_forged_number_is_believed)
{
    static const size_t summed[] = {16, 40, 16, 32};
    sbz_codec *codec = open_codec(SBZ_CPU, "bwt,stored");
    uint8_t text[2000];

    fill_text(text, sizeof text, 5);
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        const struct forgery *f = &forgeries[i];
        memory packed = {0}, unpacked = {0};
        char error[SBZ_ERROR] = "";
        sbz_record record = {0};
        sbz_text block = {0};
        sbz_reader reader;
        sbz_read_status status;

        compress(codec, text, f->part == 3 ? 1000 : sizeof text, 1000, &packed);
        uint8_t *part[] = {packed.bytes, packed.bytes + SBZ_STREAM_HEADER + SBZ_BLOCK_HEADER + 1000,
                           packed.bytes + SBZ_STREAM_HEADER + 2 * (SBZ_BLOCK_HEADER + 1000), packed.bytes};
        uint64_t sum;

        part[f->part][f->offset] = f->value;
        sum = sbz_checksum(0, part[f->part], summed[f->part]);
        for (size_t byte = 0; byte < 8; byte++)
            part[f->part][summed[f->part] + byte] = (uint8_t)(sum >> 8 * byte);
        sbz_reader_init(&reader, 1 << 16, false, take, &packed);
        while ((status = sbz_reader_next(&reader, &record)) == SBZ_READ_BLOCK && error[0] == '\0') {
            ck_assert_int_eq(sbz_codec_decode(codec, &record, 1, &block), SB_OK);
            snprintf(error, sizeof error, "%s", block.error);
        }
        if (status == SBZ_READ_BAD)
            snprintf(error, sizeof error, "%s", reader.error);
        ck_assert_msg(strstr(error, f->says) != NULL, "byte %d of part %d: '%s'", f->offset, f->part, error);
        sbz_reader_free(&reader);
        sbz_record_free(&record);
        sbz_text_free(&block);
        free(packed.bytes);
        free(unpacked.bytes);
    }
    sbz_codec_close(codec);
}
END_TEST

/* One byte of the index is changed, and its sum is made right unless `damaged`: what do both readers report? */
static const struct lie {
    int offset; /* from the first entry */
    const char *reader, *index;
    bool damaged;
} lies[] = {
    {0, "not that of the blocks", "damaged", false},
    {4, "not that of the blocks", "damaged", false},
    {4, "is damaged", "damaged", true},
    {8, "not that of the blocks", "damaged", false},
    {12, "not that of the blocks", NULL, false}, /* the stages of the first block */
    {14, "not that of the blocks", "damaged", false},
    {32 + 0, "not that of the blocks", "damaged", false},
    {32 + 8, "checksum of the whole", NULL, false},
    {32 + 17, "not that of the blocks", "stream size", false},
    {32 + 22, "not that of the blocks", "stream size", false},
    {32 + 24, "not that of the blocks", "head of an index", false},
    {32 + 28, "more blocks", "more blocks", false},
    {32 + 33, "is damaged", "damaged", true},
    {32 + 41, "not the end", "not the end", true},
};

START_TEST(an_index_that_lies_is_believed)
{
    sbz_codec *codec = open_codec(SBZ_CPU, "stored");
    uint8_t text[2000];

    fill_text(text, sizeof text, 5);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        memory packed = {0}, unpacked = {0};
        char error[SBZ_ERROR];
        sbz_index index;
        bool taken;

        compress(codec, text, sizeof text, 1000, &packed);
        uint8_t *entries = packed.bytes + packed.size - SBZ_INDEX_TAIL - 2 * SBZ_INDEX_ENTRY;

        entries[lies[i].offset] += 1;
        if (!lies[i].damaged) {
            uint64_t sum = sbz_checksum(0, entries, 2 * SBZ_INDEX_ENTRY + 32);

            for (int byte = 0; byte < 8; byte++)
                entries[2 * SBZ_INDEX_ENTRY + 32 + byte] = (uint8_t)(sum >> 8 * byte);
        }
        ck_assert_int_eq(decompress(codec, &packed, &unpacked, error), SBZ_READ_BAD);
        ck_assert_msg(strstr(error, lies[i].reader) != NULL, "lie %zu: %s", i, error);
        taken = sbz_index_read(&index, packed.size, take_at, &packed) == SBZ_READ_END;
        ck_assert_msg(taken == (lies[i].index == NULL) && (taken || strstr(index.error, lies[i].index) != NULL),
                      "lie %zu: %s", i, taken ? "believed" : index.error);
        if (taken)
            sbz_index_free(&index);
        free(packed.bytes);
        free(unpacked.bytes);
    }
    sbz_codec_close(codec);
}
END_TEST

/* The tail of a short stream, and what its header says of a stream without contents. */
START_TEST(a_short_stream_that_lies_is_believed)
{
    static const struct {
        size_t text, from_end; /* bytes; the changed byte, from the end of the file on */
        const char *reader, *index;
    } lies_of[] = {
        {700, 1, "not the end", "not the end"},
        {700, 9, "another payload size", "impossible"},
        {700, 12, "another payload size", "impossible"},
        {0, 12, "another payload size", "impossible"},
        {0, 8, "not the end", "not the end"},
    };
    sbz_codec *codec = open_codec(SBZ_CPU, "stored");
    uint8_t text[700];

    fill_text(text, sizeof text, 5);
    for (size_t i = 0; i < sizeof lies_of / sizeof *lies_of; i++) {
        memory packed = {0}, unpacked = {0};
        char error[SBZ_ERROR];
        sbz_index index;

        compress(codec, text, lies_of[i].text, 1000, &packed);
        packed.bytes[packed.size - lies_of[i].from_end] += 1;
        ck_assert_int_eq(decompress(codec, &packed, &unpacked, error), SBZ_READ_BAD);
        ck_assert_msg(strstr(error, lies_of[i].reader) != NULL, "lie %zu: %s", i, error);
        ck_assert_int_eq(sbz_index_read(&index, packed.size, take_at, &packed), SBZ_READ_BAD);
        ck_assert_msg(strstr(index.error, lies_of[i].index) != NULL, "lie %zu: %s", i, index.error);
        free(packed.bytes);
        free(unpacked.bytes);
    }
    for (size_t extra = 0; extra < 2; extra++) { /* a byte between payload and tail, and a tail that counts it */
        memory packed = {0}, unpacked = {0};
        char error[SBZ_ERROR];
        sbz_index index;

        compress(codec, text, 700, 1000, &packed);
        packed.size -= SBZ_SHORT_TAIL;
        append(&packed, &"\0\275\002\0\0\211SBf\136\241\223\324"[!extra], SBZ_SHORT_TAIL + extra);
        ck_assert_int_eq(decompress(codec, &packed, &unpacked, error), SBZ_READ_BAD);
        ck_assert_msg(strstr(error, extra ? "not the end" : "another payload size") != NULL, "%s", error);
        ck_assert_int_eq(sbz_index_read(&index, packed.size, take_at, &packed), SBZ_READ_BAD);
        ck_assert_msg(strstr(index.error, extra ? "another payload size" : "impossible") != NULL, "%s", index.error);
        free(packed.bytes);
        free(unpacked.bytes);
    }
    for (size_t at = 10; at < 32; at++) { /* a stream without contents has nothing else */
        memory packed = {0}, unpacked = {0};
        char error[SBZ_ERROR];
        uint64_t sum;

        compress(codec, text, 0, 1000, &packed);
        packed.bytes[at] = 1;
        sum = sbz_checksum(0, packed.bytes, 32);
        for (size_t byte = 0; byte < 8; byte++)
            packed.bytes[32 + byte] = (uint8_t)(sum >> 8 * byte);
        ck_assert_int_eq(decompress(codec, &packed, &unpacked, error), SBZ_READ_BAD);
        ck_assert_msg(strstr(error, at >= 12 && at < 16 ? "payload size" : "no bytes") != NULL, "byte %zu: %s", at,
                      error);
        free(packed.bytes);
        free(unpacked.bytes);
    }
    sbz_codec_close(codec);
}
END_TEST

/* Each of three short streams is damaged in turn, in its header, its payload and its tail. */
START_TEST(damage_to_a_short_stream_loses_others)
{
    sbz_codec *codec = open_codec(SBZ_CPU, "stored");
    const size_t stream = SBZ_SHORT_HEADER + 1000 + SBZ_SHORT_TAIL;
    static const size_t damaged[] = {3, 30, 500, 1045};
    uint8_t text[1000];

    fill_text(text, sizeof text, 9);
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 4; k++) {
            memory packed = {.step = 100};
            found f;

            for (int streams = 0; streams < 3; streams++)
                compress(codec, text, sizeof text, 1000, &packed);
            packed.bytes[i * stream + damaged[k]] ^= 1;
            f = recover(&packed);
            ck_assert_msg(f.blocks == (k == 3 ? 3 : 2) && f.reports >= 1 && f.reports <= 2,
                          "stream %zu, byte %zu: %d blocks, %d reports", i, damaged[k], f.blocks, f.reports);
            free(packed.bytes);
        }
    }
    sbz_codec_close(codec);
}
END_TEST

/* Recovery leaves a short stream that is damaged: the blocks behind it, which are larger, belong to a stream whose header is
 * lost. */
START_TEST(a_damaged_short_stream_hides_the_blocks_behind_it)
{
    sbz_codec *codec = open_codec(SBZ_CPU, "stored");
    enum { SHORT = 300 };
    static const size_t damaged[] = {30, 150, SBZ_SHORT_HEADER + SHORT + SBZ_SHORT_TAIL - 1};
    uint8_t text[3000];

    fill_text(text, sizeof text, 9);
    for (size_t k = 0; k < sizeof damaged / sizeof *damaged; k++) {
        const bool whole = damaged[k] >= SBZ_SHORT_HEADER + SHORT;
        memory packed = {.step = 100};
        found f;

        compress(codec, text, SHORT, 1000, &packed);
        packed.bytes[damaged[k]] ^= 1;
        compress(codec, text, sizeof text, 1000, &packed);
        packed.bytes[SBZ_SHORT_HEADER + SHORT + SBZ_SHORT_TAIL + 3] ^= 1;
        f = recover(&packed);
        ck_assert_msg(f.blocks == 3 + whole && f.positions == 7, "byte %zu: %d blocks, %x", damaged[k], f.blocks,
                      f.positions);
        free(packed.bytes);
    }
    sbz_codec_close(codec);
}
END_TEST

START_TEST(a_cut_file_is_whole)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    uint8_t text[700];
    memory packed = {0};
    char error[SBZ_ERROR];

    fill_text(text, sizeof text, 5);
    compress(codec, text, sizeof text, _i == 0 ? 300 : 1000, &packed);
    for (size_t whole = packed.size; packed.size-- > 0;) {
        memory unpacked = {0};

        packed.at = 0;
        ck_assert_msg(decompress(codec, &packed, &unpacked, error) == SBZ_READ_BAD, "%zu of %zu bytes", packed.size,
                      whole);
        ck_assert_msg(strstr(error, "ends") != NULL, "%zu of %zu bytes: %s", packed.size, whole, error);
        free(unpacked.bytes);
    }
    free(packed.bytes);
    sbz_codec_close(codec);
}
END_TEST

static void add_tests(TCase *tests)
{
    add_test(tests, checksum_is_not_that_of_xz_or_does_not_join);
    add_test(tests, checksum_of_much_is_not_that_of_its_pieces);
    add_test(tests, an_index_is_not_found_from_the_end);
    add_test(tests, the_container_has_changed);
    add_test(tests, a_short_stream_has_changed);
    add_test(tests, a_payload_has_changed);
    add_test(tests, a_stage_has_no_file_that_never_changes);
    add_test(tests, random_bytes_grow_by_more_than_was_promised);
    add_test(tests, streams_side_by_side_are_not_one_file);
    add_test(tests, a_stream_has_more_blocks_than_its_index_may);
    add_test(tests, damage_to_one_block_loses_others);
    add_test(tests, a_forged_number_is_believed);
    add_test(tests, an_index_that_lies_is_believed);
    add_test(tests, a_short_stream_that_lies_is_believed);
    add_test(tests, damage_to_a_short_stream_loses_others);
    add_test(tests, a_damaged_short_stream_hides_the_blocks_behind_it);
    add_loop_test(tests, a_cut_file_is_whole, 0, 2);
}

int main(void)
{
    return run_tests("sbz/container", add_tests, use_built_modules, 600);
}
