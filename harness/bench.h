/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the parts of `samebits bench` share: the case that a row is timed on, and its times.
 */
#ifndef HARNESS_BENCH_H
#define HARNESS_BENCH_H

#include "corpus.h"
#include "json.h"
#include "judge.h"
#include "options.h"
#include "rows.h"

/* Inputs of timed launches, at most; but on sealed inputs several launches have one key. */
enum { SB_FEW_FRESH = 16, SB_MAX_FRESH = 64 };

/* The input of one timed launch. */
typedef struct sb_fresh {
    sb_case c;
    sb_question question;
    bool answered; /* the question is ready: the result of the launch is compared. Secret before the launch */
} sb_fresh;

/* The case that a row is timed on. The following rows of the same algorithm and size use it again. */
typedef struct sb_subject {
    const sb_algorithm *algorithm; /* NULL: none yet */
    uint64_t items;                /* as requested */
    const char *input;             /* as requested: see sb_variation */
    sb_case c;
    sb_question question;
    bool inverted; /* the case was made by the algorithm of which this one is the inverse */
    bool unchecked;
    char why[1280];               /* it is unchecked */
    const sb_corpus *cases;       /* of --case-file */
    sb_fresh fresh[SB_MAX_FRESH]; /* of the same kind as the case; launches take them in turn */
    bool many;                    /* the row that comes first takes as many of them as time and memory allow */
    size_t fresh_count;           /* 0: launches take the case itself, which --case-file gave */
} sb_subject;

/* Times in seconds; 0: not measured. */
typedef struct sb_times {
    uint64_t device_bytes; /* of inputs, outputs and workspace on the device */
    double low, high;      /* of the launches: the first and the third quartile */
    double copy;           /* of a copy on the device that moves as many bytes as the inputs and the output capacities
                              have: it reads half of them and writes as many */
    double transfers;      /* inputs to the device, launch, and results back, from pageable memory of the host */
    double pinned;         /* the same from pinned memory, where the device has it */
    double at_most; /* with sealed inputs: the time with all that is the judge's in it, none of which is subtracted */
} sb_times;

/* What is varied in a run: each row is timed once for each. */
typedef struct sb_variation {
    uint64_t size;   /* 0: the default */
    char input[128]; /* a generator, or the file whose bytes are the input; "": the default generator */
    bool is_file;
    uint64_t bytes; /* of the file */
} sb_variation;

typedef struct sb_timing {
    const sb_row *row;
    const sb_variation *of;
    uint64_t items, bytes; /* of the inputs */
    double seconds;
    sb_times times;
    const char *verdict; /* NULL: there is no time, and `note` says why; of a suspicious time it says why, too */
    bool wrong;
    bool unfit;     /* it was judged before it was timed, and is not right everywhere */
    double of_peer; /* the time of the fastest peer, divided by this one; 0: there is none, or this is one */
    double ratio;   /* to the time in --compare; 0: it has none */
    double
        noise;   /* half of what lies between the quartiles of the launches, as a part of the median; the larger of both
                     runs */
    bool slower; /* by more than --tolerance */
    char note[256];
} sb_timing;

/* Inputs */

/* Every --set must say NAME=VALUE, and NAME must be a parameter of an algorithm that is timed. An exit status, or -1. */
int sb_bench_check_settings(const sb_options *options, const sb_row *rows, size_t count);

/* Makes the dimensions that --set does not name larger or smaller by one factor, so that the longest input has about `items` elements, and no
 * more. False: there are none, or they cannot be so small, or so large. */
bool sb_bench_scale(const sb_options *options, const sb_algorithm *algorithm, uint64_t items,
                    uint64_t parameters[SB_MAX_PARAMETERS]);

/* One variation for each size and each input; the caller frees them. An exit status, or -1. */
int sb_bench_make_variations(const sb_options *options, sb_variation **made, size_t *count);

/* The generator that --generator names. Without it: text for algorithms of bytes, random for others. NULL: the algorithm has
 * no generator of that name. */
const char *sb_bench_generator(const sb_variation *of, const sb_algorithm *algorithm);

/* Makes the row's case and computes its answer. False: there is no case, and `why` says why. */
bool sb_bench_make_subject(const sb_options *options, const sb_variation *of, const sb_algorithm *algorithm,
                           uint64_t items, const uint64_t parameters[SB_MAX_PARAMETERS], sb_subject *s, char *why,
                           size_t size);

void sb_bench_forget(sb_subject *s);

/* Launches */

/* Launches the row's variant on the fresh inputs, and compares. Sets the verdict and the times of `t`, or its note. */
void sb_bench_launches(const sb_options *options, const sb_subject *s, sb_port *port, sb_timing *t);

/* Are the inputs of the row's launches sealed? */
bool sb_bench_is_sealed(const sb_options *options, const sb_port_info *port);

/* With sealed inputs: is a launch of so many seconds faster than a copy can be, where the judge's own launches scatter by `noise`? */
bool sb_bench_beats_copy(double seconds, double copy, double noise);

/* Comparisons */

bool sb_bench_is_peer(const sb_timing *t);

/* Compares with the peers of the same algorithm, input and size, which were timed before it. */
void sb_bench_compare_with_peers(const sb_timing *timings, sb_timing *t);

/* Compares with the row of the same variant, device, input and size in the file of --compare. */
void sb_bench_compare_row(const sb_options *options, const sb_json *old, sb_timing *t);

/* Says how many rows are slower than they were. Returns an exit status, or -1 where that is none. */
int sb_bench_compare_verdict(FILE *out, const sb_options *options, const sb_timing *timings, size_t count);

/* Files. Without a path nothing is written. False: errno says why. */

bool sb_bench_write_json(const char *path, const sb_options *options, const sb_timing *timings, size_t count);
bool sb_bench_write_page(const char *path, const sb_options *options, const sb_timing *timings, size_t count);

/* Draws the rows that have a time. False: `why` says why. */
bool sb_bench_write_plot(const char *path, const sb_timing *timings, size_t count, char *why, size_t size);

#endif
