/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Encoding a batch: contract in codec.h.
 *
 *     view_texts       texts, or the run-length codes that replace them
 *     lay_texts        all of these as one array on the device
 *     transform        bwt.forward
 *     mix_records      mixcoder, for blocks for which it is certain to win; the next three are for the others
 *     sbz_codec_rank   mtf.encode
 *     begin_records    the headers, and the entropy stages that each block is tried with
 *     encode_records   the payloads; the smaller of two, or the text itself
 *     finish_records   the header before the run-length code
 */
#include "codec_state.h"
#include "entropy.h"
#include "layout.h"
#include "parallel_for.h"
#include "runs.h"
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

/* Several codecs share one device, and one transform fills it. Two at once would both end late and then leave the
 * device idle together, while entropy stages of other codecs fill the gaps between transforms. */
static pthread_mutex_t transforming = PTHREAD_MUTEX_INITIALIZER;

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
        pthread_mutex_lock(&transforming);
    if (last.data != NULL && primary.data != NULL)
        status = transform_rows(codec, records, array, &last, &primary);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &primary, 0, codec->primary, codec->layout.count);
    if (!engine->direct)
        pthread_mutex_unlock(&transforming);
    *array = last;
    return status;
}

/* Codes runs where a text says so. codec->view becomes what enters the transform, codec->inner the records of that:
 * their payloads begin behind the SBZ_RUNS_HEAD bytes that a block with coded runs has in front. */
static sb_status view_texts(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    sb_status status = sbz_codec_reserve(codec, count);

    for (size_t i = 0; status == SB_OK && i < count; i++) {
        const size_t head = texts[i].runs != 0 ? SBZ_RUNS_HEAD : 0;

        codec->view[i] = texts[i];
        if (texts[i].runs != 0) {
            status = sbz_encode_runs(&codec->engine, &texts[i], &codec->coded[i]);
            codec->view[i] = codec->coded[i];
        }
        if (status == SB_OK && !sbz_record_reserve(&records[i], head + codec->view[i].size))
            status = sbz_engine_no_memory(&codec->engine, "a payload");
        codec->inner[i] =
            (sbz_record){.payload = records[i].payload + head, .block.original = (uint32_t)codec->view[i].size};
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
        if (texts[i].runs != 0) {
            block->runs = SBZ_RUNS_RLE0;
            block->run_byte = texts[i].run_byte;
            block->encoded += SBZ_RUNS_HEAD;
            sbz_put_runs(records[i].payload, block);
        }
    }
}

static void store(const sbz_text *text, sbz_record *record)
{
    record->block.primary = 0;
    record->block.transform = SBZ_TRANSFORM_NONE;
    record->block.ranking = SBZ_RANKING_NONE;
    record->block.entropy = SBZ_ENTROPY_STORED;
    record->block.encoded = record->block.original;
    memcpy(record->payload, text->data, text->size);
}

/* A batch in the order of the caller. */
typedef struct encode_batch {
    const sbz_text *texts, *view; /* the originals; what enters the transform */
    sbz_record *records;          /* of the view */
    uint8_t *alternative;
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

/* Instead of an entropy stage: the block has a payload of mixcoder, and no other stage is tried. */
enum { MIXED = SBZ_ENTROPIES };

static void choose_entropy(void *with, size_t at)
{
    const encode_job *b = with;
    const size_t i = b->codec->layout.order[at];
    sbz_block *block = &b->batch->records[i].block;

    if (block->entropy == MIXED)
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

static sb_status encode_one_on_host(sbz_codec *codec, const sb_array *bytes, uint8_t entropy, sbz_record *record)
{
    sb_array here = sbz_engine_array(&codec->host, SBZ_SLOT_PICKED, SB_U8, bytes->length);
    sb_status status =
        here.data != NULL ? sbz_engine_download(&codec->engine, bytes, 0, here.data, here.length) : SB_UNSUPPORTED;

    return status == SB_OK ? sbz_entropy_encode(&codec->host, (sbz_entropy)entropy, &here, record, 1) : status;
}

/* Encodes a block by a further entropy stage, and keeps the smaller payload. */
static sb_status try_alternative(sbz_codec *codec, uint8_t entropy, const sb_array *bytes, sbz_record *record)
{
    sbz_record *other = &codec->alternative_record;
    sb_status status;

    if (!sbz_record_reserve(other, record->block.original))
        return sbz_engine_no_memory(&codec->engine, "a payload");
    other->block = record->block;
    if (entropy == SBZ_ENTROPY_MIXCODER)
        other->block.ranking = SBZ_RANKING_NONE;
    status = sbz_codec_runs_on_host(codec, entropy)
                 ? encode_one_on_host(codec, bytes, entropy, other)
                 : sbz_entropy_encode(&codec->engine, (sbz_entropy)entropy, bytes, other, 1);
    if (status != SB_OK || other->block.encoded == 0 ||
        (record->block.encoded != 0 && record->block.encoded <= other->block.encoded))
        return status;
    record->block = other->block;
    memcpy(record->payload, other->payload, other->block.encoded);
    return SB_OK;
}

/* zrun-raw is the first stage of blocks that seem to be noise. If it saves less than 1/MIN_GAIN of the block, the block
 * is noise, and the slower second stage is not tried: on noise it would save nothing either. Not tuned. */
enum { MIN_GAIN = 128 };

static bool is_worth_a_second_stage(const sbz_block *block)
{
    return block->entropy != SBZ_ENTROPY_ZRUN_RAW ||
           (block->encoded != 0 && block->encoded < block->original - block->original / MIN_GAIN);
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
    sb_status status = SB_OK;

    for (size_t k = 0; status == SB_OK && k < picked; k++) {
        sbz_record *record = &codec->picked_record[k];
        const sb_array part = sbz_engine_part(bytes, sbz_codec_picked_start(codec, k), record->block.original);

        status = encode_one_on_host(codec, &part, entropy, record);
    }
    return status;
}

static sb_status encode_stage(sbz_codec *codec, const encode_batch *g, const sb_array *bytes, uint8_t entropy)
{
    size_t picked, from = 0;
    sb_status status = SB_OK;
    sb_array part;

    while (status == SB_OK && (picked = sbz_codec_pick(codec, g->records, entropy, &from)) > 0) {
        if (sbz_codec_runs_on_host(codec, entropy)) {
            status = encode_on_host(codec, picked, bytes, entropy);
        } else {
            status = gather_picked(codec, picked, bytes, &part);
            if (status == SB_OK)
                status = sbz_entropy_encode(&codec->engine, (sbz_entropy)entropy, &part, codec->picked_record, picked);
        }
        for (size_t k = 0; k < picked; k++)
            g->records[codec->layout.order[codec->picked[k]]] = codec->picked_record[k];
    }
    return status;
}

/* mixcoder is taken without trying other stages for a block that has fewer runs than 1 - 1/FEW_RUNS of its bytes (with
 * more it is close to noise), if its payload has at least MIN_PAYLOAD bytes (with fewer its models may have learned too
 * little) and at least 1/RUNS_OF_BYTE bytes for each run. Text takes 4.8 to 6 bits for a run, programs 6 to 7.4; DNA takes
 * 3.1, and the range coder makes it 3.5% smaller than mixcoder does. Of 246 programs, libraries, texts and archives (273
 * MB, half of it mixed), trying all stages saves 604 bytes of 81.6 million; without MIN_PAYLOAD it saves 1.5% of one
 * file. */
enum { FEW_RUNS = 4, MIN_PAYLOAD = 1 << 14, RUNS_OF_BYTE = 2 };

static uint64_t count_runs(const uint8_t *bytes, uint64_t size)
{
    uint64_t runs = 1;

    for (uint64_t i = 1; i < size; i++)
        runs += bytes[i] != bytes[i - 1];
    return runs;
}

/* Encodes the blocks that mixcoder is certain to encode best. Returns how many blocks are left. */
static sb_status mix_records(sbz_codec *codec, const encode_batch *g, const sb_array *plain, size_t *left)
{
    sb_status status = SB_OK;

    *left = codec->layout.count;
    for (size_t at = 0; status == SB_OK && at < codec->layout.count && !codec->forced.any; at++) {
        const size_t i = codec->layout.order[at];
        sbz_record *record = &g->records[i];
        const uint64_t size = record->block.original;
        sb_array bytes = sbz_engine_part(plain, codec->layout.start[at], size);
        sbz_engine *engine = codec->engine.direct ? &codec->engine : &codec->host;

        if (!g->texts[i].mixes || size <= MIN_PAYLOAD)
            continue;
        if (!codec->engine.direct) {
            const sb_array here = sbz_engine_array(&codec->host, SBZ_SLOT_PICKED, SB_U8, size);

            status =
                here.data != NULL ? sbz_engine_download(&codec->engine, &bytes, 0, here.data, size) : SB_UNSUPPORTED;
            bytes = here;
        }
        if (status != SB_OK)
            break;

        const uint64_t runs = count_runs(bytes.data, size);

        if (runs >= size - size / FEW_RUNS)
            continue;
        status = sbz_entropy_encode(engine, SBZ_ENTROPY_MIXCODER, &bytes, record, 1);
        if (status == SB_OK && record->block.encoded >= MIN_PAYLOAD && record->block.encoded >= runs / RUNS_OF_BYTE &&
            record->block.encoded < size) {
            record->block.entropy = MIXED;
            --*left;
        }
    }
    return status;
}

/* `bytes` have been ranked, `plain` are the same before that. */
static sb_status encode_records(sbz_codec *codec, const encode_batch *g, const sb_array *bytes, const sb_array *plain)
{
    sb_status status = SB_OK;

    for (uint8_t entropy = 0; status == SB_OK && entropy < SBZ_ENTROPIES; entropy++)
        status = encode_stage(codec, g, bytes, entropy);
    for (size_t at = 0; status == SB_OK && at < codec->layout.count; at++) {
        const size_t i = codec->layout.order[at];
        sbz_record *record = &g->records[i];

        if (record->block.entropy == MIXED) {
            record->block.entropy = SBZ_ENTROPY_MIXCODER;
            record->block.ranking = SBZ_RANKING_NONE;
            continue;
        }

        const bool worth = is_worth_a_second_stage(&record->block);

        if (g->alternative[i] != record->block.entropy && worth) {
            const sb_array part = sbz_engine_part(bytes, codec->layout.start[at], record->block.original);

            status = try_alternative(codec, g->alternative[i], &part, record);
        }
        if (status == SB_OK && worth && g->texts[i].mixes && !codec->forced.any) {
            const sb_array part = sbz_engine_part(plain, codec->layout.start[at], record->block.original);

            status = try_alternative(codec, SBZ_ENTROPY_MIXCODER, &part, record);
        }
        if (status == SB_OK &&
            (record->block.encoded == 0 || (!codec->forced.any && record->block.encoded >= record->block.original)))
            store(&g->view[i], record);
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
    if (status == SB_OK)
        status = mix_records(codec, g, &plain, &left);
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
        batch = sbz_codec_batch_count(codec, codec->inner + first, count - first);
        status = encode_group(
            codec,
            &(encode_batch){texts + first, codec->view + first, codec->inner + first, codec->alternative + first},
            batch);
    }
    if (status == SB_OK)
        finish_records(codec, texts, count, records);
    return sbz_codec_end(codec, status);
}
