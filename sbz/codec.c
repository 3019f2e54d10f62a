/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Codecs: contract in codec.h.
 *
 * Texts are laid side by side on the device. Those of one size go through transform and ranking together, as blocks of
 * one array, and those of one entropy stage through that.
 */
#include "codec.h"
#include "batch.h"
#include "parallel_for.h"
#include "engine.h"
#include "entropy.h"
#include "estimate.h"
#include "layout.h"
#include "runs.h"
#include "../harness/clock.h"
#include <samebits/algorithms.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, SECOND, THIRD, PRIMARIES, PICKED = SBZ_SLOTS - 2, SAMPLES };
enum { STAGE = 32 };
enum { SAMPLE_PIECES = 16, SAMPLE_PIECE = 4096, SAMPLE = SAMPLE_PIECES * SAMPLE_PIECE };
/* By estimate, a block that keeps 13/16 of its bytes is dense, and one that keeps less than 1/16 is sparse. What takes
 * off less than 1/128 finds nothing but noise. Several tables of all ranks take 600 bytes: a dense block of less than
 * 128 KiB does not win as much by them. */
enum { DENSE = 13, DENSE_OF = 16, SPARSE = 16, NOISE = 128, PAYING = 1 << 17 };

/* What texts are laid side by side at most, beyond the first. */
static const uint64_t BATCH_BYTES = (uint64_t)64 << 20;

/* Of the memory of a device, a byte of texts: for a variant 21 or 11, for what goes between them 4, and some room. */
enum { ENCODING_BYTES = 30, DECODING_BYTES = 18 };

typedef struct forced_stages {
    bool any;
    uint8_t runs, transform, ranking; /* how often they are named */
    uint8_t entropy;
} forced_stages;

struct sbz_codec {
    sbz_engine engine;
    sbz_engine host; /* beside one of a device, for what is a single chain of steps */
    forced_stages forced;
    size_t count;      /* texts that there is room for in what follows */
    sbz_record *inner; /* records as the stages behind the code of runs see them; payloads belong to others */
    sbz_text *view;    /* texts likewise */
    sbz_text *coded;   /* what the code of runs has made of them */
    uint8_t *second;   /* entropy stages to try as well */
    size_t *picked;    /* places of a batch that go through one entropy stage together */
    sbz_record *pick;  /* the records that lie there */
    sbz_record other;  /* a payload that may be smaller */
    sbz_batch lay;
    size_t batch; /* places that there is room for: */
    uint64_t *primary;
    size_t large; /* places of which SAMPLE bytes are taken; of those behind them, all that is there */
    uint64_t sample_room;
    uint8_t *sample;
    sbz_seconds seconds;
};

void sbz_text_free(sbz_text *text)
{
    if (!text->lent)
        free(text->data);
    *text = (sbz_text){0};
}

bool sbz_text_reserve(sbz_text *text, size_t bytes)
{
    if (bytes <= text->capacity)
        return true;
    if (!text->lent)
        free(text->data);
    text->lent = false;
    text->data = malloc(bytes);
    text->capacity = text->data != NULL ? bytes : 0;
    return text->data != NULL;
}

/* ---- settings ---- */

static bool stage_known(const char *word, forced_stages *forced)
{
    if (strcmp(word, "bwt") == 0) {
        forced->transform++;
    } else if (strcmp(word, "mtf") == 0) {
        forced->ranking++;
    } else if (strcmp(word, "huffman") == 0) {
        return true; /* a part of others */
    } else if (strcmp(word, "runs") == 0) {
        forced->runs++;
    } else {
        for (int i = 0; i < SBZ_ENTROPIES; i++) {
            if (sbz_entropy_name(i) != NULL && strcmp(word, sbz_entropy_name(i)) == 0) {
                if (forced->entropy != SBZ_ENTROPIES)
                    return false;
                forced->entropy = (uint8_t)i;
                forced->any = true;
                return true;
            }
        }
        return false;
    }
    forced->any = true;
    return true;
}

/* `engine` may be NULL: variants are not looked at then. */
static bool force_word(forced_stages *forced, sbz_engine *engine, char *word)
{
    char *slash = strchr(word, '/');

    if (strcmp(word, "reference") == 0) {
        if (engine != NULL)
            engine->references = true;
        return true;
    }
    if (slash != NULL)
        *slash = '\0';
    return stage_known(word, forced) && (slash == NULL || engine == NULL || sbz_engine_force(engine, word, slash + 1));
}

static bool force(forced_stages *forced, sbz_engine *engine, const char *stages, char *error, size_t size)
{
    *forced = (forced_stages){.entropy = SBZ_ENTROPIES};
    while (*stages != '\0') {
        size_t length = strcspn(stages, ",");
        char word[2 * STAGE], whole[2 * STAGE];

        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), stages);
        memcpy(whole, word, sizeof word);
        if (!force_word(forced, engine, word) || forced->runs > 1 || forced->transform > 1 || forced->ranking > 1) {
            snprintf(error, size, "'%s' is no stage here, or there is another already", whole);
            return false;
        }
        stages += length + (stages[length] == ',');
    }
    if (forced->entropy == SBZ_ENTROPIES)
        forced->entropy = SBZ_ENTROPY_STORED;
    return true;
}

bool sbz_stages_open(const char *stages, bool *runs)
{
    forced_stages forced;
    char error[SBZ_ERROR];
    bool open = stages == NULL || !force(&forced, NULL, stages, error, sizeof error) || !forced.any;

    *runs = open || forced.runs > 0;
    return open;
}

static bool open_engine(sbz_engine *engine, sbz_where where, char *error, size_t size)
{
    if (where != SBZ_AUTO)
        return sbz_engine_open(engine, where, error, size);
    return sbz_engine_open(engine, SBZ_GPU, error, size) || sbz_engine_open(engine, SBZ_CPU, error, size);
}

sbz_codec *sbz_codec_open(const sbz_settings *settings, char *error, size_t size)
{
    sbz_codec *codec = calloc(1, sizeof *codec);

    if (codec == NULL) {
        snprintf(error, size, "not enough memory");
        return NULL;
    }
    if (!open_engine(&codec->engine, settings->where, error, size) ||
        !force(&codec->forced, &codec->engine, settings->stages != NULL ? settings->stages : "", error, size)) {
        sbz_codec_close(codec);
        return NULL;
    }
    if (!codec->engine.direct && !sbz_engine_open(&codec->host, SBZ_CPU, error, size)) {
        sbz_codec_close(codec);
        return NULL;
    }
    if (settings->batch > 0)
        sbz_engine_expect(&codec->engine, (settings->encodes ? ENCODING_BYTES : DECODING_BYTES) * settings->batch);
    return codec;
}

static void free_texts(sbz_codec *codec)
{
    for (size_t i = 0; i < codec->count; i++)
        sbz_text_free(&codec->coded[i]);
    free(codec->coded);
    free(codec->view);
    free(codec->inner);
    free(codec->second);
    free(codec->picked);
    free(codec->pick);
    codec->count = 0;
}

void sbz_codec_close(sbz_codec *codec)
{
    if (codec == NULL)
        return;
    if (codec->engine.device != NULL)
        sbz_engine_close(&codec->engine);
    if (codec->host.device != NULL)
        sbz_engine_close(&codec->host);
    free_texts(codec);
    sbz_batch_free(&codec->lay);
    sbz_record_free(&codec->other);
    free(codec->primary);
    free(codec->sample);
    free(codec);
}

sbz_where sbz_codec_where(const sbz_codec *codec)
{
    return codec->engine.where;
}

const char *sbz_codec_description(const sbz_codec *codec)
{
    return codec->engine.description;
}

sbz_seconds sbz_codec_seconds(const sbz_codec *codec)
{
    return codec->seconds;
}

size_t sbz_codec_batch(sbz_where where, uint32_t block)
{
    if (where == SBZ_CPU || block == 0 || block > BATCH_BYTES)
        return 1;
    return (size_t)(BATCH_BYTES / block);
}

bool sbz_codec_has_memory(const sbz_codec *codec)
{
    return codec->engine.direct || codec->engine.pool.memory != NULL;
}

bool sbz_codec_pin(const sbz_codec *codec, void *memory, size_t bytes)
{
    const sb_device *device = codec->engine.device;

    return (device->flags & SB_DEVICE_PINS) != 0 && device->pin(memory, bytes) == SB_OK;
}

void sbz_codec_unpin(const sbz_codec *codec, void *memory)
{
    codec->engine.device->unpin(memory);
}

uint32_t sbz_level_block(int level)
{
    /* Multiples of SBZ_RANKS_SEGMENT. About that of bzip2 -9 is best for programs, which are of many parts; for text,
     * more is better, but slower where it does not fit into a cache: split.c makes two blocks of it one. */
    static const uint32_t kibibytes[] = {[1] = 128, 256, 384, 512, 768, 896, 1792, 3584, 7168};

    return kibibytes[level >= 1 && level <= 9 ? level : SBZ_DEFAULT_LEVEL] << 10;
}

uint32_t sbz_level_limit(int level)
{
    const uint32_t block = sbz_level_block(level), longest = 4 * sbz_level_block(SBZ_DEFAULT_LEVEL);

    return block > longest / 4 ? (block > longest ? block : longest) : 4 * block;
}

/* ---- both ways ---- */

static bool say(const sbz_codec *codec, sb_status status, char *error, size_t size)
{
    if (status == SB_OK)
        return true;
    snprintf(error, size, "%s",
             status == SB_INVALID             ? "a stage refused what another gave it"
             : codec->engine.error[0] != '\0' ? codec->engine.error
                                              : codec->host.error);
    return false;
}

static sb_status reserve_texts(sbz_codec *codec, size_t count)
{
    if (count <= codec->count)
        return SB_OK;
    free_texts(codec);
    codec->inner = calloc(count, sizeof *codec->inner);
    codec->view = calloc(count, sizeof *codec->view);
    codec->coded = calloc(count, sizeof *codec->coded);
    codec->second = calloc(count, sizeof *codec->second);
    codec->picked = calloc(count, sizeof *codec->picked);
    codec->pick = calloc(count, sizeof *codec->pick);
    if (codec->inner == NULL || codec->view == NULL || codec->coded == NULL || codec->second == NULL ||
        codec->picked == NULL || codec->pick == NULL)
        return sbz_engine_no_memory(&codec->engine, "a batch");
    codec->count = count;
    return SB_OK;
}

/* Lays the records of a batch, as the stages behind the code of runs see them. */
static sb_status lay_records(sbz_codec *codec, const sbz_record *records, size_t count)
{
    if (count > codec->batch) {
        free(codec->primary);
        codec->primary = malloc(count * sizeof *codec->primary);
        codec->batch = codec->primary != NULL ? count : 0;
    }
    return codec->batch >= count && sbz_batch_lay(&codec->lay, records, count)
               ? SB_OK
               : sbz_engine_no_memory(&codec->engine, "a batch");
}

/* Seconds since `started`, which becomes now. What a device has not finished counts for who waits for it. */
static double lap(double *started)
{
    const double before = *started;

    *started = sb_now();
    return *started - before;
}

/* How many records, from the first on, are a batch. */
static size_t batch_size(const sbz_codec *codec, const sbz_record *records, size_t count)
{
    uint64_t bytes = records[0].block.original;
    size_t batch = 1;

    while (!codec->engine.direct && batch < count && bytes + records[batch].block.original <= BATCH_BYTES)
        bytes += records[batch++].block.original;
    return batch;
}

/* The bytes of a row of places. */
static sb_array row_of(const sbz_codec *codec, const sb_array *bytes, const sbz_record *records, size_t first,
                       size_t row)
{
    const uint64_t start = codec->lay.start[first], last = codec->lay.start[first + row - 1];

    return sbz_engine_part(bytes, start, last + records[codec->lay.order[first + row - 1]].block.original - start);
}

static uint64_t bytes_of(const sbz_record *records, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += records[i].block.original;
    return bytes;
}

/* The records of a batch that one entropy stage takes in one call, from the place `from` on: of the first of them the
 * stage. Returns how many; `from` becomes where to go on, and 0 are picked at the end. Those of a stage that takes one
 * at a time are picked one by one. */
static size_t pick(sbz_codec *codec, const sbz_record *records, uint8_t entropy, size_t *from)
{
    size_t picked = 0;

    for (; *from < codec->lay.count; ++*from) {
        const sbz_record *record = &records[codec->lay.order[*from]];

        if (record->block.entropy != entropy)
            continue;
        if (picked > 0 && !sbz_entropy_together(&codec->pick[0], &codec->pick[picked - 1], record))
            break;
        codec->pick[picked] = *record;
        codec->picked[picked++] = *from;
    }
    return picked;
}

/* Do the picked ones lie in a row? */
static bool are_neighbours(const sbz_codec *codec, size_t picked)
{
    const uint64_t *start = codec->lay.start;

    for (size_t k = 1; k < picked; k++)
        if (start[codec->picked[k]] != start[codec->picked[k - 1]] + codec->pick[k - 1].block.original)
            return false;
    return true;
}

static uint64_t start_of(const sbz_codec *codec, size_t k)
{
    return codec->lay.start[codec->picked[k]];
}

/* One segment is one chain: the processor takes it, which is ten times as fast, unless somebody has named a variant. */
static bool is_for_host(const sbz_codec *codec, uint8_t entropy)
{
    return entropy == SBZ_ENTROPY_WHOLE && !codec->engine.direct && !codec->engine.references &&
           codec->engine.forced_count == 0;
}

/* ---- encoding ---- */

/* From this place on, bytes of texts that lie in a row on the device as well as in memory; `run` becomes how many. */
static uint64_t side_by_side(const sbz_codec *codec, const sbz_text *texts, size_t at, size_t most, size_t *run)
{
    const sbz_batch *lay = &codec->lay;
    const sbz_text *first = &texts[lay->order[at]];
    uint64_t bytes = first->size;

    for (*run = 1; *run < most && texts[lay->order[at + *run]].data == first->data + bytes &&
                   lay->start[at + *run] == lay->start[at] + bytes;
         ++*run)
        bytes += texts[lay->order[at + *run]].size;
    return bytes;
}

static sb_status lay_texts(sbz_codec *codec, const sbz_text *texts, sb_array *array)
{
    const sbz_batch *lay = &codec->lay;
    const uint64_t n = lay->start[lay->count];

    if (codec->engine.direct && lay->count == 1) {
        *array = (sb_array){texts[0].data, n, n, SB_U8, 0};
        return SB_OK;
    }
    *array = sbz_engine_array(&codec->engine, FIRST, SB_U8, n);
    if (array->data == NULL)
        return SB_UNSUPPORTED;
    for (size_t at = 0, run; at < lay->count; at += run) {
        const uint64_t bytes = side_by_side(codec, texts, at, lay->count - at, &run);

        if (sbz_engine_upload(&codec->engine, array, lay->start[at], texts[lay->order[at]].data, bytes) != SB_OK)
            return SB_UNSUPPORTED;
    }
    return SB_OK;
}

static pthread_mutex_t transforming = PTHREAD_MUTEX_INITIALIZER;

static sb_status transform_rows(sbz_codec *codec, const sbz_record *records, const sb_array *text, const sb_array *last,
                                const sb_array *primary)
{
    sb_status status = SB_OK;

    for (size_t first = 0, row; status == SB_OK && first < codec->lay.count; first += row) {
        row = sbz_batch_row(&codec->lay, first);

        const uint64_t parameters[] = {[SB_BWT_BLOCK] = records[codec->lay.order[first]].block.original};
        const sb_array input = row_of(codec, text, records, first, row);
        sb_array outputs[] = {
            [SB_BWT_FORWARD_LAST] = row_of(codec, last, records, first, row),
            [SB_BWT_FORWARD_PRIMARY] = sbz_engine_part(primary, first, row),
        };

        status = sbz_engine_run(&codec->engine, "bwt.forward", parameters, &input, outputs);
    }
    return status;
}

static sb_status transform(sbz_codec *codec, const sbz_record *records, sb_array *array)
{
    sbz_engine *engine = &codec->engine;
    const sb_array last = sbz_engine_array(engine, SECOND, SB_U8, array->length);
    const sb_array primary = sbz_engine_array(engine, PRIMARIES, SB_U64, codec->lay.count);
    sb_status status = SB_UNSUPPORTED;

    /* One fills a device: side by side all would end late, and then leave it idle together. */
    if (!engine->direct)
        pthread_mutex_lock(&transforming);
    if (last.data != NULL && primary.data != NULL)
        status = transform_rows(codec, records, array, &last, &primary);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &primary, 0, codec->primary, codec->lay.count);
    if (!engine->direct)
        pthread_mutex_unlock(&transforming);
    *array = last;
    return status;
}

static sb_status rank(sbz_codec *codec, const char *algorithm, const sbz_record *records, sb_array *array, int slot)
{
    const sb_array ranked = sbz_engine_array(&codec->engine, slot, SB_U8, array->length);
    sb_status status = ranked.data != NULL ? SB_OK : SB_UNSUPPORTED;

    for (size_t first = 0, row; status == SB_OK && first < codec->lay.count; first += row) {
        row = sbz_batch_row(&codec->lay, first);

        const uint64_t parameters[] = {[SB_MTF_CHUNK] = records[codec->lay.order[first]].block.original};
        const sb_array input = row_of(codec, array, records, first, row);
        sb_array output = row_of(codec, &ranked, records, first, row);

        status = sbz_engine_run(&codec->engine, algorithm, parameters, &input, &output);
    }
    *array = ranked;
    return status;
}

static uint64_t sample_start(const sbz_codec *codec, size_t at)
{
    const size_t large = codec->large;

    return at < large ? (uint64_t)at * SAMPLE
                      : (uint64_t)large * SAMPLE + codec->lay.start[at] - codec->lay.start[large];
}

/* Of large texts pieces from all over them, of others all: gathered on the device, for each way off it costs as much as
 * many bytes. */
static sb_status gather_samples(sbz_codec *codec, const sb_array *bytes, const sbz_record *records,
                                const sb_array *samples)
{
    const sbz_batch *lay = &codec->lay;
    const uint64_t rest = lay->start[lay->count] - lay->start[codec->large];
    sb_status status = SB_OK;

    for (size_t at = 0, same; status == SB_OK && at < codec->large; at += same) {
        const size_t size = records[lay->order[at]].block.original, apart = size / SAMPLE_PIECES;

        for (same = 1; size % SAMPLE_PIECES == 0 && at + same < codec->large &&
                       records[lay->order[at + same]].block.original == size;)
            same++; /* the pieces of all are one as far from the other */
        status = sbz_engine_gather(&codec->engine, samples, sample_start(codec, at), bytes, lay->start[at], apart,
                                   SAMPLE_PIECE, same * SAMPLE_PIECES);
    }
    if (status == SB_OK && rest > 0)
        status = sbz_engine_gather(&codec->engine, samples, sample_start(codec, codec->large), bytes,
                                   lay->start[codec->large], 0, rest, 1);
    return status;
}

static sb_status take_samples(sbz_codec *codec, const sb_array *bytes, const sbz_record *records)
{
    const sbz_batch *lay = &codec->lay;
    sb_array samples;
    sb_status status;

    for (codec->large = 0; codec->large < lay->count && records[lay->order[codec->large]].block.original >= SAMPLE;)
        codec->large++;
    samples = sbz_engine_array(&codec->engine, SAMPLES, SB_U8, sample_start(codec, lay->count));
    if (samples.length > codec->sample_room) {
        free(codec->sample);
        codec->sample = malloc(samples.length);
        codec->sample_room = codec->sample != NULL ? samples.length : 0;
        if (codec->sample == NULL)
            return sbz_engine_no_memory(&codec->engine, "samples");
    }
    status = samples.data != NULL ? gather_samples(codec, bytes, records, &samples) : SB_UNSUPPORTED;
    return status == SB_OK ? sbz_engine_download(&codec->engine, &samples, 0, codec->sample, samples.length) : status;
}

/* The texts as the other stages see them, and their records. */
static sb_status view_texts(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    sb_status status = reserve_texts(codec, count);

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

/* The records of what was seen become those of the texts. */
static void finish_records(const sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    for (size_t i = 0; i < count; i++) {
        sbz_block *block = &records[i].block;

        *block = codec->inner[i].block;
        block->middle = block->original;
        block->original = (uint32_t)texts[i].size;
        if (texts[i].runs != 0) {
            block->runs = SBZ_RUNS_RLE0;
            block->run_byte = texts[i].run_byte;
            block->encoded += SBZ_RUNS_HEAD;
            sbz_put_runs(records[i].payload, block);
        }
    }
}

/* ---- the choice ---- */

/* The estimate is of pieces, and the rest need not be like them. So ranks, which is smallest almost always, is coded
 * wherever there is something to be won, and what the estimate likes better as well. Where little can be won, one table
 * for all is often better than what adapts to noise; and where noise comes and goes, several are. */
typedef struct choice {
    uint8_t first, other; /* stages; the same: there is one */
} choice;

static choice choose(const uint8_t *sample, size_t size, uint64_t block)
{
    uint64_t bits[SBZ_ENTROPIES];
    const bool noise = sbz_estimate(sample, size, bits);
    uint8_t best = SBZ_ENTROPY_STORED, ranks = SBZ_ENTROPY_RANKS;

    for (uint8_t i = 0; i < SBZ_ENTROPIES; i++)
        if (bits[i] < bits[best])
            best = i;
    if (best == SBZ_ENTROPY_STORED)
        return (choice){SBZ_ENTROPY_APART, SBZ_ENTROPY_RANKS};
    if (bits[best] >= bits[SBZ_ENTROPY_STORED] / DENSE_OF * DENSE)
        return noise && block >= PAYING ? (choice){SBZ_ENTROPY_APART, SBZ_ENTROPY_TABLES}
                                        : (choice){SBZ_ENTROPY_RANKS, SBZ_ENTROPY_APART};
    if (bits[ranks] < bits[SBZ_ENTROPY_STORED] / SPARSE && block > SBZ_RANKS_SEGMENT)
        ranks = SBZ_ENTROPY_WHOLE;
    if (noise)
        best = SBZ_ENTROPY_TABLES;
    return (choice){ranks, best == SBZ_ENTROPY_RANKS ? ranks : best};
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

/* A batch, as it comes. */
typedef struct group {
    const sbz_text *texts, *view;
    sbz_record *records; /* of the view */
    uint8_t *second;
} group;

typedef struct beginning {
    const sbz_codec *codec;
    const group *group;
} beginning;

static void sum_text(void *with, size_t i)
{
    const beginning *b = with;

    b->group->records[i].block.checksum = sbz_checksum(0, b->group->texts[i].data, b->group->texts[i].size);
}

static void choose_entropy(void *with, size_t at)
{
    const beginning *b = with;
    const size_t i = b->codec->lay.order[at];
    sbz_block *block = &b->group->records[i].block;
    const choice c = choose(b->codec->sample + sample_start(b->codec, at),
                            at < b->codec->large ? SAMPLE : block->original, block->original);

    block->entropy = c.first;
    b->group->second[i] = c.other;
}

/* Headers, all but what the entropy stage says, and the choice of it. */
static sb_status begin_records(sbz_codec *codec, const group *g, const sbz_block *head, const sb_array *bytes)
{
    sb_status status = codec->forced.any ? SB_OK : take_samples(codec, bytes, g->records);

    if (status != SB_OK)
        return status;
    for (size_t at = 0; at < codec->lay.count; at++) {
        const size_t i = codec->lay.order[at];
        sbz_block *block = &g->records[i].block;

        block->transform = head->transform;
        block->ranking = head->ranking;
        block->entropy = g->second[i] = codec->forced.entropy;
        if (head->transform == SBZ_TRANSFORM_BWT)
            block->primary = (uint32_t)codec->primary[at];
    }
    if (!codec->forced.any)
        sbz_each(codec->lay.count, choose_entropy, &(beginning){codec, g});
    return SB_OK;
}

/* Codes a block by another stage and keeps what is smaller. */
static sb_status try_other(sbz_codec *codec, uint8_t entropy, const sb_array *bytes, sbz_record *record)
{
    sbz_record *other = &codec->other;
    sb_status status;

    if (!sbz_record_reserve(other, record->block.original))
        return sbz_engine_no_memory(&codec->engine, "a payload");
    other->block = record->block;
    status = sbz_entropy_encode(&codec->engine, (sbz_entropy)entropy, bytes, other, 1);
    if (status != SB_OK || other->block.encoded == 0 ||
        (record->block.encoded != 0 && record->block.encoded <= other->block.encoded))
        return status;
    record->block = other->block;
    memcpy(record->payload, other->payload, other->block.encoded);
    return SB_OK;
}

/* Is it worth while to try another stage, when the first was one that is quick with noise? */
static bool promising(const sbz_block *block)
{
    return block->entropy != SBZ_ENTROPY_APART ||
           (block->encoded != 0 && block->encoded < block->original - block->original / NOISE);
}

/* The bytes of the picked records, in a row. */
static sb_status gather_picked(sbz_codec *codec, size_t picked, const sb_array *bytes, sb_array *part)
{
    const uint64_t size = bytes_of(codec->pick, picked);
    uint64_t at = 0;
    sb_status status = SB_OK;

    if (are_neighbours(codec, picked)) {
        *part = sbz_engine_part(bytes, start_of(codec, 0), size);
        return SB_OK;
    }
    *part = sbz_engine_array(&codec->engine, PICKED, SB_U8, size);
    for (size_t k = 0; status == SB_OK && k < picked; at += codec->pick[k++].block.original)
        status = part->data == NULL ? SB_UNSUPPORTED
                                    : sbz_engine_gather(&codec->engine, part, at, bytes, start_of(codec, k), 0,
                                                        codec->pick[k].block.original, 1);
    return status;
}

static sb_status encode_on_host(sbz_codec *codec, size_t picked, const sb_array *bytes, uint8_t entropy)
{
    sb_status status = SB_OK;

    for (size_t k = 0; status == SB_OK && k < picked; k++) {
        const uint64_t size = codec->pick[k].block.original;
        sb_array here = sbz_engine_array(&codec->host, PICKED, SB_U8, size);

        status = here.data != NULL ? sbz_engine_download(&codec->engine, bytes, start_of(codec, k), here.data, size)
                                   : SB_UNSUPPORTED;
        if (status == SB_OK)
            status = sbz_entropy_encode(&codec->host, (sbz_entropy)entropy, &here, &codec->pick[k], 1);
    }
    return status;
}

static sb_status encode_stage(sbz_codec *codec, const group *g, const sb_array *bytes, uint8_t entropy)
{
    size_t picked, from = 0;
    sb_status status = SB_OK;
    sb_array part;

    while (status == SB_OK && (picked = pick(codec, g->records, entropy, &from)) > 0) {
        if (is_for_host(codec, entropy)) {
            status = encode_on_host(codec, picked, bytes, entropy);
        } else {
            status = gather_picked(codec, picked, bytes, &part);
            if (status == SB_OK)
                status = sbz_entropy_encode(&codec->engine, (sbz_entropy)entropy, &part, codec->pick, picked);
        }
        for (size_t k = 0; k < picked; k++)
            g->records[codec->lay.order[codec->picked[k]]] = codec->pick[k];
    }
    return status;
}

static sb_status encode_records(sbz_codec *codec, const group *g, const sb_array *bytes)
{
    sb_status status = SB_OK;

    for (uint8_t entropy = 0; status == SB_OK && entropy < SBZ_ENTROPIES; entropy++)
        status = encode_stage(codec, g, bytes, entropy);
    for (size_t at = 0; status == SB_OK && at < codec->lay.count; at++) {
        const size_t i = codec->lay.order[at];
        sbz_record *record = &g->records[i];

        if (g->second[i] != record->block.entropy && promising(&record->block)) {
            const sb_array part = sbz_engine_part(bytes, codec->lay.start[at], record->block.original);

            status = try_other(codec, g->second[i], &part, record);
        }
        if (status == SB_OK &&
            (record->block.encoded == 0 || (!codec->forced.any && record->block.encoded >= record->block.original)))
            store(&g->view[i], record);
    }
    return status;
}

static sb_status encode_group(sbz_codec *codec, const group *g, size_t count)
{
    const sbz_block head = {
        .transform = codec->forced.any ? codec->forced.transform : SBZ_TRANSFORM_BWT,
        .ranking = codec->forced.any ? codec->forced.ranking : SBZ_RANKING_MTF,
    };
    double started = sb_now();
    sb_array array;
    sb_status status = lay_records(codec, g->records, count);

    if (status == SB_OK)
        status = lay_texts(codec, g->view, &array);
    sbz_each(count, sum_text, &(beginning){codec, g}); /* while others have the device */
    if (status == SB_OK && head.transform == SBZ_TRANSFORM_BWT)
        status = transform(codec, g->records, &array);
    if (status == SB_OK && head.ranking == SBZ_RANKING_MTF)
        status = rank(codec, "mtf.encode", g->records, &array, THIRD);
    codec->seconds.transform += lap(&started);
    if (status == SB_OK)
        status = begin_records(codec, g, &head, &array);
    if (status == SB_OK)
        status = encode_records(codec, g, &array);
    codec->seconds.entropy += lap(&started);
    return status;
}

bool sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records, char *error,
                      size_t size)
{
    double started = sb_now();
    sb_status status = view_texts(codec, texts, count, records);

    codec->seconds.transform += lap(&started);
    for (size_t first = 0, batch; status == SB_OK && first < count; first += batch) {
        batch = batch_size(codec, codec->inner + first, count - first);
        status = encode_group(
            codec, &(group){texts + first, codec->view + first, codec->inner + first, codec->second + first}, batch);
    }
    if (status == SB_OK)
        finish_records(codec, texts, count, records);
    return say(codec, status, error, size);
}

/* ---- decoding ---- */

/* Records of one batch went the same way before their entropy stages. */
static size_t batch_of_records(const sbz_codec *codec, const sbz_record *records, size_t count)
{
    size_t same = 1;

    while (same < count && records[same].block.transform == records[0].block.transform &&
           records[same].block.ranking == records[0].block.ranking)
        same++;
    return batch_size(codec, records, same);
}

static sb_status zero(sbz_engine *engine, const sb_array *array)
{
    void *zeros = calloc(1, (size_t)array->length);
    sb_status status = zeros != NULL ? sbz_engine_upload(engine, array, 0, zeros, array->length)
                                     : sbz_engine_no_memory(engine, "a block");

    free(zeros);
    return status;
}

static void complain(const sbz_record *record, sbz_text *text, const char *what)
{
    snprintf(text->error, sizeof text->error, "block %llu, byte %llu: %s", (unsigned long long)record->number,
             (unsigned long long)record->offset, what);
}

static sb_status decode_one(sbz_codec *codec, const sbz_record *record, const sb_array *bytes)
{
    sb_array here;
    sb_status status;

    if (!is_for_host(codec, record->block.entropy))
        return sbz_entropy_decode(&codec->engine, record, 1, bytes);
    here = sbz_engine_array(&codec->host, PICKED, SB_U8, bytes->length);
    status = here.data != NULL ? sbz_entropy_decode(&codec->host, record, 1, &here) : SB_UNSUPPORTED;
    return status == SB_OK ? sbz_engine_upload(&codec->engine, bytes, 0, here.data, here.length) : status;
}

/* The picked records one by one: those that are damaged leave zeros, so that those beside them can go on. */
static sb_status decode_each(sbz_codec *codec, const sbz_record *records, size_t picked, const sb_array *bytes,
                             sbz_text *texts)
{
    sb_status status = SB_OK;

    for (size_t k = 0; status == SB_OK && k < picked; k++) {
        const size_t i = codec->lay.order[codec->picked[k]];
        sb_array part = sbz_engine_part(bytes, start_of(codec, k), codec->pick[k].block.original);

        status = decode_one(codec, &codec->pick[k], &part);
        if (status == SB_INVALID) {
            complain(&records[i], &texts[i], "the payload is damaged");
            status = zero(&codec->engine, &part);
        }
    }
    return status;
}

/* The picked records in one call, from which their bytes go where they belong. SB_INVALID: some one of them. */
static sb_status decode_together(sbz_codec *codec, size_t picked, const sb_array *bytes)
{
    const uint64_t size = bytes_of(codec->pick, picked);
    const bool neighbours = are_neighbours(codec, picked);
    sb_array part = neighbours ? sbz_engine_part(bytes, start_of(codec, 0), size)
                               : sbz_engine_array(&codec->engine, PICKED, SB_U8, size);
    sb_status status =
        part.data != NULL ? sbz_entropy_decode(&codec->engine, codec->pick, picked, &part) : SB_UNSUPPORTED;
    uint64_t at = 0;

    for (size_t k = 0; status == SB_OK && !neighbours && k < picked; at += codec->pick[k++].block.original)
        status = sbz_engine_gather(&codec->engine, bytes, start_of(codec, k), &part, at, 0,
                                   codec->pick[k].block.original, 1);
    return status;
}

static sb_status decode_stage(sbz_codec *codec, const sbz_record *records, const sb_array *bytes, sbz_text *texts,
                              uint8_t entropy)
{
    size_t picked, from = 0;
    sb_status status = SB_OK;

    while (status == SB_OK && (picked = pick(codec, records, entropy, &from)) > 0) {
        status = picked > 1 && !is_for_host(codec, entropy) ? decode_together(codec, picked, bytes) : SB_INVALID;
        if (status == SB_INVALID)
            status = decode_each(codec, records, picked, bytes, texts);
    }
    return status;
}

static sb_status decode_entropies(sbz_codec *codec, const sbz_record *records, const sb_array *bytes, sbz_text *texts)
{
    sb_status status = SB_OK;

    for (size_t at = 0; at < codec->lay.count; at++) {
        codec->primary[at] = records[codec->lay.order[at]].block.primary;
        texts[at].error[0] = '\0';
    }
    for (uint8_t entropy = 0; status == SB_OK && entropy < SBZ_ENTROPIES; entropy++)
        status = decode_stage(codec, records, bytes, texts, entropy);
    return status;
}

static sb_status restore(sbz_codec *codec, const sbz_record *records, sb_array *array)
{
    sbz_engine *engine = &codec->engine;
    const sb_array text = sbz_engine_array(engine, THIRD, SB_U8, array->length);
    const size_t count = codec->lay.count;
    sb_array primary = {codec->primary, count, count, SB_U64, 0};
    sb_status status = sbz_engine_bring(engine, PRIMARIES, &primary);

    if (text.data == NULL)
        return SB_UNSUPPORTED;
    for (size_t first = 0, row; status == SB_OK && first < count; first += row) {
        row = sbz_batch_row(&codec->lay, first);

        const uint64_t parameters[] = {[SB_BWT_BLOCK] = records[codec->lay.order[first]].block.original};
        const sb_array inputs[] = {
            [SB_BWT_INVERSE_LAST] = row_of(codec, array, records, first, row),
            [SB_BWT_INVERSE_PRIMARY] = sbz_engine_part(&primary, first, row),
        };
        sb_array output = row_of(codec, &text, records, first, row);

        status = sbz_engine_run(engine, "bwt.inverse", parameters, inputs, &output);
    }
    *array = text;
    return status;
}

typedef struct ending {
    const sbz_record *records;
    sbz_text *texts;
} ending;

static void end_text(void *with, size_t i)
{
    const ending *e = with;
    sbz_text *text = &e->texts[i];

    if (text->error[0] == '\0' && sbz_checksum(0, text->data, text->size) != e->records[i].block.checksum)
        complain(&e->records[i], text, "the checksum of the contents differs");
    if (text->error[0] != '\0')
        text->size = 0;
}

/* Records and texts that pass the stages together. */
typedef struct passage {
    size_t count;
    const sbz_record *records, *inner; /* inner: of the view */
    sbz_text *texts;
} passage;

/* How many places from this one on have no codes of runs. */
static size_t runless(const sbz_codec *codec, const passage *p, size_t at)
{
    size_t count = 0;

    while (at + count < codec->lay.count && p->records[codec->lay.order[at + count]].block.runs == SBZ_RUNS_NONE)
        count++;
    return count;
}

static sb_status take_runs(sbz_codec *codec, const sb_array *array, uint64_t at, const sbz_record *record,
                           const sbz_record *inner, sbz_text *text)
{
    sb_status status;

    if (!sbz_text_reserve(codec->coded, inner->block.original))
        return sbz_engine_no_memory(&codec->engine, "a code of runs");
    codec->coded->size = inner->block.original;
    status = sbz_engine_download(&codec->engine, array, at, codec->coded->data, codec->coded->size);
    if (status != SB_OK || text->error[0] != '\0')
        return status;
    if (!sbz_runs_stand_for(codec->coded, text->size)) {
        complain(record, text, "the code of its runs is damaged");
        return SB_OK;
    }
    return sbz_decode_runs(&codec->engine, codec->coded, record->block.run_byte, text);
}

/* From the device to where they belong: texts, and codes of runs, which become texts. */
static sb_status take_texts(sbz_codec *codec, const sb_array *array, const passage *p)
{
    const sbz_batch *lay = &codec->lay;
    sb_status status = SB_OK;

    for (size_t i = 0; i < p->count; i++) {
        if (!sbz_text_reserve(&p->texts[i], p->records[i].block.original))
            return sbz_engine_no_memory(&codec->engine, "a text");
        p->texts[i].size = p->records[i].block.original;
    }
    for (size_t at = 0, run; status == SB_OK && at < lay->count; at += run) {
        const size_t i = lay->order[at];

        if (p->records[i].block.runs != SBZ_RUNS_NONE) {
            run = 1;
            status = take_runs(codec, array, lay->start[at], &p->records[i], &p->inner[i], &p->texts[i]);
        } else {
            const uint64_t bytes = side_by_side(codec, p->texts, at, runless(codec, p, at), &run);

            status = sbz_engine_download(&codec->engine, array, lay->start[at], p->texts[i].data, bytes);
        }
    }
    if (status == SB_OK)
        sbz_each(p->count, end_text, &(ending){p->records, p->texts});
    return status;
}

static sb_status decode_group(sbz_codec *codec, const passage *p)
{
    const sbz_block *head = &p->inner[0].block;
    double started = sb_now();
    sb_array array;
    sb_status status = lay_records(codec, p->inner, p->count);

    if (status != SB_OK)
        return status;
    array = sbz_engine_array(&codec->engine, FIRST, SB_U8, codec->lay.start[p->count]);
    if (array.data == NULL)
        return SB_UNSUPPORTED;
    status = decode_entropies(codec, p->inner, &array, p->texts);
    codec->seconds.entropy += lap(&started);
    if (status == SB_OK && head->ranking == SBZ_RANKING_MTF)
        status = rank(codec, "mtf.decode", p->inner, &array, SECOND);
    if (status == SB_OK && head->transform == SBZ_TRANSFORM_BWT)
        status = restore(codec, p->inner, &array);
    if (status == SB_OK)
        status = take_texts(codec, &array, p);
    codec->seconds.transform += lap(&started);
    return status;
}

/* Records as the stages in front of the code of runs see them. */
static void view_records(sbz_codec *codec, const sbz_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sbz_record *inner = &codec->inner[i];

        *inner = records[i];
        inner->block.original = records[i].block.middle;
        if (records[i].block.runs != SBZ_RUNS_NONE) {
            inner->payload += SBZ_RUNS_HEAD;
            inner->block.encoded -= SBZ_RUNS_HEAD;
        }
    }
}

bool sbz_codec_decode(sbz_codec *codec, const sbz_record *records, size_t count, sbz_text *texts, char *error,
                      size_t size)
{
    sb_status status = reserve_texts(codec, count);

    if (status == SB_OK)
        view_records(codec, records, count);
    for (size_t first = 0, batch; status == SB_OK && first < count; first += batch) {
        batch = batch_of_records(codec, codec->inner + first, count - first);
        status = decode_group(codec, &(passage){batch, records + first, codec->inner + first, texts + first});
    }
    return say(codec, status, error, size);
}

/* In bytes a byte of the block limit: 4 for window, payload, text and its like of a foreign device, 3 for what stands
 * between the stages, 9.25 for the inverse transform, 8 for a Huffman code of which every bit is a symbol, and what a
 * reference copies where there is no variant: 9 of such a code, or 5 for zrun. For coded runs 1 for their code, and
 * SBZ_MOST_RUNS - 1 more for the text, its like of a foreign device and of a reference. The rest is tables. */
uint64_t sbz_decode_memory(uint32_t block_limit)
{
    return (33 + 3 * (uint64_t)(SBZ_MOST_RUNS - 1)) * block_limit + ((uint64_t)1 << 20);
}
