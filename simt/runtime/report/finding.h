/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A finding, for the files that note, locate and print it.
 */
#ifndef SIMT_FINDING_PRIVATE_H
#define SIMT_FINDING_PRIVATE_H

#include "report.h"

#include <stdio.h>

#pragma GCC visibility push(hidden)

enum { SIMT_WHERE = 512 }; /* bytes of FILE:LINE, ended by a zero byte; longer ones are cut */

typedef struct location {
    const void *callers[SIMT_CALLERS]; /* code addresses: the first one outside the machine's own code counts */
    char given[SIMT_WHERE];            /* FILE:LINE as the compiler had it, or empty */
    char where[SIMT_WHERE];            /* FILE:LINE with its directory; empty until it is looked up */
    unsigned column;
} location;

typedef struct finding {
    finding_kind kind;
    enum { UNKNOWN, KERNEL, BLOCK, THREAD } party; /* how closely the thread that caused it is known */
    char kernel[200];
    uint3 block, thread, other_block, other_thread;
    char what[768], address[256];
    location here, other, made, launched; /* made: where the allocation was made */
    size_t bytes;                         /* of the allocation */
    uint64_t seed, launch;
    bool has_other, index, note, printed;
} finding;

/* --- source_line.c */

bool simt_is_own_code(const char *where);              /* is FILE:LINE in the machine's headers or runtime? */
void simt_find_line(const void *address, char *where); /* SIMT_WHERE bytes; left alone if nothing is known */

/* --- finding_json.c */

void simt_write_json(FILE *json_file, const finding *f);

#pragma GCC visibility pop

#endif
