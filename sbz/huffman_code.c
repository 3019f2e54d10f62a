/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Huffman codes with one table: contract in huffman_code.h.
 */
#include "huffman_code.h"
#include "code_lengths.h"
#include <samebits/algorithms.h>
#include <string.h>

/* Bytes that one thread of a decoder takes; part of the format. */
enum { CHUNK = 1 << 14 };

/* The four arrays of a Huffman code have the same order as outputs of encode and as inputs of decode; ahuff has all but
 * the first, the lengths. */
enum { ARRAYS = 4, LENGTH_ARRAY = SB_HUFFMAN_ENCODE_LENGTH };
enum { ARRAY_SLOT = SBZ_CODE_BYTES + 1 };

_Static_assert(ARRAY_SLOT + ARRAYS == SBZ_CODE_END, "a slot for each array");

static const uint64_t parameters[] = {CHUNK}; /* of both codes */

static const struct coder {
    const char *encode, *decode;
    int first;          /* array */
    uint64_t max_bytes; /* of code for each byte */
} coders[] = {
    [SBZ_HUFFMAN] = {"huffman.encode", "huffman.decode", 0, 1},
    [SBZ_AHUFF] = {"ahuff.encode", "ahuff.decode", 1, 3},
};

/* What precedes the bits of a code. */
typedef struct code_head {
    uint64_t bits;
    uint8_t length[256];
    uint64_t *offset;
    uint64_t chunks;
} code_head;

/* ---- encoding ---- */

static sb_status put_head(const struct coder *coder, const code_head *h, sbz_cursor *to)
{
    uint8_t table[SBZ_CODE_LENGTHS_BYTES];
    const size_t table_bytes = coder->first == LENGTH_ARRAY ? sbz_code_lengths_put(h->length, table) : 0;

    sbz_put_number(to, h->bits);
    if (to->failed || table_bytes > sbz_left(to))
        return SB_INVALID;
    memcpy(to->at, table, table_bytes);
    to->at += table_bytes;
    sbz_put_offsets(to, h->offset, h->chunks);
    return to->failed ? SB_INVALID : SB_OK;
}

static sb_status put_payload(sbz_engine *engine, const sb_array *payload, sbz_cursor *to)
{
    if (payload->length > sbz_left(to))
        return SB_INVALID;
    to->at += payload->length;
    return sbz_engine_download(engine, payload, 0, to->at - payload->length, payload->length);
}

sb_status sbz_put_code(sbz_engine *engine, sbz_coder which, const sb_array *bytes, sbz_cursor *to)
{
    const struct coder *coder = &coders[which];
    code_head h = {.chunks = sbz_ceil_div(bytes->length, CHUNK)};
    sb_array outputs[ARRAYS] = {
        [SB_HUFFMAN_ENCODE_LENGTH] = sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_LENGTH, SB_U8, 256),
        [SB_HUFFMAN_ENCODE_BITS] = sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_BITS, SB_U64, 1),
        [SB_HUFFMAN_ENCODE_PAYLOAD] =
            sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_PAYLOAD, SB_U8, coder->max_bytes * bytes->length),
        [SB_HUFFMAN_ENCODE_OFFSET] = sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_OFFSET, SB_U64, h.chunks),
    };
    sb_status status;

    h.offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, h.chunks * sizeof *h.offset);
    for (int i = 0; i < ARRAYS; i++)
        if (outputs[i].data == NULL || h.offset == NULL)
            return SB_UNSUPPORTED;
    status = sbz_engine_run(engine, coder->encode, parameters, bytes, outputs + coder->first);
    if (status == SB_OK && coder->first == LENGTH_ARRAY)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_LENGTH], 0, h.length, 256);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_BITS], 0, &h.bits, 1);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_OFFSET], 0, h.offset, h.chunks);
    if (status == SB_OK)
        status = put_head(coder, &h, to);
    return status == SB_OK ? put_payload(engine, &outputs[SB_HUFFMAN_ENCODE_PAYLOAD], to) : status;
}

/* ---- decoding ---- */

/* Reads what precedes the bits of a code, and leaves the cursor at the bits. SB_INVALID: it is malformed, or the bits
 * are not all there. */
static sb_status get_head(sbz_engine *engine, const struct coder *coder, uint64_t length, sbz_cursor *from,
                          code_head *h)
{
    h->bits = sbz_get_number(from);
    if (length == 0)
        return SB_INVALID;
    if (coder->first == LENGTH_ARRAY) {
        size_t table_bytes = sbz_code_lengths_get(from->at, sbz_left(from), h->length);

        if (table_bytes == 0)
            return SB_INVALID;
        from->at += table_bytes;
    }
    h->chunks = sbz_ceil_div(length, CHUNK);
    h->offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, h->chunks * sizeof *h->offset);
    if (h->offset == NULL)
        return SB_UNSUPPORTED;
    if (!sbz_get_offsets(from, h->offset, h->chunks) || sbz_ceil_div(h->bits, 8) > sbz_left(from))
        return SB_INVALID;
    return SB_OK;
}

sb_status sbz_get_code(sbz_engine *engine, sbz_coder which, uint64_t length, sbz_cursor *from, sb_array *bytes)
{
    const struct coder *coder = &coders[which];
    code_head h = {0};
    uint64_t capacity, payload_bytes;
    sb_status status = get_head(engine, coder, length, from, &h);

    if (status != SB_OK)
        return status;
    payload_bytes = sbz_ceil_div(h.bits, 8);
    sb_array inputs[ARRAYS] = {
        [SB_HUFFMAN_DECODE_LENGTH] = {h.length, 256, 256, SB_U8, 0},
        [SB_HUFFMAN_DECODE_BITS] = {&h.bits, 1, 1, SB_U64, 0},
        [SB_HUFFMAN_DECODE_PAYLOAD] = {from->at, payload_bytes, payload_bytes, SB_U8, 0},
        [SB_HUFFMAN_DECODE_OFFSET] = {h.offset, h.chunks, h.chunks, SB_U64, 0},
    };
    from->at += payload_bytes;
    if (!sbz_engine_output_capacity(coder->decode, parameters, inputs + coder->first, &capacity))
        return SB_INVALID;
    *bytes = sbz_engine_array(engine, SBZ_CODE_BYTES, SB_U8, capacity);
    if (bytes->data == NULL)
        return SB_UNSUPPORTED;
    for (int i = coder->first; status == SB_OK && i < ARRAYS; i++)
        status = sbz_engine_to_device(engine, ARRAY_SLOT + i, &inputs[i]);
    if (status == SB_OK)
        status = sbz_engine_run(engine, coder->decode, parameters, inputs + coder->first, bytes);
    bytes->capacity = bytes->length;
    return status == SB_OK && bytes->length != length ? SB_INVALID : status;
}
