/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two accesses that race.
 */
#ifndef SIMT_PAIR_H
#define SIMT_PAIR_H

#include "actor.h"

#pragma GCC visibility push(hidden)

/* Two accesses that race: a new one and a recorded one. */
typedef struct simt_pair {
    const void *place, *other; /* in the code */
    uint3 in_block, by_thread, other_block, other_thread;
    uintptr_t address;
    size_t size;
    unsigned kind, other_kind;
    const simt_launched *launch; /* of the recorded access; NULL: the running one */
    char *text;                  /* of its finding; NULL: not reported yet */
    unsigned char before[16];    /* what the recorded access wrote, if both write */
} simt_pair;

/* Of a cell of that launch: which thread made the access. */
void simt_launched_thread(const simt_launched *l, simt_cell word, uint3 *in_block, uint3 *by);

void simt_pairs_launch(void);
/* The running thread's access and a recorded one, of which the bytes `bytes` of a granule are meant. */
simt_pair simt_pair_of(simt_cell recorded, uintptr_t address, size_t size, unsigned kind, const void *place,
                       unsigned bytes);
void simt_pair_report(simt_pair *p); /* of the running thread */
/* Reports the pair, also when another thread is running or none. A note is printed, but is no error. */
void simt_pair_late(const simt_pair *p, bool note);

/* --- cas_loop.c */

/* The race of the running thread's access and a recorded one: reports it, or decides later whether it is one. True: the recorded
 * access is a plain read about which it will decide. The caller forgets it. */
bool simt_judge_pair(simt_cell recorded, uintptr_t address, size_t size, unsigned kind, const void *place,
                     unsigned bytes);
void simt_compared_launch(void);

#pragma GCC visibility pop

#endif
