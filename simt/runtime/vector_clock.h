/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Vector clocks: what one thread knows of the threads of other blocks and warps (Fidge 1988, Mattern 1989).
 *
 * One counter of all synchronisation is every thread's clock (happens_before.h). A vector clock maps units to clocks:
 * it has unit U at clock C when accesses of U at clock C or before happen before whatever its owner does next. A unit
 * is a thread, a warp or a block:
 *
 *   unit 32 bits: number of the block in the launch | 11 bits: thread of the block, or SIMT_WARP_UNIT + warp of the
 * block
 *
 * A grid can have millions of blocks, so the maps are small hash tables without chains: `floor` for whole blocks,
 * `single` for threads and warps. Where two units fall on one entry, the newer keeps it, and the older one becomes
 * knowledge of its whole block. So a full table says that too much is ordered, never too little: a race may be missed,
 * and no alarm is false.
 *
 * Vector clocks are shared and counted. simt_clock_own makes a copy before a change where there are other users.
 */
#ifndef SIMT_VECTOR_CLOCK_H
#define SIMT_VECTOR_CLOCK_H

#include "machine.h"

#pragma GCC visibility push(hidden)

enum {
    BLOCKS_KNOWN = 128,    /* entries; not tuned: twice as many double the 13 MiB that all vector clocks can take */
    UNITS_KNOWN = 128,     /* entries; not tuned */
    SIMT_UNIT_BITS = 11,   /* 1024 threads and 32 warps of a block need 11 */
    SIMT_WARP_UNIT = 1024, /* the first number that no thread of a block has */
    SIMT_THREADS = MAX_WARPS * LANES
};

typedef struct vector_clock {
    uint32_t uses;
    struct vector_clock *next_free;
    uint32_t floor[BLOCKS_KNOWN];
    struct {
        uint32_t unit, clock;
    } single[UNITS_KNOWN];
} vector_clock;

bool simt_clocks_start(void);
void simt_clock_drop(vector_clock **v);
vector_clock *simt_clock_share(vector_clock *v);
vector_clock *simt_clock_own(vector_clock **v);
void simt_clock_raise_block(vector_clock *v, uint32_t unit, uint32_t clock);
void simt_clock_raise(vector_clock *v, uint32_t unit, uint32_t clock);
void simt_clock_join(vector_clock **to, vector_clock *from);
bool simt_vector_clock_has(const vector_clock *v, uint32_t unit, uint32_t clock);

#pragma GCC visibility pop

#endif
