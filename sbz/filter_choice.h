/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which filters, and whether long matches, are worth a trial on a text. All arithmetic is in integers, so that the choice is the same
 * on every computer. It takes about 1% of the time of the default level.
 */
#ifndef SBZ_FILTER_CHOICE_H
#define SBZ_FILTER_CHOICE_H

#include "text.h"

typedef struct sbz_filter_use {
    uint8_t filter, distance; /* as in sbz_block */
} sbz_filter_use;

enum { SBZ_FILTER_TRIALS = 3 };

typedef struct sbz_filter_choice {
    sbz_filter_use record[SBZ_FILTER_TRIALS]; /* filters for records */
    size_t records;                           /* how many */
} sbz_filter_choice;

/* The filter of a text that seems to be a program: it needs no trial. SBZ_FILTER_NONE: it seems to be none. */
uint8_t sbz_filter_program(const uint8_t *bytes, size_t size);

/* The filters for records that may make a text smaller than `encoded` bytes, which it takes without a filter. */
sbz_filter_choice sbz_filter_records(const sbz_text *text, uint32_t encoded);

/* The sample: two pieces of the text, one behind the other, that begin at multiples of all distances. A text shorter than
 * SBZ_FILTER_SAMPLE is its own. Returns its size. */
enum { SBZ_FILTER_SAMPLE = 2 * 341 * 48 }; /* bytes: 48 is the least multiple of 12 and 16 */
size_t sbz_filter_sample(const uint8_t *bytes, size_t size, uint8_t sample[SBZ_FILTER_SAMPLE]);

/* How much of a text matches seem to cover, in 1/256: of at least 32 bytes, and of at least 256. */
typedef struct sbz_matches_share {
    unsigned all, longest;
} sbz_matches_share;

sbz_matches_share sbz_matches_look(const uint8_t *bytes, size_t size);

#endif
