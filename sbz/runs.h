/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Coded runs, the first thing that is done to a text: another byte and 0 change places, and then it is rle0 of that.
 */
#ifndef SBZ_RUNS_H
#define SBZ_RUNS_H

#include "engine.h"

/* The code of a text, whose length is known. SB_INVALID: it is another, or saves less than it costs to say so. */
sb_status sbz_encode_runs(sbz_engine *engine, const sbz_text *text, sbz_text *coded);
/* Is this the code of so many bytes? They are counted. */
bool sbz_runs_decode_to(const sbz_text *coded, uint64_t bytes);
/* The text of a code that stands for just its bytes. */
sb_status sbz_decode_runs(sbz_engine *engine, const sbz_text *coded, uint8_t run_byte, sbz_text *text);

#endif
