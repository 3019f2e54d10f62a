/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Vector clocks.
 */
#ifndef SIMT_VECTOR_CLOCK_H
#define SIMT_VECTOR_CLOCK_H

#include "machine.h"

#pragma GCC visibility push(hidden)

enum {
    BLOCKS_KNOWN = 128,
    UNITS_KNOWN = 128,
    SIMT_UNIT_BITS = 11,
    SIMT_WARP_UNIT = 1024,
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
