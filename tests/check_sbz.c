/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The container, the codecs and the pipeline of sbz, without the program.
 */
#include "../sbz/batch.h"
#include "../sbz/codec.h"
#include "../sbz/split.h"
#include "../sbz/stages.h"
#include "../sbz/parallel_for.h"
#include "../sbz/engine.h"
#include "../sbz/files.h"
#include "../sbz/pipeline.h"
#include "../sbz/slab.h"
#include "../sbz/trial.h"
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 17, LIMIT = 4 * BLOCK, TAIL = BLOCK / 4 }; /* of what is cut */

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

static ptrdiff_t give_up(void *unused, void *bytes, size_t size)
{
    (void)unused;
    memset(bytes, 'x', size < 10 ? size : 10);
    return size < BLOCK ? -1 : 10;
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
    ck_assert_uint_le(writer.written, sbz_max_size(size, block));
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
    sbz_reader_init(&reader, SBZ_MAX_BLOCK, false, take, from);
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

/* ---- stages and variants ---- */

enum { PIECES = 3, PIECE = 2100, LAST = 777 };

static void make_pieces(sbz_text pieces[PIECES], uint8_t *text)
{
    fill_text(text, PIECES * PIECE, 7);
    memset(text + 300, ' ', 600);
    for (int i = 0; i < 256; i++)
        text[1000 + i] = (uint8_t)~i;
    for (int i = 0; i < PIECES; i++)
        pieces[i] = (sbz_text){.data = text + i * PIECE, .size = i == PIECES - 1 ? LAST : PIECE};
}

static void free_records(sbz_record *records)
{
    for (int i = 0; i < PIECES; i++)
        sbz_record_free(&records[i]);
}

/* Encodes three pieces at once. False: a variant that was asked for refuses them. */
static bool encode_pieces(sbz_codec *codec, sbz_record records[PIECES])
{
    uint8_t text[PIECES * PIECE];
    sbz_text pieces[PIECES];
    char error[SBZ_ERROR];

    make_pieces(pieces, text);
    return sbz_codec_encode(codec, pieces, PIECES, records, error, sizeof error);
}

static void same_records(const sbz_record *a, const sbz_record *b, const char *what)
{
    for (int i = 0; i < PIECES; i++) {
        ck_assert_msg(memcmp(&a[i].block, &b[i].block, sizeof a[i].block) == 0, "%s: other header", what);
        ck_assert_msg(memcmp(a[i].payload, b[i].payload, a[i].block.encoded) == 0, "%s: other payload", what);
    }
}

/* False: as above. */
static bool decode_pieces(sbz_codec *codec, const sbz_record *records, const char *what)
{
    uint8_t text[PIECES * PIECE];
    sbz_text pieces[PIECES], back[PIECES] = {0};
    char error[SBZ_ERROR];
    bool ran;

    make_pieces(pieces, text);
    ran = sbz_codec_decode(codec, records, PIECES, back, error, sizeof error);
    for (int i = 0; i < PIECES; i++) {
        ck_assert_msg(!ran || back[i].error[0] == '\0', "%s: %s", what, back[i].error);
        ck_assert_msg(!ran ||
                          (back[i].size == pieces[i].size && memcmp(back[i].data, pieces[i].data, back[i].size) == 0),
                      "%s: other bytes", what);
        sbz_text_free(&back[i]);
    }
    return ran;
}

static const char *const all_stages[] = {"stored",        "bwt",
                                         "mtf",           "bwt,mtf",
                                         "rle0",          "rle0x",
                                         "zrun",          "rangecoder",
                                         "ahuff",         "bwt,rle0x",
                                         "bwt,mtf,rle0",  "bwt,mtf,rle0x",
                                         "bwt,mtf,zrun",  "bwt,mtf,rangecoder",
                                         "bwt,mtf,ahuff", "bwt,mtf,rangecoder1",
                                         "zrun-raw",      "bwt,mtf,zrun-raw",
                                         "zrun-tables",   "bwt,mtf,zrun-tables"};

enum { ALL_STAGES = sizeof all_stages / sizeof *all_stages };

START_TEST(references_do_not_decode_what_a_stage_writes)
{
    sbz_codec *references = open_codec(SBZ_CPU, "reference");

    for (int i = 0; i < ALL_STAGES; i++) {
        sbz_record records[PIECES] = {0};
        sbz_codec *codec = open_codec(SBZ_CPU, all_stages[i]);

        ck_assert(encode_pieces(codec, records));
        ck_assert(decode_pieces(references, records, all_stages[i]));
        ck_assert(decode_pieces(codec, records, all_stages[i]));
        free_records(records);
        sbz_codec_close(codec);
    }
    sbz_codec_close(references);
}
END_TEST

/* The stages that a variant of this family can be a part of; NULL: none. */
static const char *entropy_of(const char *family)
{
    static const struct {
        const char *family, *entropy;
    } known[] = {{"bwt", "stored"},
                 {"mtf", "stored"},
                 {"rle0", "rle0"},
                 {"rle0x", "rle0x"},
                 {"huffman", "rle0"},
                 {"zrun", "zrun"},
                 {"rangecoder", "rangecoder"},
                 {"ahuff", "ahuff"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(family, known[i].family) == 0)
            return known[i].entropy;
    return NULL;
}

static const char *entropy_of_variant(const sb_variant *variant)
{
    char family[32];

    snprintf(family, sizeof family, "%.*s", (int)strcspn(variant->algorithm, "."), variant->algorithm);
    return entropy_of(family);
}

/* "bwt,mtf,rle0,huffman" with the name of the variant behind its family. False: sbz uses no such variant. */
static bool stages_with(const sb_variant *variant, char *stages, size_t size)
{
    const char *words[] = {"bwt", "mtf", entropy_of_variant(variant), "huffman"};
    size_t length = 0;

    if (words[2] == NULL)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t family = strlen(words[i]);
        bool here = strncmp(words[i], variant->algorithm, family) == 0 && variant->algorithm[family] == '.';

        length += (size_t)snprintf(stages + length, size - length, "%s%s%s%s", i > 0 ? "," : "", words[i],
                                   here ? "/" : "", here ? variant->name : "");
    }
    return true;
}

/* Each variant that a stage could be, forced, and what it writes decoded by the references, and the other way round. */
static void try_variants(sbz_where where, int least)
{
    char error[SBZ_ERROR];
    sbz_engine engine;
    int ran = 0;

    ck_assert_msg(sbz_engine_open(&engine, where, error, sizeof error), "%s", error);
    for (size_t i = 0; i < engine.count; i++) {
        sbz_record expected[PIECES] = {0}, got[PIECES] = {0};
        char stages[128], plain[160];

        if (!stages_with(&engine.variants[i], stages, sizeof stages))
            continue;
        sbz_codec *codec = open_codec(where, stages);
        snprintf(plain, sizeof plain, "bwt,mtf,%s,reference", entropy_of_variant(&engine.variants[i]));
        sbz_codec *references = open_codec(SBZ_CPU, plain);

        ck_assert(encode_pieces(references, expected));
        if (encode_pieces(codec, got)) {
            same_records(expected, got, stages);
            ran += decode_pieces(codec, expected, stages);
        }
        free_records(expected);
        free_records(got);
        sbz_codec_close(references);
        sbz_codec_close(codec);
    }
    ck_assert_int_ge(ran, least);
    sbz_engine_close(&engine);
}

START_TEST(a_cpu_variant_writes_other_blocks)
{
    try_variants(SBZ_CPU, 5);
}
END_TEST

START_TEST(a_simt_variant_writes_other_blocks)
{
    try_variants(SBZ_SIMT, 20);
}
END_TEST

START_TEST(simt_and_cpu_choose_differently)
{
    sbz_codec *cpu = open_codec(SBZ_CPU, NULL), *simt = open_codec(SBZ_SIMT, NULL);
    sbz_record a[PIECES] = {0}, b[PIECES] = {0};

    ck_assert(encode_pieces(cpu, a));
    ck_assert(encode_pieces(simt, b));
    same_records(a, b, "simt");
    ck_assert(decode_pieces(simt, a, "simt"));
    free_records(a);
    free_records(b);
    sbz_codec_close(cpu);
    sbz_codec_close(simt);
}
END_TEST

/* Which stage the first block of a text gets, on the CPU and on the CUDA machine, and it comes back on both. */
static sbz_entropy stage_of(const char *stages, uint8_t *text, size_t size)
{
    static const sbz_where where[] = {SBZ_CPU, SBZ_SIMT};
    const sbz_text piece = {.data = text, .size = size};
    sbz_record record[2] = {0};
    sbz_text back = {0};
    sbz_entropy entropy;
    char error[SBZ_ERROR];

    for (int i = 0; i < 2; i++) {
        sbz_codec *codec = open_codec(where[i], stages);

        ck_assert_msg(sbz_codec_encode(codec, &piece, 1, &record[i], error, sizeof error), "%s", error);
        ck_assert_msg(sbz_codec_decode(codec, &record[i], 1, &back, error, sizeof error), "%s", error);
        ck_assert_str_eq(back.error, "");
        ck_assert_uint_eq(back.size, size);
        ck_assert_mem_eq(back.data, text, size);
        sbz_codec_close(codec);
    }
    ck_assert_mem_eq(&record[0].block, &record[1].block, sizeof record[0].block);
    ck_assert_mem_eq(record[0].payload, record[1].payload, record[0].block.encoded);
    entropy = (sbz_entropy)record[0].block.entropy;
    sbz_record_free(&record[0]);
    sbz_record_free(&record[1]);
    sbz_text_free(&back);
    return entropy;
}

/* A list of checksums in digits, and names. */
START_TEST(noise_in_digits_goes_unnoticed)
{
    enum { SIZE = 1 << 16, DIGITS = 32, LETTERS = 8, LINE = 64 };
    uint8_t *text = malloc(SIZE);
    uint64_t seed = 1;

    fill_text(text, SIZE, 1);
    ck_assert_int_ne(stage_of(NULL, text, SIZE), SBZ_ENTROPY_ZRUN_TABLES);
    for (size_t i = 0; i < SIZE; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (i % LINE < DIGITS)
            text[i] = (uint8_t)("0123456789abcdef"[seed >> 60]);
        else if (i % LINE < DIGITS + LETTERS)
            text[i] = (uint8_t)('a' + (seed >> 32) % 26);
        else
            text[i] = (uint8_t)("  usr/share/doc/name.gz"[i % LINE - DIGITS - LETTERS]);
    }
    ck_assert_int_eq(stage_of(NULL, text, SIZE), SBZ_ENTROPY_ZRUN_TABLES);
    ck_assert_int_eq(stage_of("zrun-tables", text, SIZE), SBZ_ENTROPY_ZRUN_TABLES);
    free(text);
}
END_TEST

/* Groups of 64 bytes, the last of which has all of them, or fewer; and at least 32, or there is one table. What is
 * short is stored. */
START_TEST(groups_of_a_size_do_not_come_back)
{
    static const size_t sizes[] = {1, 63, 64, 65, 128, 31 * 64, 32 * 64 - 1, 32 * 64, 32 * 64 + 1, 128 * 64 + 63};
    uint8_t text[128 * 64 + 63];

    fill_text(text, sizeof text, 5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        ck_assert(stage_of("zrun-tables", text, sizes[i]) == SBZ_ENTROPY_ZRUN_TABLES || sizes[i] <= 65);
}
END_TEST

START_TEST(a_damaged_block_takes_others_of_its_batch_along)
{
    uint8_t text[PIECES * PIECE];
    sbz_codec *codec = open_codec(SBZ_SIMT, "bwt,mtf,rle0");
    sbz_record records[PIECES] = {0};
    sbz_text pieces[PIECES], back[PIECES] = {0};
    char error[SBZ_ERROR];

    make_pieces(pieces, text);
    ck_assert(encode_pieces(codec, records));
    records[1].payload[0] ^= 64;
    ck_assert_msg(sbz_codec_decode(codec, records, PIECES, back, error, sizeof error), "%s", error);
    for (int i = 0; i < PIECES; i++) {
        ck_assert_int_eq(back[i].error[0] == '\0', i != 1);
        ck_assert_uint_eq(back[i].size, i != 1 ? pieces[i].size : 0);
        ck_assert(i == 1 || memcmp(back[i].data, pieces[i].data, back[i].size) == 0);
        sbz_text_free(&back[i]);
    }
    free_records(records);
    sbz_codec_close(codec);
}
END_TEST

/* Blocks of whole segments pass ranks together where batches are taken. */
enum { MIXED = 1 << 17 };

static void mix_up(const char *on_simt, const char *stage, sbz_entropy entropy, const size_t sizes[PIECES])
{
    sbz_codec *simt = open_codec(SBZ_SIMT, on_simt), *cpu = open_codec(SBZ_CPU, stage);
    uint8_t *text = malloc(PIECES * MIXED);
    size_t at = 0;
    sbz_record together[PIECES] = {0}, alone = {0};
    sbz_text pieces[PIECES], back[PIECES] = {0};
    char error[SBZ_ERROR];

    fill_text(text, PIECES * MIXED, 17);
    for (size_t i = 0; i < PIECES * MIXED; i++)
        text[i] = text[i] % 8 > i % 5 ? text[i] % 8 : 0;
    for (int i = 0; i < PIECES; at += sizes[i++])
        pieces[i] = (sbz_text){.data = text + at, .size = sizes[i]};
    ck_assert_uint_gt(sbz_codec_batch(SBZ_SIMT, MIXED), PIECES);
    ck_assert_msg(sbz_codec_encode(simt, pieces, PIECES, together, error, sizeof error), "%s", error);
    for (int i = 0; i < PIECES; i++) {
        ck_assert(sbz_codec_encode(cpu, &pieces[i], 1, &alone, error, sizeof error));
        ck_assert_int_eq(alone.block.entropy, entropy);
        ck_assert_uint_eq(alone.block.encoded, together[i].block.encoded);
        ck_assert_mem_eq(alone.payload, together[i].payload, alone.block.encoded);
    }
    for (int damaged = 0; damaged < 2; damaged++) {
        together[1].payload[together[1].block.encoded - 1] ^= (uint8_t)damaged;
        ck_assert_msg(sbz_codec_decode(simt, together, PIECES, back, error, sizeof error), "%s", error);
        for (int i = 0; i < PIECES; i++) {
            ck_assert_int_eq(back[i].error[0] != '\0', damaged && i == 1);
            ck_assert(back[i].error[0] != '\0' || memcmp(back[i].data, pieces[i].data, pieces[i].size) == 0);
        }
    }
    for (int i = 0; i < PIECES; i++)
        sbz_text_free(&back[i]);
    free_records(together);
    sbz_record_free(&alone);
    free(text);
    sbz_codec_close(simt);
    sbz_codec_close(cpu);
}

START_TEST(ranks_of_a_batch_are_mixed_up)
{
    static const size_t even[PIECES] = {MIXED, MIXED, LAST}, odd[PIECES] = {LAST, MIXED, MIXED / 2};

    mix_up("rangecoder", "rangecoder", SBZ_ENTROPY_RANGECODER, even);
    mix_up("rangecoder", "rangecoder", SBZ_ENTROPY_RANGECODER, odd);
    mix_up("rangecoder1", "rangecoder1", SBZ_ENTROPY_RANGECODER1, even);
}
END_TEST

/* A variant is named, of another stage, so that the device has to do it. */
START_TEST(whole_blocks_of_a_batch_are_mixed_up)
{
    static const size_t even[PIECES] = {PIECE, PIECE, LAST}, odd[PIECES] = {PIECE, LAST, LAST};
    static const size_t larger[PIECES] = {LAST, PIECE, LAST + 1};

    mix_up("mtf/permutation_scan,rangecoder1", "mtf,rangecoder1", SBZ_ENTROPY_RANGECODER1, even);
    mix_up("mtf/permutation_scan,rangecoder1", "mtf,rangecoder1", SBZ_ENTROPY_RANGECODER1, odd);
    mix_up("mtf/permutation_scan,rangecoder1", "mtf,rangecoder1", SBZ_ENTROPY_RANGECODER1, larger);
}
END_TEST

START_TEST(rows_of_a_batch_are_not_of_one_size)
{
    enum { BLOCKS = 6 };
    static const uint32_t sizes[BLOCKS] = {5, 9, 5, 9, 7, 1};
    static const struct {
        size_t block, row;
        uint64_t start;
    } places[BLOCKS] = {{1, 3, 0}, {3, 2, 9}, {4, 1, 18}, {0, 3, 256}, {2, 2, 261}, {5, 1, 266}};
    sbz_record records[BLOCKS] = {0};
    sbz_batch batch = {0};

    for (int i = 0; i < BLOCKS; i++)
        records[i].block.original = sizes[i];
    ck_assert(sbz_batch_lay(&batch, records, BLOCKS));
    for (size_t at = 0; at < BLOCKS; at++) {
        ck_assert_uint_eq(batch.order[at], places[at].block);
        ck_assert_uint_eq(batch.start[at], places[at].start);
        ck_assert(at == 2 || at == 5 || sbz_batch_row(&batch, at) == places[at].row);
    }
    ck_assert_uint_eq(batch.start[BLOCKS], 267);
    sbz_batch_free(&batch);
}
END_TEST

START_TEST(stages_that_are_none_are_taken)
{
    static const char *const wrong[] = {"runs,runs", "bwt,bwt", "rle0,rle0x", "rle",         "bwt/none",
                                        "bwt/",      "",        ",",          "mtf,mtf/simd"};
    char error[SBZ_ERROR];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const sbz_settings settings = {.where = SBZ_CPU, .stages = wrong[i]};
        sbz_codec *codec = sbz_codec_open(&settings, error, sizeof error);

        ck_assert_msg((codec == NULL) == (wrong[i][0] != '\0'), "'%s'", wrong[i]);
        sbz_codec_close(codec);
    }
}
END_TEST

/* ---- runs ---- */

/* By the definition of rle0. */
static uint32_t code_length(const uint8_t *text, size_t size, uint8_t byte)
{
    uint32_t length = 0;

    for (size_t i = 0, run = 0; i < size; i++) {
        run = text[i] == byte ? run + 1 : 0;
        length += text[i] != byte ? 1 : run % 255 == 1 ? 2 : 0;
    }
    return length;
}

enum { RUNS_PIECE = 70000 };
static const uint8_t run_bytes[PIECES] = {0, 'x', ' '};

/* Three texts with long and short runs; of the second they are not coded. */
static void make_runs(sbz_text pieces[PIECES], uint8_t *text)
{
    for (int k = 0; k < PIECES; k++) {
        uint8_t *here = text + k * RUNS_PIECE;

        fill_text(here, RUNS_PIECE, (uint64_t)k + 3);
        for (size_t i = 0, length = 1; i + length < RUNS_PIECE - 1; i += length + 170, length = length * 2 % 1021)
            memset(here + i, run_bytes[k], length);
        here[RUNS_PIECE - 1] = run_bytes[k];
        pieces[k] = (sbz_text){.data = here, .size = RUNS_PIECE - (k == PIECES - 1)};
        if (k != 1) {
            pieces[k].runs = code_length(here, pieces[k].size, run_bytes[k]);
            pieces[k].run_byte = run_bytes[k];
        }
    }
}

static void come_back(sbz_codec *codec, const sbz_record records[PIECES], const sbz_text pieces[PIECES])
{
    sbz_text back[PIECES] = {0};
    char error[SBZ_ERROR];

    ck_assert_msg(sbz_codec_decode(codec, records, PIECES, back, error, sizeof error), "%s", error);
    for (int i = 0; i < PIECES; i++) {
        ck_assert_str_eq(back[i].error, "");
        ck_assert_uint_eq(back[i].size, pieces[i].size);
        ck_assert_mem_eq(back[i].data, pieces[i].data, back[i].size);
        sbz_text_free(&back[i]);
    }
}

START_TEST(coded_runs_do_not_come_back)
{
    static const char *const stages[] = {NULL, "runs,stored", "runs,bwt,mtf,rangecoder", "runs,bwt,mtf,rle0"};
    uint8_t *text = malloc(PIECES * RUNS_PIECE);
    sbz_codec *references = open_codec(SBZ_CPU, "reference");
    sbz_text pieces[PIECES];
    char error[SBZ_ERROR];

    make_runs(pieces, text);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        sbz_codec *cpu = open_codec(SBZ_CPU, stages[i]), *simt = open_codec(SBZ_SIMT, stages[i]);
        sbz_record a[PIECES] = {0}, b[PIECES] = {0};

        bool runs = false;

        ck_assert_int_eq(sbz_stages_open(stages[i], &runs), stages[i] == NULL);
        ck_assert(runs);
        ck_assert_msg(sbz_codec_encode(cpu, pieces, PIECES, a, error, sizeof error), "%s", error);
        ck_assert_msg(sbz_codec_encode(simt, pieces, PIECES, b, error, sizeof error), "%s", error);
        same_records(a, b, "runs on simt");
        for (int k = 0; k < PIECES; k++) {
            ck_assert_int_eq(a[k].block.runs, k != 1);
            ck_assert_uint_eq(a[k].block.transformed, k != 1 ? pieces[k].runs : pieces[k].size);
            ck_assert_uint_le(a[k].block.encoded, a[k].block.transformed + SBZ_RUNS_HEAD);
        }
        come_back(cpu, a, pieces);
        come_back(simt, a, pieces);
        come_back(references, a, pieces);
        free_records(a);
        free_records(b);
        sbz_codec_close(cpu);
        sbz_codec_close(simt);
    }
    sbz_codec_close(references);
    free(text);
}
END_TEST

START_TEST(a_wrong_length_of_runs_is_taken)
{
    uint8_t *text = malloc(PIECES * RUNS_PIECE);
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_record record = {0};
    sbz_text pieces[PIECES];
    char error[SBZ_ERROR];

    make_runs(pieces, text);
    for (int change = -1; change <= 1; change += 2) {
        pieces[0].runs += (uint32_t)change;
        ck_assert(!sbz_codec_encode(codec, pieces, 1, &record, error, sizeof error));
        pieces[0].runs -= (uint32_t)change;
    }
    pieces[0].runs = (uint32_t)pieces[0].size - SBZ_RUNS_HEAD + 1;
    ck_assert(!sbz_codec_encode(codec, pieces, 1, &record, error, sizeof error));
    sbz_record_free(&record);
    sbz_codec_close(codec);
    free(text);
}
END_TEST

/* What stands in front of the payload where runs are coded, and the numbers that it allows. */
START_TEST(a_forged_code_of_runs_is_believed)
{
    static const struct {
        uint32_t limit, transformed, primary;
        const char *says; /* "": that is right */
    } heads[] = {
        {1 << 16, 0, 0, ""},
        {1 << 16, RUNS_PIECE + 1, 0, "a run-length code"},
        {1 << 16, UINT32_MAX, 0, "a run-length code"},
        {1 << 16, 1, 0, "a primary index"},
        {1 << 15, 0, 0, ""},
        {20000, 0, 0, "a run-length code"},
        {RUNS_PIECE / SBZ_MAX_RUN_RATIO - 1, 0, 0, "block limit"},
    };
    uint8_t *text = malloc(PIECES * RUNS_PIECE);
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_text pieces[PIECES], back = {0};
    sbz_record record = {0}, read = {0};
    char error[SBZ_ERROR];

    make_runs(pieces, text);
    ck_assert(sbz_codec_encode(codec, pieces, 1, &record, error, sizeof error));
    ck_assert_uint_gt(pieces[0].runs, 20000);
    ck_assert_uint_lt(pieces[0].runs, 1 << 15);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const uint32_t middle = heads[i].transformed != 0 ? heads[i].transformed : record.block.transformed;
        memory packed = {0};
        sbz_writer writer;
        sbz_reader reader;
        sbz_read_status status;

        for (int byte = 0; byte < 4; byte++)
            record.payload[byte] = (uint8_t)(middle >> 8 * byte);
        sbz_writer_init(&writer, heads[i].limit, append, &packed);
        ck_assert_int_eq(sbz_writer_block(&writer, &record), SBZ_WRITTEN);
        ck_assert_int_eq(sbz_writer_end(&writer), SBZ_WRITTEN);
        sbz_reader_init(&reader, SBZ_MAX_BLOCK, false, take, &packed);
        status = sbz_reader_next(&reader, &read);
        ck_assert_int_eq(status, heads[i].says[0] == '\0' ? SBZ_READ_BLOCK : SBZ_READ_BAD);
        ck_assert_msg(strstr(reader.error, heads[i].says) != NULL, "head %zu: %s", i, reader.error);
        if (status == SBZ_READ_BLOCK) {
            ck_assert(sbz_codec_decode(codec, &read, 1, &back, error, sizeof error));
            ck_assert_str_eq(back.error, "");
        }
        sbz_reader_free(&reader);
        sbz_writer_free(&writer);
        free(packed.bytes);
    }
    sbz_text_free(&back);
    sbz_record_free(&record);
    sbz_record_free(&read);
    sbz_codec_close(codec);
    free(text);
}
END_TEST

/* ---- cutting ---- */

/* A row of contents: so many bytes of noise, text, zeros with a letter here and there, indented text, and what has a
 * control character here and there as programs have. */
typedef struct stretch {
    char kind; /* n t z i p; 0: no more */
    size_t size;
} stretch;

static void add_stretch(memory *to, const stretch *p)
{
    uint8_t *bytes = malloc(p->size + 1);
    uint64_t seed = p->size;

    fill_text(bytes, p->size, 3);
    for (size_t i = 0; i < p->size; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (p->kind == 'n')
            bytes[i] = (uint8_t)(seed >> 56);
        if (p->kind == 'z' && i % 400 != 0)
            bytes[i] = 0;
        if (p->kind == 'i' && i % 64 < 44)
            bytes[i] = ' ';
        if (p->kind == 'p' && i % 128 == 0)
            bytes[i] = 1;
    }
    append(to, bytes, p->size);
    free(bytes);
}

/* One of the places where a block is looked at for a change. */
enum { WINDOW = BLOCK / 7, CHANGE = BLOCK / 2 + WINDOW + WINDOW / 4 * 3 };

static const struct cut {
    const char *what;
    stretch stretches[4];
    bool strict;     /* the limit is the block */
    size_t sizes[6]; /* of the blocks; 0: no more */
    bool runs[6];
} cuts[] = {
    {"nothing", {{0}}, false, {0}, {0}},
    {"a byte", {{'t', 1}}, false, {1}, {0}},
    {"a program", {{'p', 3 * BLOCK}}, false, {BLOCK, BLOCK, BLOCK}, {0}},
    {"a program and a little", {{'p', BLOCK + 1}}, false, {BLOCK, 1}, {0}},
    {"text", {{'t', 5 * BLOCK}}, false, {2 * BLOCK, 2 * BLOCK, BLOCK}, {0}},
    {"text and a little", {{'t', BLOCK + TAIL - 1}}, false, {BLOCK + TAIL - 1}, {0}},
    {"text and more", {{'t', 2 * BLOCK + 1}}, false, {2 * BLOCK, 1}, {0}},
    {"text and a short program", {{'t', BLOCK}, {'p', TAIL - 1}}, false, {BLOCK + TAIL - 1}, {0}},
    {"text and a program", {{'t', BLOCK}, {'p', BLOCK}}, false, {BLOCK, BLOCK}, {0}},
    {"text, strictly", {{'t', BLOCK + 1}}, true, {BLOCK, 1}, {0}},
    {"noise", {{'n', 6 * BLOCK}}, false, {LIMIT, 2 * BLOCK}, {0}},
    {"noise and a little", {{'n', 2 * BLOCK + TAIL - 1}}, false, {2 * BLOCK + TAIL - 1}, {0}},
    {"noise and some text", {{'n', BLOCK}, {'t', TAIL}}, false, {BLOCK, TAIL}, {0}},
    {"text and zeros", {{'t', BLOCK}, {'z', TAIL - 1}}, false, {BLOCK + TAIL - 1}, {true}},
    {"text and more zeros", {{'t', BLOCK}, {'z', TAIL}}, false, {BLOCK, TAIL}, {false, true}},
    {"noise, strictly", {{'n', 2 * BLOCK}}, true, {BLOCK, BLOCK}, {0}},
    {"noise, then text", {{'n', 2 * BLOCK}, {'t', 2 * BLOCK}}, false, {2 * BLOCK, 2 * BLOCK}, {0}},
    {"text, then noise", {{'t', BLOCK}, {'n', 2 * BLOCK}}, false, {BLOCK, 2 * BLOCK}, {0}},
    {"zeros", {{'z', 3 * LIMIT}}, false, {3 * LIMIT}, {true}},
    {"many zeros", {{'z', 5 * LIMIT}}, false, {4 * LIMIT, LIMIT}, {true, true}},
    {"zeros, strictly", {{'z', 6 * BLOCK}}, true, {4 * BLOCK, 2 * BLOCK}, {true, true}},
    {"a program, then noise", {{'p', CHANGE}, {'n', BLOCK}}, false, {CHANGE, BLOCK}, {0}},
    {"a program, then noise, strictly", {{'p', CHANGE}, {'n', BLOCK}}, true, {BLOCK, CHANGE}, {0}},
    {"noise, then a program", {{'n', CHANGE}, {'p', BLOCK}}, false, {BLOCK, CHANGE}, {0}},
    {"runs, then noise", {{'z', CHANGE}, {'n', BLOCK}}, false, {CHANGE, BLOCK}, {true}},
    {"few zeros", {{'z', 1000}}, false, {1000}, {false}},
};

static void cut(const struct cut *c, memory *from, size_t step)
{
    sbz_splitter splitter;
    sbz_text text = {0};
    size_t at = 0, blocks = 0;

    from->at = 0;
    from->step = step;
    sbz_splitter_init(&splitter, BLOCK, c->strict ? BLOCK : LIMIT, step % 2 != 0 ? UINT64_MAX : from->size, take, from);
    splitter.runs = true;
    if (step == 0)
        ck_assert_uint_eq(sbz_splitter_typical(&splitter), c->runs[0] || c->sizes[0] < BLOCK ? BLOCK : c->sizes[0]);
    while (sbz_splitter_next(&splitter, &text) == SBZ_SPLIT_BLOCK) {
        ck_assert_msg(text.size == c->sizes[blocks], "%s, %zu at once: block %zu has %zu bytes", c->what, step, blocks,
                      text.size);
        ck_assert_mem_eq(text.data, from->bytes + at, text.size);
        ck_assert_msg((text.runs != 0) == c->runs[blocks], "%s: runs of block %zu", c->what, blocks);
        ck_assert(text.runs == 0 || text.runs == code_length(text.data, text.size, text.run_byte));
        at += text.size;
        blocks++;
    }
    ck_assert_uint_eq(at, from->size);
    ck_assert_uint_eq(c->sizes[blocks], 0);
    sbz_text_free(&text);
    sbz_splitter_free(&splitter);
}

START_TEST(blocks_are_cut_elsewhere)
{
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        memory contents = {0};

        for (const stretch *p = cuts[i].stretches; p < cuts[i].stretches + 4 && p->kind != 0; p++)
            add_stretch(&contents, p);
        for (size_t step = 0; step < 3; step++)
            cut(&cuts[i], &contents, (const size_t[]){0, 10007, 65536}[step]);
        free(contents.bytes);
    }
}
END_TEST

/* Where it ends is not foreseen here, but that its code fits is. */
START_TEST(codes_of_runs_are_longer_than_blocks)
{
    static const stretch stretches[] = {{'i', 4 * BLOCK}, {'t', BLOCK}, {'z', BLOCK},
                                        {'i', BLOCK},     {'n', BLOCK}, {'i', 3 * BLOCK}};
    memory contents = {0};
    sbz_splitter splitter;
    sbz_text text = {0};
    size_t at = 0;
    bool spaces = false;

    for (size_t i = 0; i < sizeof stretches / sizeof *stretches; i++)
        add_stretch(&contents, &stretches[i]);
    sbz_splitter_init(&splitter, BLOCK, BLOCK, contents.size, take, &contents);
    splitter.runs = true;
    while (sbz_splitter_next(&splitter, &text) == SBZ_SPLIT_BLOCK) {
        ck_assert_mem_eq(text.data, contents.bytes + at, text.size);
        ck_assert_uint_le(text.size, sbz_max_original(BLOCK, text.runs != 0 ? SBZ_RUNS_RLE0 : SBZ_RUNS_NONE));
        ck_assert_uint_lt(text.runs, BLOCK - SBZ_RUNS_HEAD);
        ck_assert(text.runs == 0 || text.runs == code_length(text.data, text.size, text.run_byte));
        ck_assert(text.runs == 0 || text.runs < text.size - text.size / 33);
        spaces = spaces || (text.runs != 0 && text.run_byte == ' ' && text.size > BLOCK + BLOCK / 4);
        at += text.size;
    }
    ck_assert_uint_eq(at, contents.size);
    ck_assert(spaces);
    sbz_text_free(&text);
    sbz_splitter_free(&splitter);
    free(contents.bytes);
}
END_TEST

/* ---- ways ---- */

static uint64_t bytes_of(const sbz_record *records, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += SBZ_BLOCK_HEADER + SBZ_INDEX_ENTRY + records[i].block.encoded;
    return bytes;
}

/* Bytes of the text in blocks of `piece`. */
static uint64_t bytes_in_pieces(sbz_codec *codec, const sbz_text *text, size_t piece)
{
    uint64_t bytes = 0;
    sbz_record record = {0};
    char error[SBZ_ERROR];

    for (size_t at = 0; at < text->size; at += piece) {
        sbz_text part = {.data = text->data + at, .size = text->size - at < piece ? text->size - at : piece};

        part.runs = piece == text->size ? text->runs : 0;
        ck_assert(sbz_codec_encode(codec, &part, 1, &record, error, sizeof error));
        bytes += bytes_of(&record, 1);
    }
    sbz_record_free(&record);
    return bytes;
}

/* What a text becomes, and what it could become. */
static const struct ways {
    const char *what;
    stretch stretches[4];
    bool runs, parts;
    bool together; /* it becomes one block */
} ways[] = {
    {"text", {{'t', 2 * BLOCK}}, false, true, true},
    {"much the same", {{'z', 2 * BLOCK}}, false, true, true},
    {"much the same, then noise", {{'z', 4 * BLOCK}, {'n', BLOCK / 4}}, false, true, false},
    {"not tried", {{'z', BLOCK}, {'n', BLOCK}, {'t', BLOCK}}, false, true, true},
    {"runs", {{'z', 3 * BLOCK}}, true, true, true},
    {"runs and noise", {{'z', BLOCK}, {'n', BLOCK}, {'t', BLOCK}}, true, true, false},
    {"runs and noise, strictly", {{'z', BLOCK}, {'n', BLOCK}, {'t', BLOCK}}, true, false, true},
};

START_TEST(a_text_becomes_the_larger_blocks)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_text texts[sizeof ways / sizeof *ways] = {0};
    sbz_blocks blocks[sizeof ways / sizeof *ways] = {0};
    sbz_trial tried = {0};
    char error[SBZ_ERROR];

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        memory contents = {0};

        for (const stretch *p = ways[i].stretches; p < ways[i].stretches + 4 && p->kind != 0; p++)
            add_stretch(&contents, p);
        texts[i] = (sbz_text){.data = contents.bytes, .size = contents.size, .part = ways[i].parts ? BLOCK : 0};
        texts[i].runs = ways[i].runs ? code_length(contents.bytes, contents.size, 0) : 0;
    }
    /* blocks are used again */
    ck_assert(sbz_trial_encode(&tried, codec, texts, 1, &blocks[1], error, sizeof error));
    ck_assert(sbz_trial_encode(&tried, codec, texts, sizeof ways / sizeof *ways, blocks, error, sizeof error));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const uint64_t one = bytes_in_pieces(codec, &texts[i], texts[i].size);
        const uint64_t parts = bytes_in_pieces(codec, &texts[i], BLOCK);

        ck_assert_msg((blocks[i].count == 1) == ways[i].together, "%s: %zu blocks", ways[i].what, blocks[i].count);
        ck_assert_uint_eq(bytes_of(blocks[i].record, blocks[i].count), ways[i].together ? one : parts);
        sbz_text_free(&texts[i]);
        sbz_blocks_free(&blocks[i]);
    }
    sbz_trial_free(&tried);
    sbz_codec_close(codec);
}
END_TEST

START_TEST(a_source_that_gives_up_is_at_its_end)
{
    sbz_splitter splitter;
    sbz_text text = {0};

    sbz_splitter_init(&splitter, BLOCK, LIMIT, UINT64_MAX, give_up, NULL);
    ck_assert_int_eq(sbz_splitter_next(&splitter, &text), SBZ_SPLIT_SOURCE);
    sbz_text_free(&text);
    sbz_splitter_free(&splitter);
}
END_TEST

/* ---- container ---- */

/* Bytes of a stream as docs/SBZ.md has them. */
START_TEST(the_container_has_changed)
{
    static const char expected[] = "8953425a0d0a1a0a"
                                   "01000000"
                                   "10000000"
                                   "0000000000000000" /* sum */
                                   "89534262e35c17a6"
                                   "0000000000000000"
                                   "0000000000000000" /* sum */
                                   "0a000000"
                                   "0a000000"
                                   "00000000"
                                   "00000000"
                                   "0000000000000000" /* sum */
                                   "7377697373206d697373"
                                   "895342694bd0927d"
                                   "0100000000000000"
                                   "0000000000000000" /* sum */
                                   "0a0000000a000000"
                                   "0a00000000000000"
                                   "0000000000000000" /* sum */
                                   "a200000000000000"
                                   "0100000000000000"
                                   "0000000000000000" /* sum */
                                   "89534265c8360fb1";
    static const struct {
        size_t at, first, bytes, more, more_bytes; /* the sum at `at` is that of `bytes` from `first`, and of `more` */
    } sums[] = {{16, 0, 16, 0, 0},  {40, 72, 10, 0, 0},  {64, 24, 40, 0, 0},
                {98, 82, 16, 0, 0}, {122, 72, 10, 0, 0}, {146, 106, 8, 114, 32}};
    sbz_codec *codec = open_codec(SBZ_CPU, "stored");
    memory packed = {0};
    char hex[2 * 200 + 1] = "";

    compress(codec, (const uint8_t *)"swiss miss", 10, 16, &packed);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        uint64_t sum = sbz_checksum(sbz_checksum(0, packed.bytes + sums[i].first, sums[i].bytes),
                                    packed.bytes + sums[i].more, sums[i].more_bytes);

        for (size_t byte = 0; byte < 8; byte++)
            ck_assert_uint_eq(packed.bytes[sums[i].at + byte], (uint8_t)(sum >> 8 * byte));
    }
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        memset(packed.bytes + sums[i].at, 0, 8);
    for (size_t i = 0; i < packed.size && i < 200; i++)
        snprintf(hex + 2 * i, 3, "%02x", packed.bytes[i]);
    ck_assert_str_eq(hex, expected);
    free(packed.bytes);
    sbz_codec_close(codec);
}
END_TEST

/* FNV-1a: a checksum of bytes that hold their own checksum, as heads do, would be the same for all of them. */
static uint64_t hash(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * 0x100000001b3u;
    return value;
}

/* The hashes of files that version 1 has always written. */
START_TEST(a_payload_has_changed)
{
    static const uint64_t hashes[ALL_STAGES] = {
        0x2038e187365247ecu, 0x3eb412eebcece9a0u, 0xbffc2aab4aa87323u, 0xe7c07014bb4dae99u, 0xa7cc012b0ee6c008u,
        0x662d9a7cdb9305d1u, 0x9b1d36c8cadff2c4u, 0xb4811e8e9eb4c221u, 0xfb44d6815a487a11u, 0x17bf6f25e683e191u,
        0x8ba2450aa60e75afu, 0xc750b181f4923e3du, 0xda217365b41ee17eu, 0x018467905c58282bu, 0x74704ec92a4fdd75u,
        0x5e14c090204225afu, 0xea66e8826d94a64fu, 0x4a74ae74e9c21b22u, 0xe075bda55228064bu, 0x91af8f6a37cf2c38u,
    };
    uint64_t got[ALL_STAGES];
    char all[ALL_STAGES * 24];
    int length = 0;
    uint8_t text[PIECES * PIECE];
    sbz_text pieces[PIECES];

    make_pieces(pieces, text);
    for (int i = 0; i < ALL_STAGES; i++) {
        sbz_codec *codec = open_codec(SBZ_CPU, all_stages[i]);
        memory packed = {0};

        compress(codec, text, sizeof text, PIECE, &packed);
        got[i] = hash(packed.bytes, packed.size);
        length += snprintf(all + length, sizeof all - (size_t)length, "0x%016llxu, ", (unsigned long long)got[i]);
        free(packed.bytes);
        sbz_codec_close(codec);
    }
    for (int i = 0; i < ALL_STAGES; i++)
        ck_assert_msg(got[i] == hashes[i], "%s; now they are %s", all_stages[i], all);
}
END_TEST

START_TEST(random_bytes_grow_by_more_than_was_promised)
{
    enum { SIZE = 1 << 20 };
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    uint8_t *text = malloc(SIZE);
    memory packed = {0};
    uint64_t seed = 1;

    for (size_t i = 0; i < SIZE; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        text[i] = (uint8_t)(seed >> 56);
    }
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
    sbz_record record = {.block = {.original = 1, .encoded = 1, .checksum = sbz_checksum(0, &byte, 1)},
                         .payload = &byte};
    sbz_record back = {0};
    memory packed = {0};
    sbz_writer writer;
    sbz_reader reader;
    sbz_read_status status;
    char error[SBZ_ERROR];
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
    ck_assert(sbz_index_read(&index, packed.size, take_at, &packed, error, sizeof error));
    ck_assert_uint_eq(index.count, 5);
    sbz_index_free(&index);
    sbz_reader_free(&reader);
    sbz_record_free(&back);
    sbz_writer_free(&writer);
    free(packed.bytes);
}
END_TEST

/* What recovery finds in bytes: how many blocks, how many reports; of the blocks, the positions as bits by thousands.
 */
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
    char error[SBZ_ERROR];

    packed->at = 0;
    sbz_reader_init(&reader, SBZ_MAX_BLOCK, true, take, packed);
    while ((status = sbz_reader_next(&reader, &record)) != SBZ_READ_END) {
        ck_assert_int_le(status, SBZ_READ_BAD);
        f.reports += status == SBZ_READ_BAD;
        if (status == SBZ_READ_BAD)
            continue;
        ck_assert(sbz_codec_decode(codec, &record, 1, &text, error, sizeof error));
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

/* A number of a head becomes another one, its checksum with it: what does the reader say? */
static const struct forgery {
    int part; /* 0: header of the stream, 1: of the second block, 2: head of the index */
    int offset;
    uint8_t value;
    const char *says;
} forgeries[] = {
    {0, 8, 2, "version"},          {0, 9, 1, "flags"},
    {0, 12, 0, "block limit"},     {0, 15, 0x80, "block limit"},
    {0, 14, 1, "more than the"},   {1, 8, 0, "contents from byte"},
    {1, 16, 0, "checksum"},        {1, 25, 0xff, "block limit"},
    {1, 26, 1, "block limit"},     {1, 29, 0xff, "payload size"},
    {1, 33, 0xff, "primary"},      {1, 36, 2, "stage"},
    {1, 37, 2, "stage"},           {1, 38, SBZ_ENTROPIES, "stage"},
    {1, 39, 1, "run-length code"}, {1, 39, SBZ_RUNS, "stage"},
    {2, 8, 3, "index counts"},     {2, 11, 1, "more blocks"},
    {2, 12, 1, "more blocks"},
};

START_TEST(a_forged_number_is_believed)
{
    static const size_t summed[] = {16, 40, 16};
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

        compress(codec, text, sizeof text, 1000, &packed);
        uint8_t *part[] = {packed.bytes, packed.bytes + SBZ_STREAM_HEADER + SBZ_BLOCK_HEADER + 1000,
                           packed.bytes + SBZ_STREAM_HEADER + 2 * (SBZ_BLOCK_HEADER + 1000)};
        uint64_t sum;

        part[f->part][f->offset] = f->value;
        sum = sbz_checksum(0, part[f->part], summed[f->part]);
        for (size_t byte = 0; byte < 8; byte++)
            part[f->part][summed[f->part] + byte] = (uint8_t)(sum >> 8 * byte);
        sbz_reader_init(&reader, 1 << 16, false, take, &packed);
        while ((status = sbz_reader_next(&reader, &record)) == SBZ_READ_BLOCK && error[0] == '\0') {
            ck_assert(sbz_codec_decode(codec, &record, 1, &block, error, sizeof error));
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

/* An index with another number, and a checksum that goes with it unless `damaged`: what do both readers say? */
static const struct lie {
    int offset; /* from the first entry */
    const char *reader, *index;
    bool damaged;
} lies[] = {
    {0, "not that of the blocks", "damaged", false},
    {4, "not that of the blocks", "damaged", false},
    {4, "is damaged", "damaged", true},
    {16 + 0, "not that of the blocks", "damaged", false},
    {16 + 8, "checksum of the whole", NULL, false},
    {16 + 17, "not that of the blocks", "stream size", false},
    {16 + 22, "not that of the blocks", "stream size", false},
    {16 + 24, "not that of the blocks", "head of an index", false},
    {16 + 28, "more blocks", "more blocks", false},
    {16 + 33, "is damaged", "damaged", true},
    {16 + 41, "not the end", "not the end", true},
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
        taken = sbz_index_read(&index, packed.size, take_at, &packed, error, sizeof error);
        ck_assert_msg(taken == (lies[i].index == NULL) && (taken || strstr(error, lies[i].index) != NULL),
                      "lie %zu: %s", i, taken ? "believed" : error);
        if (taken)
            sbz_index_free(&index);
        free(packed.bytes);
        free(unpacked.bytes);
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
    compress(codec, text, sizeof text, 300, &packed);
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

/* A crew that gets smaller when so many pieces have been read: pieces are numbers, and work turns their sign. */
enum { RING = 10, NUMBERS = 200 };

typedef struct numbers {
    long slot[RING];
    atomic_long read;
    long written, wanted;
    sbz_pool_limits crew;
    bool wrong;
} numbers;

static bool read_number(void *context, size_t slot)
{
    numbers *n = context;

    if (n->read == NUMBERS)
        return false;
    if (n->read == n->wanted)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* while the crew gets smaller */
    n->slot[slot] = n->read + 1;
    n->read++;
    return true;
}

static bool settle_on_fewer(void *context, sbz_pool_limits *crew)
{
    numbers *n = context;

    while (n->read < n->wanted)
        sched_yield();
    *crew = n->crew;
    return true;
}

static void turn_numbers(void *context, size_t worker, const size_t *slots, size_t count)
{
    (void)worker;
    for (size_t i = 0; i < count; i++)
        ((numbers *)context)->slot[slots[i]] *= -1;
}

static bool write_number(void *context, size_t slot)
{
    numbers *n = context;

    n->wrong = n->wrong || n->slot[slot] != -(n->written + 1);
    n->written++;
    return true;
}

START_TEST(a_smaller_crew_mixes_pieces_up)
{
    for (long wanted = 0; wanted <= RING; wanted++) {
        for (size_t slots = 1; slots <= RING; slots++) {
            numbers n = {.wanted = wanted, .crew = {slots, 2, slots > 2 ? 2 : 1}};
            const sbz_pipeline pipeline = {&n,   {RING, 3, 3}, settle_on_fewer, read_number, turn_numbers, write_number,
                                           NULL, NULL};

            ck_assert_int_eq(sbz_pipeline_run(&pipeline), SBZ_PIPELINE_DONE);
            ck_assert_msg(!n.wrong, "%ld read before there were %zu slots", wanted, slots);
            ck_assert_int_eq(n.written, NUMBERS);
        }
    }
}
END_TEST

enum { CALLERS = 4, CALLS = 200, MAX_PARTS = 40 };

static void count_part(void *with, size_t i)
{
    atomic_fetch_add((atomic_int *)with + i, 1);
}

static void *call_for_parts(void *unused)
{
    (void)unused;
    for (size_t call = 0; call < CALLS; call++) {
        const size_t count = call % (MAX_PARTS + 1);
        atomic_int times[MAX_PARTS + 1] = {0};

        sbz_parallel_for(count, count_part, times);
        for (size_t i = 0; i <= MAX_PARTS; i++)
            ck_assert_int_eq(times[i], i < count);
    }
    return NULL;
}

START_TEST(a_part_is_not_done_or_twice)
{
    pthread_t caller[CALLERS];

    for (size_t i = 0; i < CALLERS; i++)
        ck_assert(sbz_thread_begin(&caller[i], call_for_parts, NULL));
    for (size_t i = 0; i < CALLERS; i++)
        pthread_join(caller[i], NULL);
}
END_TEST

size_t __wrap_sbz_cores(void);

size_t __wrap_sbz_cores(void)
{
    return 16;
}

enum { FILE_SIZE = (4 << 20) + 12345, OFFSET = 100001 };

/* A file on standard input, of which OFFSET bytes were read, and what it holds. */
static uint8_t *open_counted(sbz_input *input)
{
    const sbz_options options = {.action = SBZ_COMPRESS, .to_stdout = true};
    uint32_t *held = malloc(FILE_SIZE + sizeof *held);
    FILE *file = tmpfile();

    ck_assert(held != NULL && file != NULL);
    for (uint32_t i = 0; i <= FILE_SIZE / sizeof *held; i++)
        held[i] = i;
    ck_assert_int_eq(write(fileno(file), held, FILE_SIZE), FILE_SIZE);
    ck_assert_int_eq(dup2(fileno(file), STDIN_FILENO), STDIN_FILENO);
    fclose(file);
    ck_assert_int_eq(lseek(STDIN_FILENO, OFFSET, SEEK_SET), OFFSET);
    ck_assert(sbz_input_open(input, NULL, &options));
    return (uint8_t *)held;
}

START_TEST(a_file_read_by_several_threads_is_another)
{
    static const size_t sizes[] = {1, 1 << 20, 10, 700001, (3 << 17) - 1, 3 << 17, 8 << 20, 8 << 20};
    uint8_t *bytes = malloc(8 << 20), *held;
    size_t at = OFFSET;
    sbz_input input;

    ck_assert_ptr_nonnull(bytes);
    held = open_counted(&input);
    for (size_t i = 0; at < FILE_SIZE; i = (i + 1) % (sizeof sizes / sizeof *sizes)) {
        const ptrdiff_t got = sbz_input_read(&input, bytes, sizes[i]);

        ck_assert_msg(got > 0 && (size_t)got <= sizes[i], "%td bytes at byte %zu", got, at);
        ck_assert_mem_eq(bytes, held + at, (size_t)got);
        at += (size_t)got;
        ck_assert_int_eq(lseek(STDIN_FILENO, 0, SEEK_CUR), at);
    }
    ck_assert_int_eq(sbz_input_read(&input, bytes, 8 << 20), 0);
    ck_assert_uint_eq(input.read, FILE_SIZE - OFFSET);
    sbz_input_close(&input);
    free(held);
    free(bytes);
}
END_TEST

/* At any part of what is read at once; its time stays. */
START_TEST(a_file_that_shrinks_meanwhile_is_whole)
{
    for (size_t size = OFFSET; size < FILE_SIZE; size += 234567) {
        uint8_t *bytes = calloc(FILE_SIZE, 1), *held;
        ptrdiff_t got, all = 0;
        sbz_input input;

        ck_assert_ptr_nonnull(bytes);
        held = open_counted(&input);
        ck_assert_int_eq(ftruncate(STDIN_FILENO, (off_t)size), 0);
        ck_assert_int_eq(futimens(STDIN_FILENO, (struct timespec[]){input.status.st_atim, input.status.st_mtim}), 0);
        while ((got = sbz_input_read(&input, bytes + all, FILE_SIZE - (size_t)all)) > 0)
            all += got;
        ck_assert_int_eq(got, -1);
        ck_assert_str_eq(input.error, "changed while it was read");
        ck_assert_uint_eq((size_t)all, size - OFFSET);
        ck_assert_mem_eq(bytes, held + OFFSET, (size_t)all);
        ck_assert_int_eq(lseek(STDIN_FILENO, 0, SEEK_CUR), size);
        sbz_input_close(&input);
        free(held);
        free(bytes);
    }
}
END_TEST

static struct stat state_of(const sbz_output *output)
{
    struct stat state;

    ck_assert_int_eq(fstat(output->descriptor, &state), 0);
    return state;
}

/* In a folder of its own, of which nothing is left but, if it is committed, the file: how many bytes that takes. */
static long write_expected(uint64_t expected, const uint8_t *bytes, size_t size, bool wait, bool commit)
{
    const sbz_options options = {.action = SBZ_DECOMPRESS, .keep = true};
    char folder[] = "/tmp/check_sbz-XXXXXX", path[64], made[64];
    sbz_input input;
    sbz_output output;
    struct stat state = {0};

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.sbz", folder);
    snprintf(made, sizeof made, "%s/x", folder);
    fclose(fopen(path, "w"));
    ck_assert(sbz_input_open(&input, path, &options) && sbz_output_open(&output, &input, &options));
    sbz_output_expect(&output, expected);
    for (int i = 0; wait && i < 1000 && state_of(&output).st_blocks * 512 < (long)expected; i++)
        usleep(10000);
    ck_assert(!wait || state_of(&output).st_blocks * 512 >= (long)expected);
    ck_assert_int_eq(state_of(&output).st_size, 0);
    ck_assert(size == 0 || sbz_output_write(&output, bytes, size));
    ck_assert_int_eq(state_of(&output).st_size, size);
    ck_assert(!commit || sbz_output_commit(&output, &input, &options));
    sbz_output_close(&output);
    sbz_input_close(&input);
    ck_assert_int_eq(stat(made, &state), commit ? 0 : -1);
    ck_assert_int_eq(state.st_size, commit ? size : 0);
    ck_assert(!commit || unlink(made) == 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* else something is left */
    return (long)state.st_blocks * 512;
}

START_TEST(an_output_takes_more_room_than_it_needs)
{
    enum { MIB = 1 << 20 };
    uint8_t *bytes = calloc(20, MIB);
    int file;
    bool reserves;

    ck_assert_ptr_nonnull(bytes);
    file = fileno(tmpfile());
    reserves = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, MIB) == 0;
    for (int wait = 0; wait <= reserves; wait++) {
        ck_assert_int_lt(write_expected(20 * MIB, bytes, 20 * MIB, wait, true), 21 * MIB);
        ck_assert_int_lt(write_expected(20 * MIB, bytes, MIB, wait, true), 2 * MIB);
        ck_assert_int_lt(write_expected(20 * MIB, bytes, 0, wait, true), MIB);
        write_expected(20 * MIB, bytes, MIB, wait, false);
        write_expected(20 * MIB, bytes, 0, wait, false);
    }
    ck_assert_int_lt(write_expected(MIB, bytes, 20 * MIB, false, true), 21 * MIB);
    ck_assert_int_lt(write_expected(UINT64_MAX, bytes, MIB, false, true), 2 * MIB);
    close(file);
    free(bytes);
}
END_TEST

static size_t resident(const sbz_slab *slab)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = calloc(slab->bytes / page, 1);
    size_t bytes = 0;

    ck_assert(pages != NULL && mincore(slab->memory, slab->bytes, pages) == 0);
    for (size_t i = 0; i < slab->bytes / page; i++)
        bytes += (pages[i] & 1) * page;
    free(pages);
    return bytes;
}

START_TEST(memory_of_texts_is_not_touched_or_changes)
{
    enum { TEXT = 3 << 20, TEXTS = 10 };
    const sbz_settings settings = {.where = SBZ_CPU};
    char error[SBZ_ERROR];
    sbz_codec *codec = sbz_codec_open(&settings, error, sizeof error);
    sbz_slab slab = {0};

    ck_assert_msg(codec != NULL, "%s", error);
    ck_assert(sbz_slab_resize(&slab, TEXT, TEXTS, codec));
    ck_assert_uint_lt(resident(&slab), slab.bytes);
    sbz_slab_prefault(&slab);
    memset(sbz_slab_text(&slab, TEXTS - 1), 'x', TEXT);
    sbz_slab_pin(&slab, codec);
#ifdef MADV_POPULATE_WRITE /* and a kernel that knows it */
    if (madvise(slab.memory, (size_t)sysconf(_SC_PAGESIZE), MADV_POPULATE_WRITE) == 0)
        ck_assert_uint_eq(resident(&slab), slab.bytes);
#endif
    for (size_t i = 0; i < TEXT; i++)
        ck_assert_int_eq(((uint8_t *)sbz_slab_text(&slab, TEXTS - 1))[i], 'x');
    ck_assert(sbz_slab_resize(&slab, TEXT, 2 * TEXTS, codec));
    sbz_slab_prefault(&slab);
    sbz_slab_stop_prefault(&slab);
    ck_assert_uint_eq(slab.threads, 0);
    sbz_slab_free(&slab, codec);
    sbz_codec_close(codec);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sbz");
    TCase *tests = tcase_create("sbz");
    SRunner *runner = srunner_create(suite);
    const char *build = getenv("BUILD");
    char modules[4096];
    int failed;

    if (build != NULL && (size_t)snprintf(modules, sizeof modules, "%s/modules", build) < sizeof modules)
        setenv("SAMEBITS_MODULES", modules, 1);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, checksum_is_not_that_of_xz_or_does_not_join);
    tcase_add_test(tests, checksum_of_much_is_not_that_of_its_pieces);
    tcase_add_test(tests, a_text_does_not_come_back);
    tcase_add_test(tests, references_do_not_decode_what_a_stage_writes);
    tcase_add_test(tests, a_cpu_variant_writes_other_blocks);
    tcase_add_test(tests, a_simt_variant_writes_other_blocks);
    tcase_add_test(tests, simt_and_cpu_choose_differently);
    tcase_add_test(tests, noise_in_digits_goes_unnoticed);
    tcase_add_test(tests, groups_of_a_size_do_not_come_back);
    tcase_add_test(tests, a_damaged_block_takes_others_of_its_batch_along);
    tcase_add_test(tests, ranks_of_a_batch_are_mixed_up);
    tcase_add_test(tests, whole_blocks_of_a_batch_are_mixed_up);
    tcase_add_test(tests, rows_of_a_batch_are_not_of_one_size);
    tcase_add_test(tests, stages_that_are_none_are_taken);
    tcase_add_test(tests, coded_runs_do_not_come_back);
    tcase_add_test(tests, a_wrong_length_of_runs_is_taken);
    tcase_add_test(tests, a_forged_code_of_runs_is_believed);
    tcase_add_test(tests, blocks_are_cut_elsewhere);
    tcase_add_test(tests, a_text_becomes_the_larger_blocks);
    tcase_add_test(tests, codes_of_runs_are_longer_than_blocks);
    tcase_add_test(tests, a_source_that_gives_up_is_at_its_end);
    tcase_add_test(tests, an_index_is_not_found_from_the_end);
    tcase_add_test(tests, the_container_has_changed);
    tcase_add_test(tests, a_payload_has_changed);
    tcase_add_test(tests, random_bytes_grow_by_more_than_was_promised);
    tcase_add_test(tests, streams_side_by_side_are_not_one_file);
    tcase_add_test(tests, a_stream_has_more_blocks_than_its_index_may);
    tcase_add_test(tests, damage_to_one_block_loses_others);
    tcase_add_test(tests, a_forged_number_is_believed);
    tcase_add_test(tests, an_index_that_lies_is_believed);
    tcase_add_test(tests, a_cut_file_is_whole);
    tcase_add_test(tests, a_smaller_crew_mixes_pieces_up);
    tcase_add_test(tests, a_part_is_not_done_or_twice);
    tcase_add_test(tests, a_file_read_by_several_threads_is_another);
    tcase_add_test(tests, a_file_that_shrinks_meanwhile_is_whole);
    tcase_add_test(tests, an_output_takes_more_room_than_it_needs);
    tcase_add_test(tests, memory_of_texts_is_not_touched_or_changes);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
