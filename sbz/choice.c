/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Choosing the entropy stages of a block: contract in codec_state.h.
 */
#include "codec_state.h"
#include "allocate.h"
#include "entropy.h"

/* A sample is PIECES pieces of PIECE bytes, evenly spread over the block; of a block with fewer bytes than that it is
 * the whole block. The estimates need counts that are large beside the 256 symbols, and few enough bytes that copying
 * them from a device costs little. Not tuned. */
enum { PIECES = 16, PIECE = 4096, SAMPLE = PIECES * PIECE };

static uint64_t sample_start(const sbz_codec *codec, size_t at)
{
    const size_t large = codec->large_count;

    return at < large ? (uint64_t)at * SAMPLE
                      : (uint64_t)large * SAMPLE + codec->layout.start[at] - codec->layout.start[large];
}

/* Gathers the samples in one array of the device, since each copy to the host costs as much as many bytes do. */
static sb_status gather_samples(sbz_codec *codec, const sb_array *bytes, const sbz_record *records,
                                const sb_array *samples)
{
    const sbz_batch *layout = &codec->layout;
    const uint64_t rest = layout->start[layout->count] - layout->start[codec->large_count];
    sb_status status = SB_OK;

    for (size_t at = 0, same; status == SB_OK && at < codec->large_count; at += same) {
        const size_t size = records[layout->order[at]].block.original, distance = size / PIECES;

        for (same = 1; size % PIECES == 0 && at + same < codec->large_count &&
                       records[layout->order[at + same]].block.original == size;)
            same++; /* the pieces of all these blocks are equally far apart: one call copies them */
        status = sbz_engine_gather(&codec->engine, samples, sample_start(codec, at), bytes, layout->start[at], distance,
                                   PIECE, same * PIECES);
    }
    if (status == SB_OK && rest > 0)
        status = sbz_engine_gather(&codec->engine, samples, sample_start(codec, codec->large_count), bytes,
                                   layout->start[codec->large_count], 0, rest, 1);
    return status;
}

sb_status sbz_codec_take_samples(sbz_codec *codec, const sb_array *bytes, const sbz_record *records)
{
    const sbz_batch *layout = &codec->layout;
    sb_array samples;
    sb_status status;

    for (codec->large_count = 0;
         codec->large_count < layout->count && records[layout->order[codec->large_count]].block.original >= SAMPLE;)
        codec->large_count++;
    samples = sbz_engine_array(&codec->engine, SBZ_SLOT_SAMPLES, SB_U8, sample_start(codec, layout->count));
    if (samples.length > codec->sample_capacity) {
        sbz_free(codec->sample);
        codec->sample = sbz_malloc(samples.length);
        codec->sample_capacity = codec->sample != NULL ? samples.length : 0;
        if (codec->sample == NULL)
            return sbz_engine_no_memory(&codec->engine, "samples");
    }
    status = samples.data != NULL ? gather_samples(codec, bytes, records, &samples) : SB_UNSUPPORTED;
    return status == SB_OK ? sbz_engine_download(&codec->engine, &samples, 0, codec->sample, samples.length) : status;
}

/* The estimates look at samples, and the rest of a block may differ. So the range coder, which almost always wins, is
 * tried wherever there is something to win, and the stage with the best estimate beside it, unless a stage says that it is the
 * second one of such blocks:
 *
 *     the sample seems incompressible   zrun-raw, which is fast on noise; then the range coder if zrun-raw gained
 * enough dense, with noisy parts           zrun-raw and zrun-tables (if the block is large enough for several tables)
 *     dense                             range coder and zrun-raw
 *     otherwise                         range coder and the best by estimate, or zrun-tables if parts are noise
 */
static sbz_choice choose(const uint8_t *sample, size_t size, uint32_t block)
{
    uint64_t bits[SBZ_ENTROPIES];
    sbz_counts counts;
    sbz_choice choice = {0};
    uint32_t kind;
    bool second = false;

    sbz_count(sample, size, &counts);
    for (uint8_t i = 0; i < SBZ_ENTROPIES; i++) {
        bits[i] = sbz_stages[i].estimate != NULL ? sbz_stages[i].estimate(&counts) : UINT64_MAX;
        if (bits[i] < bits[choice.alternative])
            choice.alternative = i;
    }
    kind = 1u << sbz_kind_of(&counts, bits[choice.alternative], block);
    for (uint8_t i = 0; i < SBZ_ENTROPIES; i++) {
        if ((sbz_stages[i].first & kind) != 0)
            choice.first = i;
        if ((sbz_stages[i].second & kind) != 0) {
            choice.alternative = i;
            second = true;
        }
    }
    /* The stage with the best estimate may be the first one by another name. */
    if (!second && sbz_stages[choice.alternative].estimate == sbz_stages[choice.first].estimate)
        choice.alternative = choice.first;
    return choice;
}

sbz_choice sbz_codec_choose(const sbz_codec *codec, size_t at, uint32_t size)
{
    return choose(codec->sample + sample_start(codec, at), at < codec->large_count ? SAMPLE : size, size);
}
