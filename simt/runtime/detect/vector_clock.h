/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Vector clocks: which accesses of other blocks and warps happen before the next access of a thread (C. Fidge 1988, F.
 * Mattern 1989).
 *
 * All threads take their clocks from one counter of synchronisations (happens_before.h). A vector clock maps units to
 * clocks. If it maps unit U to clock C, all accesses of U at clock C or before happen before the next access of the
 * owner. A unit is a thread, a warp or a block:
 *
 *   unit    32 bits: number of the block in the launch | 11 bits: thread of the block, or SIMT_WARP_UNIT + its warp
 *
 * A grid can have millions of blocks. Therefore the maps are small hash tables without chains: `single` for threads and warps, `warp` for
 * all threads of a warp, `floor` for whole blocks. If two units have the same entry, the newer one keeps it, and the clock of
 * the older one is then used for its whole warp, and if two warps have the same entry there, for its whole block. So a table that is
 * too small orders more accesses than it should, never fewer: a race may be missed, but no finding is false.
 *
 * Vector clocks are shared, with a reference count. Before a change, simt_clock_own makes a copy if there are other
 * users.
 */
#ifndef SIMT_VECTOR_CLOCK_H
#define SIMT_VECTOR_CLOCK_H

#include "detect.h"

#pragma GCC visibility push(hidden)

enum {
    BLOCKS_KNOWN = 128,  /* entries; not tuned */
    UNITS_KNOWN = 128,   /* entries; not tuned: twice as many add half to the 21 MiB that all vector clocks can take */
    WARPS_KNOWN = 64,    /* entries: the warps of two largest blocks */
    SIMT_UNIT_BITS = 11, /* 1024 threads and 32 warps of a block need 11 */
    SIMT_WARP_UNIT = 1024, /* the first number that no thread of a block has */
    SIMT_THREADS = SIMT_SLOTS
};

typedef struct vector_clock {
    uint32_t uses;
    struct vector_clock *next_free;
    uint32_t floor[BLOCKS_KNOWN];
    struct known {
        uint32_t unit, clock;
    } single[UNITS_KNOWN], warp[WARPS_KNOWN];
} vector_clock;

bool simt_clocks_start(void);
void simt_clock_drop_one(vector_clock **v); /* not NULL */
vector_clock *simt_clock_share(vector_clock *v);
vector_clock *simt_clock_own(vector_clock **v);
void simt_clock_raise_block(vector_clock *v, uint32_t unit, uint32_t clock);
void simt_clock_raise(vector_clock *v, uint32_t unit, uint32_t clock);
void simt_clock_join(vector_clock **to, vector_clock *from);
bool simt_vector_clock_has(const vector_clock *v, uint32_t unit, uint32_t clock);

/* Inline: a block that starts drops three for each thread, and most have none. */
static inline void simt_clock_drop(vector_clock **v)
{
    if (*v)
        simt_clock_drop_one(v);
}

#pragma GCC visibility pop

#endif
