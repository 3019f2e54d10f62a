/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a process declares when it is started: contracts and variants, as lines of text (docs/FORMAT.md, *A process for all cases*).
 */
#ifndef HARNESS_DECLARATION_H
#define HARNESS_DECLARATION_H

#include "worker.h"

/* An algorithm that a declaration describes. `algorithm` is the first member, so that its reference finds the rest. */
typedef struct sb_declared {
    sb_algorithm algorithm;
    sb_parameter parameters[SB_MAX_PARAMETERS];
    sb_field inputs[SB_MAX_ARRAYS], outputs[SB_MAX_ARRAYS];
    double nanoseconds;   /* of the reference for each element of `cost`; 0: not declared */
    const char *cost;     /* a shape */
    struct sb_pool *pool; /* of its processes: see foreign.h */
} sb_declared;

typedef struct sb_declaration {
    char *text; /* names and lists of the algorithms are in it */
    sb_declared **contracts;
    size_t contract_count;
    char *folder;        /* of the files with worked cases; NULL: not declared */
    sb_module_info info; /* of the variants and their device */
} sb_declaration;

/* Reads the lines. False: `error` says which is wrong, and how. What has been read is to be freed in any case. */
bool sb_declaration_read(sb_declaration *declaration, const char *text, char *error, size_t size);
void sb_declaration_free(sb_declaration *declaration);

#endif
