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

#define SBZ_SUFFIX ".sbz"

typedef enum sbz_action { SBZ_COMPRESS, SBZ_DECOMPRESS, SBZ_TEST, SBZ_LIST } sbz_action;

typedef struct sbz_options {
    sbz_action action;
    bool to_stdout;
    bool keep;
    bool force;
    bool recover;
    bool remove;        /* the input is removed, although --output is given */
    bool recursive;     /* directories stand for the files in them */
    bool single_stream; /* what follows the first stream is ignored */
    bool no_sparse;     /* zeros are written, too */
    bool no_warn;       /* warnings do not change the exit status */
    bool named;         /* name and time are kept in the file, and restored from it */
    bool robot;         /* lists are for programs */
    bool extreme;       /* all stages are tried, at each level */
    bool rsyncable;     /* blocks end where the contents say */
    bool ranged;        /* only so many bytes of the contents from that one on */
    uint64_t range_first, range_length;
    unsigned quiet, verbose; /* times given */
    uint64_t memory;         /* bytes; UINT64_MAX: unlimited */
    uint32_t threads;        /* 1 or more */
    uint32_t block;          /* bytes of an ordinary block */
    uint32_t limit;          /* maximum bytes of a block that gains by being longer */
    uint32_t split;          /* minimum bytes of a block that comes from halving one; 0: none is halved */
    uint32_t measured;       /* a first text of fewer bytes is halved by its measured size */
    uint64_t mixed;          /* bytes at the start of a stream that are tried with mixcoder */
    bool patient;            /* texts are tried with and without long matches */
    sbz_where where;
    const char *stages;     /* the argument of --stages; NULL: sbz chooses */
    const char *output;     /* NULL: the name follows from that of the input */
    const char *directory;  /* where outputs go; NULL: beside their inputs */
    const char *suffix;     /* of compressed files, besides .sbz and .tsbz; NULL: none but these */
    const char *names_from; /* the file that names further inputs; "-": standard input; NULL: none */
    char names_end;         /* what each of these names ends in: a newline, or the byte 0 */
    const char *const *files;
    size_t file_count; /* 0: standard input */
} sbz_options;

/* Reads the environment variable SBZ_OPT, and then the command line; argv[0] may be sbzcat. Returns -1 to go on, else the exit
 * status: help or an error was printed. */
int sbz_options_parse(sbz_options *options, int argc, char **argv);

#endif
