/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A schedule as a list of switches (SIMT_OPTIONS=schedule=TOKEN), and the search for the shortest list that fails (shrink=1).
 *
 * Without switches a thread runs until it waits or ends; then the next lane of its warp goes on, and after the last one the
 * next warp. A switch says where another thread goes on than in that order. Threads and their events are counted, so that a
 * switch has the same meaning if others are left out.
 *
 *   token     SEED:LAUNCH/THREAD.EVENT-NEXT+THREAD.EVENT-NEXT+LAUNCH/...       7:1/0.14-64+64.3-0
 *
 * THREAD and NEXT are threads of the grid, by block and then by thread; EVENT is the number of accesses to memory that THREAD
 * has come to, and of its waits.
 */
#ifndef SIMT_SHRINK_H
#define SIMT_SHRINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct simt_switched {
    uint64_t thread, next; /* of the grid */
    uint32_t launch, event;
} simt_switched;

enum {
    SIMT_SWITCHES = 1 << 20, /* that are recorded: 24 MiB at most; a run with more is not shrunk */
    SIMT_SWITCH_TEXT = 1024, /* bytes of a switch in words */
    SIMT_SWITCHES_SAID = 64  /* that a token has at most */
};

/* Memory of the process that shrinks and of its runs. */
typedef struct simt_shrink_shared {
    uint64_t failure; /* of the run: 0, or a hash of its first finding */
    uint64_t recorded;
    simt_switched switches[SIMT_SWITCHES];
    char said[SIMT_SWITCHES_SAID][SIMT_SWITCH_TEXT]; /* in words, those that took place */
    uint64_t saying;
} simt_shrink_shared;

extern simt_shrink_shared *simt_shrink; /* NULL: nothing is shrunk */
extern bool simt_recording;             /* this run writes its switches there */

/* The schedule that is replayed. */
extern const simt_switched *simt_replayed; /* NULL: none; in any order */
extern uint64_t simt_replayed_count;

/* Reads a token. NULL: it is good, and replayed from now on, with its seed; otherwise what is wrong with it. */
const char *simt_read_schedule(const char *text, uint64_t *seed);

/* Runs a seed of the program in silence, with a limit in seconds of the processor. True in that run: it goes on to main. */
typedef bool simt_run_again(uint64_t seed, unsigned limit, int *status);

/* Shrinks the schedule of a seed that fails. True in each run of the program that this takes. Otherwise what was found is
 * printed. */
bool simt_shrink_run(uint64_t seed, unsigned limit, simt_run_again *again);

void simt_shrink_failed(const char *kind, const char *here, const char *other); /* this run has this finding */

#pragma GCC visibility pop

#endif
