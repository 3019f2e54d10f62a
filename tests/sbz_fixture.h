/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the unit tests of sbz share: files in memory, texts, and batches of three texts.
 */
#ifndef TESTS_SBZ_FIXTURE_H
#define TESTS_SBZ_FIXTURE_H

#include "../sbz/codec.h"
#include "random.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file in memory. */
typedef struct memory {
    uint8_t *bytes;
    size_t size, capacity, at;
    size_t step; /* maximum bytes of one read; 0: unlimited */
} memory;

static inline bool append(void *to, const void *bytes, size_t size)
{
    memory *m = to;

    if (m->size + size > m->capacity) {
        m->capacity = 2 * (m->size + size);
        m->bytes = realloc(m->bytes, m->capacity);
        ck_assert_ptr_nonnull(m->bytes);
    }
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
    return true;
}

static inline ptrdiff_t take(void *from, void *bytes, size_t size)
{
    memory *m = from;
    size_t left = m->size - m->at;

    size = size < left ? size : left;
    size = m->step != 0 && size > m->step ? m->step : size;
    memcpy(bytes, m->bytes + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static inline bool take_at(void *from, uint64_t offset, void *bytes, size_t size)
{
    const memory *m = from;

    if (offset > m->size || size > m->size - offset)
        return false;
    memcpy(bytes, m->bytes + offset, size);
    return true;
}

static inline sbz_codec *open_codec(sbz_where where, const char *stages)
{
    const sbz_settings settings = {.where = where, .stages = stages};
    sbz_codec *codec;

    ck_assert_msg(sbz_codec_open(&codec, &settings) == SB_OK, "%s", sbz_codec_error(codec));
    return codec;
}

/* Writes one stream with the text in blocks of `block` bytes. */
static inline void compress(sbz_codec *codec, const uint8_t *text, size_t size, uint32_t block, memory *to)
{
    sbz_record record = {0};
    sbz_writer writer;

    sbz_writer_init(&writer, block, append, to);
    for (size_t at = 0; at < size; at += block) {
        sbz_text piece = {.data = (uint8_t *)text + at, .size = size - at < block ? size - at : block};

        ck_assert_msg(sbz_codec_encode(codec, &piece, 1, &record) == SB_OK, "%s", sbz_codec_error(codec));
        ck_assert_int_eq(sbz_writer_block(&writer, &record), SBZ_WRITTEN);
    }
    ck_assert_int_eq(sbz_writer_end(&writer), SBZ_WRITTEN);
    ck_assert_uint_le(writer.written, sbz_max_size(size, block));
    sbz_writer_free(&writer);
    sbz_record_free(&record);
}

static inline sbz_read_status decompress(sbz_codec *codec, memory *from, memory *to, char *error)
{
    sbz_record record = {0};
    sbz_text text = {0};
    sbz_reader reader;
    sbz_read_status status;

    error[0] = '\0';
    sbz_reader_init(&reader, SBZ_MAX_BLOCK, false, take, from);
    while ((status = sbz_reader_next(&reader, &record)) == SBZ_READ_BLOCK) {
        ck_assert_msg(sbz_codec_decode(codec, &record, 1, &text) == SB_OK, "%s", sbz_codec_error(codec));
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

static inline void fill_text(uint8_t *text, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; i++)
        text[i] = (uint8_t)("swiss miss is missing; this is his island\n"[(next_random(&seed) >> 60) + i % 27]);
}

enum { PIECES = 3, PIECE = 2100, LAST = 777 };

static inline void make_pieces(sbz_text pieces[PIECES], uint8_t *text)
{
    fill_text(text, PIECES * PIECE, 7);
    memset(text + 300, ' ', 600);
    for (int i = 0; i < 256; i++)
        text[1000 + i] = (uint8_t)~i;
    for (int i = 0; i < PIECES; i++)
        pieces[i] = (sbz_text){.data = text + i * PIECE, .size = i == PIECES - 1 ? LAST : PIECE};
}

static inline void free_records(sbz_record *records)
{
    for (int i = 0; i < PIECES; i++)
        sbz_record_free(&records[i]);
}

/* Encodes three texts in one call. False: a forced variant refuses them. */
static inline bool encode_pieces(sbz_codec *codec, sbz_record records[PIECES])
{
    uint8_t text[PIECES * PIECE];
    sbz_text pieces[PIECES];

    make_pieces(pieces, text);
    return sbz_codec_encode(codec, pieces, PIECES, records) == SB_OK;
}

static inline void same_records(const sbz_record *a, const sbz_record *b, const char *what)
{
    for (int i = 0; i < PIECES; i++) {
        ck_assert_msg(memcmp(&a[i].block, &b[i].block, sizeof a[i].block) == 0, "%s: other header", what);
        ck_assert_msg(memcmp(a[i].payload, b[i].payload, a[i].block.encoded) == 0, "%s: other payload", what);
    }
}

/* Decodes them. False: as above. */
static inline bool decode_pieces(sbz_codec *codec, const sbz_record *records, const char *what)
{
    uint8_t text[PIECES * PIECE];
    sbz_text pieces[PIECES], back[PIECES] = {0};
    bool ran;

    make_pieces(pieces, text);
    ran = sbz_codec_decode(codec, records, PIECES, back) == SB_OK;
    for (int i = 0; i < PIECES; i++) {
        ck_assert_msg(!ran || back[i].error[0] == '\0', "%s: %s", what, back[i].error);
        ck_assert_msg(!ran ||
                          (back[i].size == pieces[i].size && memcmp(back[i].data, pieces[i].data, back[i].size) == 0),
                      "%s: other bytes", what);
        sbz_text_free(&back[i]);
    }
    return ran;
}

/* Stages, and the FNV-1a sum of the file that they make of make_pieces: files of version 1 never change. (That
 * rule holds since filters came, with version 1.0 of the format.) */
static const struct stages_case {
    const char *stages;
    uint64_t hash;
} all_stages[] = {
    {"stored", 0x1662a5445d6d6f08u},
    {"bwt", 0x707fdb74ea51838bu},
    {"mtf", 0x7e9bac292925c870u},
    {"bwt,mtf", 0x2e5048ac515f175du},
    {"rle0", 0xc2104d6a22a3236bu},
    {"zrun", 0xb889ded61b9c2f97u},
    {"rangecoder", 0x4ad61c57a434c7feu},
    {"bwt,mtf,rle0", 0x9121d04af0d1f5b9u},
    {"bwt,mtf,zrun", 0x558142821e1e46a8u},
    {"bwt,mtf,rangecoder", 0x1eab1afc928a3303u},
    {"bwt,mtf,rangecoder1", 0x74a7fb0398c8e392u},
    {"zrun-raw", 0xc8935c77ea334d54u},
    {"bwt,mtf,zrun-raw", 0x631d9b295495332du},
    {"zrun-tables", 0xae24e108094d5b9cu},
    {"bwt,mtf,zrun-tables", 0xea7d3372ca38780cu},
    {"mixcoder", 0xc14a0bb8880bc6d3u},
    {"bwt,mixcoder", 0xf7d23a9be2400d7cu},
    {"x86,bwt,mtf,rle0", 0xc649e524d2ef9530u},
    {"arm64,stored", 0x34efbc3ce6618ae8u},
    {"delta=1,bwt,mtf,rangecoder", 0x1b73a2c08490dcaeu},
    {"planes=2,rle0", 0x933da1550025c6feu},
    {"delta-planes=16,bwt,mixcoder", 0x4bc3b9a24e31a6deu},
    {"matches,bwt,mtf,rangecoder", 0x51d372a965fee7f5u},
    {"delta=4,matches,stored", 0x607e703885977cf4u},
};

enum { ALL_STAGES = sizeof all_stages / sizeof *all_stages };

/* Takes the modules of the build directory. */
static inline void use_built_modules(void)
{
    const char *build = getenv("BUILD");
    char modules[4096];

    if (build != NULL && (size_t)snprintf(modules, sizeof modules, "%s/modules", build) < sizeof modules)
        setenv("SAMEBITS_MODULES", modules, 1);
}

#endif
