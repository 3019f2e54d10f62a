/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The argument of --stages: words separated by commas.
 *
 *     x86, arm64             that filter runs on every block; at most one of these and the next
 *     delta=N, planes=N, delta-planes=N
 *                            likewise, for records of N bytes, 1 to 16; planes from 2 on, and without `matches`
 *     runs                   run-length coding before the transform is allowed
 *     matches                long matches are coded before the transform, where runs are not
 *     bwt, mtf               that stage runs on every block
 *     an entropy stage       that stage runs on every block; at most one; `stored` if none is named
 *                            (entropy.c lists them)
 *     huffman                stands for nothing by itself; it is there for huffman/VARIANT
 *     WORD/VARIANT           WORD, and its algorithms run by that variant only, where it exists for them
 *     WORD/reference         WORD, run by its reference implementation
 *     reference              every algorithm is run by its reference implementation
 *
 * Without a stage word sbz chooses the stages of each block. A decoder reads the stages from the file and obeys only
 * the variants.
 */
#ifndef SBZ_STAGES_H
#define SBZ_STAGES_H

#include "engine.h"

typedef struct sbz_forced_stages {
    bool any;                                  /* a stage is named: sbz chooses nothing */
    uint8_t runs, matches, transform, ranking; /* how often each is named: 0 or 1 */
    uint8_t filter, distance;                  /* values of sbz_block */
    bool any_entropy;                          /* an entropy stage is named */
    uint8_t entropy;                           /* a value of sbz_entropy */
} sbz_forced_stages;

/* Parses the list, and forces its variants on the engine, unless that is NULL. SB_UNSUPPORTED: engine->error names the
 * word that is wrong. */
sb_status sbz_stages_parse(sbz_forced_stages *forced, sbz_engine *engine, const char *stages);

/* True if sbz chooses the stages of each block, that is if the list (NULL: none) names no stage. `runs`: may the runs
 * of a block be coded? */
bool sbz_stages_open(const char *stages, bool *runs);

#endif
