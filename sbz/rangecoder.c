/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages rangecoder, rangecoder1 and mixcoder: contract in entropy.h, payload in docs/SBZ.md.
 *
 * Segments are independent. So several blocks whose sizes are multiples of the segment are one call: its payloads and
 * offsets are those of the blocks, one behind the other.
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

/* Writes the payload of one block. `offset` holds the offsets of its segments in the common payload, and the end. */
static sb_status put_block(sbz_engine *engine, const sb_array *payload, const uint64_t *offset, uint64_t segments,
                           sbz_record *record)
{
    const uint64_t end = offset[segments];
    sbz_cursor to = {.at = record->payload, .end = record->payload + record->block.original};
    const uint64_t bytes = end - offset[0];

    sbz_put_offsets(&to, offset, segments);
    if (to.failed || bytes > sbz_left(&to))
        return SB_OK;
    record->block.encoded = (uint32_t)((size_t)(to.at - record->payload) + bytes);
    return sbz_engine_download(engine, payload, offset[0], to.at, bytes);
}

sb_status sbz_encode_rangecoder(sbz_engine *engine, const sb_array *bytes, sbz_record *records, size_t count)
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
        const uint64_t here = segments_of(records[i].block.original, segment);

        status = put_block(engine, &outputs[SB_RANGECODER_PAYLOAD], offset, here, &records[i]);
        offset += here;
    }
    return status;
}

/* Joins the payloads and the offsets of all blocks on the host. */
static sb_status get_blocks(sbz_engine *engine, const sbz_record *records, size_t count, uint64_t segments,
                            sb_array *payload, sb_array *offsets)
{
    const uint64_t segment = segment_of(records);
    uint64_t bytes = 0;
    uint64_t *offset;
    uint8_t *to;

    for (size_t i = 0; i < count; i++)
        bytes += records[i].block.encoded;
    offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, segments * sizeof *offset);
    to = sbz_engine_host(engine, SBZ_HOST_BYTES, bytes);
    if (offset == NULL || to == NULL)
        return SB_UNSUPPORTED;
    *payload = (sb_array){to, 0, bytes, SB_U8, 0};
    *offsets = (sb_array){offset, segments, segments, SB_U64, 0};
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = segments_of(records[i].block.original, segment);
        sbz_cursor from = {.at = records[i].payload, .end = records[i].payload + records[i].block.encoded};

        if (!sbz_get_offsets(&from, offset, here))
            return SB_INVALID;
        for (uint64_t s = 0; s < here; s++)
            offset[s] += payload->length;
        offset += here;
        memcpy(to + payload->length, from.at, sbz_left(&from));
        payload->length += sbz_left(&from);
    }
    payload->capacity = payload->length;
    return SB_OK;
}

sb_status sbz_decode_rangecoder(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes)
{
    const uint64_t segment = segment_of(records);
    const uint64_t parameters[] = {[SB_RANGECODER_SEGMENT] = segment, [SB_RANGECODER_DECODE_COUNT] = bytes->length};
    sb_array inputs[2], output = *bytes;
    sb_status status = get_blocks(engine, records, count, segments_of(bytes->length, segment),
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
