/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Published strategies, for threads of a grid:
 *
 *   walk    a random walk: before each access each thread that can run is equally likely
 *   pct     probabilistic concurrency testing (S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, "A randomized scheduler with
 *           probabilistic guarantees of finding bugs", 2010): threads have random priorities, the highest runs; at depth - 1 random
 *           accesses the running thread gets the lowest one
 *   pos     partial order sampling (X. Yuan, J. Yang, R. Gu, "Partial order aware concurrency sampling", 2018): each next access has
 *           a random priority, the highest is done; then those that conflict with it get new ones
 *   surw    selectively uniform random walk (H. Zhao et al., "Selectively uniform concurrency testing", 2025): only accesses to some
 *           addresses are ordered; the next thread is drawn in proportion to the number of such accesses that it has before it
 *
 * What the papers take from a profile, the number of accesses of a launch and of a thread, is not known here. pct draws the magnitude
 * of a distance; surw takes the mean of those threads that have ended.
 */
#include "search.h"

#include "../memory/memory.h"

static uint64_t state;

static uint64_t draw(void)
{
    return state = simt_mix(state);
}

/* 1 to 2^e, where e is random from 0 to `limit`. */
static uint64_t magnitude(unsigned limit)
{
    uint64_t random = draw();

    return 1 + (random >> 16 & ((1ull << random % (limit + 1)) - 1));
}

static thread *ready[MAX_WARPS * LANES]; /* not on the stack of a kernel's thread */

/* Lists the threads that can run in `ready`. */
static unsigned list_ready(void)
{
    unsigned count = 0;

    for (uint64_t warps = m.ready; warps; warps &= warps - 1) {
        const warp *w = &m.warps[__builtin_ctzll(warps)];

        for (uint32_t lanes = w->ready; lanes; lanes &= lanes - 1)
            ready[count++] = &w->threads[__builtin_ctz(lanes)];
    }
    return count;
}

/* The first of the threads that can run for which `value` is largest. */
static thread *highest(uint64_t (*value)(unsigned slot))
{
    thread *best = NULL;
    uint64_t most = 0;

    for (unsigned i = 0, count = list_ready(); i < count; i++) {
        uint64_t its = value(simt_slot(ready[i]));

        if (!best || its > most) {
            best = ready[i];
            most = its;
        }
    }
    return best;
}

/* One of the threads that can run, each in proportion to `weight`, which is not 0. */
static thread *weighted(uint64_t (*weight)(unsigned slot))
{
    thread *chosen = NULL;
    uint64_t sum = 0;

    for (unsigned i = 0, count = list_ready(); i < count; i++) {
        uint64_t its = weight(simt_slot(ready[i]));

        sum += its;
        if (draw() % sum < its)
            chosen = ready[i];
    }
    return chosen;
}

static void nothing_starts(const block *b)
{
    (void)b;
}

/* --- walk */

static void walk_begin(uint64_t random, unsigned depth)
{
    (void)depth;
    state = random;
}

static bool walk_stops(simt_event event, uintptr_t address, bool write)
{
    (void)address;
    (void)write;
    return event != SIMT_AT_SYNC || !simt_checking;
}

static uint64_t one(unsigned slot)
{
    (void)slot;
    return 1;
}

static thread *walk_next(void)
{
    return weighted(one);
}

const simt_strategy simt_walk = {walk_begin, walk_stops, walk_next, nothing_starts};

/* --- pct */

static uint64_t priorities[MAX_WARPS * LANES];

static struct {
    enum {
        THREADS,
        WARPS,
        BLOCKS
    } unit; /* what gets the lowest priority; a larger one is also neighboured in the first order */
    uint64_t lowest;
    unsigned changes; /* yet to come */
    bool at_sync;     /* the next one is at a volatile or atomic access */
    uint64_t before;  /* so many accesses of that kind come before it */
} pct;

/* The first priorities are above those that changes give. */
static void pct_starts(const block *b)
{
    uint64_t of_block = draw() << 32;

    for (unsigned k = 0; k < b->warps; k++) {
        uint64_t of_warp = draw() & 0xffff0000;

        for (unsigned lane = 0; lane < LANES; lane++) {
            uint64_t own = draw();

            priorities[simt_slot(&b->warp[k].threads[lane])] =
                1ull << 63 | (pct.unit == BLOCKS  ? of_block | of_warp | (own & 0xffff)
                              : pct.unit == WARPS ? of_warp << 32 | (own & 0xffff)
                                                  : own);
        }
    }
}

static void pct_plan(void)
{
    uint64_t threads = m.blocks * m.request->block.x * m.request->block.y * m.request->block.z;
    unsigned log = 63 - (unsigned)__builtin_clzll(threads);

    pct.at_sync = !simt_checking || draw() & 1;
    pct.before = magnitude(log + 6 < 20 ? log + 6 : 20); /* 64 accesses of a thread: not tuned */
}

static void pct_begin(uint64_t random, unsigned depth)
{
    state = random;
    pct.unit = draw() % 3;
    pct.lowest = 1ull << 62;
    pct.changes = depth - 1;
    pct_plan();
}

static void pct_lower(const warp *w, unsigned lane)
{
    priorities[simt_slot(&w->threads[lane])] = --pct.lowest;
}

static void pct_change(void)
{
    const thread *self = simt_current;
    const warp *w = self->warp, *first = pct.unit == BLOCKS ? w->block->warp : w;
    unsigned count = pct.unit == BLOCKS ? w->block->warps : 1;

    if (pct.unit == THREADS) {
        pct_lower(w, self->lane);
        return;
    }
    for (unsigned k = 0; k < count; k++)
        for (unsigned lane = 0; lane < LANES; lane++)
            pct_lower(&first[k], lane);
}

static bool pct_stops(simt_event event, uintptr_t address, bool write)
{
    (void)address;
    (void)write;
    if (event == SIMT_AT_SPIN) /* it waits for others, which must go on */
        pct_lower(simt_current->warp, simt_current->lane);
    if (event == SIMT_AT_SPIN || !pct.changes || pct.at_sync != (event == SIMT_AT_SYNC) || --pct.before)
        return event != SIMT_AT_ACCESS;
    pct.changes--;
    pct_change();
    pct_plan();
    return true;
}

static uint64_t priority(unsigned slot)
{
    return priorities[slot];
}

static thread *pct_next(void)
{
    return highest(priority);
}

const simt_strategy simt_pct = {pct_begin, pct_stops, pct_next, pct_starts};

/* --- pos */

static struct {
    uintptr_t word; /* of the next access; 0: not known */
    bool write;
} pending[MAX_WARPS * LANES];

uint64_t simt_search_changes;

static uint64_t spun[MAX_WARPS * LANES]; /* simt_search_changes when the thread was last found to spin, + 1 */

static void pos_starts(const block *b)
{
    for (unsigned i = 0; i < b->warps * LANES; i++) {
        priorities[simt_slot(b->warp->threads) + i] = draw();
        pending[simt_slot(b->warp->threads) + i].word = 0;
    }
}

/* Something has changed since these threads were found to spin: they come no later than others any more, or those that spin now would
 * leave them no turn. */
static void forget_old_spins(void)
{
    for (unsigned i = 0; i < m.resident * m.warps_each * LANES; i++)
        if (spun[i] != simt_search_changes + 1 && priorities[i] >> 32 == 0)
            priorities[i] = draw();
}

static bool pos_stops(simt_event event, uintptr_t address, bool write)
{
    unsigned self = simt_slot(simt_current);

    if (event == SIMT_AT_SYNC && simt_checking)
        return false;
    if (event == SIMT_AT_SPIN) {
        spun[self] = simt_search_changes + 1;
        forget_old_spins();
    }
    /* Who spins comes after those who do not, until something changes. */
    priorities[self] = spun[self] == simt_search_changes + 1 ? draw() >> 32 : draw();
    pending[self].word = address >> 2;
    pending[self].write = write;
    return true;
}

static thread *pos_next(void)
{
    thread *next = highest(priority);
    unsigned self = simt_slot(next);

    for (unsigned i = 0; pending[self].word && i < m.resident * m.warps_each * LANES; i++)
        if (pending[i].word == pending[self].word && (pending[i].write || pending[self].write) && i != self)
            priorities[i] = spun[i] == simt_search_changes + 1 ? draw() >> 32 : draw();
    priorities[self] = draw();
    pending[self].word = 0;
    return next;
}

const simt_strategy simt_pos = {walk_begin, pos_stops, pos_next, pos_starts};

/* --- surw */

static struct {
    uint64_t salt, mask; /* an address is of interest if its hash has none of these bits */
    uint32_t done[MAX_WARPS * LANES];
    uint64_t ended, sum; /* threads, and their accesses of interest */
} surw;

static void surw_begin(uint64_t random, unsigned depth)
{
    (void)depth;
    state = random;
    surw.salt = draw();
    surw.mask = (1ull << draw() % 7) - 1; /* all to one in 64; not tuned */
    surw.ended = surw.sum = 0;
}

static void surw_starts(const block *b)
{
    for (unsigned i = 0; i < b->warps * LANES; i++) {
        uint32_t *done = &surw.done[simt_slot(b->warp->threads) + i];

        if (*done) {
            surw.ended++;
            surw.sum += *done;
        }
        *done = 0;
    }
}

/* Of the word, the same in each run: the range begins elsewhere each time, and the program's own variables move by pages. */
static uint64_t name_of(uintptr_t address)
{
    uintptr_t offset = address - simt_base;

    return offset < simt_size ? offset >> 2 : (address & 0xfff) >> 2;
}

static bool surw_stops(simt_event event, uintptr_t address, bool write)
{
    (void)write;
    if (event == SIMT_AT_SPIN)
        return true;
    if (event == SIMT_AT_SYNC || simt_mix(name_of(address) ^ surw.salt) & surw.mask)
        return event == SIMT_AT_SYNC && !simt_checking;
    surw.done[simt_slot(simt_current)]++;
    return true;
}

static uint64_t left(unsigned slot)
{
    uint64_t mean = surw.ended ? surw.sum / surw.ended : 8; /* any number: all threads then count alike for so long */

    return mean > surw.done[slot] ? mean - surw.done[slot] : 1;
}

static thread *surw_next(void)
{
    return weighted(left);
}

const simt_strategy simt_surw = {surw_begin, surw_stops, surw_next, surw_starts};
