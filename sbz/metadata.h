/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Name and time of a file in a note before its first stream (docs/SBZ.md), for --name.
 */
#ifndef SBZ_METADATA_H
#define SBZ_METADATA_H

#include "files.h"
#include <limits.h>

typedef struct sbz_metadata {
    char name[NAME_MAX + 1]; /* the last part of what the note says; empty: it has no name that a file can have */
    bool has_time;
    int64_t time; /* of modification, in seconds since 1970 */
} sbz_metadata;

enum { SBZ_METADATA = 2 * NAME_MAX }; /* bytes: the longest name, 44 around it, the keys, and a time of at most 20 */

/* Makes a note with the name of the input and its time of modification; without a name for standard input, and without a time
 * unless it is a regular file. Returns its size; 0: there is neither. */
size_t sbz_metadata_make(const sbz_input *input, uint8_t note[SBZ_METADATA]);
/* What the notes before the first stream say; of a key that stands there twice, the last counts. What is damaged, or is no name or
 * time, is left out: reading the streams reports damage. Does not move the position of the input; of one that is not a regular file
 * nothing is known. */
sbz_metadata sbz_metadata_read(sbz_input *input);

#endif
