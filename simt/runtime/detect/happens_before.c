/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Happens-before: what threads learn of each other at barriers, __syncwarp, fences and atomics. The model is in
 * happens_before.h.
 */
#include "actor.h"
#include "happens_before.h"
#include "origin.h"

#include "../core/tags.h"

#include <stdlib.h>
#include <string.h>

#ifndef LAST_CLOCK
#define LAST_CLOCK ((1u << (64 - SIMT_CLOCK_SHIFT)) - 16)
#endif

/* What the thread knew at its last fence: the next atomic or volatile write publishes it. */
typedef struct release {
    uint32_t own, floor; /* the thread's clock, its block's floor; own is 0: there was no fence */
    uint32_t lanes[LANES];
} release;

/* What one thread knows beyond its warp_clock. */
struct thread_clock {
    bool partial; /* `lanes` is valid: some lane is known to a later clock than `synced` */
    uint32_t lanes[LANES];
    vector_clock *imports;
    vector_clock *pending[2]; /* acquired by reads, and waiting for a fence: of the block, of the device */
    release release[2];       /* for the block; for the device */
};

static const uint32_t SEVERAL = UINT32_MAX;

/* What was released at an address: to the device; or to the block of a slot only, under a key of its own. */
typedef struct location {
    uintptr_t key;
    uint32_t owner; /* the block that released it, its number + 1, or SEVERAL */
    uint32_t slot;  /* + 1; 0: released to the device */
    vector_clock *vector_clock;
} location;

warp_clock simt_warp_clocks[CLUSTER_WARPS];
slot simt_slots[MAX_BLOCKS];
uint32_t simt_launch_clock;
bool simt_published;

static struct thread_clock thread_clocks[SIMT_THREADS];
static unsigned threads_used; /* the first ones, of which some launch had blocks */
static bool
    any_thread_clock; /* has a thread one since the launch began? It got it by a fence, or by __syncwarp of some lanes */
static location locations[SIMT_LOCATIONS];

static vector_clock *overflow; /* of locations whose table entry another one took: every read acquires it */
static uint32_t now;

static vector_clock
    *left_with[MAX_BLOCKS]; /* what the threads of each slot's block knew when they ended; of clusters */

static bool warp_fenced[CLUSTER_WARPS]; /* has a lane fenced since its warp last met? */

static void reset_clocks(void);

static inline void check_clock_range(void)
{
    if (__builtin_expect(now >= LAST_CLOCK, 0))
        reset_clocks();
}

static inline struct thread_clock *thread_clock_of(const thread *t)
{
    return &thread_clocks[thread_of(t->epoch)];
}

static inline void set_clock(thread *t, uint32_t clock)
{
    t->epoch = (uint64_t)clock << SIMT_CLOCK_SHIFT | (t->epoch & ((uint64_t)(SIMT_THREADS - 1) << SIMT_THREAD_SHIFT));
}

static inline uint32_t tick(void)
{
    return ++now;
}

/* The block that the slot had at that clock: the last one started before. If that one is no longer recorded, the oldest
 * that is. */
uint64_t simt_block_at(const slot *r, uint32_t clock)
{
    uint64_t low = r->count < STARTS ? 1 : r->count - STARTS + 1, high = r->count;

    if (clock > simt_launch_clock && low < r->first) /* not of an earlier launch */
        low = r->first;
    while (low < high) {
        uint64_t middle = (low + high + 1) / 2;

        if (r->starts[middle % STARTS].clock <= clock)
            low = middle;
        else
            high = middle - 1;
    }
    return r->starts[low % STARTS].number;
}

static bool is_forgotten(const slot *r, uint32_t clock)
{
    return r->count >= STARTS && r->starts[(r->count + 1) % STARTS].clock > clock;
}

static uint32_t unit_of(uint64_t word)
{
    unsigned index = thread_of(word);
    const slot *r = &simt_slots[simt_warp_clocks[index / LANES].slot];

    return (uint32_t)simt_block_at(r, clock_of(word)) << SIMT_UNIT_BITS | (index - r->first_thread);
}

bool simt_fork_has(const struct simt_fork *fork, unsigned warps_each, simt_cell word)
{
    unsigned index = thread_of(word), place = index / (warps_each * LANES);
    uint32_t clock = clock_of(word), number;

    if (place == fork->warp.slot && word >= fork->warp.start) {
        if (word < fork->warp.floor || (index == thread_of(fork->epoch) && clock <= clock_of(fork->epoch)))
            return true;
        if (index / LANES == thread_of(fork->epoch) / LANES &&
            (word < fork->warp.synced || (fork->partial && clock <= fork->lanes[index % LANES])))
            return true;
    }
    number = (uint32_t)simt_block_at(&simt_slots[place], clock);
    return fork->imports &&
           simt_vector_clock_has(fork->imports, number << SIMT_UNIT_BITS | (index - place * warps_each * LANES), clock);
}

/* Does the access happen before this launch, whose grid the launch of the access, or a grid below that, has launched? */
static bool fork_ordered(const simt_launched *l, simt_cell word)
{
    const simt_launched *child = simt_child_of(l);

    return child && (!child->fork || simt_fork_has(child->fork, l->warps_each, word));
}

/* Does the access of the word happen before what a thread of the warp does next, by single lanes and by vector clocks? */
static bool is_ordered(uint64_t word, unsigned in_warp, uint64_t start, const uint32_t *lanes,
                       const vector_clock *imports)
{
    unsigned index = thread_of(word);

    if (word < simt_launch_first) {
        const simt_launched *l = simt_launched_at(clock_of(word));

        return !l || simt_launched_ordered(l) || fork_ordered(l, word);
    }
    /* CUDA: __syncwarp(mask) orders memory among the lanes of its mask. */
    if (index / LANES == in_warp && lanes && word >= start && clock_of(word) <= lanes[index % LANES])
        return true;
    if (is_forgotten(&simt_slots[simt_warp_clocks[index / LANES].slot], clock_of(word)))
        return true;
    /* PTX: base causality order over other warps and blocks: what release and acquire patterns have brought. */
    return imports && simt_vector_clock_has(imports, unit_of(word), clock_of(word));
}

bool simt_hb_ordered(const thread *t, uint64_t word)
{
    const struct thread_clock *k = thread_clock_of(t);
    unsigned in_warp = thread_of(t->epoch) / LANES;

    return is_ordered(word, in_warp, simt_warp_clocks[in_warp].start, k->partial ? k->lanes : NULL, k->imports);
}

bool simt_hb_knows(simt_cell word)
{
    const thread *t = simt_current;

    return ordered_in_block(&simt_warp_clocks[thread_of(t->epoch) / LANES], word, word ^ t->epoch) ||
           simt_hb_ordered(t, word);
}

void simt_hb_remember(simt_known *known)
{
    thread *t = simt_current;
    const struct thread_clock *k = thread_clock_of(t);

    check_clock_range();
    known->moment = t->epoch;
    known->of_warp = simt_warp_clocks[thread_of(t->epoch) / LANES];
    known->partial = k->partial;
    memcpy(known->lanes, k->lanes, sizeof known->lanes);
    known->imports = k->imports ? simt_clock_share(k->imports) : NULL;
    simt_tags_block_synchronises(t->warp->block);
    set_clock(t, tick());
}

simt_cell simt_hb_until_now(void)
{
    thread *t = simt_current;
    const simt_cell epoch = t->epoch;

    if (!simt_cells)
        return epoch;
    check_clock_range();
    simt_tags_block_synchronises(t->warp->block);
    set_clock(t, tick());
    return epoch;
}

void simt_hb_forget(simt_known *known)
{
    simt_clock_drop(&known->imports);
}

bool simt_hb_knew(const simt_known *known, simt_cell word)
{
    if (!((word ^ known->moment) & a_thread) && word >= known->of_warp.start)
        return clock_of(word) <= clock_of(known->moment);
    return (clock_of(word) <= clock_of(known->moment) &&
            ordered_in_block(&known->of_warp, word, word ^ known->moment)) ||
           is_ordered(word, thread_of(known->moment) / LANES, known->of_warp.start,
                      known->partial ? known->lanes : NULL, known->imports);
}

static void drop_pending(struct thread_clock *k)
{
    simt_clock_drop(&k->pending[0]);
    simt_clock_drop(&k->pending[1]);
}

static void clear_clock(struct thread_clock *k)
{
    k->partial = false;
    simt_clock_drop(&k->imports);
    drop_pending(k);
    k->release[0].own = k->release[1].own = 0;
}

static void forget_clocks(void)
{
    for (unsigned i = 0; any_thread_clock && i < threads_used; i++)
        clear_clock(&thread_clocks[i]);
    any_thread_clock = false;
    for (unsigned i = 0; simt_published && i < SIMT_LOCATIONS; i++) {
        simt_clock_drop(&locations[i].vector_clock);
        locations[i].key = 0;
    }
    simt_clock_drop(&overflow);
    simt_published = false;
}

/* Drops all recorded accesses, and the clock starts again. */
static void reset_history(void)
{
    simt_cells_reset();
    forget_clocks();
    now = 1;
    simt_launch_clock = 1;
    simt_launched_forget(simt_launch_clock);
    for (unsigned i = 0; i < CLUSTER_WARPS; i++)
        simt_warp_clocks[i].floor = simt_warp_clocks[i].synced = simt_warp_clocks[i].start = after(1);
    for (unsigned i = 0; i < MAX_BLOCKS; i++) {
        slot *r = &simt_slots[i];

        r->starts[1].number = r->starts[r->count % STARTS].number;
        r->starts[1].clock = 1;
        r->count = r->first = 1;
        r->clocks = r->releases = false;
    }
}

/* Every resident thread gets the new clock, also those that do not synchronise now. */
static void reset_clocks(void)
{
    reset_history();
    tick();
    for (unsigned i = 0; i < m.resident; i++) {
        block *b = &m.slots[i];

        for (unsigned k = 0; k < b->warps * LANES; k++)
            set_clock(&b->warp[k / LANES].threads[k % LANES], now);
    }
}

void simt_hb_launch(void)
{
    if (!simt_cells_launch())
        return;
    simt_expire_tags();
    forget_clocks();
    if (now > LAST_CLOCK / 2 || simt_origins_made > SIMT_ORIGINS / 2)
        reset_history();
    simt_launch_clock = tick(); /* nothing at this clock or before races with the launch */
    tick();
    for (unsigned i = 0; i < MAX_BLOCKS; i++)
        simt_slots[i].first = simt_slots[i].count + 1;
    simt_launched_start(simt_launch_clock);
}

static void start_slot(block *b, uint64_t number, uint32_t clock)
{
    unsigned place = b->warp[0].number / b->warps;
    uint64_t start = after(clock - 1);
    slot *r = &simt_slots[place];

    r->first_thread = b->warp[0].number * LANES;
    r->clocks = r->releases = false;
    simt_clock_drop(&left_with[place]);
    r->count++;
    r->starts[r->count % STARTS].number = number;
    r->starts[r->count % STARTS].clock = clock;
    for (unsigned i = 0; i < b->warps; i++) {
        warp_fenced[b->warp[i].number] = false;
        simt_warp_clocks[b->warp[i].number] =
            (warp_clock){.floor = start, .synced = start, .start = start, .slot = (uint16_t)place};
    }
}

static void mask_tags(block *b)
{
    static unsigned resident;
    const bool more = m.resident != resident; /* so the meaning of tags changes */

    resident = m.resident;
    for (unsigned i = 0; i < b->warps; i++)
        simt_tags_warp_starts(&b->warp[i]);
    simt_expire_block_tags(b);
    if (!more)
        return;
    simt_expire_tags();
    for (unsigned i = 0; i < m.resident; i++)
        for (unsigned k = 0; k < m.warps_each; k++)
            simt_tags_warp_starts(&m.warps[i * m.warps_each + k]);
}

void simt_hb_block(block *b, uint64_t number)
{
    const unsigned index = b->warp[0].number * LANES;
    thread *t = b->warp[0].threads; /* those of its warps follow each other */
    uint32_t clock;
    uint64_t epoch;

    if (!simt_cells)
        return;
    simt_launched_block(b);
    mask_tags(b);
    check_clock_range();
    clock = tick();
    start_slot(b, number, clock);
    if (threads_used < index + b->warps * LANES)
        threads_used = index + b->warps * LANES;
    /* As [FT FORK] by the host: each knows all that was before the launch, and nothing of other blocks. */
    epoch = (uint64_t)clock << SIMT_CLOCK_SHIFT | (uint64_t)index << SIMT_THREAD_SHIFT;
    for (unsigned i = 0; i < b->warps * LANES; i++)
        t[i].epoch = epoch + ((uint64_t)i << SIMT_THREAD_SHIFT);
    for (unsigned i = 0; any_thread_clock && i < b->warps * LANES; i++)
        clear_clock(&thread_clocks[index + i]);
}

/* Threads that meet share their imports and their pending acquires: the thread that reads a flag and the thread that
 * fences need not be the same one if a barrier stands between the two. */
typedef struct joined_clocks {
    vector_clock *imports, *pending[2];
} joined_clocks;

static void add_member(joined_clocks *all, const struct thread_clock *k)
{
    simt_clock_join(&all->imports, k->imports);
    for (int s = 0; s < 2; s++)
        simt_clock_join(&all->pending[s], k->pending[s]);
}

static void give(vector_clock *from, vector_clock **to)
{
    if (*to != from) {
        simt_clock_drop(to);
        *to = simt_clock_share(from);
    }
}

static void give_member(const joined_clocks *all, struct thread_clock *k)
{
    give(all->imports, &k->imports);
    for (int s = 0; s < 2; s++)
        give(all->pending[s], &k->pending[s]);
}

static slot *slot_of(const warp *w)
{
    return &simt_slots[simt_warp_clocks[w->number].slot];
}

void simt_hb_learn(const thread *t, simt_cell until)
{
    if (!simt_cells || clock_of(until) > now) /* of a time before the clock started again */
        return;
    any_thread_clock = slot_of(t->warp)->clocks = true;
    simt_clock_raise(simt_clock_own(&thread_clock_of(t)->imports), unit_of(until), clock_of(until));
}

void simt_hb_leave(void)
{
    if (simt_cells)
        simt_clock_join(&left_with[slot_of(simt_current->warp) - simt_slots], thread_clock_of(simt_current)->imports);
}

bool simt_hb_left_after(const block *b, simt_cell word)
{
    unsigned place = simt_warp_clocks[b->warp[0].number].slot;

    return simt_warp_clocks[thread_of(word) / LANES].slot == place ||
           (left_with[place] && simt_vector_clock_has(left_with[place], unit_of(word), clock_of(word)));
}

static void join_members(warp *w, unsigned warps, const uint32_t *lanes)
{
    joined_clocks all = {NULL, {NULL, NULL}};

    for (unsigned i = 0; i < warps; i++)
        for (uint32_t left = lanes[i]; left; left &= left - 1)
            add_member(&all, thread_clock_of(&w[i].threads[__builtin_ctz(left)]));
    for (unsigned i = 0; i < warps; i++)
        for (uint32_t left = lanes[i]; left; left &= left - 1)
            give_member(&all, thread_clock_of(&w[i].threads[__builtin_ctz(left)]));
    simt_clock_drop(&all.imports);
    simt_clock_drop(&all.pending[0]);
    simt_clock_drop(&all.pending[1]);
}

/* After a barrier one thread may publish for the whole block, if every thread fenced before the barrier: then each
 * thread's release includes the block, up to the clock of the oldest of these fences. */
static void release_block(block *b, const uint32_t *lanes)
{
    uint32_t fenced[2] = {UINT32_MAX, UINT32_MAX};

    for (unsigned i = 0; i < b->warps * 2; i++)
        for (uint32_t left = lanes[i / 2]; left; left &= left - 1) {
            const release *r = &thread_clock_of(&b->warp[i / 2].threads[__builtin_ctz(left)])->release[i % 2];

            fenced[i % 2] = r->own < fenced[i % 2] ? r->own : fenced[i % 2];
        }
    for (unsigned i = 0; i < b->warps * 2; i++)
        for (uint32_t left = lanes[i / 2]; left; left &= left - 1) {
            release *r = &thread_clock_of(&b->warp[i / 2].threads[__builtin_ctz(left)])->release[i % 2];

            if (fenced[i % 2] && r->floor < fenced[i % 2])
                r->floor = fenced[i % 2];
        }
}

/* After __syncwarp or a barrier a lane may publish for those of its warp that fenced before: what it writes now also releases what
 * their fences had. PTX: the fence.sc of such a lane cannot come after the fence of whoever reads what is written now. Then that
 * read would precede, in causality order, the write that it reads. */
static void release_lanes(warp *w, uint32_t mask)
{
    for (int s = 0; s < 2; s++) {
        release all = {0};

        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            const release *r = &thread_clock_of(&w->threads[lane])->release[s];

            if (!r->own)
                continue;
            all.own = 1; /* that of no access of the launch: the lane may not have fenced itself */
            all.floor = r->floor > all.floor ? r->floor : all.floor;
            for (unsigned i = 0; i < LANES; i++)
                all.lanes[i] = r->lanes[i] > all.lanes[i] ? r->lanes[i] : all.lanes[i];
            all.lanes[lane] = r->own > all.lanes[lane] ? r->own : all.lanes[lane];
        }
        for (uint32_t left = all.own ? mask : 0; left; left &= left - 1) {
            release *r = &thread_clock_of(&w->threads[__builtin_ctz(left)])->release[s];

            all.own = r->own ? r->own : 1;
            *r = all;
        }
    }
    warp_fenced[w->number] = warp_fenced[w->number] && mask != w->exists;
}

/* Exited threads are ordered as if they had waited too. */
void simt_hb_barrier(block *b)
{
    uint32_t floor, clock, lanes[MAX_THREADS / LANES];
    slot *r;

    if (!simt_cells)
        return;
    check_clock_range();
    floor = now;
    clock = tick();
    r = slot_of(&b->warp[0]);
    simt_tags_block_synchronises(b);
    for (unsigned i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];

        lanes[i] = w->at_barrier;
        /* [FT BARRIER RELEASE]; PTX: bar.sync synchronises with all threads of the block. One clock stands for the join of all. */
        simt_warp_clocks[w->number].floor = simt_warp_clocks[w->number].synced = after(floor);
        for (uint32_t left = lanes[i]; left; left &= left - 1)
            set_clock(&w->threads[__builtin_ctz(left)], clock);
    }
    if (r->clocks) /* PTX: causality order is transitive: what one thread acquired, all have after the barrier */
        join_members(b->warp, b->warps, lanes);
    if (r->releases) /* a release pattern is cumulative: it also covers what came before the barrier in other threads */
        release_block(b, lanes);
    for (unsigned i = 0; r->releases && i < b->warps; i++)
        if (warp_fenced[b->warp[i].number])
            release_lanes(&b->warp[i], lanes[i]);
}

/* A lane outside the mask, or one that has exited, is known only as far as some lane of the mask knew it. */
static void sync_some(warp *w, uint32_t mask, uint32_t up_to)
{
    uint32_t lanes[LANES] = {0};

    any_thread_clock = true;
    for (uint32_t left = mask; left; left &= left - 1) {
        const struct thread_clock *k = thread_clock_of(&w->threads[__builtin_ctz(left)]);

        for (unsigned i = 0; k->partial && i < LANES; i++)
            lanes[i] = lanes[i] < k->lanes[i] ? k->lanes[i] : lanes[i];
    }
    for (unsigned i = 0; i < LANES; i++)
        if (mask >> i & 1) /* [FT BARRIER RELEASE] for the lanes of the mask only */
            lanes[i] = up_to;
    for (uint32_t left = mask; left; left &= left - 1) {
        struct thread_clock *k = thread_clock_of(&w->threads[__builtin_ctz(left)]);

        k->partial = true;
        memcpy(k->lanes, lanes, sizeof lanes);
    }
    simt_warp_clocks[w->number].partial = true;
}

static void sync_all(warp *w, uint32_t up_to)
{
    warp_clock *o = &simt_warp_clocks[w->number];

    o->synced = after(up_to);
    if (w->block->warps == 1)
        o->floor = o->synced; /* the warp is the block */
    for (unsigned i = 0; o->partial && i < LANES; i++)
        thread_clock_of(&w->threads[i])->partial = false;
    o->partial = false;
}

void simt_hb_syncwarp(warp *w, uint32_t mask)
{
    uint32_t up_to, clock;

    if (!simt_cells)
        return;
    check_clock_range();
    up_to = now;
    clock = tick();
    simt_tags_block_synchronises(w->block);
    if (mask == w->exists)
        sync_all(w, up_to);
    else
        sync_some(w, mask, up_to);
    for (uint32_t left = mask; left; left &= left - 1)
        set_clock(&w->threads[__builtin_ctz(left)], clock);
    if (slot_of(w)->clocks)
        join_members(w, 1, &mask);
    if (warp_fenced[w->number])
        release_lanes(w, mask);
}

/* --- fences, acquire and release */

void simt_hb_fence(simt_scope scope)
{
    thread *t = simt_current;
    const warp_clock *o;
    struct thread_clock *k;
    uint32_t synced;

    if (!simt_cells || !t)
        return;
    if (scope == SIMT_SYSTEM)
        simt_launched_tells();
    check_clock_range();
    any_thread_clock = true;
    k = thread_clock_of(t);
    o = &simt_warp_clocks[t->warp->number];
    synced = clock_of(o->synced) - 1;
    /* PTX: an acquire pattern is a strong read and then a fence, [FT READ VOLATILE] late: only here the thread learns what its reads
     * brought. A fence of the block makes patterns with threads of the block only. */
    simt_clock_join(&k->imports, k->pending[scope != SIMT_BLOCK]);
    simt_clock_drop(&k->pending[0]);
    if (scope != SIMT_BLOCK) /* a later fence of the device still acquires what this one of the block did not */
        simt_clock_drop(&k->pending[1]);
    /* PTX: a release pattern is a fence and then a strong write: what is before the fence, not before the write, is released. */
    for (int s = 0; s < (scope == SIMT_BLOCK ? 1 : 2); s++) {
        k->release[s].own = clock_of(t->epoch);
        k->release[s].floor = clock_of(o->floor) - 1;
        for (unsigned i = 0; i < LANES; i++)
            k->release[s].lanes[i] = k->partial && k->lanes[i] > synced ? k->lanes[i] : synced;
    }
    slot_of(t->warp)->releases = true;
    warp_fenced[t->warp->number] = true;
    simt_tags_block_synchronises(t->warp->block);
    set_clock(t, tick()); /* [FT RELEASE]'s inc: what follows the fence is not released by it */
}

static uint32_t block_of(const thread *t) /* number + 1 */
{
    return (unit_of(t->epoch) >> SIMT_UNIT_BITS) + 1;
}

/* The block that is in the slot now; number + 1. */
static uint32_t resident_in(const slot *r)
{
    return (uint32_t)(r->starts[r->count % STARTS].number << SIMT_UNIT_BITS >> SIMT_UNIT_BITS) + 1;
}

static location *entry_of(uintptr_t key)
{
    return &locations[simt_mix(key) % SIMT_LOCATIONS];
}

/* Each slot has a key of its own for what is released to its block only. */
static uintptr_t slot_key(uintptr_t address, uint32_t place)
{
    return address ^ (uintptr_t)(place + 1) << 42;
}

/* Makes the entry this key's. What it had under another key, every read acquires from now on, unless it was for a block
 * that has ended. */
static location *make_entry(uintptr_t key, uint32_t owner, uint32_t place)
{
    location *l = entry_of(key);

    if (l->key != key) {
        if (!l->slot || l->owner == resident_in(&simt_slots[l->slot - 1]))
            simt_clock_join(&overflow, l->vector_clock);
        simt_clock_drop(&l->vector_clock);
        *l = (location){.key = key, .owner = owner, .slot = place};
    }
    return l;
}

/* The entry for the block of a slot. Nobody can acquire what an earlier block of the slot left there. */
static location *block_entry(uintptr_t address, uint32_t place, uint32_t owner)
{
    location *l = make_entry(slot_key(address, place), owner, place + 1);

    if (l->owner != owner) {
        simt_clock_drop(&l->vector_clock);
        l->owner = owner;
    }
    return l;
}

/* A second block releases at the location: from now on each block has an entry for what its own fences acquire. */
static void split_owner(location *l, uintptr_t address)
{
    vector_clock *before = simt_clock_share(l->vector_clock); /* the entries can collide */
    uint32_t owner = l->owner;

    l->owner = SEVERAL;
    for (uint32_t i = 0; i < m.resident; i++)
        if (resident_in(&simt_slots[i]) == owner) {
            location *of_block = block_entry(address, i, owner);

            simt_clock_join(&of_block->vector_clock, before);
        }
    simt_clock_drop(&before);
}

static void publish(const thread *t, const release *r, location *l)
{
    vector_clock **at = &l->vector_clock, *v;
    uint32_t me = unit_of(t->epoch), first_lane = me & ~(uint32_t)(LANES - 1), min_clock = UINT32_MAX;

    simt_published = true;
    /* [FT WRITE VOLATILE]: joined, not replaced. In PTX, too, a release goes on through the updates that follow it. */
    simt_clock_join(at, thread_clock_of(t)->imports);
    v = simt_clock_own(at);
    simt_clock_raise_block(v, me, r->floor);
    simt_clock_raise(v, me, r->own);
    for (uint32_t left = t->warp->exists & ~(1u << t->lane); left; left &= left - 1)
        if (r->lanes[__builtin_ctz(left)] < min_clock)
            min_clock = r->lanes[__builtin_ctz(left)];
    if (min_clock > r->floor && min_clock != UINT32_MAX)
        simt_clock_raise(
            v, (me >> SIMT_UNIT_BITS << SIMT_UNIT_BITS) + SIMT_WARP_UNIT + (me & (SIMT_WARP_UNIT - 1)) / LANES,
            min_clock);
    for (unsigned i = 0; i < LANES; i++)
        if (r->lanes[i] > r->floor && r->lanes[i] > min_clock)
            simt_clock_raise(v, first_lane + i, r->lanes[i]);
}

static void acquire(struct thread_clock *k, uintptr_t address, uint32_t place, uint32_t owner)
{
    const location *l = entry_of(address);

    /* A fence of the block (s = 0) acquires only what its own block released; one of the device acquires both. */
    for (int s = l->owner == owner ? 0 : 1; l->key == address && s < 2; s++)
        simt_clock_join(&k->pending[s], l->vector_clock);
    l = entry_of(slot_key(address, place));
    for (int s = 0; s < 2; s++) {
        if (l->key == slot_key(address, place) && l->owner == owner)
            simt_clock_join(&k->pending[s], l->vector_clock);
        simt_clock_join(&k->pending[s], overflow);
    }
}

static void release_to_device(const thread *t, uintptr_t address, uint32_t owner)
{
    location *l = make_entry(address, owner, 0);

    if (l->owner != owner && simt_is_shared(address) && m.cluster_blocks == 1) { /* an earlier block's variable */
        simt_clock_drop(&l->vector_clock);
        l->owner = owner;
    } else if (l->owner != owner && l->owner != SEVERAL) {
        split_owner(l, address);
        l = make_entry(address, SEVERAL, 0);
    }
    publish(t, &thread_clock_of(t)->release[1], l);
}

/* An atomic or volatile access to the address: a read acquires what was released there, a write releases what the
 * thread's last fence copied. */
void simt_hb_atomic(const void *at, bool reads, bool writes, simt_scope scope)
{
    uintptr_t address = (uintptr_t)at;
    thread *t = simt_current;
    struct thread_clock *k;
    uint32_t owner, place;
    bool to_device;

    if (!simt_cells || !t)
        return;
    if (simt_hb_is_quiet())
        return;
    k = thread_clock_of(t);
    owner = block_of(t);
    place = simt_warp_clocks[t->warp->number].slot;
    if (reads) { /* first: the read of an update precedes its write */
        acquire(k, address, place, owner);
        slot_of(t->warp)->clocks |= k->pending[1] != NULL;
    }
    if (!writes || !k->release[0].own) /* no fence before it: a relaxed write releases nothing */
        return;
    /* PTX: the scopes of fence and write both must include the reader. */
    to_device = k->release[1].own && scope != SIMT_BLOCK;
    if (to_device)
        release_to_device(t, address, owner);
    if (!to_device || k->release[0].own > k->release[1].own || entry_of(address)->owner == SEVERAL)
        publish(t, &k->release[0], block_entry(address, place, owner));
}

/* --- nested launches */

/* As [FT FORK]. The thread's clock ticks, so that what it does next is told from what it did before. */
struct simt_fork *simt_fork_new(void)
{
    thread *t = simt_current;
    struct thread_clock *k;
    struct simt_fork *fork;

    if (!simt_cells)
        return NULL;
    check_clock_range();
    fork = malloc(sizeof *fork);
    if (!fork)
        return NULL;
    k = thread_clock_of(t);
    *fork = (struct simt_fork){.epoch = t->epoch,
                               .warp = simt_warp_clocks[t->warp->number],
                               .partial = k->partial,
                               .imports = simt_clock_share(k->imports)};
    memcpy(fork->lanes, k->lanes, sizeof fork->lanes);
    tick();
    simt_tags_block_synchronises(t->warp->block);
    set_clock(t, now);
    tick(); /* other threads that synchronise later have later clocks, too */
    return fork;
}
