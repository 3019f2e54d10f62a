/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trial encoding: encodes a text as one block or as several. Run-length coding before the transform, and a longer
 * block, can make the result smaller or larger, and no estimate predicts which. So a text that may be split
 * (sbz_text.part) is encoded as one block. If its runs are coded or it is very repetitive, it is also encoded in equal
 * parts without run-length coding. The smaller result is kept. A text with sbz_text.split is halved instead, as often as
 * that makes it smaller, by its measured size or by an estimate. Each part of a text with sbz_text.open may get a filter, and such a
 * text is also tried with its long matches coded.
 */
#ifndef SBZ_TRIAL_H
#define SBZ_TRIAL_H

#include "codec.h"
#include "filter_choice.h"

/* The blocks of one text. A struct of zeros is empty. */
typedef struct sbz_blocks {
    sbz_record *record; /* `capacity` records, all owned */
    size_t count, capacity;
} sbz_blocks;

void sbz_blocks_free(sbz_blocks *blocks);

/* What a text tells without being encoded: its long matches, and where an estimate halves it. A struct of zeros is empty. */
typedef struct sbz_look {
    sbz_matches_share share;
    size_t *sizes, parts, capacity; /* of the proposed parts; parts 0: there are none, or memory was out */
} sbz_look;

/* Fills `look`. It depends on the text alone; sbz_trial_encode does it for texts without sbz_text.look. */
void sbz_trial_look(const sbz_text *text, sbz_look *look);
void sbz_look_free(sbz_look *look);

/* Memory that all calls reuse. A struct of zeros is empty. */
typedef struct sbz_trial {
    sbz_text *text; /* parts of the texts of the caller */
    size_t capacity;
    sbz_blocks tried;
    sbz_blocks samples; /* of texts that filters are tried on */
} sbz_trial;

void sbz_trial_free(sbz_trial *trial);

/* Encodes each text into blocks, in order. Status and message are as for sbz_codec_encode. */
sb_status sbz_trial_encode(sbz_trial *trial, sbz_codec *codec, const sbz_text *texts, size_t count, sbz_blocks *blocks);

#endif
