/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A finding, for the files that note, locate and print it.
 */
#ifndef SIMT_FINDING_PRIVATE_H
#define SIMT_FINDING_PRIVATE_H

#include "machine.h"

#include <stdio.h>

#pragma GCC visibility push(hidden)

enum { SIMT_WHERE = 512 };

typedef struct location {
    const void *callers[SIMT_CALLERS];         /* the first of them that is no code of the machine's own */
    char given[SIMT_WHERE], where[SIMT_WHERE]; /* FILE:LINE: as the compiler has it; when known, with the folder */
    unsigned column;
} location;

typedef struct finding {
    finding_kind kind;
    enum { NOBODY, KERNEL, BLOCK, THREAD } who;
    char kernel[200];
    uint3 block, thread, other_block, other_thread;
    char what[768], address[256];
    location here, other, made, launched; /* made: the allocation */
    size_t bytes;                         /* of it */
    uint64_t seed, launch;
    bool has_other, index, printed;
} finding;

/* --- source_line.c */

bool simt_is_own_code(const char *where);
void simt_find_line(const void *address, char *where);

/* --- finding_json.c */

void simt_write_json(FILE *json_file, const finding *f);

#pragma GCC visibility pop

#endif
