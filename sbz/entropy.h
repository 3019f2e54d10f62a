/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages: bytes, mostly small ranks, to the payloads of blocks and back. docs/SBZ.md defines the payloads.
 *
 * Functions that take several blocks take their bytes side by side in one array, in the order of the records.
 */
#ifndef SBZ_ENTROPY_H
#define SBZ_ENTROPY_H

#include "engine.h"

/* The entropy stages own the engine slots from SBZ_ENTROPY_SLOT up to SBZ_SLOT_PICKED, and all host slots. */
enum { SBZ_ENTROPY_SLOT = 4, SBZ_HOST_BYTES = 0, SBZ_HOST_OFFSETS = 1, SBZ_HOST_SYMBOLS = 2, SBZ_HOST_FLAGS = 3 };

/* The name of a stage, as in --stages. */
const char *sbz_entropy_name(int entropy);
/* True for a stage other than `stored` that takes one block a call. */
bool sbz_entropy_takes_one(uint8_t entropy);
/* True if one call can take the block `more` after the blocks first..last, all of one stage. `tails`: their tails, which are
 * no whole segments, are coded apart (sbz_encode_segments). A GPU is faster with more blocks in a call. */
bool sbz_entropy_together(const sbz_record *first, const sbz_record *last, const sbz_record *more, bool tails);
/* Bytes of a segment, in a stage where all blocks have the same; 0 for others. */
uint64_t sbz_entropy_segment(uint8_t entropy);

/* Encodes `count` blocks: sets payload, encoded and entropy of their records. `encoded` is 0 for a block whose payload
 * would have more bytes than the block. */
sb_status sbz_entropy_encode(sbz_engine *engine, sbz_entropy entropy, const sb_array *bytes, sbz_record *records,
                             size_t count);

/* Decodes `count` blocks of one stage. SB_INVALID: at least one payload is damaged. */
sb_status sbz_entropy_decode(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes);

/* ---- the stages ---- */

sb_status sbz_encode_stored(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
sb_status sbz_decode_stored(sbz_engine *engine, const sbz_record *record, sb_array *bytes);

sb_status sbz_encode_huffman(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
sb_status sbz_decode_huffman(sbz_engine *engine, const sbz_record *record, sb_array *bytes);

enum {
    SBZ_RANGECODER_SEGMENT = 1 << 16, /* bytes, of SBZ_ENTROPY_RANGECODER; part of the format */
    SBZ_MIXCODER_SEGMENT = 1 << 18    /* bytes, of SBZ_ENTROPY_MIXCODER; likewise. ref/mixcoder.h has the costs */
};
sb_status sbz_encode_rangecoder(sbz_engine *engine, const sb_array *bytes, sbz_record *records, size_t count);
sb_status sbz_decode_rangecoder(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes);

/* The same for blocks of any size. `bytes` has only the whole segments of each block; the rest of block i is the block tails[i], of
 * 0 bytes if there is no rest. Encoding: the caller has encoded the tails. Decoding: each tail gets its payload, which belongs to
 * the record, and the caller decodes it. tails NULL: no block has a rest. */
sb_status sbz_encode_segments(sbz_engine *engine, const sb_array *bytes, sbz_record *records, const sbz_record *tails,
                              size_t count);
sb_status sbz_decode_segments(sbz_engine *engine, const sbz_record *records, sbz_record *tails, size_t count,
                              const sb_array *bytes);

#endif
