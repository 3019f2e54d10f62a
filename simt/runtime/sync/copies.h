/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies that threads have issued and that nobody has waited for: what cp.async, bulk copies, tensor copies and st.async share.
 *
 * The bytes move at a time that the seed draws: at once, at a later instruction of this kind by the same thread, or at its wait;
 * before an arrival at an mbarrier, when some thread waits there in vain.
 *
 * Order: PTX orders the copy after its instruction and before the wait, and with nothing else. So it is recorded twice, as accesses
 * of the thread: at its instruction, which finds what other threads did before without order; and at the wait, or at
 * cp.async.mbarrier.arrive, from where the usual order of the thread makes it known to others. In between both ends are watched: any
 * access to the destination and any write to the source is a race, also one by the thread itself, and two copies to one place are,
 * unless both are reductions. Of copies that an mbarrier counts, that ends when a thread has waited for the phase in which their
 * arrival was counted. More is published there than PTX says: what the thread itself did before cp.async.mbarrier.arrive or the bulk
 * copy, too.
 *
 * Findings `race`. Source memory of `__device__` variables has no shadow: writes to it between instruction and wait are found only if
 * the order of the threads shows them.
 */
#ifndef SIMT_COPIES_H
#define SIMT_COPIES_H

#include "sync.h"

#include "../detect/detect.h"

#pragma GCC visibility push(hidden)

typedef enum simt_completion { BY_GROUP, BY_BULK_GROUP, BY_BARRIER } simt_completion;

/* What an mbarrier gets when the copies before it are complete: an arrival, or the bytes of a bulk copy. */
typedef struct simt_arrival {
    struct simt_arrival *next;
    const thread *by;
    uintptr_t barrier;
    unsigned bytes; /* 0: an arrival */
} simt_arrival;

/* How a reduction combines `size` bytes with those at `to`. */
typedef void simt_reduction(void *to, const void *operand, unsigned size);

/* A piece of a copy: at most SIMT_WATCHED_BYTES on both sides, within as many that are aligned to their number. */
typedef struct simt_copy {
    /* what the issuer says */
    uintptr_t to_address, from_address;
    unsigned size, taken; /* bytes written; bytes read: the others become those of `value` */
    unsigned char value[SIMT_WATCHED_BYTES];
    simt_reduction *reduce;                               /* NULL: a copy */
    void (*convert)(unsigned char *bytes, unsigned size); /* what was read; NULL: it stays as it is */
    simt_completion by;
    const simt_arrival *tracked; /* the arrival that waits for it */
    const void *place;           /* in the code */
    /* the rest */
    simt_watch to, from;
    struct simt_copy *next; /* of the thread, in the order of the instructions */
    uint64_t group;
    bool moved;
    uintptr_t barrier; /* that has counted this arrival, in this phase */
    uint64_t phase;
    uint3 block, thread;
} simt_copy;

void simt_copies_used(void);                                /* first of all in each instruction */
void simt_copy_issue(const simt_copy *copy);                /* by the running thread */
void simt_copies_move_some(void);                           /* some copies of the thread take place now */
void simt_copies_commit(simt_completion by);                /* what was issued since is a group */
void simt_copies_wait(simt_completion by, uint64_t newest); /* for all groups but so many of the newest */
void simt_copies_wait_read(uint64_t newest);                /* the same of bulk groups, until their sources are read */
void simt_copies_wait_all(void);                            /* for all of cp.async */
simt_arrival *simt_copies_arrival(uintptr_t barrier, unsigned bytes);
/* The mbarrier gets an arrival behind all of the thread's copies of cp.async so far. `more`: the phase expects one more. */
void simt_copies_arrive_on(uintptr_t barrier, bool more, const void *place);

/* --- bulk_copy.c */

/* That of simt_bulk_copy.h; NULL: a copy. One that PTX does not have ends the launch. */
simt_reduction *simt_bulk_reduction(int operation, int type, const void *place);

__attribute__((noreturn)) void simt_copy_refuse(const char *why, const void *place);

#pragma GCC visibility pop

#endif
