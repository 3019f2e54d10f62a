/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Texts to blocks, where a text may become one block or several. What gains by coded runs, or by a longer block, can
 * lose by them in the next file, and no estimate tells. So a text that may have parts is tried as one block and, where
 * it has coded runs or repeats itself much, in equal parts without them: the smaller is kept.
 */
#ifndef SBZ_TRIAL_H
#define SBZ_TRIAL_H

#include "codec.h"

/* The blocks of a text; zeroed is empty. */
typedef struct sbz_blocks {
    sbz_record *record; /* owned, as those past the count are */
    size_t count, room;
} sbz_blocks;

void sbz_blocks_free(sbz_blocks *blocks);

/* Memory for what is tried; zeroed is empty. */
typedef struct sbz_trial {
    sbz_text *text; /* lent */
    size_t room;
    sbz_blocks tried;
} sbz_trial;

void sbz_trial_free(sbz_trial *ways);

/* The blocks of each text, in order. False as sbz_codec_encode. */
bool sbz_trial_encode(sbz_trial *ways, sbz_codec *codec, const sbz_text *texts, size_t count, sbz_blocks *blocks,
                      char *error, size_t size);

#endif
