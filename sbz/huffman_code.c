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

/* The arrays of a Huffman code have the same order as outputs of encode and as inputs of decode. */
enum { ARRAYS = 4 };
enum { ARRAY_SLOT = SBZ_CODE_BYTES + 1 };

_Static_assert(ARRAY_SLOT + ARRAYS == SBZ_CODE_END, "a slot for each array");

static const uint64_t parameters[] = {CHUNK}; /* of encode and decode */

/* What precedes the bits of a code. */
typedef struct code_head {
    uint64_t bits;
    uint8_t length[256];
    uint64_t *offset;
    uint64_t chunks;
} code_head;

/* ---- encoding ---- */

static sb_status put_head(const code_head *h, sbz_cursor *to)
{
    uint8_t table[SBZ_CODE_LENGTHS_BYTES];
    const size_t table_bytes = sbz_code_lengths_put(h->length, table);

    sbz_put_number(to, h->bits);
    if (to->failed || table_bytes == 0 || table_bytes > sbz_left(to))
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

sb_status sbz_put_code(sbz_engine *engine, const sb_array *bytes, sbz_cursor *to)
{
    code_head h = {.chunks = sbz_ceil_div(bytes->length, CHUNK)};
    sb_array outputs[ARRAYS] = {
        [SB_HUFFMAN_ENCODE_LENGTH] = sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_LENGTH, SB_U8, 256),
        [SB_HUFFMAN_ENCODE_BITS] = sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_BITS, SB_U64, 1),
        [SB_HUFFMAN_ENCODE_PAYLOAD] =
            sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_PAYLOAD, SB_U8, bytes->length),
        [SB_HUFFMAN_ENCODE_OFFSET] = sbz_engine_array(engine, ARRAY_SLOT + SB_HUFFMAN_ENCODE_OFFSET, SB_U64, h.chunks),
    };
    sb_status status;

    h.offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, h.chunks * sizeof *h.offset);
    for (int i = 0; i < ARRAYS; i++)
        if (outputs[i].data == NULL || h.offset == NULL)
            return SB_UNSUPPORTED;
    status = sbz_engine_run(engine, "huffman.encode", parameters, bytes, outputs);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_LENGTH], 0, h.length, 256);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_BITS], 0, &h.bits, 1);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_HUFFMAN_ENCODE_OFFSET], 0, h.offset, h.chunks);
    if (status == SB_OK)
        status = put_head(&h, to);
    return status == SB_OK ? put_payload(engine, &outputs[SB_HUFFMAN_ENCODE_PAYLOAD], to) : status;
}

/* ---- decoding ---- */

/* Reads what precedes the bits of a code, and leaves the cursor at the bits. SB_INVALID: it is malformed, or the bits
 * are not all there. */
static sb_status get_head(sbz_engine *engine, uint64_t length, sbz_cursor *from, code_head *h)
{
    size_t table_bytes;

    h->bits = sbz_get_number(from);
    table_bytes = length != 0 ? sbz_code_lengths_get(from->at, sbz_left(from), h->length) : 0;
    if (table_bytes == 0)
        return SB_INVALID;
    from->at += table_bytes;
    h->chunks = sbz_ceil_div(length, CHUNK);
    h->offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, h->chunks * sizeof *h->offset);
    if (h->offset == NULL)
        return SB_UNSUPPORTED;
    if (!sbz_get_offsets(from, h->offset, h->chunks) || sbz_ceil_div(h->bits, 8) > sbz_left(from))
        return SB_INVALID;
    return SB_OK;
}

sb_status sbz_get_code(sbz_engine *engine, uint64_t length, sbz_cursor *from, sb_array *bytes)
{
    code_head h = {0};
    uint64_t capacity, payload_bytes;
    sb_status status = get_head(engine, length, from, &h);

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
    if (!sbz_engine_output_capacity("huffman.decode", parameters, inputs, &capacity))
        return SB_INVALID;
    *bytes = sbz_engine_array(engine, SBZ_CODE_BYTES, SB_U8, capacity);
    if (bytes->data == NULL)
        return SB_UNSUPPORTED;
    for (int i = 0; status == SB_OK && i < ARRAYS; i++)
        status = sbz_engine_to_device(engine, ARRAY_SLOT + i, &inputs[i]);
    if (status == SB_OK)
        status = sbz_engine_run(engine, "huffman.decode", parameters, inputs, bytes);
    bytes->capacity = bytes->length;
    return status == SB_OK && bytes->length != length ? SB_INVALID : status;
}
