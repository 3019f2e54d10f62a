/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Decoding a batch: contract in codec.h.
 *
 *     view_records       the records without the bytes in front of a reduction
 *     decode_entropies   payloads to bytes, into one array on the device
 *     sbz_codec_rank     mtf.decode
 *     restore            bwt.inverse
 *     take_texts         the array to the texts, reductions and filters undone, checksums compared
 *
 * A damaged payload must not stop the blocks beside it. Its text gets an error, and it goes through no further stage: the
 * other blocks of its batch are decoded one by one.
 */
#include "codec_state.h"
#include "entropy.h"
#include "filter.h"
#include "matches.h"
#include "parallel_for.h"
#include "runs.h"
#include "../common/clock.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

/* The blocks of a batch have the same transform and ranking. */
static size_t batch_of_records(const sbz_codec *codec, const sbz_record *records, size_t count)
{
    size_t same = 1;

    while (same < count && records[same].block.transform == records[0].block.transform &&
           records[same].block.ranking == records[0].block.ranking)
        same++;
    return sbz_codec_batch_count(codec, records, same, SBZ_DECODE_BATCH);
}

static void complain(const sbz_record *record, sbz_text *text, const char *what)
{
    snprintf(text->error, sizeof text->error, "block %llu, byte %llu: %s", (unsigned long long)record->number,
             (unsigned long long)record->offset, what);
    text->size = 0;
}

/* Decodes the picked blocks one by one. */
static sb_status decode_separately(sbz_codec *codec, const sbz_record *records, size_t picked, const sb_array *bytes,
                                   sbz_text *texts)
{
    sb_status status = SB_OK;

    for (size_t k = 0; status == SB_OK && k < picked; k++) {
        const size_t i = codec->layout.order[codec->picked[k]];
        sb_array part =
            sbz_engine_part(bytes, sbz_codec_picked_start(codec, k), codec->picked_record[k].block.original);

        status = sbz_entropy_decode(&codec->engine, &codec->picked_record[k], 1, &part);
        if (status == SB_INVALID) {
            complain(&records[i], &texts[i], "the payload is damaged");
            status = SB_OK;
        }
    }
    return status;
}

static sb_status decode_host_block(sbz_engine *engine, sbz_host_block *block)
{
    return sbz_entropy_decode(engine, block->record, 1, &block->bytes);
}

/* Decodes the first `count` blocks of codec->on_host, several at a time, and copies those that are intact to the device. */
static sb_status run_on_host(sbz_codec *codec, size_t count, const sb_array *bytes)
{
    sb_status status = count > 0 ? sbz_codec_host_memory(codec, count, bytes) : SB_OK;

    if (status != SB_OK)
        return status;
    sbz_codec_run_on_host(codec, count, decode_host_block);
    for (size_t k = 0; k < count && (status == SB_OK || status == SB_INVALID); k++) {
        sbz_host_block *b = &codec->on_host[k];

        if (b->status == SB_OK)
            b->status = sbz_engine_upload(&codec->engine, bytes, codec->layout.start[b->at] + b->skip, b->bytes.data,
                                          b->bytes.length);
        status = b->status != SB_OK ? b->status : status;
    }
    return status;
}

static sb_status decode_on_host(sbz_codec *codec, const sbz_record *records, size_t picked, const sb_array *bytes,
                                sbz_text *texts)
{
    sb_status status;

    for (size_t k = 0; k < picked; k++)
        codec->on_host[k] = (sbz_host_block){.at = codec->picked[k], .record = &codec->picked_record[k]};
    status = run_on_host(codec, picked, bytes);
    for (size_t k = 0; status == SB_INVALID && k < picked; k++) {
        const size_t i = codec->layout.order[codec->picked[k]];

        if (codec->on_host[k].status == SB_INVALID)
            complain(&records[i], &texts[i], "the payload is damaged");
    }
    return status == SB_INVALID ? SB_OK : status;
}

/* Decodes the picked blocks: all of their whole segments in one call, the rest on the host. */
static sb_status decode_with_tails(sbz_codec *codec, size_t picked, const sb_array *bytes)
{
    const sbz_stage *stage = &sbz_stages[codec->picked_record[0].block.entropy];
    const uint64_t segment = stage->segment;
    uint64_t size = 0, at = 0;
    size_t count = 0;
    sb_array whole;
    sb_status status;

    for (size_t k = 0; k < picked; k++)
        size += codec->picked_record[k].block.original / segment * segment;
    whole = sbz_engine_array(&codec->engine, SBZ_SLOT_PICKED, SB_U8, size);
    if (whole.data == NULL)
        return SB_UNSUPPORTED;
    status = sbz_decode_segments(&codec->engine, stage, codec->picked_record, codec->tail, picked, &whole);
    for (size_t k = 0; status == SB_OK && k < picked; k++) {
        const uint64_t here = codec->picked_record[k].block.original / segment * segment;

        if (codec->tail[k].block.original > 0)
            codec->on_host[count++] = (sbz_host_block){.at = codec->picked[k], .skip = here, .record = &codec->tail[k]};
        if (here > 0)
            status = sbz_engine_gather(&codec->engine, bytes, sbz_codec_picked_start(codec, k), &whole, at, 0, here, 1);
        at += here;
    }
    return status == SB_OK ? run_on_host(codec, count, bytes) : status;
}

/* Decodes the picked blocks in one call. SB_INVALID: at least one is damaged; which one is unknown. */
static sb_status decode_together(sbz_codec *codec, size_t picked, const sb_array *bytes)
{
    const uint64_t size = sbz_records_bytes(codec->picked_record, picked);
    const bool neighbours = sbz_codec_adjacent(codec, picked);
    sb_array part = neighbours ? sbz_engine_part(bytes, sbz_codec_picked_start(codec, 0), size)
                               : sbz_engine_array(&codec->engine, SBZ_SLOT_PICKED, SB_U8, size);
    sb_status status =
        part.data != NULL ? sbz_entropy_decode(&codec->engine, codec->picked_record, picked, &part) : SB_UNSUPPORTED;
    uint64_t at = 0;

    for (size_t k = 0; status == SB_OK && !neighbours && k < picked; at += codec->picked_record[k++].block.original)
        status = sbz_engine_gather(&codec->engine, bytes, sbz_codec_picked_start(codec, k), &part, at, 0,
                                   codec->picked_record[k].block.original, 1);
    return status;
}

static sb_status decode_stage(sbz_codec *codec, const sbz_record *records, const sb_array *bytes, sbz_text *texts,
                              uint8_t entropy)
{
    size_t picked, from = 0;
    sb_status status = SB_OK;

    while (status == SB_OK && (picked = sbz_codec_pick(codec, records, entropy, &from)) > 0) {
        if (sbz_codec_runs_on_host(codec, entropy)) {
            status = decode_on_host(codec, records, picked, bytes, texts);
            continue;
        }
        status = picked == 1                          ? SB_INVALID
                 : sbz_codec_has_tails(codec, picked) ? decode_with_tails(codec, picked, bytes)
                                                      : decode_together(codec, picked, bytes);
        if (status == SB_INVALID)
            status = decode_separately(codec, records, picked, bytes, texts);
    }
    return status;
}

static sb_status decode_entropies(sbz_codec *codec, const sbz_record *records, const sb_array *bytes, sbz_text *texts)
{
    sb_status status = SB_OK;

    for (size_t at = 0; at < codec->layout.count; at++) {
        codec->primary[at] = records[codec->layout.order[at]].block.primary;
        texts[at].error[0] = '\0';
    }
    for (uint8_t entropy = 0; status == SB_OK && entropy < SBZ_ENTROPIES; entropy++)
        status = decode_stage(codec, records, bytes, texts, entropy);
    return status;
}

static sb_status restore(sbz_codec *codec, const sbz_record *records, sb_array *array)
{
    sbz_engine *engine = &codec->engine;
    const sb_array text = sbz_engine_array(engine, SBZ_SLOT_STAGE3, SB_U8, array->length);
    const size_t count = codec->layout.count;
    sb_array primary = {codec->primary, count, count, SB_U64, 0};
    sb_status status = sbz_engine_to_device(engine, SBZ_SLOT_PRIMARIES, &primary);

    if (text.data == NULL)
        return SB_UNSUPPORTED;
    for (size_t first = 0, row; status == SB_OK && first < count; first += row) {
        row = sbz_batch_row(&codec->layout, first);

        const uint64_t parameters[] = {[SB_BWT_BLOCK] = records[codec->layout.order[first]].block.original};
        const sb_array inputs[] = {
            [SB_BWT_INVERSE_LAST] = sbz_codec_row(codec, array, records, first, row),
            [SB_BWT_INVERSE_PRIMARY] = sbz_engine_part(&primary, first, row),
        };
        sb_array output = sbz_codec_row(codec, &text, records, first, row);

        status = sbz_engine_run(engine, "bwt.inverse", parameters, inputs, &output);
    }
    *array = text;
    return status;
}

typedef struct verify_job {
    const sbz_record *records;
    sbz_text *texts;
} verify_job;

static void end_text(void *with, size_t i)
{
    const verify_job *e = with;
    sbz_text *text = &e->texts[i];

    if (text->error[0] == '\0' && sbz_checksum(0, text->data, text->size) != e->records[i].block.checksum)
        complain(&e->records[i], text, "the checksum of the contents differs");
}

/* A batch in the order of the caller. */
typedef struct decode_batch {
    size_t count;
    const sbz_record *records, *inner; /* as read; without the bytes of the run-length code */
    sbz_text *texts;
} decode_batch;

typedef struct restore_job {
    const decode_batch *batch;
    sbz_text *coded;
} restore_job;

/* True if what leaves the transform goes to its text at once, where a filter may still be undone in place. */
static bool is_direct(const sbz_block *block)
{
    return block->reduction == SBZ_REDUCTION_NONE &&
           (block->filter == SBZ_FILTER_NONE || sbz_filters[block->filter].in_place);
}

/* How many blocks from position `at` on are direct. */
static size_t count_direct(const sbz_codec *codec, const decode_batch *p, size_t at)
{
    size_t count = 0;

    while (at + count < codec->layout.count && is_direct(&p->records[codec->layout.order[at + count]].block))
        count++;
    return count;
}

static bool reserve_text(const sbz_record *record, sbz_text *text)
{
    text->size = record->block.original;
    return sbz_text_reserve(text, text->size);
}

/* Undoes the reduction of a text, if it has one. Only a run-length code of the right size gets memory for its text. */
static sb_status undo_reduction(sbz_engine *engine, const sbz_record *record, const sbz_text *coded, sbz_text *text)
{
    const sbz_block *block = &record->block;

    if (block->reduction == SBZ_REDUCTION_RUNS && !sbz_runs_decode_to(coded, block->original)) {
        complain(record, text, "the run-length code is damaged");
        return SB_OK;
    }
    if (!reserve_text(record, text))
        return sbz_engine_no_memory(engine, "a text");
    if (block->reduction == SBZ_REDUCTION_RUNS)
        return sbz_decode_runs(engine, coded, block->reduction_byte, text);
    switch (sbz_matches_decode(coded, block->reduction_byte, text->data, text->size)) {
    case SBZ_MATCHES_DAMAGED:
        complain(record, text, "the long matches are damaged");
        break;
    case SBZ_MATCHES_MEMORY:
        return sbz_engine_no_memory(engine, "long matches");
    case SBZ_MATCHES_DONE:
        break;
    }
    return SB_OK;
}

/* Undoes reduction and filter of a text. */
static sb_status undo(void *with, sbz_engine *engine, size_t i)
{
    const restore_job *job = with;
    const sbz_record *record = &job->batch->records[i];
    const sbz_filter_code *filter = &sbz_filters[record->block.filter];
    sbz_text *text = &job->batch->texts[i];
    sb_status status = SB_OK;

    if (record->block.reduction != SBZ_REDUCTION_NONE)
        status = undo_reduction(engine, record, &job->coded[i], text);
    else if (!is_direct(&record->block) && !reserve_text(record, text))
        status = sbz_engine_no_memory(engine, "a text");
    if (status == SB_OK && text->error[0] == '\0' && filter->name != NULL)
        filter->decode(filter->in_place ? text->data : job->coded[i].data, text->data, text->size,
                       record->block.distance);
    return status;
}

/* Copies what a filter or a reduction left of a text to the host. */
static sb_status take_code(sbz_codec *codec, const sb_array *array, uint64_t at, uint32_t bytes, sbz_text *coded)
{
    if (!sbz_text_reserve(coded, bytes))
        return sbz_engine_no_memory(&codec->engine, "a reduced text");
    coded->size = bytes;
    return sbz_engine_download(&codec->engine, array, at, coded->data, bytes);
}

/* Copies texts to the host, and undoes reductions and filters. */
static sb_status take_texts(sbz_codec *codec, const sb_array *array, const decode_batch *p)
{
    const sbz_batch *layout = &codec->layout;
    sb_status status = SB_OK;

    for (size_t i = 0; i < p->count; i++)
        if (is_direct(&p->records[i].block) && !reserve_text(&p->records[i], &p->texts[i]))
            return sbz_engine_no_memory(&codec->engine, "a text");
    for (size_t at = 0, run; status == SB_OK && at < layout->count; at += run) {
        const size_t i = layout->order[at];

        if (!is_direct(&p->records[i].block)) {
            run = 1;
            status = take_code(codec, array, layout->start[at], p->inner[i].block.original, &codec->coded[i]);
        } else {
            const uint64_t bytes = sbz_codec_contiguous(codec, p->texts, at, count_direct(codec, p, at), &run);

            status = sbz_engine_download(&codec->engine, array, layout->start[at], p->texts[i].data, bytes);
        }
    }
    if (status == SB_OK)
        status =
            sbz_codec_run_each(codec, sbz_codec_may_use_host(codec), p->count, undo, &(restore_job){p, codec->coded});
    if (status == SB_OK)
        sbz_parallel_for(p->count, end_text, &(verify_job){p->records, p->texts});
    return status;
}

static bool has_damage(const decode_batch *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->texts[i].error[0] != '\0')
            return true;
    return false;
}

static sb_status decode_group(sbz_codec *codec, const decode_batch *p);

/* Decodes the blocks whose payloads are intact, one by one. */
static sb_status decode_intact(sbz_codec *codec, const decode_batch *p)
{
    sb_status status = SB_OK;

    for (size_t i = 0; status == SB_OK && p->count > 1 && i < p->count; i++)
        if (p->texts[i].error[0] == '\0')
            status = decode_group(codec, &(decode_batch){1, p->records + i, p->inner + i, p->texts + i});
    return status;
}

static sb_status decode_group(sbz_codec *codec, const decode_batch *p)
{
    const sbz_block *head = &p->inner[0].block;
    double started = sb_now();
    sb_array array;
    sb_status status = sbz_codec_lay(codec, p->inner, p->count);

    if (status != SB_OK)
        return status;
    array = sbz_engine_array(&codec->engine, SBZ_SLOT_STAGE1, SB_U8, codec->layout.start[p->count]);
    if (array.data == NULL)
        return SB_UNSUPPORTED;
    status = decode_entropies(codec, p->inner, &array, p->texts);
    codec->seconds.entropy += sbz_lap(&started);
    if (status == SB_OK && has_damage(p))
        return decode_intact(codec, p);
    if (status == SB_OK && head->ranking == SBZ_RANKING_MTF)
        status = sbz_codec_rank(codec, "mtf.decode", p->inner, &array, SBZ_SLOT_STAGE2);
    if (status == SB_OK && head->transform == SBZ_TRANSFORM_BWT)
        status = restore(codec, p->inner, &array);
    if (status == SB_OK)
        status = take_texts(codec, &array, p);
    codec->seconds.transform += sbz_lap(&started);
    return status;
}

/* codec->inner becomes the records as the stages behind the reduction wrote them. */
static void view_records(sbz_codec *codec, const sbz_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sbz_record *inner = &codec->inner[i];

        *inner = records[i];
        inner->block.original = records[i].block.transformed;
        if (records[i].block.reduction != SBZ_REDUCTION_NONE) {
            inner->payload += SBZ_REDUCTION_HEAD;
            inner->block.encoded -= SBZ_REDUCTION_HEAD;
        }
    }
}

sb_status sbz_codec_decode(sbz_codec *codec, const sbz_record *records, size_t count, sbz_text *texts)
{
    sb_status status = sbz_codec_reserve(codec, count);

    if (status == SB_OK)
        view_records(codec, records, count);
    for (size_t first = 0, batch; status == SB_OK && first < count; first += batch) {
        batch = batch_of_records(codec, codec->inner + first, count - first);
        status = decode_group(codec, &(decode_batch){batch, records + first, codec->inner + first, texts + first});
    }
    return sbz_codec_end(codec, status);
}

/* Bytes for each byte that enters the transform:
 *
 *      1     the array that the entropy stage fills
 *      1     mtf.decode
 *      10.25 bwt.inverse: 9.25 of workspace, and its output
 *      1     what a reduction or a filter left, copied
 *      text_memory of the stage
 *
 * 1 MiB is for tables, and another for that of long matches. tests/damage_sbz fails if decoding takes more. */
uint64_t sbz_decode_memory(const sbz_block *block)
{
    const sbz_stage *stage = &sbz_stages[block->entropy];
    const uint64_t quarters = 4 + (block->ranking != SBZ_RANKING_NONE ? 4 : 0) +
                              (block->transform != SBZ_TRANSFORM_NONE ? 41 : 0) + (is_direct(block) ? 0 : 4) +
                              4 * (uint64_t)stage->text_memory;
    const uint64_t tables = block->reduction == SBZ_REDUCTION_MATCHES ? 2 : 1;

    return (tables << 20) + quarters * block->transformed / 4 + stage->payload_memory * (uint64_t)block->encoded;
}

sbz_block sbz_largest_block(uint32_t block_limit)
{
    sbz_block largest = {.original = sbz_max_original(block_limit, SBZ_REDUCTION_MATCHES),
                         .encoded = block_limit,
                         .transformed = block_limit,
                         .transform = SBZ_TRANSFORM_BWT,
                         .ranking = SBZ_RANKING_MTF,
                         .reduction = SBZ_REDUCTION_MATCHES};
    sbz_block other = largest;

    for (other.entropy = 0; other.entropy < SBZ_ENTROPIES; other.entropy++)
        if (sbz_decode_memory(&other) > sbz_decode_memory(&largest))
            largest = other;
    return largest;
}
