/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which filters, and whether long matches, are worth a trial on a text. All arithmetic is in integers, so that the choice is the same
 * on every computer. It takes about 2% of the time of the default level.
 */
#ifndef SBZ_FILTER_CHOICE_H
#define SBZ_FILTER_CHOICE_H

#include "text.h"

typedef struct sbz_filter_use {
    uint8_t filter, distance; /* as in sbz_block */
} sbz_filter_use;

enum { SBZ_FILTER_TRIALS = 3 };

typedef struct sbz_filter_choice {
    uint8_t program; /* a filter for programs, which needs no trial; SBZ_FILTER_NONE: it is none */
    sbz_filter_use record[SBZ_FILTER_TRIALS]; /* filters for records, to be tried on a sample */
    size_t records;                           /* how many */
} sbz_filter_choice;

sbz_filter_choice sbz_filter_choose(const uint8_t *bytes, size_t size);

/* The sample: two parts of the text, one behind the other, that begin at multiples of all distances. A text shorter than
 * SBZ_FILTER_SAMPLE is its own. Returns its size. */
enum { SBZ_FILTER_SAMPLE = 2 * 341 * 48 }; /* bytes: 48 is the least multiple of 12 and 16 */
size_t sbz_filter_sample(const uint8_t *bytes, size_t size, uint8_t sample[SBZ_FILTER_SAMPLE]);

/* True if long matches seem to cover more than 1/share of the text. */
bool sbz_matches_promise(const uint8_t *bytes, size_t size, size_t share);

#endif
