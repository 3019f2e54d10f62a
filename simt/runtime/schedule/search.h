/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Strategies that search schedules, in place of the drawn order of schedule.c, and schedules that are recorded and replayed.
 *
 * A strategy is asked at two places: when the running thread comes to an access, whether another thread may go on there, and
 * when a thread must be chosen, which. search.c does the rest: it counts events, records and replays.
 */
#ifndef SIMT_SEARCH_H
#define SIMT_SEARCH_H

#include "schedule.h"

#pragma GCC visibility push(hidden)

/* What a thread comes to. A volatile or atomic access is a SIMT_AT_SYNC and then also a SIMT_AT_ACCESS. */
typedef enum simt_event {
    SIMT_AT_ACCESS, /* an access to memory that other threads may see; only in the checking build */
    SIMT_AT_SYNC,   /* a volatile or atomic access; its address is not known yet */
    SIMT_AT_SPIN    /* the same or a pause, and nothing has changed for some time */
} simt_event;

typedef struct simt_strategy {
    void (*begin)(uint64_t random, unsigned depth); /* a launch begins */
    /* The running thread comes to this. True: a thread is to be chosen now; the running one may be chosen again. */
    bool (*stops)(simt_event event, uintptr_t address, bool write);
    thread *(*next)(void);          /* one of those that can run; there is one */
    void (*starts)(const block *b); /* the threads of this block begin */
} simt_strategy;

extern const simt_strategy simt_walk, simt_pct, simt_pos, simt_place, simt_surw;

static inline unsigned simt_slot(const thread *t)
{
    return (unsigned)(t - m.threads);
}

/* --- search.c, for the strategies */

extern const void *simt_search_place; /* in the code, of what the running thread comes to; not at SIMT_AT_ACCESS */
extern uint64_t simt_search_changes;  /* goes up when something has changed that others may read */

/* --- and for the rest of schedule/ */

typedef enum simt_stopping { SIMT_STAYS, SIMT_STOPS, SIMT_AS_DRAWN } simt_stopping;

/* All but the last only if simt_searching. */
simt_stopping simt_search_stops(uintptr_t address, bool write,
                                const void *place); /* the running thread comes to an access */
bool simt_search_looks_at_each(void);               /* of the accesses, and none is due by the drawn order */
int simt_search_distance(int drawn); /* accesses before simt_search_stops is asked, where the drawn order has so many */
bool simt_search_holds_nobody(void); /* a thread that is stopped may go on at once */
/* It comes to a volatile or atomic access, or to a pause. False: it goes on at once. */
bool simt_search_yields(const void *place, bool pauses);
void simt_search_counts(void);             /* simt_countdown has been drawn */
thread *simt_search_choose(thread *drawn); /* the thread that goes on, where schedule.c would take that one */
uint64_t simt_search_leave(uint64_t bits); /* the mask of bits that simt_go_on was given in place of 0 */
void simt_search_launch(uint64_t launch);  /* a launch begins, and everything else of it was drawn */

#pragma GCC visibility pop

#endif
