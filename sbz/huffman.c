/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages that end in a Huffman code: contract in entropy.h, payloads in docs/SBZ.md.
 *
 * Runs of zeros are coded first, which gives the middle, bytes again; these are then coded by one table for the block,
 * by several, or adaptively.
 */
#include "huffman_code.h"
#include <string.h>

enum { ESCAPE = 255 }; /* a symbol of zrun from here on is this and how far beyond it is */

enum { MIDDLE = SBZ_CODE_BYTES, SYMBOLS = SBZ_CODE_END }; /* slots */

static const struct way {
    const char *encode_runs, *decode_runs;
    bool wide;   /* the runs' code has symbols of 16 bits */
    bool apart;  /* what follows an escape is a bit behind the code, and not in it */
    bool tables; /* several */
    sbz_coder coder;
} ways[SBZ_ENTROPIES] = {
    [SBZ_ENTROPY_RLE0] = {"rle0.encode", "rle0.decode", false, false, false, SBZ_HUFFMAN},
    [SBZ_ENTROPY_RLE0X] = {"rle0x.encode", "rle0x.decode", false, false, false, SBZ_HUFFMAN},
    [SBZ_ENTROPY_ZRUN] = {"zrun.encode", "zrun.decode", true, false, false, SBZ_HUFFMAN},
    [SBZ_ENTROPY_ZRUN_RAW] = {"zrun.encode", "zrun.decode", true, true, false, SBZ_HUFFMAN},
    [SBZ_ENTROPY_ZRUN_TABLES] = {"zrun.encode", "zrun.decode", true, true, true, SBZ_HUFFMAN},
    [SBZ_ENTROPY_AHUFF] = {"rle0x.encode", "rle0x.decode", false, false, false, SBZ_AHUFF},
};

/* ---- the middle ---- */

/* `middle`: of a wide way on the host, else on the device. `flags`: bits apart, the highest of each byte first; the
 * last is filled with zeros. */
static sb_status encode_middle(sbz_engine *engine, const struct way *way, const sb_array *middle, const sb_array *flags,
                               sbz_record *record)
{
    sbz_cursor to = {.at = record->payload, .end = record->payload + record->block.original};
    sb_array bytes = *middle;
    sb_status status = SB_OK;

    sbz_put_number(&to, middle->length);
    if (way->wide && !way->tables)
        status = sbz_engine_to_device(engine, MIDDLE, &bytes);
    if (status == SB_OK)
        status = way->tables ? sbz_put_tables(engine, &bytes, &to) : sbz_put_code(engine, way->coder, &bytes, &to);
    if (status != SB_OK)
        return status;
    if (flags->length > sbz_left(&to))
        return SB_INVALID;
    if (flags->length != 0)
        memcpy(to.at, flags->data, flags->length);
    record->block.encoded = (uint32_t)((size_t)(to.at - record->payload) + flags->length);
    return SB_OK;
}

/* The middle, on the host and, of one table, on the device as well, and the bits apart. A symbol of zrun stands for a
 * byte at least, and is a byte of the middle or, with what follows an escape, two; of rle0 two may stand for one. */
static sb_status decode_middle(sbz_engine *engine, const struct way *way, const sbz_record *record, sb_array *there,
                               sb_array *here, sb_array *flags)
{
    sbz_cursor from = {.at = record->payload, .end = record->payload + record->block.encoded};
    const uint64_t original = record->block.original, length = sbz_get_number(&from);
    sb_status status;

    if (length > (way->apart ? original : 2 * original))
        return SB_INVALID;
    if (way->tables) {
        status = sbz_get_tables(engine, length, &from, here);
    } else {
        status = sbz_get_code(engine, way->coder, length, &from, there);
        *here = *there;
        if (status == SB_OK)
            status = sbz_engine_to_host(engine, SBZ_HOST_BYTES, here);
    }
    *flags = (sb_array){from.at, sbz_left(&from), sbz_left(&from), SB_U8, 0};
    return status == SB_OK && !way->apart && flags->length != 0 ? SB_INVALID : status;
}

/* ---- symbols of zrun as bytes ---- */

/* Leaves the bytes on the host. `flags`: NULL, or where the bits apart go. */
static sb_status narrow(sbz_engine *engine, sb_array *symbols, sb_array *bytes, sb_array *flags)
{
    const uint16_t *from;
    uint8_t *to, *bits = NULL;
    uint64_t length = 0, escapes = 0;
    sb_status status = sbz_engine_to_host(engine, SBZ_HOST_SYMBOLS, symbols);

    to = status == SB_OK ? sbz_engine_host(engine, SBZ_HOST_BYTES, 2 * symbols->length) : NULL;
    if (to != NULL && flags != NULL)
        bits = sbz_engine_host(engine, SBZ_HOST_FLAGS, sbz_ceil_div(symbols->length, 8));
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
        *flags = (sb_array){bits, sbz_ceil_div(escapes, 8), sbz_ceil_div(escapes, 8), SB_U8, 0};
    *bytes = (sb_array){to, length, length, SB_U8, 0};
    return SB_OK;
}

/* Are there just the flags that were taken, and zeros behind them? */
static bool flags_end(const sb_array *flags, uint64_t taken)
{
    const uint8_t *bits = flags->data;

    return flags->length == sbz_ceil_div(taken, 8) && (taken % 8 == 0 || (uint8_t)(bits[taken / 8] << taken % 8) == 0);
}

/* What stands behind an escape. SB_INVALID: nothing. */
static sb_status widen_escape(const uint8_t *from, uint64_t length, uint64_t *i, uint16_t *symbol)
{
    if (++*i == length)
        return SB_INVALID;
    *symbol = (uint16_t)(ESCAPE + from[*i]);
    return SB_OK;
}

/* From the host to the host. `flags`: NULL, or where the bits apart are. */
static sb_status widen(sbz_engine *engine, const sb_array *bytes, sb_array *symbols, const sb_array *flags)
{
    const uint8_t *from = bytes->data, *bits = flags != NULL ? flags->data : NULL;
    uint16_t *to = sbz_engine_host(engine, SBZ_HOST_SYMBOLS, 2 * bytes->length);
    uint64_t length = 0, taken = 0;

    if (to == NULL)
        return SB_UNSUPPORTED;
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
    sb_status status = decode_middle(engine, way, record, &middle, &counted, &flags);

    if (status == SB_OK && way->wide) {
        status = widen(engine, &counted, &middle, way->apart ? &flags : NULL);
        counted = middle;
    }
    if (status != SB_OK)
        return status;
    if (!sbz_engine_output_capacity(way->decode_runs, NULL, &counted, &length) || length != bytes->length)
        return SB_INVALID;
    if (way->wide)
        status = sbz_engine_to_device(engine, SYMBOLS, &middle);
    return status == SB_OK ? sbz_engine_run(engine, way->decode_runs, NULL, &middle, bytes) : status;
}
