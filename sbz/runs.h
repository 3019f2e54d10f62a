/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run-length coding before the transform: another byte and 0 change places throughout the text, and rle0 codes the
 * result.
 */
#ifndef SBZ_RUNS_H
#define SBZ_RUNS_H

#include "engine.h"

/* Codes the runs of text->run_byte. SB_INVALID: the code does not have text->runs bytes, or saves less than
 * SBZ_REDUCTION_HEAD. */
sb_status sbz_encode_runs(sbz_engine *engine, const sbz_text *text, sbz_text *coded);
/* True if the code decodes to so many bytes. They are counted, not written. */
bool sbz_runs_decode_to(const sbz_text *coded, uint64_t bytes);
/* Decodes to text->size bytes, which sbz_runs_decode_to has confirmed. */
sb_status sbz_decode_runs(sbz_engine *engine, const sbz_text *coded, uint8_t run_byte, sbz_text *text);

#endif
