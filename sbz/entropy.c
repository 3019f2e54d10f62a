/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of entropy stages: contract in entropy.h.
 */
#include "entropy.h"

static sb_status encode_stored(sbz_engine *engine, const sb_array *bytes, sbz_record *record)
{
    record->block.encoded = record->block.original;
    return sbz_engine_download(engine, bytes, 0, record->payload, bytes->length);
}

static sb_status decode_stored(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    if (record->block.encoded != bytes->length)
        return SB_INVALID;
    return sbz_engine_upload(engine, bytes, 0, record->payload, bytes->length);
}

/* Fewer runs than 3/4 of the bytes: with more, a block is close to noise. With less than 16 KiB of payload the models may have
 * learned too little. Text takes 4.8 to 6 bits for a run, programs 6 to 7.4; DNA takes 3.1, and the range coder makes it 3.5%
 * smaller than mixcoder does. Of 246 programs, libraries, texts and archives (273 MB, half of it mixed), trying all stages saves
 * 604 bytes of 81.6 million; without min_payload it saves 1.5% of one file.
 *
 * Of 4,240 blocks of up to 600 bytes, cut from 1,200 files of a Debian system, it is the smallest for all but 24, which lose one or
 * two words; random letters of DNA lose 1 to 3%. It takes a third of the time of all stages. Of random digits of base 16, blocks over
 * 800 bytes would lose as much. */
static const sbz_certainty mixcoder_certain = {
    .max_short = 512, .max_runs = 4, .min_payload = 1 << 14, .max_runs_of_byte = 2};

#define KIND(kind) (1u << SBZ_KIND_##kind)

/* One block a call leaves most of a GPU idle, which waits for each step of each block. With an H200 and 16 cores, 1 GiB of programs
 * and libraries, many of their blocks noise, takes 2.7 instead of 3.0 s at -6 with such stages on the host, and 1.6 instead of
 * 2.1 s back. Decoding takes 5 bytes for each byte of text: the middle, and its symbols of two bytes; and a byte of the code can be
 * 8 symbols. */
#define HUFFMAN                                                                                                        \
    .encode = sbz_encode_huffman, .decode = sbz_decode_huffman, .place = SBZ_PLACE_HOST, .text_memory = 5,             \
    .payload_memory = 8
/* These copy the payload. */
#define SEGMENTS .encode_all = sbz_encode_rangecoder, .decode_all = sbz_decode_rangecoder, .payload_memory = 1

const sbz_stage sbz_stages[SBZ_ENTROPIES] = {
    [SBZ_ENTROPY_STORED] = {.name = "stored",
                            .encode = encode_stored,
                            .decode = decode_stored,
                            .payload_memory = 1,
                            .estimate = sbz_estimate_stored},
    [SBZ_ENTROPY_RLE0] = {.name = "rle0", HUFFMAN, .estimate = sbz_estimate_rle0},
    [SBZ_ENTROPY_ZRUN] = {.name = "zrun", HUFFMAN, .estimate = sbz_estimate_zrun},
    [SBZ_ENTROPY_RANGECODER] = {.name = "rangecoder",
                                SEGMENTS,
                                .segment = SBZ_RANGECODER_SEGMENT,
                                .encoder = "rangecoder.encode",
                                .decoder = "rangecoder.decode",
                                .first = KIND(DENSE) | KIND(ORDINARY) | KIND(MIXED_ORDINARY),
                                .second = KIND(NOISE),
                                .estimate = sbz_estimate_rangecoder},
    /* One segment is a chain, on which the CPU is ten times as fast as a GPU. */
    [SBZ_ENTROPY_RANGECODER1] = {.name = "rangecoder1",
                                 SEGMENTS,
                                 .segment = SBZ_RANGECODER1_SEGMENT,
                                 .encoder = "rangecoder.encode",
                                 .decoder = "rangecoder.decode",
                                 .place = SBZ_PLACE_HOST,
                                 .first = KIND(SPARSE) | KIND(MIXED_SPARSE),
                                 .estimate = sbz_estimate_rangecoder},
    /* Fast on noise. If it gains nothing there, the slower range coder would not gain either. Not tuned. */
    [SBZ_ENTROPY_ZRUN_RAW] =
        {.name = "zrun-raw", HUFFMAN, .first = KIND(NOISE) | KIND(MIXED_DENSE), .second = KIND(DENSE), .min_gain = 128},
    [SBZ_ENTROPY_ZRUN_TABLES] = {.name = "zrun-tables",
                                 HUFFMAN,
                                 .second = KIND(MIXED_DENSE) | KIND(MIXED_SPARSE) | KIND(MIXED_ORDINARY)},
    /* Its chains are slow on a GPU even where a variant of another stage is forced. */
    [SBZ_ENTROPY_MIXCODER] = {.name = "mixcoder",
                              SEGMENTS,
                              .segment = SBZ_MIXCODER_SEGMENT,
                              .encoder = "mixcoder.encode",
                              .decoder = "mixcoder.decode",
                              .apart = true,
                              .place = SBZ_PLACE_HOST_ONLY,
                              .plain = true,
                              .slow = true,
                              .certain = &mixcoder_certain},
};

bool sbz_entropy_together(const sbz_record *first, const sbz_record *last, const sbz_record *more, bool tails)
{
    const sbz_stage *stage = &sbz_stages[first->block.entropy];

    if (stage->encode_all == NULL)
        return false;
    if (stage->segment != 0)
        return tails || last->block.original % stage->segment == 0;
    return last->block.original == first->block.original && more->block.original <= first->block.original;
}

sb_status sbz_entropy_encode(sbz_engine *engine, uint8_t entropy, const sb_array *bytes, sbz_record *records,
                             size_t count)
{
    const sbz_stage *stage = &sbz_stages[entropy];
    uint64_t first = 0;
    sb_status status = SB_OK;

    for (size_t i = 0; i < count; i++) {
        records[i].block.entropy = entropy;
        records[i].block.encoded = 0;
    }
    if (stage->encode_all != NULL)
        return stage->encode_all(engine, stage, bytes, records, count);
    for (size_t i = 0; status == SB_OK && i < count; first += records[i++].block.original) {
        sb_array part = sbz_engine_part(bytes, first, records[i].block.original);

        status = stage->encode(engine, &part, &records[i]);
        status = status == SB_INVALID ? SB_OK : status;
    }
    return status;
}

sb_status sbz_entropy_decode(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes)
{
    const sbz_stage *stage = &sbz_stages[records[0].block.entropy];
    uint64_t first = 0;
    sb_status status = SB_OK;

    if (stage->decode_all != NULL)
        return stage->decode_all(engine, stage, records, count, bytes);
    for (size_t i = 0; status == SB_OK && i < count; first += records[i++].block.original) {
        sb_array part = sbz_engine_part(bytes, first, records[i].block.original);

        status = stage->decode(engine, &records[i], &part);
        if (status == SB_OK && part.length != records[i].block.original)
            status = SB_INVALID;
    }
    return status;
}
