/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Codecs: contract in codec.h.
 *
 * Texts of one size are laid side by side on the device and go through transform and ranking together, as blocks of one
 * array; entropy stages take one block at a time.
 */
#include "codec.h"
#include "each.h"
#include "engine.h"
#include "entropy.h"
#include "estimate.h"
#include "../harness/clock.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, SECOND, THIRD, PRIMARIES, SAMPLES = SBZ_SLOTS - 1 };
enum { STAGE = 32 };
enum { SAMPLE_PIECES = 16, SAMPLE_PIECE = 4096, SAMPLE = SAMPLE_PIECES * SAMPLE_PIECE };

/* What texts are laid side by side at most, beyond the first. */
static const uint64_t BATCH_BYTES = (uint64_t)64 << 20;

typedef struct forced_stages {
    bool any;
    uint8_t transform, ranking, entropy;
} forced_stages;

struct sbz_codec {
    sbz_engine engine;
    forced_stages forced;
    size_t batch; /* texts that there is room for in what follows */
    uint64_t *primary;
    uint8_t *sample; /* SAMPLE bytes each */
    sbz_seconds seconds;
};

void sbz_text_free(sbz_text *text)
{
    free(text->data);
    *text = (sbz_text){0};
}

bool sbz_text_reserve(sbz_text *text, size_t bytes)
{
    if (bytes <= text->capacity)
        return true;
    free(text->data);
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

static bool force_word(sbz_codec *codec, char *word)
{
    char *slash = strchr(word, '/');

    if (strcmp(word, "reference") == 0)
        return codec->engine.references = true;
    if (slash != NULL)
        *slash = '\0';
    return stage_known(word, &codec->forced) && (slash == NULL || sbz_engine_force(&codec->engine, word, slash + 1));
}

static bool force(sbz_codec *codec, const char *stages, char *error, size_t size)
{
    codec->forced.entropy = SBZ_ENTROPIES;
    while (*stages != '\0') {
        size_t length = strcspn(stages, ",");
        char word[2 * STAGE], whole[2 * STAGE];

        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), stages);
        memcpy(whole, word, sizeof word);
        if (!force_word(codec, word) || codec->forced.transform > 1 || codec->forced.ranking > 1) {
            snprintf(error, size, "'%s' is no stage here, or there is another already", whole);
            return false;
        }
        stages += length + (stages[length] == ',');
    }
    if (codec->forced.entropy == SBZ_ENTROPIES)
        codec->forced.entropy = SBZ_ENTROPY_STORED;
    return true;
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
        !force(codec, settings->stages != NULL ? settings->stages : "", error, size)) {
        sbz_codec_close(codec);
        return NULL;
    }
    return codec;
}

void sbz_codec_close(sbz_codec *codec)
{
    if (codec == NULL)
        return;
    if (codec->engine.device != NULL)
        sbz_engine_close(&codec->engine);
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

size_t sbz_codec_batch(const sbz_codec *codec, uint32_t block)
{
    if (codec->engine.where == SBZ_CPU || block == 0 || block > BATCH_BYTES)
        return 1;
    return (size_t)(BATCH_BYTES / block);
}

uint32_t sbz_level_block(int level)
{
    /* Multiples of SBZ_RANKS_SEGMENT. About that of bzip2 -9 is best for programs, which are of many parts; for text,
     * more is better, but slower where it does not fit into a cache. */
    static const uint32_t kibibytes[] = {[1] = 128, 256, 384, 512, 768, 896, 1792, 3584, 7168};

    return kibibytes[level >= 1 && level <= 9 ? level : SBZ_DEFAULT_LEVEL] << 10;
}

/* ---- both ways ---- */

static bool say(const sbz_codec *codec, sb_status status, char *error, size_t size)
{
    if (status == SB_OK)
        return true;
    snprintf(error, size, "%s", status == SB_INVALID ? "a stage refused what another gave it" : codec->engine.error);
    return false;
}

static sb_status reserve_batch(sbz_codec *codec, size_t count)
{
    if (count <= codec->batch)
        return SB_OK;
    free(codec->primary);
    free(codec->sample);
    codec->primary = malloc(count * sizeof *codec->primary);
    codec->sample = malloc(count * SAMPLE);
    codec->batch = codec->primary != NULL && codec->sample != NULL ? count : 0;
    return codec->batch != 0 ? SB_OK : sbz_engine_no_memory(&codec->engine, "a batch");
}

/* Seconds since `started`, which becomes now. What a device has not finished counts for who waits for it. */
static double lap(double *started)
{
    const double before = *started;

    *started = sb_now();
    return *started - before;
}

/* How many of the sizes, from the first on, are one size, but for the last, which may be less; as far as one batch
 * goes. */
static size_t group_size(const sbz_codec *codec, size_t count, uint64_t (*size_of)(const void *of, size_t i),
                         const void *of)
{
    const uint64_t block = size_of(of, 0);
    size_t most = sbz_codec_batch(codec, block <= UINT32_MAX ? (uint32_t)block : 0);
    size_t group = 1;

    while (group < count && group < most && size_of(of, group) <= block) {
        if (size_of(of, group++) < block)
            break;
    }
    return group;
}

/* ---- encoding ---- */

static uint64_t text_size(const void *of, size_t i)
{
    return ((const sbz_text *)of)[i].size;
}

static sb_status lay_texts(sbz_engine *engine, const sbz_text *texts, size_t count, sb_array *array)
{
    uint64_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += texts[i].size;
    if (engine->direct && count == 1) {
        *array = (sb_array){texts[0].data, n, n, SB_U8, 0};
        return SB_OK;
    }
    *array = sbz_engine_array(engine, FIRST, SB_U8, n);
    n = 0;
    for (size_t i = 0; i < count; n += texts[i++].size)
        if (array->data == NULL || sbz_engine_upload(engine, array, n, texts[i].data, texts[i].size) != SB_OK)
            return SB_UNSUPPORTED;
    return SB_OK;
}

static sb_status transform(sbz_codec *codec, sb_array *array, uint64_t block, size_t count)
{
    sbz_engine *engine = &codec->engine;
    const uint64_t parameters[] = {[SB_BWT_BLOCK] = block};
    sb_array outputs[] = {
        [SB_BWT_FORWARD_LAST] = sbz_engine_array(engine, SECOND, SB_U8, array->length),
        [SB_BWT_FORWARD_PRIMARY] = sbz_engine_array(engine, PRIMARIES, SB_U64, count),
    };
    sb_status status = SB_UNSUPPORTED;

    if (outputs[0].data != NULL && outputs[1].data != NULL)
        status = sbz_engine_run(engine, "bwt.forward", parameters, array, outputs);
    if (status == SB_OK)
        status = sbz_engine_download(engine, &outputs[SB_BWT_FORWARD_PRIMARY], 0, codec->primary, count);
    *array = outputs[SB_BWT_FORWARD_LAST];
    return status;
}

static sb_status rank(sbz_engine *engine, const char *algorithm, sb_array *array, uint64_t block, int slot)
{
    const uint64_t parameters[] = {[SB_MTF_CHUNK] = block};
    sb_array output = sbz_engine_array(engine, slot, SB_U8, array->length);
    sb_status status = SB_UNSUPPORTED;

    if (output.data != NULL)
        status = sbz_engine_run(engine, algorithm, parameters, array, &output);
    *array = output;
    return status;
}

static size_t sample_size(uint64_t size)
{
    return size < SAMPLE ? (size_t)size : SAMPLE;
}

/* Of each text pieces from all over it, or all of it: gathered on the device, for each way off it costs as much as many
 * bytes. */
static sb_status take_samples(sbz_codec *codec, const sb_array *bytes, const sbz_text *texts, size_t count)
{
    sbz_engine *engine = &codec->engine;
    sb_array samples = sbz_engine_array(engine, SAMPLES, SB_U8, (uint64_t)count * SAMPLE);
    uint64_t first = 0, at = 0;
    sb_status status = samples.data != NULL ? SB_OK : SB_UNSUPPORTED;

    for (size_t i = 0; i < count; first += texts[i++].size) {
        const size_t size = sample_size(texts[i].size), pieces = size < SAMPLE ? 1 : SAMPLE_PIECES;

        for (uint64_t k = 0; status == SB_OK && k < pieces; k++, at += size / pieces)
            status = sbz_engine_copy(engine, &samples, at, bytes, first + k * (texts[i].size / pieces), size / pieces);
    }
    return status == SB_OK ? sbz_engine_download(engine, &samples, 0, codec->sample, at) : status;
}

static sbz_entropy smallest(const uint8_t *sample, size_t size)
{
    uint64_t bits[SBZ_ENTROPIES];
    sbz_entropy best = SBZ_ENTROPY_STORED;

    sbz_estimate(sample, size, bits);
    for (int i = 0; i < SBZ_ENTROPIES; i++)
        if (bits[i] < bits[best])
            best = (sbz_entropy)i;
    return best;
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

typedef struct beginning {
    const sbz_codec *codec;
    const sbz_text *texts;
    sbz_record *records;
} beginning;

/* What the processor of the host has to look at every byte for. */
static void begin_record(void *with, size_t i)
{
    const beginning *b = with;
    sbz_block *block = &b->records[i].block;

    block->checksum = sbz_checksum(0, b->texts[i].data, b->texts[i].size);
    if (!b->codec->forced.any) /* no sample before this one is of a shorter text */
        block->entropy =
            (uint8_t)smallest(b->codec->sample + i * sample_size(b->texts[0].size), sample_size(b->texts[i].size));
}

/* Headers, all but what the entropy stage says, and the choice of it. */
static sb_status begin_records(sbz_codec *codec, const sbz_text *texts, size_t count, const sbz_block *head,
                               const sb_array *bytes, sbz_record *records)
{
    sb_status status = codec->forced.any ? SB_OK : take_samples(codec, bytes, texts, count);

    if (status != SB_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        records[i].block = *head;
        records[i].block.original = (uint32_t)texts[i].size;
        records[i].block.entropy = codec->forced.entropy;
        if (head->transform == SBZ_TRANSFORM_BWT)
            records[i].block.primary = (uint32_t)codec->primary[i];
        if (!sbz_record_reserve(&records[i], texts[i].size))
            return sbz_engine_no_memory(&codec->engine, "a payload");
    }
    sbz_each(count, begin_record, &(beginning){codec, texts, records});
    return SB_OK;
}

/* How many records from the first on can pass one entropy stage together. */
static size_t run_of_records(const sbz_record *records, size_t count)
{
    const uint8_t entropy = records[0].block.entropy;
    size_t run = 1;

    while (run < count && records[run].block.entropy == entropy &&
           sbz_entropy_together((sbz_entropy)entropy, records[run - 1].block.original))
        run++;
    return run;
}

static uint64_t bytes_of(const sbz_record *records, size_t count)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += records[i].block.original;
    return bytes;
}

static sb_status encode_records(sbz_codec *codec, const sbz_text *texts, size_t count, const sb_array *bytes,
                                sbz_record *records)
{
    uint64_t at = 0;
    sb_status status = SB_OK;

    for (size_t first = 0, run; status == SB_OK && first < count; first += run) {
        const sbz_entropy entropy = (sbz_entropy)records[first].block.entropy;

        run = run_of_records(records + first, count - first);
        sb_array part = sbz_engine_part(bytes, at, bytes_of(records + first, run));

        at += part.length;
        if (entropy != SBZ_ENTROPY_STORED || codec->forced.any)
            status = sbz_entropy_encode(&codec->engine, entropy, &part, records + first, run);
        for (size_t i = first; status == SB_OK && i < first + run; i++)
            if (records[i].block.encoded == 0)
                store(&texts[i], &records[i]);
    }
    return status;
}

static sb_status encode_group(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records)
{
    const uint64_t size = texts[0].size;
    const sbz_block head = {
        .transform = codec->forced.any ? codec->forced.transform : SBZ_TRANSFORM_BWT,
        .ranking = codec->forced.any ? codec->forced.ranking : SBZ_RANKING_MTF,
    };
    double started = sb_now();
    sb_array array;
    sb_status status = reserve_batch(codec, count);

    if (status == SB_OK)
        status = lay_texts(&codec->engine, texts, count, &array);
    if (status == SB_OK && head.transform == SBZ_TRANSFORM_BWT)
        status = transform(codec, &array, size, count);
    if (status == SB_OK && head.ranking == SBZ_RANKING_MTF)
        status = rank(&codec->engine, "mtf.encode", &array, size, THIRD);
    codec->seconds.transform += lap(&started);
    if (status == SB_OK)
        status = begin_records(codec, texts, count, &head, &array, records);
    if (status == SB_OK)
        status = encode_records(codec, texts, count, &array, records);
    codec->seconds.entropy += lap(&started);
    return status;
}

bool sbz_codec_encode(sbz_codec *codec, const sbz_text *texts, size_t count, sbz_record *records, char *error,
                      size_t size)
{
    sb_status status = SB_OK;

    for (size_t first = 0, group; status == SB_OK && first < count; first += group) {
        group = group_size(codec, count - first, text_size, texts + first);
        status = encode_group(codec, texts + first, group, records + first);
    }
    return say(codec, status, error, size);
}

/* ---- decoding ---- */

static uint64_t record_size(const void *of, size_t i)
{
    return ((const sbz_record *)of)[i].block.original;
}

/* Records of one group went the same way before their entropy stages. */
static size_t group_of_records(const sbz_codec *codec, const sbz_record *records, size_t count)
{
    size_t same = 1;

    while (same < count && records[same].block.transform == records[0].block.transform &&
           records[same].block.ranking == records[0].block.ranking)
        same++;
    return group_size(codec, same, record_size, records);
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

/* Records that are damaged leave zeros, so that those beside them can go on. */
static sb_status decode_records(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes,
                                sbz_text *texts)
{
    sb_status status = sbz_entropy_decode(engine, records, count, bytes);
    uint64_t at = 0;

    if (status != SB_INVALID)
        return status;
    if (count == 1) {
        complain(records, texts, "the payload is damaged");
        return zero(engine, bytes);
    }
    status = SB_OK;
    for (size_t i = 0; status == SB_OK && i < count; at += records[i++].block.original) {
        sb_array part = sbz_engine_part(bytes, at, records[i].block.original);

        status = decode_records(engine, records + i, 1, &part, texts + i);
    }
    return status;
}

static sb_status decode_entropies(sbz_codec *codec, const sbz_record *records, size_t count, const sb_array *bytes,
                                  sbz_text *texts)
{
    uint64_t at = 0;
    sb_status status = SB_OK;

    for (size_t first = 0, run; status == SB_OK && first < count; first += run) {
        run = run_of_records(records + first, count - first);
        sb_array part = sbz_engine_part(bytes, at, bytes_of(records + first, run));

        at += part.length;
        for (size_t i = first; i < first + run; i++) {
            codec->primary[i] = records[i].block.primary;
            texts[i].error[0] = '\0';
        }
        status = decode_records(&codec->engine, records + first, run, &part, texts + first);
    }
    return status;
}

static sb_status restore(sbz_codec *codec, sb_array *array, uint64_t block, size_t count)
{
    sbz_engine *engine = &codec->engine;
    const uint64_t parameters[] = {[SB_BWT_BLOCK] = block};
    sb_array inputs[] = {
        [SB_BWT_INVERSE_LAST] = *array,
        [SB_BWT_INVERSE_PRIMARY] = {codec->primary, count, count, SB_U64, 0},
    };
    sb_array text = sbz_engine_array(engine, THIRD, SB_U8, array->length);
    sb_status status = sbz_engine_bring(engine, PRIMARIES, &inputs[SB_BWT_INVERSE_PRIMARY]);

    if (text.data == NULL || status != SB_OK)
        return SB_UNSUPPORTED;
    *array = text;
    return sbz_engine_run(engine, "bwt.inverse", parameters, inputs, array);
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

static sb_status take_texts(sbz_engine *engine, const sb_array *array, const sbz_record *records, size_t count,
                            sbz_text *texts)
{
    uint64_t at = 0;

    for (size_t i = 0; i < count; at += texts[i++].size) {
        if (!sbz_text_reserve(&texts[i], records[i].block.original))
            return sbz_engine_no_memory(engine, "a text");
        texts[i].size = records[i].block.original;
        if (sbz_engine_download(engine, array, at, texts[i].data, texts[i].size) != SB_OK)
            return SB_FAILED;
    }
    sbz_each(count, end_text, &(ending){records, texts});
    return SB_OK;
}

static sb_status decode_group(sbz_codec *codec, const sbz_record *records, size_t count, sbz_text *texts)
{
    const sbz_block *head = &records[0].block;
    double started = sb_now();
    sb_array array = sbz_engine_array(&codec->engine, FIRST, SB_U8, bytes_of(records, count));
    sb_status status = reserve_batch(codec, count);

    if (array.data == NULL || status != SB_OK)
        return SB_UNSUPPORTED;
    status = decode_entropies(codec, records, count, &array, texts);
    codec->seconds.entropy += lap(&started);
    if (status == SB_OK && head->ranking == SBZ_RANKING_MTF)
        status = rank(&codec->engine, "mtf.decode", &array, head->original, SECOND);
    if (status == SB_OK && head->transform == SBZ_TRANSFORM_BWT)
        status = restore(codec, &array, head->original, count);
    if (status == SB_OK)
        status = take_texts(&codec->engine, &array, records, count, texts);
    codec->seconds.transform += lap(&started);
    return status;
}

bool sbz_codec_decode(sbz_codec *codec, const sbz_record *records, size_t count, sbz_text *texts, char *error,
                      size_t size)
{
    sb_status status = SB_OK;

    for (size_t first = 0, group; status == SB_OK && first < count; first += group) {
        group = group_of_records(codec, records + first, count - first);
        status = decode_group(codec, records + first, group, texts + first);
    }
    return say(codec, status, error, size);
}

/* In bytes a byte of the block: 4 for window, payload, text and its like of a foreign device, 3 for what stands between
 * the stages, 9.25 for the inverse transform, 8 for a Huffman code of which every bit is a symbol, and what a reference
 * copies where there is no variant: 9 of such a code, or 5 for zrun. The rest is tables. */
uint64_t sbz_decode_memory(uint32_t block_limit)
{
    return 32 * (uint64_t)block_limit + ((uint64_t)1 << 20);
}
