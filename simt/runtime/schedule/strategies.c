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
 *   place   each thread, warp or block, or all of the grid, has a place in the code, drawn of those with a volatile or atomic access:
 *           its threads stop there until none of the others can go on, which walk. So two such accesses of a thread are torn apart
 *           wherever it is in the grid, and however few threads come to them. (Stopping threads at places: C.-S. Park, K. Sen,
 *           "Randomized active atomicity violation detection in concurrent programs", 2008)
 *   surw    selectively uniform random walk (H. Zhao et al., "Selectively uniform concurrency testing", 2025): only accesses to some
 *           addresses are ordered; the next thread is drawn in proportion to the number of such accesses that it has before it
 *
 * What the papers take from a profile, the number of accesses of a launch and of a thread, is not known here. pct draws the magnitude
 * of a distance; surw takes the mean of those threads that have ended.
 */
#include "search.h"

#include "../memory/memory.h"

#include <string.h>

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

/* Of threads, by slot. A larger one comes first; among equals the lower slot. */
static uint64_t priorities[SIMT_SLOTS];

/* Of a warp: the first of these lanes, all of those that could run, as long as no priority changes; 0: none are known. Most warps have
 * not changed since the last choice, and a choice is made at every access. */
static struct {
    uint32_t lanes;
    unsigned slot;
} first_of[CLUSTER_WARPS];

static void set_priority(unsigned slot, uint64_t priority)
{
    priorities[slot] = priority;
    first_of[slot / LANES].lanes = 0;
}

static inline __attribute__((always_inline)) thread *highest_of(const bool many)
{
    unsigned best = SIMT_SLOTS;

    for (simt_warps warps = simt_ready_warps(); simt_has_warps(&warps, many);) {
        unsigned number = simt_next_warp(&warps, many), first = first_of[number].slot;

        if (first_of[number].lanes != m.warps[number].ready) {
            uint32_t lanes = first_of[number].lanes = m.warps[number].ready;

            first = number * LANES + (unsigned)__builtin_ctz(lanes);
            for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
                unsigned slot = number * LANES + (unsigned)__builtin_ctz(lanes);

                if (priorities[slot] > priorities[first])
                    first = slot;
            }
            first_of[number].slot = first;
        }
        if (best == SIMT_SLOTS || priorities[first] > priorities[best])
            best = first;
    }
    return &m.threads[best];
}

static __attribute__((noinline)) thread *highest_of_many(void)
{
    return highest_of(true);
}

static thread *highest(void)
{
    return simt_many_ready() ? highest_of_many() : highest_of(false);
}

static void nothing_starts(const block *b)
{
    (void)b;
}

/* --- walk */

static uint32_t walking[CLUSTER_WARPS]; /* lanes that take part; those of place that have stopped do not */

static void walk_begin(uint64_t random, unsigned depth)
{
    (void)depth;
    state = random;
    memset(walking, 0xff, sizeof walking);
}

static bool walk_stops(simt_event event, uintptr_t address, bool write)
{
    (void)address;
    (void)write;
    return event != SIMT_AT_SYNC || !simt_checking;
}

/* The number of lanes of a warp that can run. Most warps have not changed since the last choice, which was an access ago. */
static unsigned ready_lanes(const warp *w)
{
    static struct {
        uint32_t lanes, count;
    } known[CLUSTER_WARPS];
    uint32_t lanes = w->ready & walking[w->number];

    if (known[w->number].lanes != lanes) {
        known[w->number].lanes = lanes;
        known[w->number].count = (unsigned)__builtin_popcount(lanes);
    }
    return known[w->number].count;
}

/* NULL: none of those that take part can run. */
static inline __attribute__((always_inline)) thread *walk_among(const bool many)
{
    uint64_t sum = 0, rest;
    const warp *w = NULL;
    simt_warps warps;
    uint32_t lanes;

    for (warps = simt_ready_warps(); simt_has_warps(&warps, many);)
        sum += ready_lanes(&m.warps[simt_next_warp(&warps, many)]);
    if (sum == 0)
        return NULL;
    rest = draw() % sum;
    for (warps = simt_ready_warps(); simt_has_warps(&warps, many);) {
        w = &m.warps[simt_next_warp(&warps, many)];
        if (rest < ready_lanes(w))
            break;
        rest -= ready_lanes(w);
    }
    for (lanes = w->ready & walking[w->number]; rest > 0; rest--)
        lanes &= lanes - 1;
    return &w->threads[__builtin_ctz(lanes)];
}

static __attribute__((noinline)) thread *walk_among_many(void)
{
    return walk_among(true);
}

static thread *walk_next(void)
{
    return simt_many_ready() ? walk_among_many() : walk_among(false);
}

const simt_strategy simt_walk = {walk_begin, walk_stops, walk_next, nothing_starts};

/* --- pct */

enum { THREADS, WARPS, BLOCKS, GRID };

static struct {
    unsigned unit; /* what gets the lowest priority; a larger one is also neighboured in the first order */
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

            set_priority(simt_slot(&b->warp[k].threads[lane]),
                         1ull << 63 | (pct.unit == BLOCKS  ? of_block | of_warp | (own & 0xffff)
                                       : pct.unit == WARPS ? of_warp << 32 | (own & 0xffff)
                                                           : own));
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
    set_priority(simt_slot(&w->threads[lane]), --pct.lowest);
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

static thread *pct_next(void)
{
    return highest();
}

const simt_strategy simt_pct = {pct_begin, pct_stops, pct_next, pct_starts};

/* --- pos */

static struct {
    uintptr_t word; /* of the next access; 0: not known */
    bool write;
} pending[SIMT_SLOTS];
static uint32_t low[SIMT_SLOTS]; /* bits of `word`: most threads have others, which shows in vectors of them */

uint64_t simt_search_changes;
const void *simt_search_place;

static uint64_t spun[SIMT_SLOTS]; /* simt_search_changes when the thread was last found to spin, + 1 */

static void pos_starts(const block *b)
{
    for (unsigned i = 0; i < b->warps * LANES; i++) {
        set_priority(simt_slot(b->warp->threads) + i, draw());
        pending[simt_slot(b->warp->threads) + i].word = low[simt_slot(b->warp->threads) + i] = 0;
    }
}

/* Something has changed since these threads were found to spin: they come no later than others any more, or those that spin now would
 * leave them no turn. */
static void forget_old_spins(void)
{
    for (unsigned i = 0; i < m.resident * m.warps_each * LANES; i++)
        if (spun[i] != simt_search_changes + 1 && priorities[i] >> 32 == 0)
            set_priority(i, draw());
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
    set_priority(self, spun[self] == simt_search_changes + 1 ? draw() >> 32 : draw());
    pending[self].word = address >> 2;
    low[self] = (uint32_t)(address >> 2);
    pending[self].write = write;
    return true;
}

/* Is the next access of one of these 32 threads to a word with such bits? */
static bool may_conflict(const uint32_t *of_warp, uint32_t bits)
{
    uint32_t any = 0;

    for (unsigned i = 0; i < LANES; i++)
        any |= of_warp[i] == bits;
    return any != 0;
}

static void draw_again_what_conflicts(unsigned self)
{
    for (unsigned first = 0; first < m.resident * m.warps_each * LANES; first += LANES) {
        if (!may_conflict(&low[first], low[self]))
            continue;
        for (unsigned i = first; i < first + LANES; i++)
            if (pending[i].word == pending[self].word && (pending[i].write || pending[self].write) && i != self)
                set_priority(i, spun[i] == simt_search_changes + 1 ? draw() >> 32 : draw());
    }
}

static thread *pos_next(void)
{
    thread *next = highest();
    unsigned self = simt_slot(next);

    if (pending[self].word)
        draw_again_what_conflicts(self);
    set_priority(self, draw());
    pending[self].word = low[self] = 0;
    return next;
}

const simt_strategy simt_pos = {walk_begin, pos_stops, pos_next, pos_starts};

/* --- place */

enum { PLACES = 1024 /* a power of two: twice the places that are told apart in a launch. Not tuned */ };

static struct {
    unsigned unit; /* as of pct, or GRID: what stops at one place */
    uint64_t salt; /* of the order of places; 0: as they were found */
    uint64_t spins;
    uint16_t of_grid;           /* the place where all do */
    uint16_t stops[SIMT_SLOTS]; /* where each thread does */
    const void *at[PLACES];
    uint16_t number[PLACES]; /* from 1, in the order in which threads came there: addresses differ from run to run */
    uint16_t count;
} place;

static void place_begin(uint64_t random, unsigned depth)
{
    walk_begin(random, depth);
    place.unit = draw() % (GRID + 1);
    place.salt = draw() & 1 ? draw() : 0;
    place.spins = 0;
    place.of_grid = 0;
    place.count = 0;
    memset(place.at, 0, sizeof place.at);
}

static void place_walks(unsigned slot)
{
    walking[slot / LANES] |= 1u << slot % LANES;
}

/* It goes on when none can that walks. */
static void place_waits(unsigned slot, uint64_t priority)
{
    walking[slot / LANES] &= ~(1u << slot % LANES);
    set_priority(slot, priority);
}

/* Threads that stop come after the others. If those go on first that stop at the places which were known first, the others get past
 * their barriers, and threads at the last places wait for long; in half of the launches any place may be the last. */
static uint64_t stopped_priority(unsigned number)
{
    uint64_t rank = place.salt ? simt_mix(place.salt ^ number) & 0xffff : number;

    return 1ull << 62 | (0xffff - rank) << 32 | draw() >> 32; /* below 3 << 61 */
}

/* It may wait for one that has stopped, and so comes after those; or it does not wait, but makes changes that do not show as such, and
 * comes before. Who comes before spins again, if it waits. Of those that come after, who spun last is the last. */
static uint64_t spinning_priority(void)
{
    return draw() & 1 ? (1ull << 61) - ++place.spins : 3ull << 61 | draw() >> 3;
}

/* Those that are known, and 0, where a thread begins, are equally likely. */
static uint16_t draw_place(void)
{
    return (uint16_t)(draw() % (place.count + 1u));
}

static void draw_places(const block *b)
{
    uint16_t of_block = draw_place();

    for (unsigned k = 0; k < b->warps; k++) {
        uint16_t of_warp = draw_place();

        for (unsigned lane = 0; lane < LANES; lane++) {
            uint16_t own = draw_place();

            place.stops[simt_slot(&b->warp[k].threads[lane])] = place.unit == THREADS  ? own
                                                                : place.unit == WARPS  ? of_warp
                                                                : place.unit == BLOCKS ? of_block
                                                                                       : place.of_grid;
        }
    }
}

static void place_starts(const block *b)
{
    draw_places(b);
    for (unsigned i = simt_slot(b->warp->threads); i < simt_slot(b->warp->threads) + b->warps * LANES; i++)
        if (place.stops[i] == 0 && place.count && place.unit != GRID)
            place_waits(i, stopped_priority(0));
        else
            place_walks(i);
}

/* All draw again, and who has stopped goes on: most places are known soon. */
static void place_is_new(void)
{
    place.of_grid = draw_place();
    for (unsigned i = 0; i < m.resident; i++)
        draw_places(&m.slots[i]);
    memset(walking, 0xff, sizeof walking);
}

static unsigned number_of_place(const void *code)
{
    uint64_t at = simt_mix((uintptr_t)code);

    while (place.at[at % PLACES] && place.at[at % PLACES] != code)
        at++;
    if (!place.at[at % PLACES] && place.count < PLACES / 2) {
        place.at[at % PLACES] = code;
        place.number[at % PLACES] = ++place.count;
        place_is_new();
    }
    return place.number[at % PLACES]; /* 0: there are too many */
}

static bool place_stops(simt_event event, uintptr_t address, bool write)
{
    unsigned self = simt_slot(simt_current), number;

    (void)address;
    (void)write;
    if (event == SIMT_AT_ACCESS)
        return true;
    number = number_of_place(simt_search_place);
    if (event == SIMT_AT_SPIN)
        place_waits(self, spinning_priority());
    else if (number && number == place.stops[self])
        place_waits(self, stopped_priority(number));
    else
        place_walks(self);
    return true;
}

static thread *place_next(void)
{
    thread *next = walk_next();

    return next ? next : highest();
}

const simt_strategy simt_place = {place_begin, place_stops, place_next, place_starts};

/* --- surw */

static struct {
    uint64_t salt, mask; /* an address is of interest if its hash has none of these bits */
    uint32_t done[SIMT_SLOTS];
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

/* How many accesses the lanes may still have, together; never 0. */
static uint64_t left(const warp *w, uint32_t lanes, uint64_t mean)
{
    const uint32_t *done = &surw.done[simt_slot(w->threads)];
    uint64_t sum = 0;

    for (; lanes; lanes &= lanes - 1) {
        uint32_t its = done[__builtin_ctz(lanes)];

        sum += mean > its ? mean - its : 1;
    }
    return sum;
}

static inline __attribute__((always_inline)) thread *surw_among(const bool many)
{
    uint64_t mean = surw.ended ? surw.sum / surw.ended : 8; /* any number: all threads then count alike for so long */
    uint64_t sum = 0, rest, its;
    const warp *w = NULL;
    simt_warps warps;
    uint32_t lanes;

    for (warps = simt_ready_warps(); simt_has_warps(&warps, many);) {
        w = &m.warps[simt_next_warp(&warps, many)];
        sum += left(w, w->ready, mean);
    }
    rest = draw() % sum;
    for (warps = simt_ready_warps(); simt_has_warps(&warps, many);) {
        w = &m.warps[simt_next_warp(&warps, many)];
        its = left(w, w->ready, mean);
        if (rest < its)
            break;
        rest -= its;
    }
    for (lanes = w->ready;; lanes &= lanes - 1) {
        its = left(w, lanes & -lanes, mean);
        if (rest < its)
            return &w->threads[__builtin_ctz(lanes)];
        rest -= its;
    }
}

static __attribute__((noinline)) thread *surw_among_many(void)
{
    return surw_among(true);
}

static thread *surw_next(void)
{
    return simt_many_ready() ? surw_among_many() : surw_among(false);
}

const simt_strategy simt_surw = {surw_begin, surw_stops, surw_next, surw_starts};
