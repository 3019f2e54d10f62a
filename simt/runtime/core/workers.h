/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The workers of a launch: threads of the host, each with a `machine` of its own, that share its blocks. Worker 0 is the thread that
 * launches. Blocks are handed out in the order in which they start, so a block that waits for earlier ones never waits for one that
 * nobody has taken.
 */
#ifndef SIMT_WORKERS_H
#define SIMT_WORKERS_H

#include "machine.h"

#pragma GCC visibility push(hidden)

typedef struct simt_workers_state {
    unsigned count;      /* that may take part in the launch; 1: everything happens on one thread of the host */
    bool stopped;        /* by one of them: no thread runs on */
    bool polls;          /* some block waits for another: they are handed out one by one */
    uint64_t next_block; /* that no worker has taken; at or past the last one: none is left */
    void (*wake)(
        bool); /* the launch seemed too short to wake helpers: wakes them if it is not, or in any case; NULL: they are awake */
    machine *worker[SIMT_WORKERS];
} simt_workers_state;

extern simt_workers_state simt_workers;

/* Does another worker run beside this one, so that the memory of both must be ordered by the processor? */
static inline bool simt_in_parallel(void)
{
    return simt_workers.count > 1;
}

bool simt_take_cluster(uint64_t *first); /* the number of the first block of the next cluster; false: none is left */
uint64_t simt_not_started(void);         /* blocks */
bool simt_others_may_help(void);         /* the running thread polls in vain: may another worker still change that? */
bool simt_is_suspended_elsewhere(void);  /* another worker of the launch waits for the host */
void *simt_of_worker(void *all[SIMT_WORKERS], size_t size); /* memory of the running one, at first 0 */

#pragma GCC visibility pop

#endif
