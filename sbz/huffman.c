/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages that end in a Huffman code: contract in entropy.h, payloads in docs/SBZ.md.
 *
 * Runs of zeros are coded first. The result, as bytes, is the middle. It is then coded by one Huffman table or by
 * several.
 */
#include "huffman_code.h"
#include <string.h>

enum { ESCAPE = 255 }; /* a zrun symbol s of 255 or 256 is the byte 255, and then s - 255 as a byte or as a raw bit */

enum { MIDDLE = SBZ_CODE_BYTES, SYMBOLS = SBZ_CODE_END }; /* slots */

static const struct stage {
    const char *encode_runs, *decode_runs;
    bool wide;   /* the run code has symbols of 16 bits: zrun */
    bool raw;    /* what follows an escape is a raw bit behind the code */
    bool tables; /* several Huffman tables */
} stages[SBZ_ENTROPIES] = {
    [SBZ_ENTROPY_RLE0] = {"rle0.encode", "rle0.decode", false, false, false},
    [SBZ_ENTROPY_ZRUN] = {"zrun.encode", "zrun.decode", true, false, false},
    [SBZ_ENTROPY_ZRUN_RAW] = {"zrun.encode", "zrun.decode", true, true, false},
    [SBZ_ENTROPY_ZRUN_TABLES] = {"zrun.encode", "zrun.decode", true, true, true},
};

/* ---- the middle ---- */

/* `middle` is on the host if the symbols are wide, else on the device. `flags` are the raw bits, the highest of each
 * byte first, with zeros up to the end of the last byte. */
static sb_status encode_middle(sbz_engine *engine, const struct stage *stage, const sb_array *middle,
                               const sb_array *flags, sbz_record *record)
{
    sbz_cursor to = {.at = record->payload, .end = record->payload + record->block.original};
    sb_array bytes = *middle;
    sb_status status = SB_OK;

    sbz_put_number(&to, middle->length);
    if (stage->wide && !stage->tables)
        status = sbz_engine_to_device(engine, MIDDLE, &bytes);
    if (status == SB_OK)
        status = stage->tables ? sbz_put_tables(engine, &bytes, &to) : sbz_put_code(engine, &bytes, &to);
    if (status != SB_OK)
        return status;
    if (flags->length > sbz_left(&to))
        return SB_INVALID;
    if (flags->length != 0)
        memcpy(to.at, flags->data, flags->length);
    record->block.encoded = (uint32_t)((size_t)(to.at - record->payload) + flags->length);
    return SB_OK;
}

/* Decodes the middle: `here` on the host and, unless there are several tables, `there` on the device; `flags` are the
 * bytes behind the code. The bounds of its size: a zrun symbol stands for at least one byte of the text, and has one
 * byte in the middle, or two with an escape that is not raw; in rle0 two bytes may stand for one. */
static sb_status decode_middle(sbz_engine *engine, const struct stage *stage, const sbz_record *record, sb_array *there,
                               sb_array *here, sb_array *flags)
{
    sbz_cursor from = {.at = record->payload, .end = record->payload + record->block.encoded};
    const uint64_t original = record->block.original, length = sbz_get_number(&from);
    sb_status status;

    if (length > (stage->raw ? original : 2 * original))
        return SB_INVALID;
    if (stage->tables) {
        status = sbz_get_tables(engine, length, &from, here);
    } else {
        status = sbz_get_code(engine, length, &from, there);
        *here = *there;
        if (status == SB_OK)
            status = sbz_engine_to_host(engine, SBZ_HOST_BYTES, here);
    }
    *flags = (sb_array){from.at, sbz_left(&from), sbz_left(&from), SB_U8, 0};
    return status == SB_OK && !stage->raw && flags->length != 0 ? SB_INVALID : status;
}

/* ---- zrun symbols as bytes ---- */

/* Symbols to bytes, which are left on the host. `flags`: where the raw bits go; NULL: escapes are two bytes. */
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

/* True if `taken` bits fill `flags` up to its last byte, and zeros follow them there. */
static bool flags_end(const sb_array *flags, uint64_t taken)
{
    const uint8_t *bits = flags->data;

    return flags->length == sbz_ceil_div(taken, 8) && (taken % 8 == 0 || (uint8_t)(bits[taken / 8] << taken % 8) == 0);
}

/* The symbol of an escape that is two bytes. SB_INVALID: the second is missing. */
static sb_status widen_escape(const uint8_t *from, uint64_t length, uint64_t *i, uint16_t *symbol)
{
    if (++*i == length)
        return SB_INVALID;
    *symbol = (uint16_t)(ESCAPE + from[*i]);
    return SB_OK;
}

/* Bytes to symbols, both on the host. `flags`: the raw bits; NULL: escapes are two bytes. */
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

/* ---- runs of zeros ---- */

sb_status sbz_encode_huffman(sbz_engine *engine, const sb_array *bytes, sbz_record *record)
{
    const struct stage *stage = &stages[record->block.entropy];
    sb_array middle = stage->wide ? sbz_engine_array(engine, SYMBOLS, SB_U16, bytes->length)
                                  : sbz_engine_array(engine, MIDDLE, SB_U8, 2 * bytes->length);
    sb_array flags = {0};
    sb_status status = SB_UNSUPPORTED;

    if (middle.data != NULL)
        status = sbz_engine_run(engine, stage->encode_runs, NULL, bytes, &middle);
    middle.capacity = middle.length;
    if (status == SB_OK && stage->wide) {
        sb_array symbols = middle;

        status = narrow(engine, &symbols, &middle, stage->raw ? &flags : NULL);
    }
    return status == SB_OK ? encode_middle(engine, stage, &middle, &flags, record) : status;
}

/* Counts the bytes that the runs stand for before it expands them: damaged runs can stand for any number. */
sb_status sbz_decode_huffman(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    const struct stage *stage = &stages[record->block.entropy];
    uint64_t length;
    sb_array middle, counted, flags;
    sb_status status = decode_middle(engine, stage, record, &middle, &counted, &flags);

    if (status == SB_OK && stage->wide) {
        status = widen(engine, &counted, &middle, stage->raw ? &flags : NULL);
        counted = middle;
    }
    if (status != SB_OK)
        return status;
    if (!sbz_engine_output_capacity(stage->decode_runs, NULL, &counted, &length) || length != bytes->length)
        return SB_INVALID;
    if (stage->wide)
        status = sbz_engine_to_device(engine, SYMBOLS, &middle);
    return status == SB_OK ? sbz_engine_run(engine, stage->decode_runs, NULL, &middle, bytes) : status;
}
