/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Encoding a batch: contract in codec.h.
 *
 *     view_texts       texts, or what filters and reductions make of them
 *     lay_texts        all of these as one array on the device
 *     transform        bwt.forward
 *     encode_certain   slow entropy stages, for blocks for which they are certain to win; the next three are for the others
 *     sbz_codec_rank   mtf.encode
 *     begin_records    the headers, and the entropy stages that each block is tried with
 *     encode_records   the payloads; the smaller of two, or the text itself
 *     finish_records   the header before the reduction
 */
#include "codec_state.h"
#include "entropy.h"
#include "filter.h"
#include "layout.h"
#include "matches.h"
#include "parallel_for.h"
#include "runs.h"
#include "split.h"
#include "../common/clock.h"
#include <samebits/algorithms.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static sb_status lay_texts(sbz_codec *codec, const sbz_text *texts, sb_array *array)
{
    const sbz_batch *layout = &codec->layout;
    const uint64_t n = layout->start[layout->count];

    if (codec->engine.direct && layout->count == 1) {
        *array = (sb_array){texts[0].data, n, n, SB_U8, 0};
        return SB_OK;
    }
    *array = sbz_engine_array(&codec->engine, SBZ_SLOT_STAGE1, SB_U8, n);
    if (array->data == NULL)
        return SB_UNSUPPORTED;
    for (size_t at = 0, run; at < layout->count; at += run) {
        const uint64_t bytes = sbz_codec_contiguous(codec, texts, at, layout->count - at, &run);

        if (sbz_engine_upload(&codec->engine, array, layout->start[at], texts[layout->order[at]].data, bytes) != SB_OK)
            return SB_UNSUPPORTED;
    }
    return SB_OK;
}

/* Several codecs share one device. Transforms of large rows of blocks fill it alone, but parts of programs have all sizes, so most rows
 * are one block, whose transform mostly waits for its own launches: so many codecs transform at once. */
enum { TRANSFORMS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the number of codecs that transform now */
static pthread_cond_t transformed = PTHREAD_COND_INITIALIZER;
static size_t transforming;

static void begin_transform(void)
{
    pthread_mutex_lock(&lock);
    while (transforming >= TRANSFORMS)
        pthread_cond_wait(&transformed, &lock);
    transforming++;
    pthread_mutex_unlock(&lock);
}

static void end_transform(void)
{
    pthread_mutex_lock(&lock);
    transforming--;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&transformed);
}

static sb_status transform_rows(sbz_codec *codec, const sbz_record *records, const sb_array *text, const sb_array *last,
                                const sb_array *primary)
{
    sb_status status = SB_OK;

    for (size_t first = 0, row; status == SB_OK && first < codec->layout.count; first += row) {
        row = sbz_batch_row(&codec->layout, first);

        const uint64_t parameters[] = {[SB_BWT_BLOCK] = records[codec->layout.order[first]].block.original};
        const sb_array input = sbz_codec_row(codec, text, records, first, row);
        sb_array outputs[] = {
            [SB_BWT_FORWARD_LAST] = sbz_codec_row(codec, last, records, first, row),
            [SB_BWT_FORWARD_PRIMARY] = sbz_engine_part(primary, first, row),
        };

        status = sbz_engine_run(&codec->engine, "bwt.forward", parameters, &input, outputs);
    }
    return status;
}

static sb_status transform(sbz_codec *codec, const sbz_record *records, sb_array *array)
{
    sbz_engine *engine = &codec->engine;
    const sb_array last = sbz_engine_array(engine, SBZ_SLOT_STAGE2, SB_U8, array->length);
    const sb_array primary = sbz_engine_array(engine, SBZ_SLOT_PRIMARIES, SB_U64, codec->layout.count);
    sb_status status = SB_UNSUPPORTED;

    if (!engine->direct)
        begin_transform();
    if (last.data != NULL && primary.data != NULL)
        status = transform_rows(codec, records, array, &last, &primary);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &primary, 0, codec->primary, codec->layout.count);
    if (!engine->direct)
        end_transform();
    *array = last;
    return status;
}

typedef struct reduce_job {
    sbz_codec *codec;
    const sbz_text *texts;
} reduce_job;

/* Runs the filter of the text codec->view[i], if it has one. A text with coded runs may be longer than a block without them, so
 * it loses a filter that excludes reductions, or behind which it would be too long. */
static bool filter_text(sbz_codec *codec, size_t i)
{
    sbz_text *view = &codec->view[i], *filtered = &codec->filtered[i];
    sbz_text before = *view;

    before.filter = SBZ_FILTER_NONE;
    before.distance = 0;
    if (view->filter == SBZ_FILTER_NONE || (view->runs != 0 && !sbz_filters[view->filter].in_place)) {
        *view = before;
        return true;
    }
    if (!sbz_text_reserve(filtered, view->size))
        return false;
    sbz_filters[view->filter].encode(view->data, filtered->data, view->size, view->distance);
    view->data = filtered->data;
    if (view->runs != 0)
        sbz_split_count_runs(view);
    if (view->runs != 0 ? view->runs > before.runs && view->runs > before.limit
                        : before.runs != 0 && view->size > before.limit)
        *view = before;
    return true;
}

/* Filters and reduces the text codec->view[i], and begins its header. */
static sb_status reduce(void *with, sbz_engine *engine, size_t i)
{
    const reduce_job *job = with;
    sbz_text *view = &job->codec->view[i], *coded = &job->codec->coded[i];
    sbz_block *block = &job->codec->inner[i].block;
    sb_status status = SB_OK;

    *view = job->texts[i];
    if (job->codec->forced.any) {
        view->filter = job->codec->forced.filter;
        view->distance = job->codec->forced.distance;
        view->matches = job->codec->forced.matches != 0;
    }
    if (!filter_text(job->codec, i))
        return sbz_engine_no_memory(engine, "a filter");
    *block = (sbz_block){.filter = view->filter, .distance = view->distance};
    if (view->runs != 0) {
        block->reduction = SBZ_REDUCTION_RUNS;
        block->reduction_byte = view->run_byte;
        status = sbz_encode_runs(engine, view, coded);
    } else if (view->matches && (view->filter == SBZ_FILTER_NONE || sbz_filters[view->filter].in_place)) {
        if (!sbz_matches_encode(view->data, view->size, coded))
            return sbz_engine_no_memory(engine, "long matches");
        block->reduction = coded->size != 0 ? SBZ_REDUCTION_MATCHES : SBZ_REDUCTION_NONE;
        block->reduction_byte = coded->size != 0 ? coded->run_byte : 0;
    }
    if (block->reduction != SBZ_REDUCTION_NONE)
        *view = *coded;
    block->original = (uint32_t)view->size;
    return status;
}

/* codec->view becomes what enters the transform, codec->inner the records of that: their payloads begin behind the
 * SBZ_REDUCTION_HEAD bytes that a reduced block has in front. */
static sb_status view_texts(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    sb_status status = sbz_codec_reserve(codec, count);

    if (status == SB_OK)
        status = sbz_codec_run_each(codec, sbz_codec_may_use_host(codec), count, reduce, &(reduce_job){codec, texts});
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        const size_t head = codec->inner[i].block.reduction != SBZ_REDUCTION_NONE ? SBZ_REDUCTION_HEAD : 0;

        if (!sbz_record_reserve(&records[i], head + codec->view[i].size))
            status = sbz_engine_no_memory(&codec->engine, "a payload");
        codec->inner[i].payload = records[i].payload + head;
    }
    return status;
}

/* The records of codec->inner become those of the texts. */
static void finish_records(const sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    for (size_t i = 0; i < count; i++) {
        sbz_block *block = &records[i].block;

        *block = codec->inner[i].block;
        block->transformed = block->original;
        block->original = (uint32_t)texts[i].size;
        if (block->reduction != SBZ_REDUCTION_NONE) {
            block->encoded += SBZ_REDUCTION_HEAD;
            sbz_put_reduction(records[i].payload, block);
        }
    }
}

/* A block that is stored as it is needs no filter. */
static void store(const sbz_text *text, const sbz_text *view, sbz_record *record)
{
    const bool reduced = record->block.reduction != SBZ_REDUCTION_NONE;

    if (!reduced)
        record->block.filter = record->block.distance = 0;
    record->block.primary = 0;
    record->block.transform = SBZ_TRANSFORM_NONE;
    record->block.ranking = SBZ_RANKING_NONE;
    record->block.entropy = SBZ_ENTROPY_STORED;
    record->block.encoded = record->block.original;
    memcpy(record->payload, reduced ? view->data : text->data, view->size);
}

/* A batch in the order of the caller. */
typedef struct encode_batch {
    const sbz_text *texts, *view; /* the originals; what enters the transform */
    sbz_record *records;          /* of the view */
    uint8_t *alternative;
    bool *settled; /* a payload is certain to be the smallest, so that no other stage is tried */
} encode_batch;

typedef struct encode_job {
    const sbz_codec *codec;
    const encode_batch *batch;
} encode_job;

static void sum_text(void *with, size_t i)
{
    const encode_job *b = with;

    b->batch->records[i].block.checksum = sbz_checksum(0, b->batch->texts[i].data, b->batch->texts[i].size);
}

static void choose_entropy(void *with, size_t at)
{
    const encode_job *b = with;
    const size_t i = b->codec->layout.order[at];
    sbz_block *block = &b->batch->records[i].block;

    if (b->batch->settled[i])
        return;

    const sbz_choice choice = sbz_codec_choose(b->codec, at, block->original);

    block->entropy = choice.first;
    b->batch->alternative[i] = choice.alternative;
}

/* Fills the headers, all but the size of the payload. */
static void begin_records(const sbz_codec *codec, const encode_batch *g, const sbz_block *head)
{
    for (size_t at = 0; at < codec->layout.count; at++) {
        const size_t i = codec->layout.order[at];
        sbz_block *block = &g->records[i].block;

        block->transform = head->transform;
        block->ranking = head->ranking;
        block->entropy = g->alternative[i] = codec->forced.entropy;
        g->settled[i] = false;
        if (head->transform == SBZ_TRANSFORM_BWT)
            block->primary = (uint32_t)codec->primary[at];
    }
}

static sb_status choose_entropies(sbz_codec *codec, const encode_batch *g, const sb_array *bytes)
{
    const sb_status status = codec->forced.any ? SB_OK : sbz_codec_take_samples(codec, bytes, g->records);

    if (status == SB_OK && !codec->forced.any)
        sbz_parallel_for(codec->layout.count, choose_entropy, &(encode_job){codec, g});
    return status;
}

static sbz_host_block *add_host_block(sbz_codec *codec, size_t *count, size_t at, uint8_t entropy, sbz_record *record)
{
    codec->on_host[*count] = (sbz_host_block){.at = at, .record = record, .entropy = entropy};
    return &codec->on_host[(*count)++];
}

/* Copies the bytes of the first `count` blocks of codec->on_host to the host. */
static sb_status bring_to_host(sbz_codec *codec, size_t count, const sb_array *bytes)
{
    sb_status status = count > 0 ? sbz_codec_host_memory(codec, count, bytes) : SB_OK;

    for (size_t k = 0; status == SB_OK && !codec->engine.direct && k < count; k++) {
        const sbz_host_block *b = &codec->on_host[k];

        status = sbz_engine_download(&codec->engine, bytes, codec->layout.start[b->at] + b->skip, b->bytes.data,
                                     b->bytes.length);
    }
    return status;
}

static sb_status encode_host_block(sbz_engine *engine, sbz_host_block *block)
{
    return sbz_entropy_encode(engine, block->entropy, &block->bytes, block->record, 1);
}

/* Encodes a block by a further entropy stage, and keeps the smaller payload. `other` is memory for it. */
static sb_status try_stage(sbz_engine *engine, uint8_t entropy, const sb_array *bytes, sbz_record *record,
                           sbz_record *other)
{
    sb_status status;

    if (!sbz_record_reserve(other, record->block.original))
        return sbz_engine_no_memory(engine, "a payload");
    other->block = record->block;
    if (sbz_stages[entropy].plain)
        other->block.ranking = SBZ_RANKING_NONE;
    status = sbz_entropy_encode(engine, entropy, bytes, other, 1);
    if (status != SB_OK || other->block.encoded == 0 ||
        (record->block.encoded != 0 && record->block.encoded <= other->block.encoded))
        return status;
    record->block = other->block;
    memcpy(record->payload, other->payload, other->block.encoded);
    return SB_OK;
}

static sb_status try_host_block(sbz_engine *engine, sbz_host_block *block)
{
    sbz_record other = {0};
    const sb_status status = try_stage(engine, block->entropy, &block->bytes, block->record, &other);

    sbz_record_free(&other);
    return status;
}

static bool is_worth_a_second_stage(const sbz_block *block)
{
    const uint32_t min_gain = sbz_stages[block->entropy].min_gain;

    return min_gain == 0 || (block->encoded != 0 && block->encoded < block->original - block->original / min_gain);
}

/* The bytes of the picked blocks, side by side. */
static sb_status gather_picked(sbz_codec *codec, size_t picked, const sb_array *bytes, sb_array *part)
{
    const uint64_t size = sbz_records_bytes(codec->picked_record, picked);
    uint64_t at = 0;
    sb_status status = SB_OK;

    if (sbz_codec_adjacent(codec, picked)) {
        *part = sbz_engine_part(bytes, sbz_codec_picked_start(codec, 0), size);
        return SB_OK;
    }
    *part = sbz_engine_array(&codec->engine, SBZ_SLOT_PICKED, SB_U8, size);
    for (size_t k = 0; status == SB_OK && k < picked; at += codec->picked_record[k++].block.original)
        status = part->data == NULL
                     ? SB_UNSUPPORTED
                     : sbz_engine_gather(&codec->engine, part, at, bytes, sbz_codec_picked_start(codec, k), 0,
                                         codec->picked_record[k].block.original, 1);
    return status;
}

static sb_status encode_on_host(sbz_codec *codec, size_t picked, const sb_array *bytes, uint8_t entropy)
{
    size_t count = 0;
    sb_status status;

    for (size_t k = 0; k < picked; k++)
        add_host_block(codec, &count, codec->picked[k], entropy, &codec->picked_record[k]);
    status = bring_to_host(codec, count, bytes);
    return status == SB_OK ? sbz_codec_run_on_host(codec, count, encode_host_block) : status;
}

/* Encodes what is behind the whole segments of the picked blocks, on the host. */
static sb_status encode_tails(sbz_codec *codec, size_t picked, const sb_array *bytes, uint8_t entropy)
{
    const uint64_t segment = sbz_stages[entropy].segment;
    const sb_array memory = sbz_engine_array(&codec->host, SBZ_SLOT_STAGE1, SB_U8, picked * segment);
    size_t count = 0;
    sb_status status;

    if (memory.data == NULL)
        return SB_UNSUPPORTED;
    for (size_t k = 0; k < picked; k++) {
        const uint32_t size = codec->picked_record[k].block.original;
        sbz_record *tail = &codec->tail[k];

        *tail =
            (sbz_record){.payload = (uint8_t *)memory.data + k * segment, .block.original = (uint32_t)(size % segment)};
        if (tail->block.original > 0)
            add_host_block(codec, &count, codec->picked[k], entropy, tail)->skip = size - tail->block.original;
    }
    status = bring_to_host(codec, count, bytes);
    return status == SB_OK ? sbz_codec_run_on_host(codec, count, encode_host_block) : status;
}

/* Encodes the picked blocks, all of their whole segments in one call. A call for each block would last as long as one for
 * all. */
static sb_status encode_with_tails(sbz_codec *codec, size_t picked, const sb_array *bytes, uint8_t entropy)
{
    sb_status status = encode_tails(codec, picked, bytes, entropy);
    uint64_t size = 0, at = 0;
    sb_array whole;

    for (size_t k = 0; k < picked; k++)
        size += codec->picked_record[k].block.original - codec->tail[k].block.original;
    whole = sbz_engine_array(&codec->engine, SBZ_SLOT_PICKED, SB_U8, size);
    if (whole.data == NULL)
        return SB_UNSUPPORTED;
    for (size_t k = 0; status == SB_OK && k < picked; k++) {
        sbz_block *block = &codec->picked_record[k].block;
        const uint64_t here = block->original - codec->tail[k].block.original;

        block->encoded = 0;
        if (here > 0)
            status = sbz_engine_gather(&codec->engine, &whole, at, bytes, sbz_codec_picked_start(codec, k), 0, here, 1);
        at += here;
    }
    return status == SB_OK ? sbz_encode_segments(&codec->engine, &sbz_stages[entropy], &whole, codec->picked_record,
                                                 codec->tail, picked)
                           : status;
}

static sb_status encode_stage(sbz_codec *codec, const encode_batch *g, const sb_array *bytes, uint8_t entropy)
{
    size_t picked, from = 0;
    sb_status status = SB_OK;
    sb_array part;

    while (status == SB_OK && (picked = sbz_codec_pick(codec, g->records, entropy, &from)) > 0) {
        if (sbz_codec_runs_on_host(codec, entropy)) {
            status = encode_on_host(codec, picked, bytes, entropy);
        } else if (sbz_codec_has_tails(codec, picked)) {
            status = encode_with_tails(codec, picked, bytes, entropy);
        } else {
            status = gather_picked(codec, picked, bytes, &part);
            if (status == SB_OK)
                status = sbz_entropy_encode(&codec->engine, entropy, &part, codec->picked_record, picked);
        }
        for (size_t k = 0; k < picked; k++)
            g->records[codec->layout.order[codec->picked[k]]] = codec->picked_record[k];
    }
    return status;
}

static uint64_t count_runs(const uint8_t *bytes, uint64_t size)
{
    uint64_t runs = 1;

    for (uint64_t i = 1; i < size; i++)
        runs += bytes[i] != bytes[i - 1];
    return runs;
}

static sb_status encode_if_certain(sbz_engine *engine, sbz_host_block *block)
{
    const sbz_certainty *certain = sbz_stages[block->entropy].certain;
    const uint64_t size = block->bytes.length;
    const bool is_short = size <= certain->max_short;
    const uint64_t runs = is_short ? 0 : count_runs(block->bytes.data, size);
    sbz_block *head = &block->record->block;
    sb_status status;

    if (!is_short && runs >= size - size / certain->max_runs)
        return SB_OK;
    status = encode_host_block(engine, block);
    block->settled =
        status == SB_OK && head->encoded < size &&
        (is_short || (head->encoded >= certain->min_payload && head->encoded >= runs / certain->max_runs_of_byte));
    return status;
}

/* Encodes the blocks that a slow stage is certain to encode best. Returns how many blocks are left. */
static sb_status encode_certain(sbz_codec *codec, const encode_batch *g, const sb_array *plain, uint8_t entropy,
                                size_t *left)
{
    const sbz_certainty *certain = sbz_stages[entropy].certain;
    size_t count = 0;
    sb_status status;

    for (size_t at = 0; at < codec->layout.count && !codec->forced.any; at++) {
        const size_t i = codec->layout.order[at];
        const uint32_t size = g->records[i].block.original;

        if (g->texts[i].slow && !g->settled[i] && (size <= certain->max_short || size > certain->min_payload))
            add_host_block(codec, &count, at, entropy, &g->records[i]);
    }
    status = bring_to_host(codec, count, plain);
    if (status == SB_OK)
        status = sbz_codec_run_on_host(codec, count, encode_if_certain);
    for (size_t k = 0; k < count; k++) {
        if (!codec->on_host[k].settled)
            continue;
        g->settled[codec->layout.order[codec->on_host[k].at]] = true;
        codec->on_host[k].record->block.ranking = SBZ_RANKING_NONE;
        --*left;
    }
    return status;
}

/* The stage that this text is tried with besides its first one; the first one itself: with none. */
static uint8_t further_stage(const sbz_codec *codec, const encode_batch *g, size_t i, const uint8_t *slow)
{
    const sbz_block *block = &g->records[i].block;

    if (g->settled[i] || !is_worth_a_second_stage(block))
        return block->entropy;
    if (slow == NULL)
        return g->alternative[i];
    return g->texts[i].slow && !codec->forced.any ? *slow : block->entropy;
}

/* Tries each block with its alternative, or, if it is not NULL, with this slow stage: on the device one by one, on the host
 * several at a time. */
static sb_status try_stages(sbz_codec *codec, const encode_batch *g, const sb_array *bytes, const uint8_t *slow)
{
    size_t count = 0;
    sb_status status = SB_OK;

    for (size_t at = 0; status == SB_OK && at < codec->layout.count; at++) {
        const size_t i = codec->layout.order[at];
        const uint8_t entropy = further_stage(codec, g, i, slow);
        sbz_record *record = &g->records[i];

        if (entropy == record->block.entropy)
            continue;
        if (sbz_codec_runs_on_host(codec, entropy)) {
            add_host_block(codec, &count, at, entropy, record);
        } else {
            const sb_array part = sbz_engine_part(bytes, codec->layout.start[at], record->block.original);

            status = try_stage(&codec->engine, entropy, &part, record, &codec->alternative_record);
        }
    }
    if (status == SB_OK)
        status = bring_to_host(codec, count, bytes);
    return status == SB_OK ? sbz_codec_run_on_host(codec, count, try_host_block) : status;
}

/* `bytes` have been ranked, `plain` are the same before that. A slow stage is the first one only where it is forced. */
static sb_status encode_records(sbz_codec *codec, const encode_batch *g, const sb_array *bytes, const sb_array *plain)
{
    sb_status status = SB_OK;

    for (uint8_t entropy = 0; status == SB_OK && entropy < SBZ_ENTROPIES; entropy++)
        if (codec->forced.any || !sbz_stages[entropy].slow)
            status = encode_stage(codec, g, bytes, entropy);
    if (status == SB_OK)
        status = try_stages(codec, g, bytes, NULL);
    for (uint8_t entropy = 0; status == SB_OK && entropy < SBZ_ENTROPIES; entropy++)
        if (sbz_stages[entropy].slow)
            status = try_stages(codec, g, sbz_stages[entropy].plain ? plain : bytes, &entropy);
    for (size_t i = 0; status == SB_OK && i < codec->layout.count; i++) {
        sbz_record *record = &g->records[i];

        if (record->block.encoded == 0 || (!codec->forced.any && record->block.encoded >= record->block.original))
            store(&g->texts[i], &g->view[i], record);
    }
    return status;
}

static sb_status encode_group(sbz_codec *codec, const encode_batch *g, size_t count)
{
    const sbz_block head = {
        .transform = codec->forced.any ? codec->forced.transform : SBZ_TRANSFORM_BWT,
        .ranking = codec->forced.any ? codec->forced.ranking : SBZ_RANKING_MTF,
    };
    double started = sb_now();
    sb_array array = {0}, plain;
    size_t left = count;
    sb_status status = sbz_codec_lay(codec, g->records, count);

    if (status == SB_OK)
        status = lay_texts(codec, g->view, &array);
    sbz_parallel_for(count, sum_text, &(encode_job){codec, g}); /* meanwhile other codecs use the device */
    if (status == SB_OK && head.transform == SBZ_TRANSFORM_BWT)
        status = transform(codec, g->records, &array);
    plain = array;
    codec->seconds.transform += sbz_lap(&started);
    if (status == SB_OK)
        begin_records(codec, g, &head);
    for (uint8_t entropy = 0; status == SB_OK && entropy < SBZ_ENTROPIES; entropy++)
        if (sbz_stages[entropy].certain != NULL)
            status = encode_certain(codec, g, &plain, entropy, &left);
    codec->seconds.entropy += sbz_lap(&started);
    if (status == SB_OK && left > 0 && head.ranking == SBZ_RANKING_MTF)
        status = sbz_codec_rank(codec, "mtf.encode", g->records, &array, SBZ_SLOT_STAGE3);
    codec->seconds.transform += sbz_lap(&started);
    if (status == SB_OK && left > 0)
        status = choose_entropies(codec, g, &array);
    if (status == SB_OK)
        status = encode_records(codec, g, &array, &plain);
    codec->seconds.entropy += sbz_lap(&started);
    return status;
}

sb_status sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    double started = sb_now();
    sb_status status = view_texts(codec, texts, count, records);

    codec->seconds.transform += sbz_lap(&started);
    for (size_t first = 0, batch; status == SB_OK && first < count; first += batch) {
        batch = sbz_codec_batch_count(codec, codec->inner + first, count - first, SBZ_ENCODE_BATCH);
        status = encode_group(codec,
                              &(encode_batch){texts + first, codec->view + first, codec->inner + first,
                                              codec->alternative + first, codec->settled + first},
                              batch);
    }
    if (status == SB_OK)
        finish_records(codec, texts, count, records);
    return sbz_codec_end(codec, status);
}
