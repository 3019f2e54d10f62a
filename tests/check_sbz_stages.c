/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The codecs of sbz: each stage, by each variant and by the references, one block at a time and in batches.
 */
#include "../sbz/batch.h"
#include "../sbz/codec_state.h"
#include "../sbz/engine.h"
#include "../sbz/entropy.h"
#include "../sbz/parallel_for.h"
#include "../sbz/split.h"
#include "sbz_fixture.h"
#include "suite.h"
#include <time.h>

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

START_TEST(a_text_does_not_come_back)
{
    static const size_t sizes[] = {0, 1, 2, 255, 4096, 5000, 100000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        round_trip(NULL, sizes[i], 1 << 20);
        round_trip(NULL, sizes[i], 5000);
    }
}
END_TEST

/* What tries a block with no stage, or with two as its first, would write other files. */
START_TEST(a_kind_of_block_has_not_one_first_stage)
{
    for (int kind = 0; kind < SBZ_KINDS; kind++) {
        int first = 0, second = 0;

        for (int i = 0; i < SBZ_ENTROPIES; i++) {
            first += sbz_stages[i].first >> kind & 1;
            second += sbz_stages[i].second >> kind & 1;
            ck_assert(!sbz_stages[i].slow || (sbz_stages[i].first == 0 && sbz_stages[i].second == 0));
            ck_assert(sbz_stages[i].estimate == NULL || !sbz_stages[i].plain);
        }
        ck_assert_msg(first == 1 && second <= 1, "kind %d: %d first stages, %d second ones", kind, first, second);
    }
}
END_TEST

/* A block claims 16 MiB, with a payload of 60 bytes. */
START_TEST(time_follows_what_a_block_claims)
{
    enum { CLAIM = 1 << 24, PAYLOAD = 60 };
    static const char *const forced[] = {NULL, "reference"};
    static const uint8_t fills[] = {0, 0xaa, 0xff}, number[] = {0x80, 0x80, 0x80, 0x08}; /* CLAIM, of the middle */

    for (int i = 0; i < 2 * 2 * 3 * SBZ_ENTROPIES; i++) {
        if (sbz_stages[i / 12].name == NULL)
            continue;
        sbz_codec *codec = open_codec(SBZ_CPU, forced[i % 2]);
        uint8_t payload[PAYLOAD];
        const sbz_record record = {
            .block = {.original = CLAIM, .transformed = CLAIM, .encoded = PAYLOAD, .entropy = (uint8_t)(i / 12)},
            .payload = payload};
        sbz_text text = {0};
        clock_t time;

        memset(payload, fills[i / 4 % 3], sizeof payload);
        if (i / 2 % 2 != 0)
            memcpy(payload, number, sizeof number);
        time = clock();
        ck_assert_int_eq(sbz_codec_decode(codec, &record, 1, &text), SB_OK);
        time = clock() - time;
        ck_assert_str_ne(text.error, "");
        ck_assert_msg(time < CLOCKS_PER_SEC / 2, "%s, %s, payload of %02x: %.2f s", sbz_stages[i / 12].name,
                      forced[i % 2] != NULL ? forced[i % 2] : "variants", payload[PAYLOAD - 1],
                      (double)time / CLOCKS_PER_SEC);
        sbz_text_free(&text);
        sbz_codec_close(codec);
    }
}
END_TEST

START_TEST(references_do_not_decode_what_a_stage_writes)
{
    sbz_codec *references = open_codec(SBZ_CPU, "reference");

    for (int i = 0; i < ALL_STAGES; i++) {
        sbz_record records[PIECES] = {0};
        sbz_codec *codec = open_codec(SBZ_CPU, all_stages[i].stages);

        ck_assert(encode_pieces(codec, records));
        ck_assert(decode_pieces(references, records, all_stages[i].stages));
        ck_assert(decode_pieces(codec, records, all_stages[i].stages));
        free_records(records);
        sbz_codec_close(codec);
    }
    sbz_codec_close(references);
}
END_TEST

/* An entropy stage that uses this family, or any stage if the family is a transform; NULL: sbz does not use it. */
static const char *entropy_of(const char *family)
{
    static const struct {
        const char *family, *entropy;
    } known[] = {{"bwt", "stored"},       {"mtf", "stored"}, {"rle0", "rle0"},
                 {"huffman", "rle0"},     {"zrun", "zrun"},  {"rangecoder", "rangecoder"},
                 {"mixcoder", "mixcoder"}};

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

/* The stages with the variant behind its family, such as "bwt,mtf/simd,stored,huffman". False: sbz does not use it. */
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

/* Forces each variant that sbz uses. It must write what the references write, and decode it. */
static void try_variants(sbz_where where, int min_ran)
{
    sbz_engine engine;
    int ran = 0;

    ck_assert_msg(sbz_engine_open(&engine, where) == SB_OK, "%s", engine.error);
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
    ck_assert_int_ge(ran, min_ran);
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

/* The entropy stage of a text, which must be the same on the CPU and on simt, and decode on both. */
static sbz_entropy stage_of(const char *stages, uint8_t *text, size_t size, bool slow)
{
    static const sbz_where where[] = {SBZ_CPU, SBZ_SIMT};
    const sbz_text piece = {.data = text, .size = size, .slow = slow};
    sbz_record record[2] = {0};
    sbz_text back = {0};
    sbz_entropy entropy;

    for (int i = 0; i < 2; i++) {
        sbz_codec *codec = open_codec(where[i], stages);

        ck_assert_msg(sbz_codec_encode(codec, &piece, 1, &record[i]) == SB_OK, "%s", sbz_codec_error(codec));
        ck_assert_msg(sbz_codec_decode(codec, &record[i], 1, &back) == SB_OK, "%s", sbz_codec_error(codec));
        ck_assert_str_eq(back.error, "");
        ck_assert_uint_eq(back.size, size);
        ck_assert_mem_eq(back.data, text, size);
        ck_assert_str_eq(sbz_codec_error(codec), ""); /* else it would hide that of the host */
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

/* A list of checksums in digits, and of names. */
START_TEST(noise_in_digits_goes_unnoticed)
{
    enum { SIZE = 1 << 16, DIGITS = 32, LETTERS = 8, LINE = 64 };
    uint8_t *text = malloc(SIZE);
    uint64_t seed = 1;

    fill_text(text, SIZE, 1);
    ck_assert_int_ne(stage_of(NULL, text, SIZE, false), SBZ_ENTROPY_ZRUN_TABLES);
    for (size_t i = 0; i < SIZE; i++) {
        next_random(&seed);
        if (i % LINE < DIGITS)
            text[i] = (uint8_t)("0123456789abcdef"[seed >> 60]);
        else if (i % LINE < DIGITS + LETTERS)
            text[i] = (uint8_t)('a' + (seed >> 32) % 26);
        else
            text[i] = (uint8_t)("  usr/share/doc/name.gz"[i % LINE - DIGITS - LETTERS]);
    }
    ck_assert_int_eq(stage_of(NULL, text, SIZE, false), SBZ_ENTROPY_ZRUN_TABLES);
    ck_assert_int_eq(stage_of("zrun-tables", text, SIZE, false), SBZ_ENTROPY_ZRUN_TABLES);
    free(text);
}
END_TEST

/* Noise of seven bits: another stage is smaller than mixcoder, which is a candidate, not more. */
START_TEST(mixcoder_is_taken_where_another_is_smaller)
{
    enum { SIZE = 1 << 16 };
    uint8_t *text = malloc(SIZE);
    uint64_t seed = 1;

    for (size_t i = 0; i < SIZE; i++)
        text[i] = (uint8_t)(next_random(&seed) >> 57);
    ck_assert_int_ne(stage_of(NULL, text, SIZE, true), SBZ_ENTROPY_MIXCODER);
    free(text);
}
END_TEST

/* Sizes around multiples of a group (64 bytes) and around 32 groups, below which there is one table. What is too short
 * is stored. */
START_TEST(groups_of_a_size_do_not_come_back)
{
    static const size_t sizes[] = {1, 63, 64, 65, 128, 31 * 64, 32 * 64 - 1, 32 * 64, 32 * 64 + 1, 128 * 64 + 63};
    uint8_t text[128 * 64 + 63];

    fill_text(text, sizeof text, 5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        ck_assert(stage_of("zrun-tables", text, sizes[i], false) == SBZ_ENTROPY_ZRUN_TABLES || sizes[i] <= 65);
}
END_TEST

START_TEST(a_damaged_block_takes_others_of_its_batch_along)
{
    uint8_t text[PIECES * PIECE];
    sbz_codec *codec = open_codec(SBZ_SIMT, "bwt,mtf,rle0");
    sbz_record records[PIECES] = {0};
    sbz_text pieces[PIECES], back[PIECES] = {0};

    make_pieces(pieces, text);
    ck_assert(encode_pieces(codec, records));
    records[1].payload[0] ^= 64;
    ck_assert_msg(sbz_codec_decode(codec, records, PIECES, back) == SB_OK, "%s", sbz_codec_error(codec));
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

/* On a device the whole segments of all blocks pass the range coder in one call. */
enum { MIXED = 1 << 17 };

static int calls_on_device, huffman_on_device, runs_on_device;

sb_status __real_sbz_engine_run(sbz_engine *engine, const char *algorithm, const uint64_t *parameters,
                                const sb_array *inputs, sb_array *outputs);
sb_status __wrap_sbz_engine_run(sbz_engine *engine, const char *algorithm, const uint64_t *parameters,
                                const sb_array *inputs, sb_array *outputs);

sb_status __wrap_sbz_engine_run(sbz_engine *engine, const char *algorithm, const uint64_t *parameters,
                                const sb_array *inputs, sb_array *outputs)
{
    huffman_on_device += engine->where == SBZ_SIMT && strncmp(algorithm, "huffman.", strlen("huffman.")) == 0;
    runs_on_device += engine->where == SBZ_SIMT && strncmp(algorithm, "rle0.", strlen("rle0.")) == 0;
    calls_on_device += engine->where == SBZ_SIMT && strncmp(algorithm, "rangecoder.", strlen("rangecoder.")) == 0;
    return __real_sbz_engine_run(engine, algorithm, parameters, inputs, outputs);
}

/* Each block of a batch is what the CPU makes of its text alone. */
static void expect_alone(sbz_codec *cpu, const sbz_text *pieces, const sbz_record *together)
{
    sbz_record alone = {0};

    for (int i = 0; i < PIECES; i++) {
        ck_assert_int_eq(sbz_codec_encode(cpu, &pieces[i], 1, &alone), SB_OK);
        ck_assert_int_eq(alone.block.entropy, together[i].block.entropy);
        ck_assert_uint_eq(alone.block.encoded, together[i].block.encoded);
        ck_assert_mem_eq(alone.payload, together[i].payload, alone.block.encoded);
    }
    sbz_record_free(&alone);
}

/* A batch gives the texts back, but that of block `damaged`, whose error is of this kind; -1: there is none. */
static void expect_back(sbz_codec *codec, const sbz_text *pieces, const sbz_record *together, int damaged,
                        const char *error)
{
    sbz_text back[PIECES] = {0};

    ck_assert_msg(sbz_codec_decode(codec, together, PIECES, back) == SB_OK, "%s", sbz_codec_error(codec));
    for (int i = 0; i < PIECES; i++) {
        if (i == damaged) {
            ck_assert_msg(strstr(back[i].error, error) != NULL, "%s", back[i].error);
        } else {
            ck_assert_str_eq(back[i].error, "");
            ck_assert_uint_eq(back[i].size, pieces[i].size);
            ck_assert_mem_eq(back[i].data, pieces[i].data, pieces[i].size);
        }
        sbz_text_free(&back[i]);
    }
}

static void mix_up(const char *on_simt, const char *stage, sbz_entropy entropy, const size_t sizes[PIECES])
{
    sbz_codec *simt = open_codec(SBZ_SIMT, on_simt), *cpu = open_codec(SBZ_CPU, stage);
    uint8_t *text = malloc(PIECES * MIXED);
    const bool one_call = entropy == SBZ_ENTROPY_RANGECODER;
    size_t at = 0;
    sbz_record together[PIECES] = {0};
    sbz_text pieces[PIECES];

    fill_text(text, PIECES * MIXED, 17);
    for (size_t i = 0; i < PIECES * MIXED; i++)
        text[i] = text[i] % 8 > i % 5 ? text[i] % 8 : 0;
    for (int i = 0; i < PIECES; at += sizes[i++])
        pieces[i] = (sbz_text){.data = text + at, .size = sizes[i]};
    ck_assert_uint_gt(sbz_codec_batch(SBZ_SIMT, true, MIXED), PIECES);
    calls_on_device = 0;
    ck_assert_msg(sbz_codec_encode(simt, pieces, PIECES, together) == SB_OK, "%s", sbz_codec_error(simt));
    ck_assert(!one_call || calls_on_device == 1);
    for (int i = 0; i < PIECES; i++)
        ck_assert_int_eq(together[i].block.entropy, entropy);
    expect_alone(cpu, pieces, together);
    calls_on_device = 0;
    expect_back(simt, pieces, together, -1, NULL);
    ck_assert(!one_call || calls_on_device == 1);
    together[1].payload[together[1].block.encoded - 1] ^= 1;
    expect_back(simt, pieces, together, 1, "");
    free_records(together);
    free(text);
    sbz_codec_close(simt);
    sbz_codec_close(cpu);
}

START_TEST(segments_of_a_batch_are_mixed_up)
{
    static const size_t even[PIECES] = {MIXED, MIXED, LAST}, odd[PIECES] = {LAST, MIXED, MIXED / 2};
    static const size_t tails[PIECES] = {MIXED / 2 + 77, MIXED - 5, 100}, no_segment[PIECES] = {MIXED, 100, 77};

    mix_up("rangecoder", "rangecoder", SBZ_ENTROPY_RANGECODER, even);
    mix_up("rangecoder", "rangecoder", SBZ_ENTROPY_RANGECODER, odd);
    mix_up("rangecoder", "rangecoder", SBZ_ENTROPY_RANGECODER, tails);
    mix_up("rangecoder", "rangecoder", SBZ_ENTROPY_RANGECODER, no_segment);
    mix_up("rangecoder1", "rangecoder1", SBZ_ENTROPY_RANGECODER1, even);
}
END_TEST

/* In one batch: a text that is not mixed; one that is, with enough payload that no other stage runs; one with too little for
 * that; noise. Each gets the record that it gets alone. */
START_TEST(a_mixed_block_changes_others_of_its_batch)
{
    enum { TEXTS = 4, SIZE = 60000, SHORT = 2000 };
    static const bool slow[TEXTS] = {false, true, true, true};
    sbz_codec *simt = open_codec(SBZ_SIMT, NULL), *cpu = open_codec(SBZ_CPU, NULL);
    uint8_t *text = malloc(TEXTS * SIZE);
    sbz_record together[TEXTS] = {0}, alone = {0};
    sbz_text texts[TEXTS], back[TEXTS] = {0};
    uint64_t seed = 1;

    for (size_t i = 0; i < TEXTS * SIZE; i++) {
        next_random(&seed);
        text[i] = (uint8_t)(i >= 3 * SIZE ? seed >> 56 : seed >> 57 < 70 ? 'a' : 'b' + (seed >> 57) % 32);
    }
    for (size_t i = 0; i < TEXTS; i++)
        texts[i] = (sbz_text){.data = text + i * SIZE, .size = i == 2 ? SHORT : SIZE, .slow = slow[i]};
    ck_assert_msg(sbz_codec_encode(simt, texts, TEXTS, together) == SB_OK, "%s", sbz_codec_error(simt));
    for (int i = 0; i < TEXTS; i++) {
        ck_assert_int_eq(sbz_codec_encode(cpu, &texts[i], 1, &alone), SB_OK);
        ck_assert_mem_eq(&alone.block, &together[i].block, sizeof alone.block);
        ck_assert_mem_eq(alone.payload, together[i].payload, alone.block.encoded);
    }
    ck_assert_int_ne(together[0].block.entropy, SBZ_ENTROPY_MIXCODER);
    ck_assert_int_eq(together[1].block.entropy, SBZ_ENTROPY_MIXCODER);
    ck_assert_int_eq(together[3].block.entropy, SBZ_ENTROPY_STORED);
    ck_assert_int_eq(sbz_codec_decode(simt, together, TEXTS, back), SB_OK);
    for (int i = 0; i < TEXTS; i++) {
        ck_assert_str_eq(back[i].error, "");
        ck_assert_mem_eq(back[i].data, texts[i].data, texts[i].size);
        sbz_text_free(&back[i]);
        sbz_record_free(&together[i]);
    }
    sbz_record_free(&alone);
    free(text);
    sbz_codec_close(simt);
    sbz_codec_close(cpu);
}
END_TEST

/* Segments of mixcoder on several threads: text, noise that is stored, text again, and a last one of a few bytes. Every change
 * of a byte among the offsets and behind them has the same result as in one thread. Fewer threads decode more segments in a call.
 * `variant`: NULL, or the references. */
START_TEST(threads_make_other_segments)
{
    enum { SEGMENT = SBZ_MIXCODER_SEGMENT, SIZE = 3 * SEGMENT + 100, CHANGED = 24, THREADS = 4 };
    sbz_codec *codec = open_codec(SBZ_CPU, _i ? "mixcoder/reference" : "mixcoder");
    uint8_t *text = malloc(SIZE);
    sbz_record alone = {0}, shared = {0};
    sbz_text whole = {.data = text, .size = SIZE}, back = {0};
    uint64_t seed = 1;

    fill_text(text, SIZE, 5);
    for (size_t i = SEGMENT; i < 2 * SEGMENT; i++)
        text[i] = (uint8_t)(next_random(&seed) >> 56);
    ck_assert_int_eq(sbz_codec_encode(codec, &whole, 1, &alone), SB_OK);
    ck_assert_uint_gt(alone.block.encoded, SEGMENT);
    sbz_parallel_share(THREADS);
    ck_assert_int_eq(sbz_codec_encode(codec, &whole, 1, &shared), SB_OK);
    ck_assert_mem_eq(&alone.block, &shared.block, sizeof alone.block);
    ck_assert_mem_eq(alone.payload, shared.payload, alone.block.encoded);
    for (size_t threads = 2; threads <= THREADS; threads++) {
        sbz_parallel_share(threads);
        ck_assert_int_eq(sbz_codec_decode(codec, &shared, 1, &back), SB_OK);
        ck_assert_str_eq(back.error, "");
        ck_assert_mem_eq(back.data, text, SIZE);
    }
    for (size_t i = 0; i < CHANGED; i++) {
        char error[SBZ_ERROR];

        alone.payload[i] ^= (uint8_t)(1 + i % 8);
        sbz_parallel_share(1);
        ck_assert_int_eq(sbz_codec_decode(codec, &alone, 1, &back), SB_OK);
        snprintf(error, sizeof error, "%s", back.error);
        sbz_parallel_share(2 + i % (THREADS - 1));
        ck_assert_int_eq(sbz_codec_decode(codec, &alone, 1, &back), SB_OK);
        ck_assert_str_eq(back.error, error);
        alone.payload[i] ^= (uint8_t)(1 + i % 8);
    }
    sbz_text_free(&back);
    sbz_record_free(&alone);
    sbz_record_free(&shared);
    free(text);
    sbz_codec_close(codec);
}
END_TEST

/* Each call for a block would wait for a device that is nearly idle. A forced variant runs there all the same. */
START_TEST(huffman_codes_of_a_batch_come_from_the_device)
{
    static const char *const stages[] = {"bwt,mtf,rle0", "zrun-raw", "bwt,mtf,zrun-tables", "rle0",
                                         "bwt,mtf,zrun,huffman/reduce"};
    const int count = sizeof stages / sizeof *stages;

    for (int i = 0; i < count; i++) {
        sbz_codec *simt = open_codec(SBZ_SIMT, stages[i]);
        sbz_record records[PIECES] = {0};

        huffman_on_device = 0;
        ck_assert_msg(encode_pieces(simt, records), "%s: %s", stages[i], sbz_codec_error(simt));
        ck_assert(decode_pieces(simt, records, stages[i]));
        ck_assert_int_eq(huffman_on_device > 0, i == count - 1);
        free_records(records);
        sbz_codec_close(simt);
    }
}
END_TEST

START_TEST(an_engine_fails_without_a_message)
{
    sbz_engine engine;

    ck_assert_int_eq(sbz_engine_open(&engine, SBZ_CPU), SB_OK);
    ck_assert_str_eq(engine.error, "");
    ck_assert_ptr_null(sbz_engine_array(&engine, 0, SB_U8, (uint64_t)1 << 62).data);
    ck_assert_msg(strncmp(engine.error, "memory on cpu: ", strlen("memory on cpu: ")) == 0, "%s", engine.error);
    sbz_engine_close(&engine);
}
END_TEST

/* The first and the last text of a batch have coded runs. */
static void code_runs_of(const char *on_simt, const char *stages, int expected_on_device)
{
    sbz_codec *simt = open_codec(SBZ_SIMT, on_simt), *cpu = open_codec(SBZ_CPU, stages);
    uint8_t *text = calloc(PIECES, MIXED);
    sbz_record together[PIECES] = {0};
    sbz_text pieces[PIECES];

    for (int i = 0; i < PIECES; i++) {
        pieces[i] = (sbz_text){.data = text + i * MIXED, .size = MIXED - (size_t)i, .run_byte = (uint8_t)(7 * i)};
        memset(pieces[i].data, pieces[i].run_byte, pieces[i].size);
        fill_text(pieces[i].data, i == 1 ? MIXED / 2 : MIXED / 8, (uint32_t)i);
        if (i != 1)
            sbz_split_count_runs(&pieces[i]);
        ck_assert((i == 1) == (pieces[i].runs == 0));
    }
    runs_on_device = 0;
    ck_assert_msg(sbz_codec_encode(simt, pieces, PIECES, together) == SB_OK, "%s", sbz_codec_error(simt));
    for (int i = 0; i < PIECES; i++)
        ck_assert_int_eq(together[i].block.reduction != SBZ_REDUCTION_NONE, i != 1);
    expect_alone(cpu, pieces, together);
    expect_back(simt, pieces, together, -1, NULL);
    together[0].payload[together[0].block.encoded - 1] = 1; /* a shorter run */
    expect_back(simt, pieces, together, 0, "the run-length code is damaged");
    ck_assert_int_eq(runs_on_device, expected_on_device);
    pieces[0].runs++; /* it does not have so many bytes without its runs */
    ck_assert_int_eq(sbz_codec_encode(simt, pieces, PIECES, together), SB_INVALID);
    free_records(together);
    free(text);
    sbz_codec_close(simt);
    sbz_codec_close(cpu);
}

/* Two texts encoded and decoded, and one of them decoded again beside a damaged one. */
static unsigned allocations;
static const sb_device *counted;

static sb_status count_allocation(void **at, uint64_t bytes)
{
    allocations++;
    return counted->alloc(at, bytes);
}

/* Each allocation of a GPU waits for all of its work. */
START_TEST(batches_of_all_sizes_allocate_on_the_device)
{
    enum { TEXTS = 4, SIZE = 64 << 10 };
    const sbz_settings settings = {.where = SBZ_SIMT, .batch = (uint64_t)TEXTS * SIZE, .encodes = true};
    sbz_text texts[TEXTS] = {0};
    sbz_record records[TEXTS] = {0};
    sb_device device;
    sbz_codec *codec;

    ck_assert_msg(sbz_codec_open(&codec, &settings) == SB_OK, "%s", sbz_codec_error(codec));
    counted = codec->engine.device;
    device = *counted;
    device.alloc = count_allocation;
    codec->engine.device = &device;
    allocations = 0;
    for (int i = 0; i < TEXTS; i++) {
        ck_assert(sbz_text_reserve(&texts[i], SIZE));
        texts[i].size = SIZE;
        for (size_t k = 0; k < SIZE; k++)
            texts[i].data[k] = (uint8_t)('a' + k * k % 977 % 23 + (size_t)i % 3);
    }
    for (int count = 1; count <= TEXTS; count++)
        ck_assert_msg(sbz_codec_encode(codec, texts, (size_t)count, records) == SB_OK, "%s", sbz_codec_error(codec));
    ck_assert_uint_eq(allocations, 0);
    codec->engine.device = counted;
    sbz_codec_close(codec);
    for (int i = 0; i < TEXTS; i++) {
        sbz_text_free(&texts[i]);
        sbz_record_free(&records[i]);
    }
}
END_TEST

START_TEST(runs_of_a_batch_are_coded_on_the_device)
{
    code_runs_of("stored", "stored", 0);
    code_runs_of("mtf/permutation_scan,stored", "mtf,stored", 5);
}
END_TEST

/* One segment is left to the CPU unless a variant is forced: so one is, of another stage. */
START_TEST(single_segments_of_a_batch_are_mixed_up)
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

START_TEST(unknown_stages_are_accepted)
{
    static const char *const wrong[] = {"runs,runs", "bwt,bwt", "rle0,zrun", "rle",      "bwt/none",
                                        "delta",     "x86=1",   "delta=17",  "planes=1", "x86,delta=2",
                                        "delta=2x",  "bwt/",    "",          ",",        "mtf,mtf/simd"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const sbz_settings settings = {.where = SBZ_CPU, .stages = wrong[i]};
        sbz_codec *codec;

        ck_assert_msg((sbz_codec_open(&codec, &settings) != SB_OK) == (wrong[i][0] != '\0'), "'%s'", wrong[i]);
        sbz_codec_close(codec);
    }
}
END_TEST

static void add_tests(TCase *tests)
{
    add_test(tests, a_text_does_not_come_back);
    add_test(tests, time_follows_what_a_block_claims);
    add_test(tests, references_do_not_decode_what_a_stage_writes);
    add_test(tests, a_kind_of_block_has_not_one_first_stage);
    add_test(tests, a_cpu_variant_writes_other_blocks);
    add_test(tests, a_simt_variant_writes_other_blocks);
    add_test(tests, simt_and_cpu_choose_differently);
    add_test(tests, noise_in_digits_goes_unnoticed);
    add_test(tests, mixcoder_is_taken_where_another_is_smaller);
    add_test(tests, groups_of_a_size_do_not_come_back);
    add_test(tests, a_damaged_block_takes_others_of_its_batch_along);
    add_test(tests, segments_of_a_batch_are_mixed_up);
    add_test(tests, a_mixed_block_changes_others_of_its_batch);
    add_test(tests, an_engine_fails_without_a_message);
    add_test(tests, huffman_codes_of_a_batch_come_from_the_device);
    add_test(tests, batches_of_all_sizes_allocate_on_the_device);
    add_test(tests, runs_of_a_batch_are_coded_on_the_device);
    add_loop_test(tests, threads_make_other_segments, 0, 2);
    add_test(tests, single_segments_of_a_batch_are_mixed_up);
    add_test(tests, rows_of_a_batch_are_not_of_one_size);
    add_test(tests, unknown_stages_are_accepted);
}

int main(void)
{
    return run_tests("sbz/stages", add_tests, use_built_modules, 600);
}
