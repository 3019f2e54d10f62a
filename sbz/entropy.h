/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The entropy stages: bytes, which are mostly small ranks, to the payload of a block and back. docs/SBZ.md has the
 * layouts.
 */
#ifndef SBZ_ENTROPY_H
#define SBZ_ENTROPY_H

#include "engine.h"

/* The word for a stage; NULL: past the last, or a stage that is not here. */
const char *sbz_entropy_name(int entropy);

/* Slots of the engine from this number on belong to the entropy stages. */
enum { SBZ_ENTROPY_SLOT = 4 };

/* Sets the payload, encoded and entropy of the record. SB_INVALID: it would have more bytes than the block. */
sb_status sbz_entropy_encode(sbz_engine *engine, sbz_entropy entropy, const sb_array *bytes, sbz_record *record);

/* Fills the array of block.original bytes. SB_INVALID: the payload is damaged. */
sb_status sbz_entropy_decode(sbz_engine *engine, const sbz_record *record, sb_array *bytes);

#endif
