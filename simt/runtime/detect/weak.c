/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Weak memory: a volatile or atomic load may return an older value where PTX's memory consistency model permits it. In
 * the checking build, under the seeds that ask for it.
 *
 * The model is one of messages and views, as in the promising semantics (Kang, Hur, Lahav, Vafeiadis and Dreyer 2017)
 * but without promises. A location that atomics or volatile stores wrote keeps its last values as messages, numbered in
 * the order of writing. Each thread has a horizon, its view: for each location, the lowest number it may still see.
 * A thread that reads or writes a message never sees an older one of that location again. Horizons also grow by
 *
 *   a fence              CUDA's fences are PTX's fence.sc: the thread sees all that was seen at earlier fences of its
 *                        scope, and later fences see what it sees
 *   barrier, __syncwarp  the threads that meet share their horizons
 *   a launch             only the newest values are left
 *
 * So a thread that reads a flag and then fences sees what was seen at the fence before the flag was written. A release
 * and an acquire need no further rule, because fences take effect in the order in which they run; PTX permits other
 * orders. A fence for the block is ordered with fences of that block only.
 *
 * Read-modify-writes see the newest message. Memory holds the newest value; an older one is stored there for one load
 * and replaced before the next access. A plain write changes the newest message: every reader that does not race with
 * it has that message in its horizon.
 *
 * An older value can be read for a drawn number of loads and stores only, so that every store becomes visible. At most
 * WATCHED locations are watched at a time; one that is evicted keeps only its newest value. All threads see stores in
 * one order, and no load sees a later store, so the machine shows only a part of what PTX permits.
 */
#include "detect.h"

#include "../core/options.h"
#include "../memory/memory.h"

#include <string.h>

enum {
    WATCHED = 64, /* locations; not tuned. Twice as many double the 1 MiB of all tables and the time of a fence. */
    DEPTH = 8,    /* messages of a location, the newest included; not tuned */
    THREADS = SIMT_SLOTS,
    BUCKETS = 128, /* of the hash table of locations: twice their number */
    GRANULE = 8    /* bytes: the largest location */
};

typedef struct view {
    int32_t min_number[WATCHED];
} view;

/* What threads may still see. Horizons are shared and counted; own makes a copy before a change where there are other
 * users. NULL: everything. */
typedef struct horizon {
    unsigned uses;
    struct horizon *next_free;
    view sees;
} horizon;

typedef struct message {
    int32_t number;
    uint64_t value; /* unused for the newest message, whose value is in memory */
    uint64_t until; /* of `now`: it can be read no longer */
} message;

/* Locations are hashed by the 8 bytes in which they begin, and linked in the order of their last use. */
typedef struct location {
    uintptr_t address; /* 0: none */
    size_t size;       /* at most GRANULE */
    struct location *next, *older, *newer;
    int32_t last;              /* number of the last message, also of earlier locations in this entry */
    unsigned newest, messages; /* the messages are those up to the newest, in a ring */
    message ring[DEPTH];
} location;

bool simt_weak;

static location watched[WATCHED], *buckets[BUCKETS], *oldest, *latest;
static unsigned watched_used;
static horizon pool[THREADS + 2], *free_horizons;
static unsigned pool_used;
static horizon *horizons[THREADS];
static view fenced, fenced_in[MAX_BLOCKS]; /* what was seen at fences of the device; of each resident block */
static bool watching;                      /* in this launch some location has been watched */
static uint64_t now, life, random_state;
static unsigned rarity; /* mask: a load gets an older value when these random bits are all 0 */
static struct {
    void *address;
    size_t size; /* 0: none */
    uint64_t newest;
} lent;

/* --- horizons */

static void join(view *restrict to, const view *restrict from)
{
    for (unsigned i = 0; i < WATCHED; i++)
        to->min_number[i] = to->min_number[i] < from->min_number[i] ? from->min_number[i] : to->min_number[i];
}

static void drop(horizon **h)
{
    if (*h && --(*h)->uses == 0) {
        (*h)->next_free = free_horizons;
        free_horizons = *h;
    }
    *h = NULL;
}

static horizon *share(horizon *h)
{
    if (h)
        h->uses++;
    return h;
}

static horizon *own(horizon **h)
{
    horizon *copy = free_horizons;

    if (*h && (*h)->uses == 1)
        return *h;
    if (copy)
        free_horizons = copy->next_free;
    else
        copy = &pool[pool_used++];
    if (*h)
        *copy = **h;
    else
        memset(copy, 0, sizeof *copy);
    copy->uses = 1;
    drop(h);
    return *h = copy;
}

static void join_all(horizon **to, horizon *from)
{
    if (!from || *to == from)
        return;
    if (!*to) {
        *to = share(from);
        return;
    }
    join(&own(to)->sees, &from->sees);
}

static horizon **horizon_of(const thread *t)
{
    return &horizons[t->warp->number * LANES + t->lane];
}

static unsigned place_of(const block *b)
{
    return b->warp[0].number / m.warps_each;
}

/* --- barriers and fences */

void simt_weak_barrier(const block *b)
{
    horizon **first = &horizons[b->warp[0].number * LANES], *all = NULL;
    unsigned count = b->warps * LANES;

    if (!simt_weak || !watching)
        return;
    /* PTX: the barrier is in causality order, and a read may not see a write older than one that is before it in that order. */
    for (unsigned i = 0; i < count; i++) /* exited threads too */
        join_all(&all, first[i]);
    for (unsigned i = 0; i < count; i++)
        if (first[i] != all) {
            drop(&first[i]);
            first[i] = share(all);
        }
    drop(&all);
}

void simt_weak_warp(const warp *w, uint32_t mask)
{
    horizon **first = &horizons[w->number * LANES], *all = NULL;

    if (!simt_weak || !watching)
        return;
    for (uint32_t left = mask; left; left &= left - 1)
        join_all(&all, first[__builtin_ctz(left)]);
    for (uint32_t left = mask; left; left &= left - 1) {
        horizon **h = &first[__builtin_ctz(left)];

        if (*h != all) {
            drop(h);
            *h = share(all);
        }
    }
    drop(&all);
}

void simt_weak_fence(simt_scope scope)
{
    view *block_fenced;
    horizon *h;

    if (!simt_weak || !watching || !simt_current)
        return;
    block_fenced = &fenced_in[place_of(m.block)];
    h = own(horizon_of(simt_current));
    /* PTX: Fence-SC order: fence.sc of two threads are ordered if each scope includes the other. */
    join(&h->sees, block_fenced);
    if (scope != SIMT_BLOCK) {
        join(&h->sees, &fenced);
        fenced = h->sees;
    }
    *block_fenced = h->sees; /* which includes it: joined above */
}

/* --- locations */

static location **bucket_of(uintptr_t granule)
{
    return &buckets[granule % BUCKETS];
}

static location *find(uintptr_t address, size_t size)
{
    location *l = *bucket_of(address / GRANULE);

    while (l && !(l->address == address && l->size == size))
        l = l->next;
    return l;
}

static void take_out(location *l)
{
    *(l->older ? &l->older->newer : &oldest) = l->newer;
    *(l->newer ? &l->newer->older : &latest) = l->older;
    l->older = l->newer = NULL;
}

static void put_latest(location *l)
{
    l->older = latest;
    *(latest ? &latest->newer : &oldest) = l;
    latest = l;
}

static void put_oldest(location *l)
{
    l->newer = oldest;
    *(oldest ? &oldest->older : &latest) = l;
    oldest = l;
}

static void use(location *l)
{
    if (l == latest)
        return;
    take_out(l);
    put_latest(l);
}

static void forget(location *l)
{
    location **at = bucket_of(l->address / GRANULE);

    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    l->address = 0;
    take_out(l);
    put_oldest(l);
}

/* Forgets locations that overlap these bytes but are not exactly these. */
static void forget_overlapping(uintptr_t address, size_t size)
{
    for (uintptr_t granule = (address - GRANULE + 1) / GRANULE; granule <= (address + size - 1) / GRANULE; granule++)
        for (location *l = *bucket_of(granule), *next; l; l = next) {
            next = l->next;
            if (l->address < address + size && address < l->address + l->size &&
                !(l->address == address && l->size == size))
                forget(l);
        }
}

/* Starts to watch the location. Its first message is the value that is in memory. */
static location *watch(uintptr_t address, size_t size)
{
    location *l = watched_used < WATCHED ? &watched[watched_used++] : oldest, **at = bucket_of(address / GRANULE);
    message *base;

    if (l->address)
        forget(l);
    if (l == oldest)
        take_out(l);
    put_latest(l);
    l->address = address;
    l->size = size;
    l->next = *at;
    *at = l;
    l->newest = 0;
    l->messages = 1;
    base = &l->ring[0];
    base->number = ++l->last;
    watching = true;
    return l;
}

static uint64_t draw(void)
{
    random_state = simt_mix(random_state);
    return random_state;
}

/* The message that a load gets: the newest, or an older one that the thread may see. */
static message *choose(location *l, int32_t min_number)
{
    unsigned older;

    while (l->messages > 1 && l->ring[(l->newest - l->messages + 1) % DEPTH].until <= now)
        l->messages--;
    older = l->messages - 1;
    while (older > 0 && l->ring[(l->newest - older) % DEPTH].number < min_number)
        older--; /* PTX: coherence, and the causality axiom: never older than what is before the read in causality order */
    if (older > 0 && (draw() & rarity) == 0) {
        if (random_state & 16) /* the other half of the loads get the oldest */
            older = 1 + (unsigned)(random_state >> 8) % older;
        return &l->ring[(l->newest - older) % DEPTH];
    }
    return &l->ring[l->newest];
}

static void see(horizon **h, const location *l, const message *seen)
{
    if (!*h || (*h)->sees.min_number[l - watched] < seen->number)
        own(h)->sees.min_number[l - watched] = seen->number;
}

static void lend(void *address, size_t size, uint64_t value)
{
    lent.address = address;
    lent.size = size;
    memcpy(&lent.newest, address, size);
    memcpy(address, &value, size);
    simt_settle_later();
}

void simt_weak_settle(void)
{
    if (lent.size)
        memcpy(lent.address, &lent.newest, lent.size);
    lent.size = 0;
}

/* Called before a load. */
bool simt_weak_load(void *address, size_t size)
{
    horizon **h;
    location *l;
    message *seen;

    if (!simt_weak || !watching || !simt_current)
        return true;
    now++;
    h = horizon_of(simt_current);
    l = find((uintptr_t)address, size);
    if (!l)
        return true;
    use(l);
    seen = choose(l, *h ? (*h)->sees.min_number[l - watched] : 0);
    /* Coherence of two reads: the thread's next read sees this message or a newer one. */
    if (seen != &l->ring[(l->newest - l->messages + 1) % DEPTH]) /* the oldest adds nothing to a horizon */
        see(h, l, seen);
    if (seen == &l->ring[l->newest])
        return true;
    lend(address, size, seen->value);
    return false;
}

/* A new message, before the store or the writing half of a read-modify-write. */
static void write(location *l, const void *address)
{
    message *before = &l->ring[l->newest], *after = &l->ring[(l->newest + 1) % DEPTH];

    before->value = 0;
    memcpy(&before->value, address, l->size);
    before->until = now + life;
    l->newest = (l->newest + 1) % DEPTH;
    l->messages += l->messages < DEPTH;
    after->number = ++l->last;
    see(horizon_of(simt_current), l, after); /* coherence: a thread never reads older than its own write */
}

void simt_weak_store(const void *address, size_t size)
{
    location *l;

    if (!simt_weak || !simt_current)
        return;
    now++;
    forget_overlapping((uintptr_t)address, size);
    if (size > 8)
        return;
    l = find((uintptr_t)address, size);
    if (!l)
        l = watch((uintptr_t)address, size);
    use(l);
    write(l, address);
}

/* Called before a read-modify-write. In shared memory a location is not watched for atomics alone: most are
 * counters. */
void simt_weak_update(const void *address, size_t size, bool writes)
{
    location *l;

    if (!simt_weak || !simt_current)
        return;
    now++;
    forget_overlapping((uintptr_t)address, size);
    if (size > 8)
        return;
    l = find((uintptr_t)address, size);
    if (!l && writes && !simt_is_shared((uintptr_t)address))
        l = watch((uintptr_t)address, size);
    if (!l)
        return;
    use(l);
    if (writes) /* PTX: atomicity: nothing comes between the read and the write of an update, so it reads the newest */
        write(l, address);
    else /* a compare-and-swap that fails is a read */
        see(horizon_of(simt_current), l, &l->ring[l->newest]);
}

/* --- starts */

void simt_weak_launch(uint64_t launch)
{
    static const uint8_t lives[] = {8, 12, 12, 16}; /* logarithms of accesses; not tuned */

    simt_weak = simt_checking && (simt_options.weak == UINT64_MAX ? simt_current_seed >> 1 & 1 : simt_options.weak);
    if (watching) {
        memset(watched, 0, sizeof watched);
        memset(buckets, 0, sizeof buckets);
        oldest = latest = NULL;
        watched_used = 0;
        memset(&fenced, 0, sizeof fenced);
        memset(horizons, 0, sizeof horizons);
    }
    watching = false;
    free_horizons = NULL;
    pool_used = 0;
    now = 0;
    random_state = simt_mix(~simt_current_seed + simt_mix(launch));
    life = 1ull << lives[draw() & 3];
    rarity = random_state & 4 ? 1 : 3;
}

/* A block starts: its threads have seen nothing of the launch, and its shared memory is new. */
void simt_weak_block(const block *b)
{
    if (!simt_weak)
        return;
    memset(&fenced_in[place_of(b)], 0, sizeof *fenced_in);
    for (unsigned i = 0; i < b->warps * LANES; i++)
        drop(&horizons[b->warp[0].number * LANES + i]);
    for (location *l = watched; watching && l < watched + WATCHED; l++)
        if (l->address - (uintptr_t)b->arena < SIMT_ARENA)
            forget(l);
}
