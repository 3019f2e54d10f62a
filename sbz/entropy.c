/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of entropy stages: contract in entropy.h.
 */
#include "entropy.h"

static const struct stage {
    const char *name;
    /* One block a call ... */
    sb_status (*encode)(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
    sb_status (*decode)(sbz_engine *engine, const sbz_record *record, sb_array *bytes);
    /* ... or several. `segment` 0: they have the same size, the last may be shorter. Else each but the last has a multiple of
     * so many bytes. */
    sb_status (*encode_all)(sbz_engine *engine, const sb_array *bytes, sbz_record *records, size_t count);
    sb_status (*decode_all)(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes);
    uint64_t segment;
} stages[SBZ_ENTROPIES] = {
    [SBZ_ENTROPY_STORED] = {"stored", sbz_encode_stored, sbz_decode_stored, NULL, NULL, 0},
    [SBZ_ENTROPY_RLE0] = {"rle0", sbz_encode_huffman, sbz_decode_huffman, NULL, NULL, 0},
    [SBZ_ENTROPY_RLE0X] = {"rle0x", sbz_encode_huffman, sbz_decode_huffman, NULL, NULL, 0},
    [SBZ_ENTROPY_ZRUN] = {"zrun", sbz_encode_huffman, sbz_decode_huffman, NULL, NULL, 0},
    [SBZ_ENTROPY_RANGECODER] = {"rangecoder", NULL, NULL, sbz_encode_rangecoder, sbz_decode_rangecoder,
                                SBZ_RANGECODER_SEGMENT},
    [SBZ_ENTROPY_AHUFF] = {"ahuff", sbz_encode_huffman, sbz_decode_huffman, NULL, NULL, 0},
    [SBZ_ENTROPY_ZRUN_RAW] = {"zrun-raw", sbz_encode_huffman, sbz_decode_huffman, NULL, NULL, 0},
    [SBZ_ENTROPY_ZRUN_TABLES] = {"zrun-tables", sbz_encode_huffman, sbz_decode_huffman, NULL, NULL, 0},
    [SBZ_ENTROPY_RANGECODER1] = {"rangecoder1", NULL, NULL, sbz_encode_rangecoder, sbz_decode_rangecoder, 0},
    [SBZ_ENTROPY_MIXCODER] = {"mixcoder", NULL, NULL, sbz_encode_rangecoder, sbz_decode_rangecoder,
                              SBZ_MIXCODER_SEGMENT},
};

const char *sbz_entropy_name(int entropy)
{
    return stages[entropy].name;
}

bool sbz_entropy_takes_one(uint8_t entropy)
{
    return stages[entropy].encode_all == NULL && entropy != SBZ_ENTROPY_STORED;
}

bool sbz_entropy_together(const sbz_record *first, const sbz_record *last, const sbz_record *more, bool tails)
{
    const struct stage *stage = &stages[first->block.entropy];

    if (stage->encode_all == NULL)
        return false;
    if (stage->segment != 0)
        return tails || last->block.original % stage->segment == 0;
    return last->block.original == first->block.original && more->block.original <= first->block.original;
}

uint64_t sbz_entropy_segment(uint8_t entropy)
{
    return stages[entropy].segment;
}

sb_status sbz_encode_stored(sbz_engine *engine, const sb_array *bytes, sbz_record *record)
{
    record->block.encoded = record->block.original;
    return sbz_engine_download(engine, bytes, 0, record->payload, bytes->length);
}

sb_status sbz_decode_stored(sbz_engine *engine, const sbz_record *record, sb_array *bytes)
{
    if (record->block.encoded != bytes->length)
        return SB_INVALID;
    return sbz_engine_upload(engine, bytes, 0, record->payload, bytes->length);
}

sb_status sbz_entropy_encode(sbz_engine *engine, sbz_entropy entropy, const sb_array *bytes, sbz_record *records,
                             size_t count)
{
    uint64_t first = 0;
    sb_status status = SB_OK;

    for (size_t i = 0; i < count; i++) {
        records[i].block.entropy = (uint8_t)entropy;
        records[i].block.encoded = 0;
    }
    if (stages[entropy].encode_all != NULL)
        return stages[entropy].encode_all(engine, bytes, records, count);
    for (size_t i = 0; status == SB_OK && i < count; first += records[i++].block.original) {
        sb_array part = sbz_engine_part(bytes, first, records[i].block.original);

        status = stages[entropy].encode(engine, &part, &records[i]);
        status = status == SB_INVALID ? SB_OK : status;
    }
    return status;
}

sb_status sbz_entropy_decode(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes)
{
    const struct stage *stage = &stages[records[0].block.entropy];
    uint64_t first = 0;
    sb_status status = SB_OK;

    if (stage->decode_all != NULL)
        return stage->decode_all(engine, records, count, bytes);
    for (size_t i = 0; status == SB_OK && i < count; first += records[i++].block.original) {
        sb_array part = sbz_engine_part(bytes, first, records[i].block.original);

        status = stage->decode(engine, &records[i], &part);
        if (status == SB_OK && part.length != records[i].block.original)
            status = SB_INVALID;
    }
    return status;
}
