/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Chains of atomic and volatile accesses, and who observed the last of them.
 */
#include "observe.h"
#include "happens_before.h"

static bool is_ordered(const thread *t, simt_cell new, simt_cell word)
{
    return ordered_in_block(&simt_warp_clocks[thread_of(new) / LANES], word, word ^ new) || simt_hb_ordered(t, word);
}

bool simt_is_observed(const chain *c, const thread *t, simt_cell new, simt_cell recorded)
{
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES];
    simt_cell last = c->last;

    /* PTX: only strong writes are observed, and an observation of an earlier launch says nothing of this one. */
    if (~kind_of(recorded) & (SIMT_IS_ATOMIC | SIMT_IS_WRITE) || last < after(simt_launch_clock))
        return false;
    /* PTX: observation needs accesses that are morally strong, so each scope includes the other thread. */
    if ((is_narrow(recorded) || is_narrow(last)) && !(same_block(mine, recorded) && same_block(mine, last)))
        return false;
    if (last & (SEVERAL_READERS | SEVERAL_LOCATIONS))
        return true;
    /* PTX: observation, then base causality order: the last update observed all before it, and a reader observed that one. A
     * volatile store observed nothing. */
    return (!(kind_of(last) & SIMT_IS_VOLATILE) && is_ordered(t, new, last)) ||
           (c->reader && is_ordered(t, new, c->reader));
}

static void observe(chain *c, uint64_t word, bool writes)
{
    bool fresh = c->last < after(simt_launch_clock);

    if (writes) { /* PTX: an atomic reads from the write just before it in coherence order, so the chain goes on */
        uint64_t several = !fresh && ((c->last ^ word) & a_byte || c->last & SEVERAL_LOCATIONS) ? SEVERAL_LOCATIONS : 0;

        *c = (chain){.last = word | several};
    } else if (!fresh && c->reader != word) {
        if (c->reader && (c->reader ^ word) & a_thread)
            c->last |= SEVERAL_READERS;
        c->reader = word;
    }
}

/* After an atomic or volatile access that was checked. `writes`: it changed memory, or a read-modify-write could have.
 * A load has got the newest value. */
void simt_race_observe(const void *address, size_t size, unsigned kind, bool writes)
{
    chain *c;

    if (!simt_cells || !simt_current || !(c = simt_granule_at((uintptr_t)address).last))
        return;
    if (size == 8) {
        observe(c, cell_of(ALL_BYTES, kind), writes);
        observe(c + 1, cell_of(ALL_BYTES, kind), writes);
    } else if (size <= GRANULE) {
        observe(c, cell_of(((1u << size) - 1) << ((uintptr_t)address & (GRANULE - 1)), kind), writes);
    }
}
