/* SPDX-License-Identifier: BSD-2-Clause
 *
 * SIMT_OPTIONS, and the kinds of findings that it switches on and off.
 */
#ifndef SIMT_OPTIONS_H
#define SIMT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef enum finding_kind {
    OOB,
    MISALIGNED,
    RACE,
    UNINIT,
    UNDEFINED,
    BARRIER,
    WARP_MASK,
    HANG,
    API,
    NONDETERMINISM, /* series.h */
    LEAK,           /* device memory, streams and events at the end of the program */
    NOT_FINITE,     /* the first operation of a launch that makes a NaN or an infinity */
    UNCHECKED,      /* unchecked.c */
    FINDING_KINDS
} finding_kind;

/* Every GPU starts blocks in the order of their index, and CUB relies on that; CUDA does not promise it. */
typedef enum block_order {
    ORDER_BY_CALLER, /* by index, until the program calls simt_seed: then any, as for a judge */
    ORDER_BY_INDEX,
    ORDER_ANY /* drawn */
} block_order;

/* schedule/strategies.c */
typedef enum simt_search_strategy {
    SEARCH_DRAWN,
    SEARCH_WALK,
    SEARCH_PCT,
    SEARCH_POS,
    SEARCH_PLACE,
    SEARCH_SURW,
    SEARCH_MIXED /* one of them, by the seed */
} simt_search_strategy;

/* Of a kind: it is a note in the first run of a series, and nothing in single runs; or always a note. */
enum { SIMT_IN_SERIES = 2, SIMT_AS_NOTE };
enum { SIMT_STATUS = 86 }; /* exit status of a program with findings: simtcc(1) promises it */

typedef struct options {
    uint64_t seed, devices, schedules, jobs, threads, resident, max_reports, hang, endless, memory;
    uint64_t sms,
        max_threads; /* what the device says of itself; 0: as a program that sets the seed draws it (api/shape.c) */
    uint64_t preempt, weak;        /* UINT64_MAX: from the seed */
    uint64_t kinds[FINDING_KINDS]; /* 0: switched off */
    uint64_t fail[FINDING_KINDS];  /* 0: such a finding is a warning, and leaves the exit status alone */
    bool seed_is_named;            /* so that a run can be repeated */
    bool in_turn;                  /* by simt_seed(0), whose order is that of a loop over the threads */
    bool compare_outside;          /* outside.c */
    block_order order;             /* in which blocks become resident */
    bool ignore_same_value;        /* no race between two writes of the same value is reported */
    simt_search_strategy search;   /* of schedules */
    uint64_t depth;                /* of SEARCH_PCT */
    bool search_is_named;          /* otherwise a series takes several */
    uint64_t shrink;               /* the schedule of the first run that fails is shrunk */
    uint64_t late;                 /* work of streams may be late */
    uint64_t digest;               /* of the schedule: printed at the end */
    uint64_t show_threads;         /* how many workers each launch has, and why */
    bool ignore_host;              /* accesses of host code are not looked at */
    bool plain_volatile;           /* volatile accesses count as plain ones */
    bool report_compared;          /* a plain load whose value a CAS compares is a race like others, not a note */
    bool stop_for_debugger;        /* at each finding, if there is one */
    char log[512], json[512], sarif[512], html[512];        /* files, or empty */
    char suppress[512], baseline[512], write_baseline[512]; /* files of rules, or empty: known.c */
} options;

extern options simt_options;
extern const char *const simt_kind_names[FINDING_KINDS];

void simt_read_options(void); /* an error ends the program with status 2 */
void simt_read_options_again(void);
const char *simt_search_of_series(void); /* "walk", say, if a series has chosen it for this run; otherwise NULL */

#pragma GCC visibility pop

#endif
