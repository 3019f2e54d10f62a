/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a verification run found, and its reports: text for people, JSON, JUnit XML and HTML.
 */
#ifndef HARNESS_REPORT_H
#define HARNESS_REPORT_H

#include "rows.h"
#include <stdio.h>

/* One case on which a variant or a reference was wrong. The report owns the strings but `algorithm`. */
typedef struct sb_failure {
    const sb_row *row; /* NULL: of a reference */
    const char *algorithm;
    char *id;
    sb_fault fault;
    uint64_t seed;
    char *text;      /* what differs, in context */
    char *line;      /* the shrunk case */
    char *edge;      /* how much smaller it passes: "passes with columns=256"; NULL: that was not looked for */
    char *file;      /* where it was saved; NULL: nowhere */
    char *not_saved; /* why it could not be saved; NULL when it was, or when nobody tried */
    char *replay;    /* the command that shows it again */
    bool shown;      /* it was printed when it happened */
    uint64_t more;   /* further cases on which the same was found */
    char *more_ids;  /* of the first of them, separated by blanks; NULL: none */
} sb_failure;

typedef struct sb_report {
    sb_row *rows; /* owned */
    size_t row_count;
    sb_failure *failures;
    size_t failure_count;
    uint64_t compared;  /* judgements made */
    uint64_t confirmed; /* hand-computed answers that the references gave */
    uint64_t round_trips;
    uint64_t late;    /* tasks not started for lack of time */
    char **unreached; /* ids of corpus cases that no variant ran, and that none takes */
    size_t unreached_count;
    char unreached_reason[256]; /* why a variant did not run the first of them */
    bool
        may_refuse; /* these are no failure: the variants were named, or are of --module or --exec, and may be meant for less */
    char *part;    /* the settings of --set, in words; NULL: every case of the contracts */
    char *cut;     /* what was cut of real files; "" when nothing */
    bool is_shard; /* it has only some of the cases: those of shard `shard` of `shards` */
    uint64_t shard, shards;
    bool wants_variants; /* devices or modules were named: references alone are no comparison */
    bool whole;          /* but for shards: every case of the corpus, and no others but generated ones */
    uint64_t generated;  /* --cases */
    char **missing;      /* what shards are missing, in words; of joined reports */
    size_t missing_count;
    uint64_t seed;
    double seconds;
} sb_report;

void sb_report_free(sb_report *report);

typedef enum sb_verdict {
    SB_VERDICT_EQUAL,
    SB_VERDICT_FAILED,
    SB_VERDICT_REFUSED,   /* it refuses every case */
    SB_VERDICT_TOO_LARGE, /* its cases are too large for the device */
    SB_VERDICT_NO_CASE,
    SB_VERDICT_NO_DEVICE,
    SB_VERDICT_NOT_OPENED /* the device is there, and cannot be opened */
} sb_verdict;

sb_verdict sb_row_verdict(const sb_row *row);

/* Does this verdict make the run red? A shard may have only cases that a variant refuses. */
bool sb_verdict_bad(const sb_report *report, sb_verdict v);
const char *sb_verdict_word(sb_verdict v);

/* What the row's verdict is called for people: "within bounds" where the contract has bounds, and SB_VERDICT_EQUAL. */
const char *sb_row_word(const sb_row *row);

/* What so many rows are, for people: "give the reference's bytes", or, where a contract has bounds, "are right". */
const char *sb_report_claim(const sb_report *report);
size_t sb_count_rows(const sb_report *report, sb_verdict wanted);

/* Rows that had a case, on a device that is here. */
size_t sb_count_judged(const sb_report *report);

/* The exit status that the report stands for. */
int sb_report_status(const sb_report *report);

/* Where the text for people goes: standard output, unless a report goes there. */
FILE *sb_text_stream(const sb_options *options);

void sb_failure_text(FILE *out, const sb_failure *failure);

/* Makes one of failures of one row that are the same but for numbers: the one that was saved, with the count of the others.
 * A finding stays apart if its line in the source is another. */
void sb_report_merge(sb_report *report);
void sb_report_text(FILE *out, const sb_report *report, bool quiet);

/* Can the file of an option be written? NULL and "-" can. Neither it nor another file is changed. False: `error` says why not. */
bool sb_output_ready(const char *path, char *error, size_t size);

/* Can all files be written that the options ask for? To be asked before a long run. */
bool sb_outputs_ready(const sb_options *options, char *error, size_t size);

/* Writes the reports that the options ask for, "-" being standard output. */
bool sb_reports_write(const sb_options *options, const sb_report *report, char *error, size_t size);

/* False: the stream has failed. */
bool sb_report_json(FILE *out, const sb_report *report);
bool sb_report_junit(FILE *out, const sb_report *report);
bool sb_report_html(FILE *out, const sb_report *report);

#endif
