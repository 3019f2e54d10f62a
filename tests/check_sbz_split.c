/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run-length coding, block splitting and trial encoding of sbz.
 */
#include "../sbz/estimate.h"
#include "../sbz/parts.h"
#include "../sbz/split.h"
#include "../sbz/stages.h"
#include "../sbz/trial.h"
#include "sbz_fixture.h"
#include "suite.h"

enum { BLOCK = 1 << 17, LIMIT = 4 * BLOCK, TAIL = BLOCK / 4 }; /* bytes: ordinary block, block limit, short remainder */

/* ---- runs ---- */

/* Size of the rle0 code of the runs of a byte, by the definition. */
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

/* Three texts with long and short runs. Those of the second are not coded. */
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

    ck_assert_msg(sbz_codec_decode(codec, records, PIECES, back) == SB_OK, "%s", sbz_codec_error(codec));
    for (int i = 0; i < PIECES; i++) {
        ck_assert_str_eq(back[i].error, "");
        ck_assert_uint_eq(back[i].size, pieces[i].size);
        ck_assert_mem_eq(back[i].data, pieces[i].data, back[i].size);
        sbz_text_free(&back[i]);
    }
}

START_TEST(coded_runs_do_not_decode)
{
    static const char *const stages[] = {NULL, "runs,stored", "runs,bwt,mtf,rangecoder", "runs,bwt,mtf,rle0"};
    uint8_t *text = malloc(PIECES * RUNS_PIECE);
    sbz_codec *references = open_codec(SBZ_CPU, "reference");
    sbz_text pieces[PIECES];

    make_runs(pieces, text);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        sbz_codec *cpu = open_codec(SBZ_CPU, stages[i]), *simt = open_codec(SBZ_SIMT, stages[i]);
        sbz_record a[PIECES] = {0}, b[PIECES] = {0};

        bool runs = false;

        ck_assert_int_eq(sbz_stages_open(stages[i], &runs), stages[i] == NULL);
        ck_assert(runs);
        ck_assert_msg(sbz_codec_encode(cpu, pieces, PIECES, a) == SB_OK, "%s", sbz_codec_error(cpu));
        ck_assert_msg(sbz_codec_encode(simt, pieces, PIECES, b) == SB_OK, "%s", sbz_codec_error(simt));
        same_records(a, b, "runs on simt");
        for (int k = 0; k < PIECES; k++) {
            ck_assert_int_eq(a[k].block.reduction, k != 1);
            ck_assert_uint_eq(a[k].block.transformed, k != 1 ? pieces[k].runs : pieces[k].size);
            ck_assert_uint_le(a[k].block.encoded, a[k].block.transformed + SBZ_REDUCTION_HEAD);
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

    make_runs(pieces, text);
    for (int change = -1; change <= 1; change += 2) {
        pieces[0].runs += (uint32_t)change;
        ck_assert(sbz_codec_encode(codec, pieces, 1, &record) != SB_OK);
        pieces[0].runs -= (uint32_t)change;
    }
    pieces[0].runs = (uint32_t)pieces[0].size - SBZ_REDUCTION_HEAD + 1;
    ck_assert(sbz_codec_encode(codec, pieces, 1, &record) != SB_OK);
    sbz_record_free(&record);
    sbz_codec_close(codec);
    free(text);
}
END_TEST

/* The size of the run-length code in front of a payload, forged in several ways. */
START_TEST(a_forged_code_of_runs_is_believed)
{
    static const struct {
        uint32_t limit, transformed, primary;
        const char *says; /* the error; "": none */
    } heads[] = {
        {1 << 16, 0, 0, ""},
        {1 << 16, RUNS_PIECE + 1, 0, "a reduction"},
        {1 << 16, UINT32_MAX, 0, "a reduction"},
        {1 << 16, 1, 0, "a primary index"},
        {1 << 15, 0, 0, ""},
        {20000, 0, 0, "a reduction"},
        {RUNS_PIECE / SBZ_MAX_REDUCTION - 1, 0, 0, "block limit"},
    };
    uint8_t *text = malloc(PIECES * RUNS_PIECE);
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_text pieces[PIECES], back = {0};
    sbz_record record = {0}, read = {0};

    make_runs(pieces, text);
    ck_assert_int_eq(sbz_codec_encode(codec, pieces, 1, &record), SB_OK);
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
        for (int copies = 0; copies < 2; copies++) /* a stream of one block has its own limit */
            ck_assert_int_eq(sbz_writer_block(&writer, &record), SBZ_WRITTEN);
        ck_assert_int_eq(sbz_writer_end(&writer), SBZ_WRITTEN);
        sbz_reader_init(&reader, SBZ_MAX_BLOCK, false, take, &packed);
        status = sbz_reader_next(&reader, &read);
        ck_assert_int_eq(status, heads[i].says[0] == '\0' ? SBZ_READ_BLOCK : SBZ_READ_BAD);
        ck_assert_msg(strstr(reader.error, heads[i].says) != NULL, "head %zu: %s", i, reader.error);
        if (status == SBZ_READ_BLOCK) {
            ck_assert_int_eq(sbz_codec_decode(codec, &read, 1, &back), SB_OK);
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

/* ---- splitting ---- */

/* So many bytes of one kind: n noise, t text, z zeros with a letter now and then, i indented text, p text with a
 * control character now and then, which stands for a program. */
typedef struct stretch {
    char kind; /* 0: the end of the list */
    size_t size;
} stretch;

static void add_stretch(memory *to, const stretch *p)
{
    uint8_t *bytes = malloc(p->size + 1);
    uint64_t seed = p->size;

    fill_text(bytes, p->size, 3);
    for (size_t i = 0; i < p->size; i++) {
        next_random(&seed);
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

/* One of the offsets where the splitter looks for a change. */
enum { WINDOW = BLOCK / 7, CHANGE = BLOCK / 2 + WINDOW + WINDOW / 4 * 3 };

static const struct split {
    const char *what;
    stretch stretches[4];
    bool strict;     /* the block limit is the ordinary size */
    size_t sizes[6]; /* of the blocks; 0: the end of the list */
    bool runs[6];
} splits[] = {
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
    {"a program with some noise, then noise",
     {{'p', BLOCK / 2}, {'n', WINDOW / 4}, {'p', CHANGE - BLOCK / 2 - WINDOW / 4}, {'n', BLOCK}},
     false,
     {CHANGE, BLOCK},
     {0}},
    {"a program, then noise, strictly", {{'p', CHANGE}, {'n', BLOCK}}, true, {BLOCK, CHANGE}, {0}},
    {"noise, then a program", {{'n', CHANGE}, {'p', BLOCK}}, false, {BLOCK, CHANGE}, {0}},
    {"runs, then noise", {{'z', CHANGE}, {'n', BLOCK}}, false, {CHANGE, BLOCK}, {true}},
    {"few zeros", {{'z', 1000}}, false, {1000}, {false}},
};

static void check_split(const struct split *c, memory *from, size_t step)
{
    sbz_splitter splitter;
    sbz_text text = {0};
    size_t at = 0, blocks = 0;

    from->at = 0;
    from->step = step;
    sbz_splitter_init(&splitter, BLOCK, c->strict ? BLOCK : LIMIT, step % 2 != 0 ? UINT64_MAX : from->size, take, from);
    splitter.runs = true;
    splitter.measured = (uint32_t)c->sizes[0] + (step == 0); /* the first text is shorter than this, or just not */
    if (step == 0)
        ck_assert_uint_eq(sbz_splitter_typical(&splitter), c->runs[0] || c->sizes[0] < BLOCK ? BLOCK : c->sizes[0]);
    while (sbz_splitter_next(&splitter, &text) == SBZ_SPLIT_BLOCK) {
        ck_assert_msg(text.size == c->sizes[blocks], "%s, %zu at once: block %zu has %zu bytes", c->what, step, blocks,
                      text.size);
        ck_assert_mem_eq(text.data, from->bytes + at, text.size);
        ck_assert_msg((text.runs != 0) == c->runs[blocks], "%s: runs of block %zu", c->what, blocks);
        ck_assert_msg(text.estimated == (step != 0 || blocks > 0), "%s: estimate for block %zu", c->what, blocks);
        ck_assert(text.runs == 0 || text.runs == code_length(text.data, text.size, text.run_byte));
        at += text.size;
        blocks++;
    }
    ck_assert_uint_eq(at, from->size);
    ck_assert_uint_eq(c->sizes[blocks], 0);
    sbz_text_free(&text);
    sbz_splitter_free(&splitter);
}

START_TEST(blocks_end_elsewhere)
{
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        memory contents = {0};

        for (const stretch *p = splits[i].stretches; p < splits[i].stretches + 4 && p->kind != 0; p++)
            add_stretch(&contents, p);
        for (size_t step = 0; step < 3; step++)
            check_split(&splits[i], &contents, (const size_t[]){0, 10007, 65536}[step]);
        free(contents.bytes);
    }
}
END_TEST

/* Where these blocks end is not fixed here; their run-length codes must fit into a block. */
START_TEST(run_length_codes_are_longer_than_blocks)
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
        ck_assert_uint_le(text.size, sbz_max_original(BLOCK, text.runs != 0 ? SBZ_REDUCTION_RUNS : SBZ_REDUCTION_NONE));
        ck_assert_uint_lt(text.runs, BLOCK - SBZ_REDUCTION_HEAD);
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

/* ---- trial encoding ---- */

static uint64_t bytes_of(const sbz_record *records, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += SBZ_BLOCK_HEADER + SBZ_INDEX_ENTRY + records[i].block.encoded;
    return bytes;
}

/* Bytes that the text takes in blocks of `piece` bytes. */
static uint64_t bytes_in_pieces(sbz_codec *codec, const sbz_text *text, size_t piece)
{
    uint64_t bytes = 0;
    sbz_record record = {0};

    for (size_t at = 0; at < text->size; at += piece) {
        sbz_text part = {.data = text->data + at, .size = text->size - at < piece ? text->size - at : piece};

        part.runs = piece == text->size ? text->runs : 0;
        ck_assert_int_eq(sbz_codec_encode(codec, &part, 1, &record), SB_OK);
        bytes += bytes_of(&record, 1);
    }
    sbz_record_free(&record);
    return bytes;
}

/* Texts, and whether one block or parts are smaller. */
static const struct trial {
    const char *what;
    stretch stretches[4];
    bool runs, parts;
    bool together; /* it becomes one block */
} trials[] = {
    {"text", {{'t', 2 * BLOCK}}, false, true, true},
    {"much the same", {{'z', 2 * BLOCK}}, false, true, true},
    {"much the same, then noise", {{'z', 4 * BLOCK}, {'n', BLOCK / 4}}, false, true, false},
    {"not tried", {{'z', BLOCK}, {'n', BLOCK}, {'t', BLOCK}}, false, true, true},
    {"runs", {{'z', 3 * BLOCK}}, true, true, true},
    {"runs and noise", {{'z', BLOCK}, {'n', BLOCK}, {'t', BLOCK}}, true, true, false},
    {"runs and noise, strictly", {{'z', BLOCK}, {'n', BLOCK}, {'t', BLOCK}}, true, false, true},
};

START_TEST(a_trial_keeps_the_larger_blocks)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_text texts[sizeof trials / sizeof *trials] = {0};
    sbz_blocks blocks[sizeof trials / sizeof *trials] = {0};
    sbz_trial tried = {0};

    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        memory contents = {0};

        for (const stretch *p = trials[i].stretches; p < trials[i].stretches + 4 && p->kind != 0; p++)
            add_stretch(&contents, p);
        texts[i] = (sbz_text){.data = contents.bytes, .size = contents.size, .part = trials[i].parts ? BLOCK : 0};
        texts[i].runs = trials[i].runs ? code_length(contents.bytes, contents.size, 0) : 0;
    }
    /* reuses a block of an earlier call */
    ck_assert_int_eq(sbz_trial_encode(&tried, codec, texts, 1, &blocks[1]), SB_OK);
    ck_assert_int_eq(sbz_trial_encode(&tried, codec, texts, sizeof trials / sizeof *trials, blocks), SB_OK);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        const uint64_t one = bytes_in_pieces(codec, &texts[i], texts[i].size);
        const uint64_t parts = bytes_in_pieces(codec, &texts[i], BLOCK);

        ck_assert_msg((blocks[i].count == 1) == trials[i].together, "%s: %zu blocks", trials[i].what, blocks[i].count);
        ck_assert_uint_eq(bytes_of(blocks[i].record, blocks[i].count), trials[i].together ? one : parts);
        sbz_text_free(&texts[i]);
        sbz_blocks_free(&blocks[i]);
    }
    sbz_trial_free(&tried);
    sbz_codec_close(codec);
}
END_TEST

/* Blocks that are encoded at a time: all parts of a text, if it is tried in parts. */
START_TEST(a_sparse_text_is_tried_in_parts)
{
    const stretch sparse = {'z', BLOCK}, dense = {'n', 2 * BLOCK};
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);

    for (int noise = 0; noise < 2; noise++) {
        memory contents = {0};
        sbz_text text = {.part = BLOCK};
        sbz_blocks blocks = {0};
        sbz_trial tried = {0};

        add_stretch(&contents, &sparse);
        add_stretch(&contents, noise ? &dense : &sparse);
        add_stretch(&contents, &sparse);
        text.data = contents.bytes;
        text.size = contents.size;
        text.runs = code_length(contents.bytes, contents.size, 0);
        ck_assert_int_eq(sbz_trial_encode(&tried, codec, &text, 1, &blocks), SB_OK);
        ck_assert_uint_eq(tried.capacity, noise ? 4 : 1);
        free(contents.bytes);
        sbz_blocks_free(&blocks);
        sbz_trial_free(&tried);
    }
    sbz_codec_close(codec);
}
END_TEST

/* Texts that may be halved, and the blocks of BLOCK bytes in each block that they become. */
static const struct halved {
    const char *what;
    stretch stretches[4];
    uint32_t split;
    bool runs;
    size_t blocks[5];
} halved[] = {
    {"text", {{'t', 4 * BLOCK}}, BLOCK, false, {4}},
    {"text before noise", {{'t', 2 * BLOCK}, {'n', 2 * BLOCK}}, BLOCK, false, {2, 2}},
    {"noise, text, noise", {{'n', BLOCK}, {'t', BLOCK}, {'n', 2 * BLOCK}}, BLOCK, false, {1, 1, 2}},
    {"noise behind a quarter", {{'t', BLOCK}, {'n', 3 * BLOCK}}, BLOCK, false, {1, 1, 2}},
    {"halves that are too small", {{'t', BLOCK}, {'n', BLOCK}}, BLOCK + 1, false, {2}},
    {"not halved", {{'t', 2 * BLOCK}, {'n', 2 * BLOCK}}, 0, false, {4}},
    {"runs before noise", {{'z', 2 * BLOCK}, {'n', 2 * BLOCK}}, BLOCK, true, {2, 2}},
};

enum { HALVED = sizeof halved / sizeof *halved };

/* The parts that an estimate proposes, in blocks of BLOCK bytes. */
static const struct proposed {
    const char *what;
    stretch stretches[4];
    size_t parts[5];
} proposed[] = {
    {"text", {{'t', 4 * BLOCK}}, {4}},
    {"zeros", {{'z', 4 * BLOCK}}, {4}},
    {"less than two parts", {{'t', BLOCK}}, {1}},
    {"three parts of text", {{'t', 3 * BLOCK}}, {3}},
};

START_TEST(an_estimate_proposes_other_parts)
{
    for (size_t i = 0; i < sizeof proposed / sizeof *proposed; i++) {
        memory contents = {0};
        size_t sizes[8], count, expected = 0;

        for (const stretch *p = proposed[i].stretches; p < proposed[i].stretches + 4 && p->kind != 0; p++)
            add_stretch(&contents, p);
        count = sbz_estimate_parts(contents.bytes, contents.size, BLOCK, false, sizes);
        while (proposed[i].parts[expected] != 0)
            expected++;
        ck_assert_msg(count == expected, "%s: %zu parts", proposed[i].what, count);
        for (size_t k = 0; k < count; k++)
            ck_assert_uint_eq(sizes[k], proposed[i].parts[k] * BLOCK);
        free(contents.bytes);
    }
}
END_TEST

/* ---- the estimate of parts as its definition has it (parts.c), slowly: for each part anew, without vectors, slices or leaves ---- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* 26 bits of the hash of the `length` bytes behind byte i, and byte i; UINT64_MAX: the context is not counted. */
static uint64_t event_at(const memory *text, size_t i, size_t length)
{
    uint64_t context = 0;
    uint32_t hash;

    for (size_t k = length; k > 0; k--)
        context = context << 8 | (i + k < text->size ? text->bytes[i + k] : 0);
    hash = (uint32_t)((context << 1 | (length == 5)) * 0x9e3779b97f4a7c15u >> 32);
    return hash <= UINT32_MAX / 16 ? (uint64_t)(hash >> 2) << 8 | text->bytes[i] : UINT64_MAX;
}

/* Where the estimate begins to look: it takes one event for two bytes of the text at most, from the end on. */
static size_t first_looked_at(const memory *text)
{
    size_t count = 0, i = text->size;

    for (; i > 0 && count + 2 <= text->size / 2; i--)
        for (size_t length = 3; length <= 5; length += 2)
            count += event_at(text, i - 1, length) != UINT64_MAX;
    return i;
}

/* Contexts cost n log2(n) of their events, and each value 8 bits less that of its own. */
static uint64_t cost_of_part(const memory *text, size_t start, size_t size)
{
    uint64_t *events = malloc(2 * size * sizeof *events), bits = 0;
    size_t count = 0, from = first_looked_at(text);

    for (size_t i = start > from ? start : from; i < start + size; i++)
        for (size_t length = 3; length <= 5; length += 2)
            if ((events[count] = event_at(text, i, length)) != UINT64_MAX)
                count++;
    qsort(events, count, sizeof *events, by_value);
    for (size_t i = 0, j; i < count; i = j) {
        for (j = i; j < count && events[j] >> 8 == events[i] >> 8;) {
            const size_t first = j;

            while (j < count && events[j] == events[first])
                j++;
            bits += (8 << 16) - sbz_times_logarithm(j - first);
        }
        bits += sbz_times_logarithm(j - i);
    }
    free(events);
    return bits;
}

static uint64_t define_parts(const memory *text, size_t start, size_t size, size_t unit, bool hopeful, size_t *sizes,
                             size_t *count)
{
    const uint64_t whole = cost_of_part(text, start, size);
    const size_t first = *count;

    if (size >= 2 * unit) {
        const size_t half = sbz_half_of(size, unit);
        const uint64_t halves = define_parts(text, start, half, unit, hopeful, sizes, count) +
                                define_parts(text, start + half, size - half, unit, hopeful, sizes, count);

        if (halves < whole + (hopeful ? whole / 64 : 0))
            return halves < whole ? halves : whole;
    }
    *count = first;
    sizes[(*count)++] = size;
    return whole;
}

/* Texts of stretches of a few kinds, with ends anywhere; every other two of low and of high bytes. */
START_TEST(an_estimate_differs_from_its_definition)
{
    enum { TEXTS = 40, MAX_SIZE = 150000, MAX_PARTS = MAX_SIZE / 1000 + 1 };
    uint64_t seed = 2025;
    size_t halvings = 0;

    for (int n = 0; n < TEXTS; n++) {
        memory text = {0};
        size_t sizes[MAX_PARTS], defined[MAX_PARTS], count = 0, proposed_count;
        const size_t size = 1 + (next_random(&seed) >> 33) % MAX_SIZE, unit = 1000 + (next_random(&seed) >> 33) % 40000;

        text.bytes = malloc(size);
        while (text.size < size) {
            const unsigned kind = next_random(&seed) >> 62, letters = 2 + (next_random(&seed) >> 33) % 200;

            for (size_t left = (next_random(&seed) >> 33) % 30000; left > 0 && text.size < size; left--) {
                const unsigned letter = (unsigned)(next_random(&seed) >> 33);
                const unsigned byte[] = {0, letter % letters, (unsigned)(text.size / 3 % letters),
                                         letter % (1 + (unsigned)(text.size % 7))};

                text.bytes[text.size++] = (uint8_t)(n / 2 % 2 == 0 ? byte[kind] : UINT8_MAX - byte[kind]);
            }
        }
        proposed_count = sbz_estimate_parts(text.bytes, size, unit, n % 2 != 0, sizes);
        define_parts(&text, 0, size, unit, n % 2 != 0, defined, &count);
        ck_assert_msg(proposed_count == count && memcmp(sizes, defined, count * sizeof *sizes) == 0,
                      "text %d of %zu bytes, unit %zu: %zu parts, not %zu, or others", n, size, unit, proposed_count,
                      count);
        halvings += count - 1;
        free(text.bytes);
    }
    ck_assert_uint_gt(halvings, TEXTS);
}
END_TEST

/* Two halves over the same words, which other letters stand before. A coder has to learn both together as two parts. */
START_TEST(an_estimate_does_not_see_unlike_halves)
{
    uint8_t *text = malloc(2 * BLOCK);
    uint64_t seed = 1;
    size_t sizes[4];

    for (size_t i = 0; i < 2 * BLOCK; i += 8) {
        next_random(&seed);
        snprintf((char *)text + i, 8, "%c%06u", i < BLOCK ? 'a' : (int)('a' + (seed >> 40) % 16),
                 (unsigned)(seed >> 55));
        text[i + 7] = ' ';
    }
    ck_assert_uint_eq(sbz_estimate_parts(text, 2 * BLOCK, BLOCK, _i != 0, sizes), 2);
    ck_assert_uint_eq(sizes[0], BLOCK);
    ck_assert_uint_eq(sizes[1], BLOCK);
    free(text);
}
END_TEST

/* What an estimate halves is encoded as one block, too, where it repeats itself: once. Here the halves are smaller. A text whose
 * runs are coded is not, because without that code it may be longer than a block. */
static const uint8_t *repetitive;
static int whole_blocks, encoded;

sb_status __real_sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records);
sb_status __wrap_sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records);

sb_status __wrap_sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    const sb_status status = __real_sbz_codec_encode(codec, texts, count, records);

    for (size_t i = 0; i < count; i++) {
        const bool whole = texts[i].data == repetitive && texts[i].size == 2 * BLOCK;

        records[i].block.encoded += whole ? BLOCK : 0;
        whole_blocks += whole;
        encoded += repetitive != NULL && texts[i].data == repetitive;
    }
    return status;
}

START_TEST(the_same_is_encoded_twice)
{
    uint8_t *bytes = malloc(2 * BLOCK);
    uint64_t seed = 1;
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_text text = {.data = bytes, .size = 2 * BLOCK, .split = BLOCK, .estimated = true};
    sbz_blocks blocks = {0};
    sbz_trial tried = {0};

    for (unsigned i = 0; i < 2 * BLOCK; i += 8) {
        next_random(&seed);
        snprintf((char *)bytes + i, 8, "%c%06u", i < BLOCK ? 'a' : (int)('a' + (seed >> 40) % 4), i / 8 % 512);
        bytes[i + 7] = ' ';
        if (_i != 0 && i % 64 < 32)
            memset(bytes + i, 0, 8);
    }
    if (_i != 0)
        text.runs = code_length(bytes, text.size, 0);
    repetitive = bytes;
    whole_blocks = 0;
    ck_assert_int_eq(sbz_trial_encode(&tried, codec, &text, 1, &blocks), SB_OK);
    ck_assert_uint_eq(blocks.count, 2);
    ck_assert_uint_lt((uint64_t)blocks.record[0].block.encoded + blocks.record[1].block.encoded, text.size / 16);
    ck_assert_int_eq(whole_blocks, _i == 0);
    repetitive = NULL;
    sbz_blocks_free(&blocks);
    sbz_trial_free(&tried);
    sbz_codec_close(codec);
    free(bytes);
}
END_TEST

/* How often the text, or its first part, is encoded. */
static int times_encoded(const sbz_text *text)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_blocks blocks = {0};
    sbz_trial tried = {0};

    repetitive = text->data;
    encoded = 0;
    ck_assert_int_eq(sbz_trial_encode(&tried, codec, text, 1, &blocks), SB_OK);
    repetitive = NULL;
    sbz_blocks_free(&blocks);
    sbz_trial_free(&tried);
    sbz_codec_close(codec);
    return encoded;
}

/* mixcoder codes runs itself. */
START_TEST(mixcoder_needs_no_trial_without_runs)
{
    memory contents = {0};
    sbz_text text;

    add_stretch(&contents, &(stretch){'t', BLOCK});
    add_stretch(&contents, &(stretch){'z', BLOCK / 2});
    text = (sbz_text){.data = contents.bytes, .size = contents.size, .part = BLOCK, .open = true};
    text.runs = code_length(contents.bytes, contents.size, 0);
    ck_assert_int_eq(times_encoded(&text), 2);
    text.slow = true;
    ck_assert_int_eq(times_encoded(&text), 1);
    sbz_text_free(&text);
}
END_TEST

START_TEST(patience_tries_matches)
{
    enum { CHUNK = 64, CHUNKS = 512 };
    uint8_t *bytes = malloc(CHUNKS * CHUNK);
    uint64_t seed = 1;
    sbz_text text = {.data = bytes, .size = CHUNKS * CHUNK, .open = true, .slow = true};

    for (size_t i = 0; i < CHUNKS; i++) {
        next_random(&seed);
        if (i > 0 && (seed >> 40) % 2 == 0)
            memcpy(bytes + i * CHUNK, bytes + (seed >> 41) % i * CHUNK, CHUNK);
        else
            for (size_t k = 0; k < CHUNK; k++) {
                next_random(&seed);
                bytes[i * CHUNK + k] = (uint8_t)('a' + (seed >> 40) % 16);
            }
    }
    ck_assert_int_eq(times_encoded(&text), 1);
    text.patient = true;
    ck_assert_int_eq(times_encoded(&text), 2);
    free(bytes);
}
END_TEST

/* A half that is the whole would be halved for ever. */
START_TEST(a_half_is_the_whole)
{
    for (size_t unit = 1; unit <= 16; unit++) {
        for (size_t size = 2 * unit; size < 40 * unit; size++) {
            const size_t half = sbz_half_of(size, unit);

            ck_assert_msg(half >= unit && half < size && 4 * (size - half) >= unit && half % unit == 0,
                          "%zu bytes in units of %zu: %zu", size, unit, half);
        }
    }
}
END_TEST

START_TEST(a_text_is_halved_where_that_costs)
{
    sbz_codec *codec = open_codec(SBZ_CPU, NULL);
    sbz_text texts[HALVED] = {0};
    sbz_blocks blocks[HALVED] = {0};
    sbz_trial tried = {0};

    for (size_t i = 0; i < HALVED; i++) {
        memory contents = {0};

        for (const stretch *p = halved[i].stretches; p < halved[i].stretches + 4 && p->kind != 0; p++)
            add_stretch(&contents, p);
        texts[i] = (sbz_text){.data = contents.bytes, .size = contents.size, .split = halved[i].split};
        texts[i].runs = halved[i].runs ? code_length(contents.bytes, contents.size, 0) : 0;
        texts[i].slow = _i != 0;
    }
    ck_assert_int_eq(sbz_trial_encode(&tried, codec, texts, HALVED, blocks), SB_OK);
    for (size_t i = 0; i < HALVED; i++) {
        size_t at = 0, count = 0;

        while (count < 5 && halved[i].blocks[count] != 0)
            count++;
        ck_assert_msg(blocks[i].count == count, "%s: %zu blocks", halved[i].what, blocks[i].count);
        for (size_t k = 0; k < count; k++) {
            sbz_text back = {0};
            const sbz_block *block = &blocks[i].record[k].block;

            ck_assert_msg(block->original == halved[i].blocks[k] * BLOCK, "%s: block %zu has %u bytes", halved[i].what,
                          k, (unsigned)block->original);
            ck_assert_int_eq(block->reduction, halved[i].runs && k == 0 ? SBZ_REDUCTION_RUNS : SBZ_REDUCTION_NONE);
            ck_assert_int_eq(sbz_codec_decode(codec, &blocks[i].record[k], 1, &back), SB_OK);
            ck_assert_str_eq(back.error, "");
            ck_assert_mem_eq(back.data, texts[i].data + at, back.size);
            at += back.size;
            sbz_text_free(&back);
        }
        ck_assert_int_eq(blocks[0].record[0].block.entropy == SBZ_ENTROPY_MIXCODER, _i != 0);
    }
    for (size_t i = 0; i < HALVED; i++) {
        sbz_text_free(&texts[i]);
        sbz_blocks_free(&blocks[i]);
    }
    sbz_trial_free(&tried);
    sbz_codec_close(codec);
}
END_TEST

/* A source that fails behind its first ten bytes. */
static ptrdiff_t give_up(void *unused, void *bytes, size_t size)
{
    (void)unused;
    memset(bytes, 'x', size < 10 ? size : 10);
    return size < BLOCK ? -1 : 10;
}

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

/* The size of the first text of a source in blocks of `block` bytes; with `runs` run-length coding is tried. */
static size_t first_size(memory *from, uint32_t block, bool runs)
{
    sbz_splitter splitter;
    sbz_text text = {0};
    size_t size;

    from->at = 0;
    sbz_splitter_init(&splitter, block, 4 * block, from->size, take, from);
    splitter.runs = runs;
    ck_assert_int_eq(sbz_splitter_next(&splitter, &text), SBZ_SPLIT_BLOCK);
    size = text.size;
    sbz_text_free(&text);
    sbz_splitter_free(&splitter);
    return size;
}

/* Text goes on for a second block; control characters do not. 64 KiB and more are sampled in pieces of 4096 bytes. */
/* The shortest text whose runs are coded, and zeros that are too few for a block of their own. */
START_TEST(zeros_behind_a_short_text_are_a_block)
{
    enum { SHORT = 1024 };
    memory contents = {0};

    add_stretch(&contents, &(stretch){'t', SHORT});
    add_stretch(&contents, &(stretch){'z', SHORT / 4 - 1});
    ck_assert_uint_eq(first_size(&contents, SHORT, true), contents.size);
    ck_assert_uint_eq(first_size(&contents, SHORT - 4, true), SHORT - 4);
    free(contents.bytes);
}
END_TEST

START_TEST(a_control_character_is_text)
{
    static const uint32_t blocks[] = {1, 15, 16, 17, 100, 4079, 4080, 4081, 4096, 4097, BLOCK};
    memory from = {0};
    uint8_t *bytes = malloc(3 * BLOCK);

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        for (int b = 0; b < 256; b++) {
            const bool control = (b < 32 && (b < 9 || b > 13)) || b == 127;

            from.size = 0;
            memset(bytes, b, 3 * blocks[i]);
            append(&from, bytes, 3 * blocks[i]);
            ck_assert_msg(first_size(&from, blocks[i], false) == (control ? 1 : 2) * blocks[i], "byte %d, blocks of %u",
                          b, blocks[i]);
        }
        /* One control character in 256 bytes is one too many; anywhere, and the last one, too. */
        for (size_t spare = 0; spare < 2 && blocks[i] > 256; spare++) {
            const size_t wanted = (blocks[i] + 255) / 256 - spare;

            if (blocks[i] > 5000)
                break;
            from.size = 0;
            memset(bytes, 'a', 3 * blocks[i]);
            for (size_t k = 0; k < wanted; k++)
                bytes[blocks[i] - 1 - k * 17 % blocks[i]] = 1;
            append(&from, bytes, 3 * blocks[i]);
            ck_assert_msg(first_size(&from, blocks[i], false) == (spare == 0 ? 1 : 2) * blocks[i], "%zu of %u", wanted,
                          blocks[i]);
        }
    }
    free(bytes);
    free(from.bytes);
}
END_TEST

static void add_tests(TCase *tests)
{
    add_test(tests, zeros_behind_a_short_text_are_a_block);
    add_test(tests, a_control_character_is_text);
    add_test(tests, coded_runs_do_not_decode);
    add_test(tests, a_wrong_length_of_runs_is_taken);
    add_test(tests, a_forged_code_of_runs_is_believed);
    add_test(tests, blocks_end_elsewhere);
    add_test(tests, a_trial_keeps_the_larger_blocks);
    add_test(tests, a_sparse_text_is_tried_in_parts);
    add_test(tests, an_estimate_proposes_other_parts);
    add_test(tests, an_estimate_differs_from_its_definition);
    add_loop_test(tests, an_estimate_does_not_see_unlike_halves, 0, 2);
    add_loop_test(tests, the_same_is_encoded_twice, 0, 2);
    add_test(tests, mixcoder_needs_no_trial_without_runs);
    add_test(tests, patience_tries_matches);
    add_test(tests, a_half_is_the_whole);
    add_loop_test(tests, a_text_is_halved_where_that_costs, 0, 2);
    add_test(tests, run_length_codes_are_longer_than_blocks);
    add_test(tests, a_source_that_gives_up_is_at_its_end);
}

int main(void)
{
    return run_tests("sbz/split", add_tests, use_built_modules, 600);
}
