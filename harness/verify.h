/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A verification run and its report: rows of variants, each judged on every case that is due on its device.
 */
#ifndef HARNESS_VERIFY_H
#define HARNESS_VERIFY_H

#include "corpus.h"
#include "judge.h"
#include "options.h"
#include <stdio.h>

/* One variant on one port. */
typedef struct sb_row {
    const sb_algorithm *algorithm;
    const sb_port_info *port;
    size_t port_index;
    size_t variant; /* its number in the port */
    uint64_t cases, runs, certified, skipped, failures;
    double seconds;   /* on the device's timer */
    uint64_t digest;  /* sum over the cases with a reference of the hash of its answer, chained to that of the case */
    char reason[256]; /* of the first skip */
} sb_row;

typedef struct sb_failure {
    const sb_row *row; /* NULL: of a reference */
    const char *algorithm;
    char *id;
    sb_fault fault;
    uint64_t seed;
    char *text;   /* what differs, in context */
    char *line;   /* the shrunk case */
    char *file;   /* where it was saved; NULL when that failed */
    char *replay; /* the command that shows it again */
} sb_failure;

typedef struct sb_report {
    sb_row *rows;
    size_t row_count;
    sb_failure *failures;
    size_t failure_count;
    uint64_t compared;  /* judgements made */
    uint64_t confirmed; /* hand-computed answers that the references gave */
    uint64_t round_trips;
    uint64_t late;    /* tasks not started for lack of time */
    char **unreached; /* ids of corpus cases that no variant ran, though there was one */
    size_t unreached_count;
    char *cut; /* what was cut of real files; "" when nothing */
    uint64_t seed;
    double seconds;
} sb_report;

/* "mtf.encode/scalar" of a row. */
void sb_row_name(const sb_row *row, char *text, size_t size);

/* Does `pattern` name this variant: its algorithm, the algorithm's family, or ALGORITHM/NAME? */
bool sb_pattern_matches(const char *pattern, const char *algorithm, const char *name);

/* The variants of the ports that the patterns name (none: all). NULL for want of memory. */
sb_row *sb_rows_select(const sb_ports *ports, const char *const *patterns, size_t pattern_count, size_t *count);

/* Opens ports and rows as the options say; prints why not and returns an exit status, or -1. */
int sb_open(const sb_options *options, sb_ports *ports, sb_row **rows, size_t *row_count);

/* The whole run. Returns the exit status; prints only failures and progress as they come. */
int sb_verify(const sb_options *options, sb_ports *ports, sb_report *report);
void sb_report_free(sb_report *report);

/* Seed number `index` of the schedules for a case. Number 0 on a device with schedules is the sequential one. */
uint64_t sb_schedule_seed(uint64_t seed, const sb_case *c, uint64_t index, bool has_schedules);

/* Shrinks a failing case in place as long as it keeps failing with the same fault under the same seed. */
void sb_shrink_failure(sb_port *port, size_t variant, sb_case *c, const sb_judgement *judgement, double limit,
                       unsigned attempts);

void sb_report_text(FILE *out, const sb_report *report, bool quiet);
void sb_failure_text(FILE *out, const sb_failure *failure);
bool sb_report_json(FILE *out, const sb_report *report);
bool sb_report_junit(FILE *out, const sb_report *report);
bool sb_report_html(FILE *out, const sb_report *report);

#endif
