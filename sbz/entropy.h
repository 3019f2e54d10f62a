/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages: bytes, which are mostly small ranks, to the payloads of blocks and back. docs/SBZ.md has the
 * layouts.
 */
#ifndef SBZ_ENTROPY_H
#define SBZ_ENTROPY_H

#include "engine.h"

/* Slots of the engine from this number on belong to the entropy stages, and all host memory. */
enum { SBZ_ENTROPY_SLOT = 4, SBZ_HOST_BYTES = 0, SBZ_HOST_OFFSETS = 1, SBZ_HOST_SYMBOLS = 2, SBZ_HOST_FLAGS = 3 };

/* The word for a stage; NULL past the last. */
const char *sbz_entropy_name(int entropy);
/* Records of this stage that one call can code begin with `first` and end with `last`: can it code one more as well? It
 * is quicker on a GPU. */
bool sbz_entropy_together(const sbz_record *first, const sbz_record *last, const sbz_record *more);

/* Encodes the bytes of `count` blocks, which stand side by side, original bytes each: sets payload, encoded and entropy
 * of the records. A payload that would have more bytes than its block leaves encoded at 0. */
sb_status sbz_entropy_encode(sbz_engine *engine, sbz_entropy entropy, const sb_array *bytes, sbz_record *records,
                             size_t count);

/* The reverse, of records of one stage. SB_INVALID: a payload is damaged, when there are several some one of them. */
sb_status sbz_entropy_decode(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes);

/* ---- the stages ---- */

sb_status sbz_encode_stored(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
sb_status sbz_decode_stored(sbz_engine *engine, const sbz_record *record, sb_array *bytes);

sb_status sbz_encode_huffman(sbz_engine *engine, const sb_array *bytes, sbz_record *record);
sb_status sbz_decode_huffman(sbz_engine *engine, const sbz_record *record, sb_array *bytes);

enum { SBZ_RANGECODER_SEGMENT = 1 << 16 }; /* of SBZ_ENTROPY_RANGECODER1: the block */
sb_status sbz_encode_rangecoder(sbz_engine *engine, const sb_array *bytes, sbz_record *records, size_t count);
sb_status sbz_decode_rangecoder(sbz_engine *engine, const sbz_record *records, size_t count, const sb_array *bytes);

#endif
