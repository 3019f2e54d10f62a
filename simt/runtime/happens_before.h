/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Happens-before.
 */
#ifndef SIMT_HAPPENS_BEFORE_H
#define SIMT_HAPPENS_BEFORE_H

#include "vector_clock.h"

#pragma GCC visibility push(hidden)

enum { STARTS = 1 << 16 };

/* What all threads of a resident warp know. Words are compared with words, whose upper bits are the clock: what is less
 * than `floor` comes before if it is of the block, what is less than `synced` if it is of the warp. */
typedef struct warp_clock {
    uint64_t floor, synced;
    uint64_t start; /* what is less is not of this block but of one before it */
    uint16_t slot; /* of the block among the resident */
    bool partial;   /* some lane's thread_clock is */
} warp_clock;

/* Of a place for a resident block: the blocks that were there, the last one at starts[count % STARTS]. */
typedef struct slot {
    uint64_t count;
    unsigned first_thread;
    bool clocks, releases; /* has any thread of the block imported or taken something, has one fenced? */
    struct {
        uint64_t number;
        uint32_t clock;
    } starts[STARTS];
} slot;

extern warp_clock simt_warp_clocks[MAX_WARPS];
extern slot simt_slots[MAX_BLOCKS];
extern uint32_t simt_launch_clock;

static inline uint32_t clock_of(uint64_t word)
{
    return (uint32_t)(word >> SIMT_CLOCK_SHIFT);
}

/* The first word with a later clock. */
static inline uint64_t after(uint32_t clock)
{
    return ((uint64_t)clock + 1) << SIMT_CLOCK_SHIFT;
}

static inline unsigned thread_of(uint64_t word)
{
    return word >> SIMT_THREAD_SHIFT & (SIMT_THREADS - 1);
}

static inline unsigned kind_of(uint64_t word)
{
    return word >> SIMT_KIND_SHIFT & 15;
}

static inline unsigned bytes_of(uint64_t word)
{
    return word >> SIMT_BYTES_SHIFT & 15;
}

uint64_t simt_block_at(const slot *r, uint32_t clock);
bool simt_hb_ordered(const thread *t, uint64_t word);

/* Of the block of the running thread, or of one that was there before? */
static inline bool same_block(const warp_clock *mine, uint64_t word)
{
    return simt_warp_clocks[thread_of(word) / LANES].slot == mine->slot && word >= mine->start;
}

static const uint64_t a_thread = (uint64_t)(SIMT_THREADS - 1) << SIMT_THREAD_SHIFT;
static const uint64_t a_warp = (uint64_t)(SIMT_THREADS - LANES) << SIMT_THREAD_SHIFT;

static inline bool ordered_in_block(const warp_clock *mine, uint64_t word, uint64_t differs)
{
    if (word < mine->start)
        return false;
    if (!(differs & a_warp))
        return word < mine->synced || !(differs & a_thread);
    return word < mine->floor && simt_warp_clocks[thread_of(word) / LANES].slot == mine->slot;
}

#pragma GCC visibility pop

#endif
