/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Choosing the entropy stages of a block: contract in codec_state.h.
 */
#include "codec_state.h"
#include "entropy.h"
#include "estimate.h"
#include <stdlib.h>

/* A sample is PIECES pieces of PIECE bytes, evenly spread over the block; of a block with fewer bytes than that it is
 * the whole block. The estimates need counts that are large beside the 256 symbols, and few enough bytes that copying
 * them from a device costs little. Not tuned. */
enum { PIECES = 16, PIECE = 4096, SAMPLE = PIECES * PIECE };

/* Limits of the choice; measured on system files when each was introduced, without a table of halves and doubles. */
enum {
    /* A block is dense if the best estimate keeps DENSE of DENSE_OF of its bytes (13/16). An adaptive coder then
     * follows noise, so a single Huffman table (zrun-raw) is tried as well. */
    DENSE = 13,
    DENSE_OF = 16,
    /* A block is sparse if the range coder would keep less than 1/SPARSE of it. Then the range coder runs over the
     * whole block: a model that starts again every 64 KiB would cost more than the few bytes that are left. */
    SPARSE = 16,
    /* Bytes. Several Huffman tables take about 600 bytes; a dense block with fewer bytes than this does not save that.
     */
    MIN_TABLES_BLOCK = 1 << 17
};

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
        free(codec->sample);
        codec->sample = malloc(samples.length);
        codec->sample_capacity = codec->sample != NULL ? samples.length : 0;
        if (codec->sample == NULL)
            return sbz_engine_no_memory(&codec->engine, "samples");
    }
    status = samples.data != NULL ? gather_samples(codec, bytes, records, &samples) : SB_UNSUPPORTED;
    return status == SB_OK ? sbz_engine_download(&codec->engine, &samples, 0, codec->sample, samples.length) : status;
}

/* The estimates look at samples, and the rest of a block may differ. So the range coder, which almost always wins, is
 * tried wherever there is something to win, and the stage with the best estimate beside it:
 *
 *     the sample seems incompressible   zrun-raw, which is fast on noise; then the range coder if zrun-raw gained
 * enough dense, with noisy parts           zrun-raw and zrun-tables (if the block is large enough for several tables)
 *     dense                             range coder and zrun-raw
 *     otherwise                         range coder and the best by estimate, or zrun-tables if parts are noise
 */
static sbz_choice choose(const uint8_t *sample, size_t size, uint32_t block)
{
    uint64_t bits[SBZ_ENTROPIES];
    const bool noise = sbz_estimate(sample, size, bits);
    uint8_t best = SBZ_ENTROPY_STORED, rangecoder = SBZ_ENTROPY_RANGECODER;

    for (uint8_t i = 0; i < SBZ_ENTROPIES; i++)
        if (bits[i] < bits[best])
            best = i;
    if (best == SBZ_ENTROPY_STORED)
        return (sbz_choice){SBZ_ENTROPY_ZRUN_RAW, SBZ_ENTROPY_RANGECODER};
    if (bits[best] >= bits[SBZ_ENTROPY_STORED] / DENSE_OF * DENSE)
        return noise && block >= MIN_TABLES_BLOCK ? (sbz_choice){SBZ_ENTROPY_ZRUN_RAW, SBZ_ENTROPY_ZRUN_TABLES}
                                                  : (sbz_choice){SBZ_ENTROPY_RANGECODER, SBZ_ENTROPY_ZRUN_RAW};
    if (bits[rangecoder] < bits[SBZ_ENTROPY_STORED] / SPARSE && block > SBZ_RANGECODER_SEGMENT)
        rangecoder = SBZ_ENTROPY_RANGECODER1;
    if (noise)
        best = SBZ_ENTROPY_ZRUN_TABLES;
    return (sbz_choice){rangecoder, best == SBZ_ENTROPY_RANGECODER ? rangecoder : best};
}

sbz_choice sbz_codec_choose(const sbz_codec *codec, size_t at, uint32_t size)
{
    return choose(codec->sample + sample_start(codec, at), at < codec->large_count ? SAMPLE : size, size);
}
