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
 * __syncwarp and barriers join the imports of all threads that meet. A launch happens after all that was before it.
 *
 * Clocks have 26 bits. When they run out, all recorded accesses are dropped, as if a launch began: a race across that
 * moment is missed.
 *
 * Memory: at most 16 MiB of vector clocks, and 16 bytes for each of the last STARTS blocks of each resident slot, 16
 * MiB.
 */
#ifndef SIMT_HAPPENS_BEFORE_H
#define SIMT_HAPPENS_BEFORE_H

#include "vector_clock.h"

#include "../memory/memory.h"

#pragma GCC visibility push(hidden)

enum { STARTS = 1 << 16 }; /* blocks; not tuned. Accesses of older blocks of a slot count as ordered. */

/* What all threads of a resident warp know. The fields are words like those of cells, whose upper bits are the clock,
 * so that one comparison decides: an access of the block happens before if its word is less than `floor`, one of the
 * warp if it is less than `synced`. */
typedef struct warp_clock {
    uint64_t floor, synced;
    uint64_t start; /* a lesser word is of an earlier block of the slot */
    uint16_t slot;  /* of the block, among the resident ones */
    bool partial;   /* thread_clock.partial is set for some lane */
} warp_clock;

/* A slot is what one resident block occupies. The blocks that it had in this launch: the last at starts[count %
 * STARTS]. */
typedef struct slot {
    uint64_t count;
    unsigned first_thread;
    bool clocks, releases; /* has a thread of the block acquired something; has one fenced? */
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

/* The least word with a later clock. */
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

/* Is the word of the running thread's block, and not of an earlier one of its slot? */
static inline bool same_block(const warp_clock *mine, uint64_t word)
{
    return simt_warp_clocks[thread_of(word) / LANES].slot == mine->slot && word >= mine->start;
}

static const uint64_t a_thread = (uint64_t)(SIMT_THREADS - 1) << SIMT_THREAD_SHIFT;
static const uint64_t a_warp = (uint64_t)(SIMT_THREADS - LANES) << SIMT_THREAD_SHIFT;

/* Does the access of the word happen before, by what all threads of the running warp know? `differs` is the word XOR
 * the new access's. */
static inline bool ordered_in_block(const warp_clock *mine, uint64_t word, uint64_t differs)
{
    if (word < mine->start)
        return false;
    if (!(differs & a_warp))
        return word < mine->synced || !(differs & a_thread);
    return word < mine->floor && simt_warp_clocks[thread_of(word) / LANES].slot == mine->slot;
}

static const uint64_t a_byte = (uint64_t)15 << SIMT_BYTES_SHIFT;
static const uint64_t a_kind = (uint64_t)15 << SIMT_KIND_SHIFT;

/* Two other threads did the same without order, and peers_suffice of race.c would hold of them: recording a third adds
 * nothing. */
static inline __attribute__((always_inline)) bool simt_is_redundant(uint64_t a, uint64_t b, uint64_t cell,
                                                                    const warp_clock *mine, bool local)
{
    static const uint64_t plain_write = (uint64_t)SIMT_IS_WRITE << SIMT_KIND_SHIFT;
    static const uint64_t special = (uint64_t)(SIMT_IS_BLOCK_SCOPE | SIMT_IS_VOLATILE) << SIMT_KIND_SHIFT;
    uint64_t differs = (a ^ cell) | (b ^ cell);

    if (a < mine->synced || b < mine->synced || differs & a_kind || a & SIMT_CELL_MORE || cell & ~(a & b) & a_byte)
        return false;
    if (!((a ^ cell) & a_thread) || !((b ^ cell) & a_thread)) /* an earlier access of the same thread */
        return false;
    if (cell & special || (cell & a_kind) == plain_write)
        return false;
    return !(differs & a_warp) || (local && ((a ^ b) & a_warp || !((a ^ cell) & a_warp)));
}

/* Is the running block the only one that can access it? */
static inline bool simt_is_local(uintptr_t address)
{
    return simt_is_shared(address) || m.blocks == 1;
}

#pragma GCC visibility pop

#endif
