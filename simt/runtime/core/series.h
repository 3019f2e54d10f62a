/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A series of runs under consecutive seeds (SIMT_OPTIONS=schedules=N), and what its processes know of each other.
 *
 * If what a run copies to the host differs from what the first one did, the series runs the two seeds again to find out where that
 * begins: FIRST AGAIN, OTHER AGAIN, LOCATE, REPORT. A seed gives the same run each time, so each of these only has to watch for
 * one thing (detect/compare_runs.c).
 */
#ifndef SIMT_SERIES_H
#define SIMT_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* What a process of the series is there for. */
typedef enum simt_role {
    NO_SERIES,
    FIRST,       /* the first seed: keeps a digest of each copy to the host */
    OTHER,       /* compares its copies with these */
    FIRST_AGAIN, /* the first seed: are its copies the same? keeps a digest of each allocation after each launch */
    OTHER_AGAIN, /* the other seed: finds the first of these that differs, and keeps that allocation's bytes */
    LOCATE,      /* the first seed: finds the first byte that differs, and who wrote it last */
    REPORT,      /* the other seed: who wrote it last here? reports the finding at the copy that differs */
    SHRINK       /* a seed that failed, for shrink.c */
} simt_role;

enum {
    SIMT_LASTS = 8192,      /* twice the places of copies; with more of these, the last ones are not told from others */
    SIMT_COPIES = 1 << 20,  /* digests that are kept: 24 MiB at most; later copies are not compared */
    SIMT_DIGESTS = 1 << 20, /* likewise, of allocations: 32 MiB at most */
    SIMT_WRITER = 1024      /* bytes of a text */
};

/* Of one copy to the host. */
typedef struct simt_copy_digest {
    uint64_t hash, values; /* of the bytes in their order, and of four-byte words in any order */
    bool replaced;         /* by a later one */
} simt_copy_digest;

/* Memory of all processes of the series. */
typedef struct simt_series_shared {
    uint64_t first_seed;
    uint64_t copies;
    simt_copy_digest copy[SIMT_COPIES]; /* of the first run */
    bool ended;                         /* the first run has come to its end */
    uint64_t differs; /* in the run that is explained: the number of the first copy that does, from 1 */
    bool permuted;    /* that copy has the same values in another order */
    bool strays;      /* two runs under the first seed differ: the program does not depend on the seed alone */
    uint64_t digests;
    struct {
        uint64_t launch, start, size, hash;
    } digest[SIMT_DIGESTS];
    uint64_t launch, start, size; /* where memory first differs; launch is 0 if that is not known */
    uint64_t offset, count;       /* of the first byte there, and how many do */
    char writer[2][SIMT_WRITER];  /* who wrote it last, in words, under the first seed and under the other; or empty */
    bool sum;                     /* atomicAdd of floats went there in that launch */
    char bytes[];                 /* of the allocation, under the other seed, and whether each is initialised */
} simt_series_shared;

/* What a run of the series says of itself, in memory of all of them. */
typedef struct simt_series_run {
    int status;       /* its exit status */
    bool findings;    /* it has some, also known ones: they say why results differ */
    uint64_t differs; /* as above; 0: none, or only of copies that later ones replace */
    bool permuted;
} simt_series_run;

extern simt_role simt_series_role;
extern simt_series_run *simt_this_run;  /* NULL: no series */
extern simt_series_shared *simt_series; /* NULL: nothing is compared */

void simt_series_be_loud(void); /* ends the silence of a process that runs a seed again */
void simt_series_turn(void);    /* waits until all runs of smaller seeds have ended, if findings go to a file */

/* --- jobs.c: runs at the same time */

/* What a process of the series prints, until it is its turn. */
typedef struct simt_output {
    int out, err; /* files; -1: none */
    bool one;     /* standard output and standard error are one file */
} simt_output;

unsigned simt_series_jobs(size_t bytes); /* how many runs that need so much memory fit this host */
simt_output simt_output_new(void);       /* in the parent; if the host has no files, the child prints at once */
void simt_output_take(const simt_output *output);  /* in the child: it prints there from now on */
void simt_output_print(const simt_output *output); /* in the parent: prints it, and closes the files */
void simt_input_remember(void);                    /* in the parent, before the first run: where its input begins */
void simt_input_again(void); /* in the child: the input from there; none if it cannot be read twice */

#pragma GCC visibility pop

#endif
