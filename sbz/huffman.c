/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages that end in a Huffman code: contract in entropy.h, payloads in docs/SBZ.md.
 *
 * Runs of zeros are coded first, which gives the middle, bytes again; these are then coded by one table for the block,
 * or adaptively.
 */
#include "entropy.h"
#include "lengths.h"
#include "payload.h"
#include <samebits/algorithms.h>
#include <string.h>

enum { CHUNK = 1 << 14 }; /* bytes of the middle: what one thread of a decoder takes */
enum { ESCAPE = 255 };    /* a symbol of zrun from here on is this and how far beyond it is */

/* Slots. The arrays of a Huffman code stand in the order of both its directions; ahuff has all but the lengths. */
enum { MIDDLE = SBZ_ENTROPY_SLOT, SYMBOLS, LENGTHS, BITS, PAYLOAD, OFFSETS };
enum { ARRAYS = 4, LENGTH_ARRAY = SB_HUFFMAN_ENCODE_LENGTH };

static const uint64_t parameters[] = {CHUNK}; /* of both codes */

static const struct way {
    const char *encode_runs, *decode_runs, *encode, *decode;
    bool wide;     /* the runs' code has symbols of 16 bits */
    bool apart;    /* what follows an escape is a bit behind the code, and not in it */
    int first;     /* array of the code */
    uint64_t most; /* bytes of payload for a byte of the middle */
} ways[SBZ_ENTROPIES] = {
    [SBZ_ENTROPY_RLE0] = {"rle0.encode", "rle0.decode", "huffman.encode", "huffman.decode", false, false, 0, 1},
    [SBZ_ENTROPY_RLE0X] = {"rle0x.encode", "rle0x.decode", "huffman.encode", "huffman.decode", false, false, 0, 1},
    [SBZ_ENTROPY_ZRUN] = {"zrun.encode", "zrun.decode", "huffman.encode", "huffman.decode", true, false, 0, 1},
    [SBZ_ENTROPY_APART] = {"zrun.encode", "zrun.decode", "huffman.encode", "huffman.decode", true, true, 0, 1},
    [SBZ_ENTROPY_AHUFF] = {"rle0x.encode", "rle0x.decode", "ahuff.encode", "ahuff.decode", false, false, 1, 3},
};

/* What stands in a payload. */
typedef struct code {
    uint64_t middle, bits;
    uint8_t length[256];
    uint64_t *offset;
    uint64_t chunks;
    uint8_t *flags; /* bits apart, the highest of each byte first; the last is filled with zeros */
    uint64_t flag_bytes;
} code;

static uint64_t ceiling(uint64_t n, uint64_t piece)
{
    return n / piece + (n % piece != 0);
}

/* ---- the code ---- */

static sb_status put_code(sbz_engine *engine, const struct way *way, const code *c, const sb_array *payload,
                          sbz_record *record)
{
    sbz_cursor to = {.at = record->payload, .end = record->payload + record->block.original};
    uint8_t table[SBZ_LENGTHS_BYTES];
    const size_t table_bytes = way->first == LENGTH_ARRAY ? sbz_lengths_put(c->length, table) : 0;

    sbz_put_number(&to, c->middle);
    sbz_put_number(&to, c->bits);
    if (to.failed || table_bytes > sbz_left(&to))
        return SB_INVALID;
    memcpy(to.at, table, table_bytes);
    to.at += table_bytes;
    sbz_put_offsets(&to, c->offset, c->chunks);
    if (to.failed || payload->length + c->flag_bytes > sbz_left(&to))
        return SB_INVALID;
    record->block.encoded = (uint32_t)((size_t)(to.at - record->payload) + payload->length + c->flag_bytes);
    if (c->flag_bytes != 0)
        memcpy(to.at + payload->length, c->flags, c->flag_bytes);
    return sbz_engine_download(engine, payload, 0, to.at, payload->length);
}

static sb_status encode_middle(sbz_engine *engine, const struct way *way, const sb_array *middle, const sb_array *flags,
                               sbz_record *record)
{
    code c = {.middle = middle->length,
              .chunks = ceiling(middle->length, CHUNK),
              .flags = flags->data,
              .flag_bytes = flags->length};
    sb_array outputs[ARRAYS] = {
        [SB_HUFFMAN_ENCODE_LENGTH] = sbz_engine_array(engine, LENGTHS, SB_U8, 256),
        [SB_HUFFMAN_ENCODE_BITS] = sbz_engine_array(engine, BITS, SB_U64, 1),
        [SB_HUFFMAN_ENCODE_PAYLOAD] = sbz_engine_array(engine, PAYLOAD, SB_U8, way->most * c.middle),
        [SB_HUFFMAN_ENCODE_OFFSET] = sbz_engine_array(engine, OFFSETS, SB_U64, c.chunks),
    };
    sb_status status;

    c.offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, c.chunks * sizeof *c.offset);
    for (int i = 0; i < ARRAYS; i++)
        if (outputs[i].data == NULL || c.offset == NULL)
            return SB_UNSUPPORTED;
    status = sbz_engine_run(engine, way->encode, parameters, middle, outputs + way->first);
    if (status == SB_OK && way->first == LENGTH_ARRAY)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_LENGTH], 0, c.length, 256);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_BITS], 0, &c.bits, 1);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_OFFSET], 0, c.offset, c.chunks);
    return status == SB_OK ? put_code(engine, way, &c, &outputs[SB_HUFFMAN_ENCODE_PAYLOAD], record) : status;
}

/* Everything in front of the code, where the cursor then stands. SB_INVALID: it cannot be. */
static sb_status get_code(sbz_engine *engine, const struct way *way, uint64_t most, sbz_cursor *from, code *c)
{
    c->middle = sbz_get_number(from);
    c->bits = sbz_get_number(from);
    if (c->middle == 0 || c->middle > most)
        return SB_INVALID;
    if (way->first == LENGTH_ARRAY) {
        size_t table_bytes = sbz_lengths_get(from->at, sbz_left(from), c->length);

        if (table_bytes == 0)
            return SB_INVALID;
        from->at += table_bytes;
    }
    c->chunks = ceiling(c->middle, CHUNK);
    c->offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, c->chunks * sizeof *c->offset);
    if (c->offset == NULL)
        return SB_UNSUPPORTED;
    if (!sbz_get_offsets(from, c->offset, c->chunks))
        return SB_INVALID;
    c->flags = from->end;
    if (way->apart) {
        if (ceiling(c->bits, 8) > sbz_left(from))
            return SB_INVALID;
        c->flags = from->at + ceiling(c->bits, 8);
        c->flag_bytes = (uint64_t)(from->end - c->flags);
        from->end = c->flags;
    }
    return SB_OK;
}

/* The middle, which has `most` bytes at most, and the bits apart. */
static sb_status decode_middle(sbz_engine *engine, const struct way *way, const sbz_record *record, uint64_t most,
                               sb_array *middle, sb_array *flags)
{
    sbz_cursor from = {.at = record->payload, .end = record->payload + record->block.encoded};
    uint64_t room;
    code c = {0};
    sb_status status = get_code(engine, way, most, &from, &c);

    if (status != SB_OK)
        return status;
    *flags = (sb_array){c.flags, c.flag_bytes, c.flag_bytes, SB_U8, 0};
    sb_array inputs[ARRAYS] = {
        [SB_HUFFMAN_DECODE_LENGTH] = {c.length, 256, 256, SB_U8, 0},
        [SB_HUFFMAN_DECODE_BITS] = {&c.bits, 1, 1, SB_U64, 0},
        [SB_HUFFMAN_DECODE_PAYLOAD] = {from.at, sbz_left(&from), sbz_left(&from), SB_U8, 0},
        [SB_HUFFMAN_DECODE_OFFSET] = {c.offset, c.chunks, c.chunks, SB_U64, 0},
    };
    if (!sbz_engine_room(way->decode, parameters, inputs + way->first, &room))
        return SB_INVALID;
    *middle = sbz_engine_array(engine, MIDDLE, SB_U8, room);
    if (middle->data == NULL)
        return SB_UNSUPPORTED;
    for (int i = way->first; status == SB_OK && i < ARRAYS; i++)
        status = sbz_engine_bring(engine, LENGTHS + i, &inputs[i]);
    if (status == SB_OK)
        status = sbz_engine_run(engine, way->decode, parameters, inputs + way->first, middle);
    middle->capacity = middle->length;
    return status == SB_OK && middle->length != c.middle ? SB_INVALID : status;
}

/* ---- symbols of zrun as bytes ---- */

/* `flags`: NULL, or where the bits apart go. */
static sb_status narrow(sbz_engine *engine, sb_array *symbols, sb_array *bytes, sb_array *flags)
{
    const uint16_t *from;
    uint8_t *to, *bits = NULL;
    uint64_t length = 0, escapes = 0;
    sb_status status = sbz_engine_fetch(engine, SBZ_HOST_SYMBOLS, symbols);

    to = status == SB_OK ? sbz_engine_host(engine, SBZ_HOST_BYTES, 2 * symbols->length) : NULL;
    if (to != NULL && flags != NULL)
        bits = sbz_engine_host(engine, SBZ_HOST_FLAGS, ceiling(symbols->length, 8));
    if (to == NULL || (flags != NULL && bits == NULL))
        return SB_UNSUPPORTED;
    from = symbols->data;
    for (uint64_t i = 0; i < symbols->length; i++) {
        to[length++] = (uint8_t)(from[i] < ESCAPE ? from[i] : ESCAPE);
        if (from[i] < ESCAPE)
            continue;
        if (flags == NULL) {
            to[length++] = (uint8_t)(from[i] - ESCAPE);
            continue;
        }
        if (escapes % 8 == 0)
            bits[escapes / 8] = 0;
        bits[escapes / 8] |= (uint8_t)((from[i] - ESCAPE) << (7 - escapes % 8));
        escapes++;
    }
    if (flags != NULL)
        *flags = (sb_array){bits, ceiling(escapes, 8), ceiling(escapes, 8), SB_U8, 0};
    *bytes = (sb_array){to, length, length, SB_U8, 0};
    return sbz_engine_bring(engine, MIDDLE, bytes);
}

/* Are there just the flags that were taken, and zeros behind them? */
static bool flags_end(const sb_array *flags, uint64_t taken)
{
    const uint8_t *bits = flags->data;

    return flags->length == ceiling(taken, 8) && (taken % 8 == 0 || (uint8_t)(bits[taken / 8] << taken % 8) == 0);
}

/* What stands behind an escape. SB_INVALID: nothing. */
static sb_status widen_escape(const uint8_t *from, uint64_t length, uint64_t *i, uint16_t *symbol)
{
    if (++*i == length)
        return SB_INVALID;
    *symbol = (uint16_t)(ESCAPE + from[*i]);
    return SB_OK;
}

/* Leaves the symbols on the host. `flags`: NULL, or where the bits apart are. */
static sb_status widen(sbz_engine *engine, sb_array *bytes, sb_array *symbols, const sb_array *flags)
{
    const uint8_t *from, *bits = flags != NULL ? flags->data : NULL;
    uint16_t *to;
    uint64_t length = 0, taken = 0;
    sb_status status = sbz_engine_fetch(engine, SBZ_HOST_BYTES, bytes);

    to = status == SB_OK ? sbz_engine_host(engine, SBZ_HOST_SYMBOLS, 2 * bytes->length) : NULL;
    if (to == NULL)
        return SB_UNSUPPORTED;
    from = bytes->data;
    for (uint64_t i = 0; i < bytes->length; i++) {
        to[length] = from[i];
        if (from[i] == ESCAPE && flags == NULL && widen_escape(from, bytes->length, &i, &to[length]) != SB_OK)
            return SB_INVALID;
        if (from[i] == ESCAPE && flags != NULL) {
            if (taken / 8 == flags->length)
                return SB_INVALID;
            to[length] = (uint16_t)(ESCAPE + (bits[taken / 8] >> (7 - taken % 8) & 1));
            taken++;
        }
        length++;
    }
    *symbols = (sb_array){to, length, length, SB_U16, 0};
    return flags == NULL || flags_end(flags, taken) ? SB_OK : SB_INVALID;
}

/* ---- runs ---- */

sb_status sbz_encode_huffman(sbz_engine *engine, const sb_array *bytes, sbz_record *record)
{
    const struct way *way = &ways[record->block.entropy];
    sb_array middle = way->wide ? sbz_engine_array(engine, SYMBOLS, SB_U16, bytes->length)
                                : sbz_engine_array(engine, MIDDLE, SB_U8, 2 * bytes->length);
    sb_array flags = {0};
    sb_status status = SB_UNSUPPORTED;

    if (middle.data != NULL)
        status = sbz_engine_run(engine, way->encode_runs, NULL, bytes, &middle);
    middle.capacity = middle.length;
    if (status == SB_OK && way->wide) {
        sb_array symbols = middle;

        status = narrow(engine, &symbols, &middle, way->apart ? &flags : NULL);
    }
    return status == SB_OK ? encode_middle(engine, way, &middle, &flags, record) : status;
}

/* How many bytes the runs stand for is counted first: damaged ones may stand for any number. */
sb_status sbz_decode_huffman(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    const struct way *way = &ways[record->block.entropy];
    uint64_t length;
    sb_array middle, counted, flags;
    sb_status status = decode_middle(engine, way, record, 2 * (uint64_t)record->block.original, &middle, &flags);

    if (status != SB_OK)
        return status;
    counted = middle;
    status = way->wide ? widen(engine, &middle, &counted, way->apart ? &flags : NULL)
                       : sbz_engine_fetch(engine, SBZ_HOST_BYTES, &counted);
    if (status != SB_OK)
        return status;
    if (!sbz_engine_room(way->decode_runs, NULL, &counted, &length) || length != bytes->length)
        return SB_INVALID;
    if (way->wide) {
        middle = counted;
        status = sbz_engine_bring(engine, SYMBOLS, &middle);
    }
    return status == SB_OK ? sbz_engine_run(engine, way->decode_runs, NULL, &middle, bytes) : status;
}
