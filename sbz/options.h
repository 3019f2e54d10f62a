/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The command line of sbz.
 */
#ifndef SBZ_OPTIONS_H
#define SBZ_OPTIONS_H

#include "device.h"
#include "format.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sbz_action { SBZ_COMPRESS, SBZ_DECOMPRESS, SBZ_TEST, SBZ_LIST } sbz_action;

typedef struct sbz_options {
    sbz_action action;
    bool to_stdout;
    bool keep;
    bool force;
    bool recover;
    unsigned quiet, verbose; /* times given */
    uint32_t threads;        /* 1 or more */
    uint32_t block;          /* bytes of a block */
    uint32_t limit;          /* that it may have where it gains by it */
    sbz_where where;
    const char *stages; /* NULL: the smallest */
    const char *const *files;
    size_t file_count; /* 0: standard input */
} sbz_options;

/* Reads the command line; `argv[0]` may be sbzcat. Returns -1 to go on, else the status to exit with: help was printed,
 * or what is wrong. */
int sbz_options_parse(sbz_options *options, int argc, char **argv);

#endif
