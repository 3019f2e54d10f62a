/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages rangecoder, rangecoder1 and mixcoder: contract in entropy.h, payload in docs/SBZ.md.
 *
 * Segments are independent. So the whole segments of several blocks are one call: its payloads and offsets are those of the
 * blocks, one behind the other. What is behind the last whole segment of a block, its tail, is coded apart.
 *
 * On the host each segment of mixcoder, which takes as much time as all else together, is encoded by a call of its own, for threads
 * that are idle. Decoding in lockstep takes less time for each segment, so where threads are fewer than segments, a call decodes
 * several.
 */
#include "entropy.h"
#include "allocate.h"
#include "payload.h"
#include "parallel_for.h"
#include <samebits/algorithms.h>
#include <string.h>

enum { PAYLOAD = SBZ_ENTROPY_SLOT, OFFSETS };

/* Bytes of a segment. */
static uint64_t segment_of(const sbz_stage *stage, const sbz_record *records)
{
    return stage->segment != 0 ? stage->segment : records[0].block.original;
}

/* True if segments are shared among threads. */
static bool is_shared(const sbz_engine *engine, const sbz_stage *stage, uint64_t segments)
{
    return engine->direct && stage->apart && segments > 1 && sbz_parallel_threads() > 1;
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

/* `count` segments of `bytes` from the k-th on. */
static sb_array segments_at(const sb_array *bytes, uint64_t segment, uint64_t k, uint64_t count)
{
    const uint64_t first = k * segment, left = bytes->length - first;

    return sbz_engine_part(bytes, first, left < count * segment ? left : count * segment);
}

/* What rangecoder.encode does, by a call for each segment: their payloads are moved together afterwards. */
static sb_status encode_each(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records,
                             const sb_array *bytes, sb_array *outputs)
{
    const uint64_t segment = segment_of(stage, records), segments = outputs[SB_RANGECODER_OFFSET].length;
    sb_array *payload = &outputs[SB_RANGECODER_PAYLOAD];
    uint64_t *offset = outputs[SB_RANGECODER_OFFSET].data;
    sbz_engine_call *calls = sbz_calloc(segments, sizeof *calls);
    sb_status status;

    if (calls == NULL)
        return sbz_engine_no_memory(engine, "segments");
    for (uint64_t k = 0; k < segments; k++) {
        sbz_engine_call *c = &calls[k];

        c->parameters[SB_RANGECODER_SEGMENT] = segment;
        c->inputs[0] = segments_at(bytes, segment, k, 1);
        c->outputs[SB_RANGECODER_PAYLOAD] = segments_at(payload, segment, k, 1);
        c->outputs[SB_RANGECODER_OFFSET] = sbz_engine_part(&outputs[SB_RANGECODER_OFFSET], k, 1);
    }
    status = sbz_engine_run_calls(engine, stage->encoder, calls, segments);
    payload->length = 0;
    for (uint64_t k = 0; status == SB_OK && k < segments; k++) {
        const sb_array *own = &calls[k].outputs[SB_RANGECODER_PAYLOAD];

        offset[k] = payload->length;
        memmove((uint8_t *)payload->data + payload->length, own->data, own->length);
        payload->length += own->length;
    }
    sbz_free(calls);
    return status;
}

sb_status sbz_encode_segments(sbz_engine *engine, const sbz_stage *stage, const sb_array *bytes, sbz_record *records,
                              const sbz_record *tails, size_t count)
{
    const uint64_t segment = segment_of(stage, records), segments = segments_of(bytes->length, segment);
    const uint64_t parameters[] = {[SB_RANGECODER_SEGMENT] = segment};
    sb_array outputs[] = {
        [SB_RANGECODER_PAYLOAD] = sbz_engine_array(engine, PAYLOAD, SB_U8, bytes->length),
        [SB_RANGECODER_OFFSET] = sbz_engine_array(engine, OFFSETS, SB_U64, segments),
    };
    uint64_t *offset = sbz_engine_host(engine, SBZ_HOST_OFFSETS, (segments + 1) * sizeof *offset);
    sb_status status;

    if (offset == NULL || outputs[0].data == NULL || outputs[1].data == NULL)
        return SB_UNSUPPORTED;
    status = is_shared(engine, stage, segments) ? encode_each(engine, stage, records, bytes, outputs)
                                                : sbz_engine_run(engine, stage->encoder, parameters, bytes, outputs);
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

sb_status sbz_encode_rangecoder(sbz_engine *engine, const sbz_stage *stage, const sb_array *bytes, sbz_record *records,
                                size_t count)
{
    return sbz_encode_segments(engine, stage, bytes, records, NULL, count);
}

/* Reads the offsets of a block, and gives the tail what is behind the last whole segment. `bytes` becomes the size of what is
 * before it. False: the offsets are damaged. */
static bool get_tail(const sbz_stage *stage, sbz_cursor *from, uint64_t *offset, uint64_t segments,
                     const sbz_record *record, sbz_record *tail, uint64_t *bytes)
{
    const uint64_t size = tail != NULL ? record->block.original % segment_of(stage, record) : 0;

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
static sb_status get_blocks(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records, sbz_record *tails,
                            size_t count, uint64_t segments, sb_array *payload, sb_array *offsets)
{
    const uint64_t segment = segment_of(stage, records);
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

        if (!get_tail(stage, &from, offset, here, &records[i], tails != NULL ? &tails[i] : NULL, &own))
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

/* Segments that a call decodes: at most as many as go in lockstep, and no more than keep all threads at work. */
static uint64_t segments_together(uint64_t segments)
{
    enum { LOCKSTEP = 4 }; /* cpu/mixcoder/decode_lockstep.c */
    const uint64_t threads = sbz_parallel_available(), together = segments / threads + (segments % threads != 0);

    return together < LOCKSTEP ? together : LOCKSTEP;
}

/* What rangecoder.decode does, by calls of a few segments. `start` holds as many offsets as there are. */
static sb_status decode_calls(sbz_engine *engine, const sbz_stage *stage, const sb_array *inputs, const sb_array *bytes,
                              uint64_t segment, sbz_engine_call *calls, uint64_t *start)
{
    const sb_array *payload = &inputs[SB_RANGECODER_PAYLOAD];
    const uint64_t segments = inputs[SB_RANGECODER_OFFSET].length, together = segments_together(segments);
    const uint64_t *offset = inputs[SB_RANGECODER_OFFSET].data;
    size_t count = 0;

    for (uint64_t k = 0; k < segments; k += together) {
        const uint64_t here = segments - k < together ? segments - k : together;
        const uint64_t end = k + here < segments ? offset[k + here] : payload->length;
        sbz_engine_call *c = &calls[count++];

        if (offset[k] > end || end > payload->length)
            return SB_INVALID;
        for (uint64_t i = k; i < k + here; i++)
            start[i] = offset[i] - offset[k]; /* below 0, which is beyond the payload, where offsets descend */
        c->outputs[SB_RANGECODER_RANKS] = segments_at(bytes, segment, k, here);
        c->parameters[SB_RANGECODER_SEGMENT] = segment;
        c->parameters[SB_RANGECODER_DECODE_COUNT] = c->outputs[SB_RANGECODER_RANKS].length;
        c->inputs[SB_RANGECODER_PAYLOAD] = sbz_engine_part(payload, offset[k], end - offset[k]);
        c->inputs[SB_RANGECODER_OFFSET] = (sb_array){start + k, here, here, SB_U64, 0};
    }
    return sbz_engine_run_calls(engine, stage->decoder, calls, count);
}

static sb_status decode_shared(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records,
                               const sb_array *inputs, const sb_array *bytes)
{
    const uint64_t segments = inputs[SB_RANGECODER_OFFSET].length;
    sbz_engine_call *calls = sbz_calloc(segments, sizeof *calls);
    uint64_t *start = sbz_malloc(segments * sizeof *start);
    const sb_status status = calls != NULL && start != NULL
                                 ? decode_calls(engine, stage, inputs, bytes, segment_of(stage, records), calls, start)
                                 : sbz_engine_no_memory(engine, "segments");

    sbz_free(calls);
    sbz_free(start);
    return status;
}

sb_status sbz_decode_segments(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records, sbz_record *tails,
                              size_t count, const sb_array *bytes)
{
    const uint64_t segment = segment_of(stage, records), segments = segments_of(bytes->length, segment);
    const uint64_t parameters[] = {[SB_RANGECODER_SEGMENT] = segment, [SB_RANGECODER_DECODE_COUNT] = bytes->length};
    sb_array inputs[2], output = *bytes;
    sb_status status = get_blocks(engine, stage, records, tails, count, segments, &inputs[SB_RANGECODER_PAYLOAD],
                                  &inputs[SB_RANGECODER_OFFSET]);

    if (status == SB_OK && is_shared(engine, stage, segments))
        return decode_shared(engine, stage, records, inputs, bytes);
    if (status == SB_OK)
        status = sbz_engine_to_device(engine, PAYLOAD, &inputs[SB_RANGECODER_PAYLOAD]);
    if (status == SB_OK)
        status = sbz_engine_to_device(engine, OFFSETS, &inputs[SB_RANGECODER_OFFSET]);
    if (status == SB_OK)
        status = sbz_engine_run(engine, stage->decoder, parameters, inputs, &output);
    return status == SB_OK && output.length != bytes->length ? SB_INVALID : status;
}

sb_status sbz_decode_rangecoder(sbz_engine *engine, const sbz_stage *stage, const sbz_record *records, size_t count,
                                const sb_array *bytes)
{
    return sbz_decode_segments(engine, stage, records, NULL, count, bytes);
}
