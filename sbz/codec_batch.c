/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What encoding and decoding a batch share: contract in codec_state.h.
 */
#include "codec_state.h"
#include "allocate.h"
#include "entropy.h"
#include "parallel_for.h"
#include "../common/clock.h"
#include <samebits/algorithms.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

sb_status sbz_codec_end(sbz_codec *codec, sb_status status)
{
    if (status == SB_INVALID)
        snprintf(codec->engine.error, sizeof codec->engine.error, "a stage refused the output of the stage before it");
    return status;
}

void sbz_codec_free_arrays(sbz_codec *codec)
{
    for (size_t i = 0; i < codec->capacity; i++)
        sbz_text_free(&codec->coded[i]);
    for (size_t i = 0; i < codec->capacity; i++)
        sbz_text_free(&codec->filtered[i]);
    sbz_free(codec->coded);
    sbz_free(codec->filtered);
    sbz_free(codec->view);
    sbz_free(codec->inner);
    sbz_free(codec->alternative);
    sbz_free(codec->settled);
    sbz_free(codec->picked);
    sbz_free(codec->picked_record);
    sbz_free(codec->on_host);
    sbz_free(codec->tail);
    codec->capacity = 0;
}

sb_status sbz_codec_reserve(sbz_codec *codec, size_t count)
{
    if (count <= codec->capacity)
        return SB_OK;
    sbz_codec_free_arrays(codec);
    codec->inner = sbz_calloc(count, sizeof *codec->inner);
    codec->view = sbz_calloc(count, sizeof *codec->view);
    codec->coded = sbz_calloc(count, sizeof *codec->coded);
    codec->filtered = sbz_calloc(count, sizeof *codec->filtered);
    codec->alternative = sbz_calloc(count, sizeof *codec->alternative);
    codec->settled = sbz_calloc(count, sizeof *codec->settled);
    codec->picked = sbz_calloc(count, sizeof *codec->picked);
    codec->picked_record = sbz_calloc(count, sizeof *codec->picked_record);
    codec->on_host = sbz_calloc(count, sizeof *codec->on_host);
    codec->tail = sbz_calloc(count, sizeof *codec->tail);
    if (codec->inner == NULL || codec->view == NULL || codec->coded == NULL || codec->filtered == NULL ||
        codec->alternative == NULL || codec->settled == NULL || codec->picked == NULL || codec->picked_record == NULL ||
        codec->on_host == NULL || codec->tail == NULL)
        return sbz_engine_no_memory(&codec->engine, "a batch");
    codec->capacity = count;
    return SB_OK;
}

sb_status sbz_codec_lay(sbz_codec *codec, const sbz_record *records, size_t count)
{
    if (count > codec->primary_capacity) {
        sbz_free(codec->primary);
        codec->primary = sbz_malloc(count * sizeof *codec->primary);
        codec->primary_capacity = codec->primary != NULL ? count : 0;
    }
    return codec->primary_capacity >= count && sbz_batch_lay(&codec->layout, records, count)
               ? SB_OK
               : sbz_engine_no_memory(&codec->engine, "a batch");
}

double sbz_lap(double *started)
{
    const double before = *started;

    *started = sb_now();
    return *started - before;
}

size_t sbz_codec_batch_count(const sbz_codec *codec, const sbz_record *records, size_t count, uint64_t max_bytes)
{
    uint64_t bytes = records[0].block.original;
    size_t batch = 1;

    while (!codec->engine.direct && batch < count && bytes + records[batch].block.original <= max_bytes)
        bytes += records[batch++].block.original;
    return batch;
}

sb_array sbz_codec_row(const sbz_codec *codec, const sb_array *bytes, const sbz_record *records, size_t first,
                       size_t row)
{
    const uint64_t start = codec->layout.start[first], last = codec->layout.start[first + row - 1];

    return sbz_engine_part(bytes, start, last + records[codec->layout.order[first + row - 1]].block.original - start);
}

uint64_t sbz_records_bytes(const sbz_record *records, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += records[i].block.original;
    return bytes;
}

/* A stage that takes one block a call has its blocks picked one by one. */
size_t sbz_codec_pick(sbz_codec *codec, const sbz_record *records, uint8_t entropy, size_t *from)
{
    const bool on_host = sbz_codec_runs_on_host(codec, entropy);
    const bool tails = sbz_codec_may_use_host(codec); /* they run there */
    size_t picked = 0;

    for (; *from < codec->layout.count; ++*from) {
        const sbz_record *record = &records[codec->layout.order[*from]], *first = codec->picked_record;

        if (record->block.entropy != entropy)
            continue;
        if (picked > 0 && !on_host && !sbz_entropy_together(first, &first[picked - 1], record, tails))
            break;
        codec->picked_record[picked] = *record;
        codec->picked[picked++] = *from;
    }
    return picked;
}

bool sbz_codec_adjacent(const sbz_codec *codec, size_t picked)
{
    const uint64_t *start = codec->layout.start;

    for (size_t k = 1; k < picked; k++)
        if (start[codec->picked[k]] != start[codec->picked[k - 1]] + codec->picked_record[k - 1].block.original)
            return false;
    return true;
}

bool sbz_codec_has_tails(const sbz_codec *codec, size_t picked)
{
    const uint64_t segment = sbz_stages[codec->picked_record[0].block.entropy].segment;

    for (size_t k = 0; segment != 0 && k + 1 < picked; k++)
        if (codec->picked_record[k].block.original % segment != 0)
            return true;
    return false;
}

uint64_t sbz_codec_picked_start(const sbz_codec *codec, size_t k)
{
    return codec->layout.start[codec->picked[k]];
}

bool sbz_codec_may_use_host(const sbz_codec *codec)
{
    return !codec->engine.direct && !codec->engine.references && codec->engine.forced_count == 0;
}

bool sbz_codec_runs_on_host(const sbz_codec *codec, uint8_t entropy)
{
    switch (sbz_stages[entropy].place) {
    case SBZ_PLACE_HOST_ONLY:
        return !codec->engine.direct && !codec->engine.references;
    case SBZ_PLACE_HOST:
        return sbz_codec_may_use_host(codec);
    case SBZ_PLACE_DEVICE:
        break;
    }
    return false;
}

sb_status sbz_codec_host_memory(sbz_codec *codec, size_t count, const sb_array *array)
{
    const bool direct = codec->engine.direct;
    uint64_t bytes = 0, first = 0;
    sb_array memory = *array;

    for (size_t k = 0; k < count; k++)
        bytes += codec->on_host[k].record->block.original;
    if (!direct)
        memory = sbz_engine_array(&codec->host, SBZ_SLOT_PICKED, SB_U8, bytes);
    if (memory.data == NULL)
        return SB_UNSUPPORTED;
    for (size_t k = 0; k < count; first += codec->on_host[k++].bytes.length) {
        sbz_host_block *b = &codec->on_host[k];

        b->bytes =
            sbz_engine_part(&memory, direct ? codec->layout.start[b->at] + b->skip : first, b->record->block.original);
    }
    return SB_OK;
}

typedef struct host_run {
    sbz_codec *codec;
    sbz_host_stage *stage;
    void *with;
    sb_status status;
    pthread_mutex_t lock; /* of status and the message */
} host_run;

static void run_one(void *with, size_t i)
{
    host_run *r = with;
    const sbz_engine *host = &r->codec->host;
    sbz_engine engine = {
        .device = host->device, .variants = host->variants, .count = host->count, .where = host->where, .direct = true};
    const sb_status status = r->stage(r->with, &engine, i);

    if (status != SB_OK) {
        pthread_mutex_lock(&r->lock);
        r->status = status;
        memcpy(r->codec->host.error, engine.error, sizeof engine.error);
        pthread_mutex_unlock(&r->lock);
    }
    sbz_engine_close(&engine);
}

sb_status sbz_codec_run_each(sbz_codec *codec, bool on_host, size_t count, sbz_host_stage *stage, void *with)
{
    host_run r = {codec, stage, with, SB_OK, PTHREAD_MUTEX_INITIALIZER};

    if (on_host) {
        sbz_parallel_for(count, run_one, &r);
        pthread_mutex_destroy(&r.lock);
        return r.status;
    }
    for (size_t i = 0; i < count; i++) {
        const sb_status status = stage(with, &codec->engine, i);

        r.status = r.status == SB_OK ? status : r.status;
    }
    return r.status;
}

typedef struct block_run {
    sbz_host_block *block;
    sb_status (*stage)(sbz_engine *engine, sbz_host_block *block);
} block_run;

static sb_status run_block(void *with, sbz_engine *engine, size_t k)
{
    const block_run *r = with;

    return r->block[k].status = r->stage(engine, &r->block[k]);
}

sb_status sbz_codec_run_on_host(sbz_codec *codec, size_t count,
                                sb_status (*stage)(sbz_engine *engine, sbz_host_block *block))
{
    return sbz_codec_run_each(codec, !codec->engine.direct, count, run_block, &(block_run){codec->on_host, stage});
}

uint64_t sbz_codec_contiguous(const sbz_codec *codec, const sbz_text *texts, size_t at, size_t max_count, size_t *run)
{
    const sbz_batch *layout = &codec->layout;
    const sbz_text *first = &texts[layout->order[at]];
    uint64_t bytes = first->size;

    for (*run = 1; *run < max_count && texts[layout->order[at + *run]].data == first->data + bytes &&
                   layout->start[at + *run] == layout->start[at] + bytes;
         ++*run)
        bytes += texts[layout->order[at + *run]].size;
    return bytes;
}

sb_status sbz_codec_rank(sbz_codec *codec, const char *algorithm, const sbz_record *records, sb_array *array, int slot)
{
    const sb_array ranked = sbz_engine_array(&codec->engine, slot, SB_U8, array->length);
    sb_status status = ranked.data != NULL ? SB_OK : SB_UNSUPPORTED;

    for (size_t first = 0, row; status == SB_OK && first < codec->layout.count; first += row) {
        row = sbz_batch_row(&codec->layout, first);

        const uint64_t parameters[] = {[SB_MTF_CHUNK] = records[codec->layout.order[first]].block.original};
        const sb_array input = sbz_codec_row(codec, array, records, first, row);
        sb_array output = sbz_codec_row(codec, &ranked, records, first, row);

        status = sbz_engine_run(&codec->engine, algorithm, parameters, &input, &output);
    }
    *array = ranked;
    return status;
}
