/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Entropy stages: contract in entropy.h, payloads in docs/SBZ.md.
 */
#include "entropy.h"
#include "lengths.h"
#include <samebits/algorithms.h>
#include <string.h>

enum { CHUNK = 1 << 14 }; /* symbols: what one thread of a decoder takes */

enum { MIDDLE = SBZ_ENTROPY_SLOT, LENGTHS, BITS, PAYLOAD, OFFSETS };

static uint64_t ceiling(uint64_t n, uint64_t piece)
{
    return n / piece + (n % piece != 0);
}

/* ---- numbers of a payload: seven bits a byte, the lowest first, the eighth says that more follow ---- */

typedef struct cursor {
    uint8_t *at, *end;
    bool failed;
} cursor;

static void put_number(cursor *c, uint64_t value)
{
    do {
        c->failed = c->failed || c->at == c->end;
        if (c->failed)
            return;
        *c->at++ = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value != 0);
}

static uint64_t get_number(cursor *c)
{
    uint64_t value = 0;

    for (int shift = 0; shift < 63; shift += 7) {
        uint8_t byte = 0;

        c->failed = c->failed || c->at == c->end;
        if (c->failed)
            return 0;
        byte = *c->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    c->failed = true;
    return 0;
}

/* ---- Huffman ---- */

typedef struct huffman {
    uint64_t symbols, bits;
    uint8_t length[256];
    uint64_t *offset; /* room for those of `symbols` */
    uint64_t chunks;
} huffman;

static const uint64_t parameters[] = {[SB_HUFFMAN_CHUNK] = CHUNK};

/* Assembles: number of symbols, number of bits, lengths, how far each chunk but the first is from the one before it,
 * the codes. */
static sb_status put_huffman(sbz_engine *engine, const huffman *h, const sb_array *payload, sbz_record *record)
{
    const uint64_t limit = record->block.original;
    uint8_t table[SBZ_LENGTHS_BYTES];
    const size_t table_bytes = sbz_lengths_put(h->length, table);
    cursor c = {.at = record->payload, .end = record->payload + limit};

    put_number(&c, h->symbols);
    put_number(&c, h->bits);
    if (c.failed || table_bytes > (size_t)(c.end - c.at))
        return SB_INVALID;
    memcpy(c.at, table, table_bytes);
    c.at += table_bytes;
    for (uint64_t i = 1; i < h->chunks; i++)
        put_number(&c, h->offset[i] - h->offset[i - 1]);
    if (c.failed || payload->length > (size_t)(c.end - c.at))
        return SB_INVALID;
    record->block.encoded = (uint32_t)((size_t)(c.at - record->payload) + payload->length);
    return sbz_engine_download(engine, payload, 0, c.at, payload->length);
}

static sb_status encode_huffman(sbz_engine *engine, const sb_array *middle, sbz_record *record)
{
    huffman h = {.symbols = middle->length, .chunks = ceiling(middle->length, CHUNK)};
    sb_array outputs[] = {
        [SB_HUFFMAN_ENCODE_LENGTH] = sbz_engine_array(engine, LENGTHS, SB_U8, 256),
        [SB_HUFFMAN_ENCODE_BITS] = sbz_engine_array(engine, BITS, SB_U64, 1),
        [SB_HUFFMAN_ENCODE_PAYLOAD] = sbz_engine_array(engine, PAYLOAD, SB_U8, h.symbols),
        [SB_HUFFMAN_ENCODE_OFFSET] = sbz_engine_array(engine, OFFSETS, SB_U64, h.chunks),
    };
    sb_status status = SB_OK;

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (outputs[i].data == NULL)
            return SB_UNSUPPORTED;
    h.offset = sbz_engine_offsets(engine, h.chunks);
    if (h.offset == NULL)
        return SB_UNSUPPORTED;
    status = sbz_engine_run(engine, "huffman.encode", parameters, middle, outputs);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_LENGTH], 0, h.length, 256);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_BITS], 0, &h.bits, 1);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_OFFSET], 0, h.offset, h.chunks);
    return status == SB_OK ? put_huffman(engine, &h, &outputs[SB_HUFFMAN_ENCODE_PAYLOAD], record) : status;
}

/* Everything in front of the codes; `codes` begins at them. False: it cannot be. */
static bool get_huffman(cursor *c, uint64_t most, huffman *h)
{
    size_t table_bytes;

    h->symbols = get_number(c);
    h->bits = get_number(c);
    if (c->failed || h->symbols == 0 || h->symbols > most)
        return false;
    table_bytes = sbz_lengths_get(c->at, (size_t)(c->end - c->at), h->length);
    if (table_bytes == 0)
        return false;
    c->at += table_bytes;
    h->chunks = ceiling(h->symbols, CHUNK);
    return true;
}

static bool get_offsets(cursor *c, huffman *h)
{
    h->offset[0] = 0;
    for (uint64_t i = 1; i < h->chunks; i++) {
        uint64_t step = get_number(c);

        if (c->failed || step > h->bits - h->offset[i - 1])
            return false;
        h->offset[i] = h->offset[i - 1] + step;
    }
    return (uint64_t)(c->end - c->at) == ceiling(h->bits, 8);
}

/* Sets `middle` to the symbols, at most `most` of them. */
static sb_status decode_huffman(sbz_engine *engine, const sbz_record *record, uint64_t most, sb_array *middle)
{
    cursor c = {.at = record->payload, .end = record->payload + record->block.encoded};
    uint64_t room;
    huffman h;
    sb_array inputs[4];
    sb_status status = SB_OK;

    if (!get_huffman(&c, most, &h))
        return SB_INVALID;
    h.offset = sbz_engine_offsets(engine, h.chunks);
    if (h.offset == NULL)
        return SB_UNSUPPORTED;
    if (!get_offsets(&c, &h))
        return SB_INVALID;
    inputs[SB_HUFFMAN_DECODE_LENGTH] = (sb_array){h.length, 256, 256, SB_U8, 0};
    inputs[SB_HUFFMAN_DECODE_BITS] = (sb_array){&h.bits, 1, 1, SB_U64, 0};
    inputs[SB_HUFFMAN_DECODE_PAYLOAD] = (sb_array){c.at, (uint64_t)(c.end - c.at), (uint64_t)(c.end - c.at), SB_U8, 0};
    inputs[SB_HUFFMAN_DECODE_OFFSET] = (sb_array){h.offset, h.chunks, h.chunks, SB_U64, 0};
    if (!sbz_engine_room("huffman.decode", parameters, inputs, &room))
        return SB_INVALID;
    *middle = sbz_engine_array(engine, MIDDLE, SB_U8, room);
    for (int i = 0; status == SB_OK && i < 4; i++)
        status = sbz_engine_bring(engine, LENGTHS + i, &inputs[i]);
    if (status != SB_OK || middle->data == NULL)
        return SB_UNSUPPORTED;
    status = sbz_engine_run(engine, "huffman.decode", parameters, inputs, middle);
    return status == SB_OK && middle->length != h.symbols ? SB_INVALID : status;
}

/* ---- runs ---- */

static sb_status encode_runs(sbz_engine *engine, const char *algorithm, const sb_array *bytes, sbz_record *record)
{
    sb_array code = sbz_engine_array(engine, MIDDLE, SB_U8, 2 * bytes->length);
    sb_status status;

    if (code.data == NULL)
        return SB_UNSUPPORTED;
    status = sbz_engine_run(engine, algorithm, NULL, bytes, &code);
    code.capacity = code.length;
    return status == SB_OK ? encode_huffman(engine, &code, record) : status;
}

/* How many bytes the code stands for is counted first: a damaged one may stand for any number. */
static sb_status decode_runs(sbz_engine *engine, const char *algorithm, const sbz_record *record, sb_array *bytes)
{
    uint64_t length;
    sb_array code, on_host;
    sb_status status = decode_huffman(engine, record, 2 * (uint64_t)record->block.original, &code);

    if (status != SB_OK)
        return status;
    code.capacity = code.length;
    on_host = code;
    status = sbz_engine_fetch(engine, &on_host);
    if (status != SB_OK)
        return status;
    if (!sbz_engine_room(algorithm, NULL, &on_host, &length) || length != bytes->length)
        return SB_INVALID;
    return sbz_engine_run(engine, algorithm, NULL, &code, bytes);
}

static sb_status encode_rle0(sbz_engine *engine, const sb_array *bytes, sbz_record *record)
{
    return encode_runs(engine, "rle0.encode", bytes, record);
}

static sb_status decode_rle0(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    return decode_runs(engine, "rle0.decode", record, bytes);
}

static sb_status encode_rle0x(sbz_engine *engine, const sb_array *bytes, sbz_record *record)
{
    return encode_runs(engine, "rle0x.encode", bytes, record);
}

static sb_status decode_rle0x(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    return decode_runs(engine, "rle0x.decode", record, bytes);
}

/* ---- none ---- */

static sb_status encode_stored(sbz_engine *engine, const sb_array *bytes, sbz_record *record)
{
    record->block.encoded = (uint32_t)bytes->length;
    return sbz_engine_download(engine, bytes, 0, record->payload, bytes->length);
}

static sb_status decode_stored(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    if (record->block.encoded != bytes->length)
        return SB_INVALID;
    return sbz_engine_upload(engine, bytes, 0, record->payload, bytes->length);
}

static const struct stage {
    const char *name;
    sb_status (*encode)(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
    sb_status (*decode)(sbz_engine *engine, const sbz_record *record, sb_array *bytes);
} stages[SBZ_ENTROPIES] = {
    [SBZ_ENTROPY_STORED] = {"stored", encode_stored, decode_stored},
    [SBZ_ENTROPY_RLE0] = {"rle0", encode_rle0, decode_rle0},
    [SBZ_ENTROPY_RLE0X] = {"rle0x", encode_rle0x, decode_rle0x},
};

const char *sbz_entropy_name(int entropy)
{
    return entropy >= 0 && entropy < SBZ_ENTROPIES ? stages[entropy].name : NULL;
}

sb_status sbz_entropy_encode(sbz_engine *engine, sbz_entropy entropy, const sb_array *bytes, sbz_record *record)
{
    if (!sbz_record_reserve(record, (size_t)bytes->length))
        return sbz_engine_no_memory(engine, "a payload");
    record->block.entropy = (uint8_t)entropy;
    return stages[entropy].encode(engine, bytes, record);
}

sb_status sbz_entropy_decode(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    const int entropy = record->block.entropy;

    if (sbz_entropy_name(entropy) == NULL)
        return SB_INVALID;
    return stages[entropy].decode(engine, record, bytes);
}
