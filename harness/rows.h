/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The rows of a table: one for each variant on each port that a command is about.
 */
#ifndef HARNESS_ROWS_H
#define HARNESS_ROWS_H

#include "options.h"
#include "port.h"
#include "tolerance.h"
#include <stdio.h>

/* The last case in which one dimension alone was long. */
typedef struct sb_elongation {
    uint64_t extent;
    double seconds; /* one run */
    double power;   /* of the extent, with which the seconds grow: 1 to 2; 0: not known yet */
} sb_elongation;

/* One variant on one port, and how it did. */
typedef struct sb_row {
    const sb_algorithm *algorithm;
    const sb_port_info *port;
    size_t port_index;
    size_t variant; /* its index in the port */
    uint64_t cases, runs, certified, skipped, failures;
    uint64_t
        sized; /* of the cases: at a size that a variant names; they count neither for the digest nor for the ledger */
    uint64_t refused;   /* of the skipped cases: by the variant, or for want of memory */
    uint64_t shortened; /* of the cases: under fewer schedules than others, because they are large and take long */
    double seconds;     /* on the device's timer */
    uint64_t timed_items;
    double timed_seconds; /* one run of the largest case so far, which has `timed_items` items, on that timer */
    uint64_t reached[SB_MAX_PARAMETERS];       /* the largest of each in a case that was judged */
    uint64_t timed_extents[SB_MAX_PARAMETERS]; /* of each dimension the largest so far */
    double extent_seconds[SB_MAX_PARAMETERS];  /* and one run of the case that has it */
    sb_elongation elongations[SB_MAX_PARAMETERS];
    uint64_t digest;  /* sum over the cases with a reference of the hash of its answer, chained to that of the case */
    char reason[256]; /* of the first skip */
    sb_worst worst;   /* of the cases that were right */
    char worst_case[128];
} sb_row;

/* ALGORITHM/NAME of a row. */
void sb_row_name(const sb_row *row, char *text, size_t size);

/* Does `pattern` name this variant: its algorithm, the algorithm's family, or ALGORITHM/NAME? */
bool sb_pattern_matches(const char *pattern, const char *algorithm, const char *name);

/* Does one of the patterns name it? No patterns name everything. */
bool sb_patterns_match(const char *const *patterns, size_t count, const char *algorithm, const char *name);

/* For each argument that names no variant on the ports: "no variant of pattern.reduce on cpu", after `prefix`. Without
 * arguments, the same of everything if there is no row. */
void sb_rows_explain(FILE *out, const char *prefix, const sb_options *options, const sb_ports *ports,
                     const sb_row *rows, size_t count);

/* Opens the ports that the options name, and allocates a row for each of their variants that the arguments name. False:
 * `error` says why not, and nothing is left to free. */
bool sb_rows_open(const sb_options *options, sb_ports *ports, sb_row **rows, size_t *count, char *error, size_t size);

#endif
