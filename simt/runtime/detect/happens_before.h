/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Happens-before between accesses of threads, by epochs as in FastTrack (Flanagan and Freund 2009). In the checking
 * build only.
 *
 * One counter, `now`, ticks at every synchronisation of any thread. A thread's clock is the time of its last
 * synchronisation. An epoch is a clock and the thread that had it; each access is recorded with its thread's epoch. To
 * know a thread "up to T" means that its accesses at clock T or before happen before what comes next. What a thread
 * knows has four parts, of which only the last is a vector clock:
 *
 *   floor     all threads of its block up to this clock: the last block barrier
 *   synced    all lanes of its warp up to this clock: the last __syncwarp of the whole warp
 *   lanes     each lane of its warp up to a clock of its own: a __syncwarp of some lanes
 *   imports   threads of other warps and blocks: what atomics and fences have brought
 *
 * A fence copies what the thread knows; its next atomic or volatile write joins that copy to the vector clock of the
 * address (a release). An atomic or volatile read takes the vector clock of the address, and the thread's next fence
 * joins it to the imports (an acquire). A fence of the block acquires only what threads of its block released: an
 * address to which several blocks release has one vector clock for the device and one more for each of these blocks.
 * __syncwarp and barriers join the imports of all threads that meet. A launch happens
 * after all that was before it, unless streams are unordered (actor.h).
 *
 * Clocks have 26 bits. When they run out, all recorded accesses are dropped, as if a launch began: a race across that
 * moment is missed.
 *
 * Memory: at most 16 MiB of vector clocks, and 16 bytes for each of the last STARTS blocks of each resident slot, 16
 * MiB.
 */
#ifndef SIMT_HAPPENS_BEFORE_H
#define SIMT_HAPPENS_BEFORE_H

#include "cell.h"

#pragma GCC visibility push(hidden)

enum { STARTS = 1 << 16 }; /* blocks; not tuned. Accesses of older blocks of a slot count as ordered. */

/* A slot is what one resident block occupies. The blocks that it had, in this launch and before: the last at starts[count %
 * STARTS], the first of this launch at starts[first % STARTS]. */
typedef struct slot {
    uint64_t count, first;
    unsigned first_thread;
    bool clocks, releases; /* has a thread of the block acquired something; has one fenced? */
    struct {
        uint64_t number;
        uint32_t clock;
    } starts[STARTS];
} slot;

extern slot simt_slots[MAX_BLOCKS];
extern uint32_t simt_launch_clock;
extern bool simt_published; /* has anything been released, at any location? */

/* What a thread knows at one moment. `imports` is shared: simt_hb_forget gives it back. */
typedef struct simt_known {
    simt_cell moment; /* the thread and its clock */
    warp_clock of_warp;
    bool partial;
    uint32_t lanes[LANES];
    vector_clock *imports;
} simt_known;

void simt_hb_remember(simt_known *known); /* what the running thread knows now; its clock ticks behind it */
void simt_hb_forget(simt_known *known);
bool simt_hb_knew(const simt_known *known, simt_cell word); /* does the access happen before that moment? */
bool simt_hb_knows(simt_cell word);                         /* and before what the running thread does next? */

bool simt_hb_left_after(const block *b,
                        simt_cell word); /* does it happen before the end of some thread of the block? */

/* Nobody has fenced, as in most launches: an atomic access of the running thread neither acquires nor releases anything. */
static inline bool simt_hb_is_quiet(void)
{
    return !simt_published && !simt_slots[simt_warp_clocks[simt_current->warp->number].slot].releases;
}

void simt_hb_launch(void);
uint64_t simt_block_at(const slot *r, uint32_t clock);
bool simt_hb_ordered(const thread *t, uint64_t word);

#pragma GCC visibility pop

#endif
