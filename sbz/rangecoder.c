/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages rangecoder, rangecoder1 and mixcoder: contract in entropy.h, payload in docs/SBZ.md.
 *
 * Segments are independent. So the whole segments of several blocks are one call: its payloads and offsets are those of the
 * blocks, one behind the other. What is behind the last whole segment of a block, its tail, is coded apart.
 */
#include "entropy.h"
#include "payload.h"
#include <samebits/algorithms.h>
#include <string.h>

enum { PAYLOAD = SBZ_ENTROPY_SLOT, OFFSETS };

/* Bytes of a segment. */
static uint64_t segment_of(const sbz_record *records)
{
    switch (records[0].block.entropy) {
    case SBZ_ENTROPY_RANGECODER1:
        return records[0].block.original;
    case SBZ_ENTROPY_MIXCODER:
        return SBZ_MIXCODER_SEGMENT;
    default:
        return SBZ_RANGECODER_SEGMENT;
    }
}

static bool is_mixed(const sbz_record *records)
{
    return records[0].block.entropy == SBZ_ENTROPY_MIXCODER;
}

static uint64_t segments_of(uint64_t n, uint64_t segment)
{
    return n / segment + (n % segment != 0);
}

/* Segments of a block in the common payload: the whole ones, or all if there are no tails. */
static uint64_t segments_here(const sbz_record *record, bool tails, uint64_t segment)
{
    return tails ? record->block.original / segment : segments_of(record->block.original, segment);
}

/* Writes the payload of one block. `offset` holds the offsets of its segments in the common payload, and the end. */
static sb_status put_block(sbz_engine *engine, const sb_array *payload, const uint64_t *offset, uint64_t segments,
                           const sbz_record *tail, sbz_record *record)
{
    const uint64_t bytes = offset[segments] - offset[0];
    const size_t tail_bytes = tail != NULL ? tail->block.encoded : 0;
    sbz_cursor to = {.at = record->payload, .end = record->payload + record->block.original};
    sb_status status;

    sbz_put_offsets(&to, offset, segments + (tail_bytes > 0));
    if (to.failed || bytes + tail_bytes > sbz_left(&to))
        return SB_OK;
    status = sbz_engine_download(engine, payload, offset[0], to.at, bytes);
    if (status == SB_OK && tail_bytes > 0)
        memcpy(to.at + bytes, tail->payload, tail_bytes);
    record->block.encoded = (uint32_t)((size_t)(to.at - record->payload) + bytes + tail_bytes);
    return status;
}

sb_status sbz_encode_segments(sbz_engine *engine, const sb_array *bytes, sbz_record *records, const sbz_record *tails,
                              size_t count)
{
    const uint64_t segment = segment_of(records), segments = segments_of(bytes->length, segment);
    const uint64_t parameters[] = {[SB_RANGECODER_SEGMENT] = segment};
    sb_array outputs[] = {
        [SB_RANGECODER_PAYLOAD] = sbz_engine_array(engine, PAYLOAD, SB_U8, bytes->length),
        [SB_RANGECODER_OFFSET] = sbz_engine_array(engine, OFFSETS, SB_U64, segments),
    };
    uint64_t *offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, (segments + 1) * sizeof *offset);
    sb_status status;

    if (offset == NULL || outputs[0].data == NULL || outputs[1].data == NULL)
        return SB_UNSUPPORTED;
    status =
        sbz_engine_run(engine, is_mixed(records) ? "mixcoder.encode" : "rangecoder.encode", parameters, bytes, outputs);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_RANGECODER_OFFSET], 0, offset, segments);
    offset[segments] = outputs[SB_RANGECODER_PAYLOAD].length;
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        const sbz_record *tail = tails != NULL ? &tails[i] : NULL;
        const uint64_t here = segments_here(&records[i], tails != NULL, segment);

        status = put_block(engine, &outputs[SB_RANGECODER_PAYLOAD], offset, here, tail, &records[i]);
        offset += here;
    }
    return status;
}

sb_status sbz_encode_rangecoder(sbz_engine *engine, const sb_array *bytes, sbz_record *records, size_t count)
{
    return sbz_encode_segments(engine, bytes, records, NULL, count);
}

/* Reads the offsets of a block, and gives the tail what is behind the last whole segment. `bytes` becomes the size of what is
 * before it. False: the offsets are damaged. */
static bool get_tail(sbz_cursor *from, uint64_t *offset, uint64_t segments, const sbz_record *record, sbz_record *tail,
                     uint64_t *bytes)
{
    const uint64_t size = tail != NULL ? record->block.original % segment_of(record) : 0;

    if (!sbz_get_offsets(from, offset, segments + (size > 0)))
        return false;
    *bytes = size > 0 ? offset[segments] : sbz_left(from);
    if (*bytes > sbz_left(from))
        return false;
    if (tail != NULL) {
        tail->block = record->block;
        tail->block.original = (uint32_t)size;
        tail->block.encoded = (uint32_t)(sbz_left(from) - *bytes);
        tail->payload = from->at + *bytes;
    }
    return true;
}

/* Joins the payloads and the offsets of all blocks on the host. */
static sb_status get_blocks(sbz_engine *engine, const sbz_record *records, sbz_record *tails, size_t count,
                            uint64_t segments, sb_array *payload, sb_array *offsets)
{
    const uint64_t segment = segment_of(records);
    uint64_t bytes = 0;
    uint64_t *offset;
    uint8_t *to;

    for (size_t i = 0; i < count; i++)
        bytes += records[i].block.encoded;
    offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, (segments + 1) * sizeof *offset);
    to = sbz_engine_host(engine, SBZ_HOST_BYTES, bytes);
    if (offset == NULL || to == NULL)
        return SB_UNSUPPORTED;
    *payload = (sb_array){to, 0, bytes, SB_U8, 0};
    *offsets = (sb_array){offset, segments, segments, SB_U64, 0};
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = segments_here(&records[i], tails != NULL, segment);
        sbz_cursor from = {.at = records[i].payload, .end = records[i].payload + records[i].block.encoded};
        uint64_t own;

        if (!get_tail(&from, offset, here, &records[i], tails != NULL ? &tails[i] : NULL, &own))
            return SB_INVALID;
        for (uint64_t s = 0; s < here; s++)
            offset[s] += payload->length;
        offset += here;
        memcpy(to + payload->length, from.at, own);
        payload->length += own;
    }
    payload->capacity = payload->length;
    return SB_OK;
}

sb_status sbz_decode_segments(sbz_engine *engine, const sbz_record *records, sbz_record *tails, size_t count,
                              const sb_array *bytes)
{
    const uint64_t segment = segment_of(records);
    const uint64_t parameters[] = {[SB_RANGECODER_SEGMENT] = segment, [SB_RANGECODER_DECODE_COUNT] = bytes->length};
    sb_array inputs[2], output = *bytes;
    sb_status status = get_blocks(engine, records, tails, count, segments_of(bytes->length, segment),
                                  &inputs[SB_RANGECODER_PAYLOAD], &inputs[SB_RANGECODER_OFFSET]);

    if (status == SB_OK)
        status = sbz_engine_to_device(engine, PAYLOAD, &inputs[SB_RANGECODER_PAYLOAD]);
    if (status == SB_OK)
        status = sbz_engine_to_device(engine, OFFSETS, &inputs[SB_RANGECODER_OFFSET]);
    if (status == SB_OK)
        status = sbz_engine_run(engine, is_mixed(records) ? "mixcoder.decode" : "rangecoder.decode", parameters, inputs,
                                &output);
    return status == SB_OK && output.length != bytes->length ? SB_INVALID : status;
}

sb_status sbz_decode_rangecoder(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes)
{
    return sbz_decode_segments(engine, records, NULL, count, bytes);
}
