/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Happens-before: which accesses of threads are ordered, and so which race. In the checking build only.
 *
 * Time is one counter of all synchronisation. A thread's clock is the time of its last one, and every access is stamped
 * with it. That a thread knows another one "up to T" means that accesses of the other one stamped T or less come
 * before. What a thread knows has three parts:
 *
 *   floor     all threads of its block up to here: the last block barrier
 *   lanes     each lane of its warp up to here: __syncwarp
 *   imports   a view of other threads, from atomics: a table of whole blocks, and one of single threads and warps
 *
 * A fence makes a copy of the thread's knowledge; an atomic or volatile write after it joins that to the view of the
 * address. An atomic or volatile read takes the view of the address, and a fence after it joins that to the thread's
 * imports. __syncwarp and barriers join what those who meet have imported and taken. A launch comes after all before
 * it.
 *
 * Eight bytes of memory have four cells, each of which is an access to some of them: who, when, of which kind, where in
 * the code. A new access is held against the cells, and put in the place of one that it makes useless, or of a read.
 *
 * Memory: 64 bytes of cells for each 8 bytes that kernels touch; at most VIEWS views, 13 MiB. Where a table is too
 * small entries fall together such that too much counts as ordered, never too little: a race may be missed, and no
 * alarm is false.
 */
#define _GNU_SOURCE
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
    FLOORS = 128, /* by number of block */
    SINGLES = 128,
    LOCATIONS = 4096, /* addresses through which threads synchronise */
    THREADS = MAX_WARPS * LANES,
    VIEWS = 2 * THREADS + LOCATIONS + 8,
    UNIT_BITS = 11, /* of who: a thread of its block, or WARP_UNIT and a warp; above them the block's number */
    WARP_UNIT = 1024,
    SEEN = 64,
    PLACE_BITS = 48
};

typedef struct view {
    uint32_t uses;
    struct view *next_free;
    uint32_t floor[FLOORS];
    struct {
        uint32_t who, stamp;
    } single[SINGLES];
} view;

/* What a fence has made ready to be published. */
typedef struct release {
    uint32_t own, floor; /* own is 0: there was no fence */
    uint32_t lanes[LANES];
} release;

struct knowledge {
    uint32_t floor;
    uint32_t lanes[LANES];
    view *imports, *pending;
    release release[2]; /* for the block; for the device */
};

static struct knowledge known[THREADS];
static struct {
    uintptr_t key;
    view *view;
} locations[LOCATIONS];

static view *views, *free_views, *overflow; /* overflow: of locations for which there was no room */
static unsigned views_made;
static uint32_t now, launch_floor;
static uint32_t victim;

simt_cell *simt_cells;
static simt_cell *variable_cells;
static uintptr_t variable_begin, variable_end;
static size_t variable_size;

/* --- views: counted, and changed only by a sole owner */

static view *new_view(void)
{
    view *v = free_views;

    if (v)
        free_views = v->next_free;
    else
        v = &views[views_made++];
    memset(v, 0, sizeof *v);
    v->uses = 1;
    return v;
}

static void drop(view **v)
{
    if (*v && --(*v)->uses == 0) {
        (*v)->next_free = free_views;
        free_views = *v;
    }
    *v = NULL;
}

static view *share(view *v)
{
    if (v)
        v->uses++;
    return v;
}

static view *own(view **v)
{
    view *copy;

    if (*v && (*v)->uses == 1)
        return *v;
    copy = new_view();
    if (*v) {
        memcpy(copy->floor, (*v)->floor, sizeof copy->floor);
        memcpy(copy->single, (*v)->single, sizeof copy->single);
        drop(v);
    }
    return *v = copy;
}

static unsigned single_index(uint32_t who)
{
    return (who * 2654435761u) >> 25;
}

static void raise_floor(view *v, uint32_t who, uint32_t stamp)
{
    uint32_t *floor = &v->floor[(who >> UNIT_BITS) % FLOORS];

    if (*floor < stamp)
        *floor = stamp;
}

/* Of two that fall on one entry the older becomes knowledge of its whole block. */
static void add_single(view *v, uint32_t who, uint32_t stamp)
{
    unsigned i = single_index(who);
    uint32_t old_who = v->single[i].who, old = v->single[i].stamp;

    if (old && old_who != who)
        raise_floor(v, old < stamp ? old_who : who, old < stamp ? old : stamp);
    if (old >= stamp)
        return;
    v->single[i].who = who;
    v->single[i].stamp = stamp;
}

static void join(view **to, view *from)
{
    view *v;

    if (!from || *to == from)
        return;
    if (!*to) {
        *to = share(from);
        return;
    }
    v = own(to);
    for (unsigned i = 0; i < FLOORS; i++)
        v->floor[i] = v->floor[i] < from->floor[i] ? from->floor[i] : v->floor[i];
    for (unsigned i = 0; i < SINGLES; i++)
        if (from->single[i].stamp)
            add_single(v, from->single[i].who, from->single[i].stamp);
}

static bool has_single(const view *v, uint32_t who, uint32_t stamp)
{
    unsigned i = single_index(who);

    return v->single[i].who == who && v->single[i].stamp >= stamp;
}

static bool view_knows(const view *v, uint32_t who, uint32_t stamp)
{
    uint32_t unit = who & ((1u << UNIT_BITS) - 1), warp_of = who - unit + WARP_UNIT + unit / LANES;

    return v && (v->floor[(who >> UNIT_BITS) % FLOORS] >= stamp || has_single(v, who, stamp) ||
                 has_single(v, warp_of, stamp));
}

/* --- threads */

static inline uint32_t who_of(const thread *t)
{
    return (uint32_t)(t->id >> 32);
}

static inline uint32_t clock_of(const thread *t)
{
    return (uint32_t)t->id;
}

static void set_clock(thread *t, uint32_t clock)
{
    t->id = t->id >> 32 << 32 | clock;
}

/* When time ends all is ordered: a launch of 2^32 synchronisations is checked no further. */
static uint32_t tick(void)
{
    return now += now != UINT32_MAX;
}

static bool ordered(const thread *t, uint32_t who, uint32_t stamp, bool shared)
{
    const struct knowledge *k = t->know;
    uint32_t me = who_of(t);

    if (stamp <= launch_floor || who == me)
        return true;
    if ((who ^ me) >> UNIT_BITS == 0) {
        if (stamp <= k->floor || ((who ^ me) / LANES == 0 && stamp <= k->lanes[who % LANES]))
            return true;
    } else if (shared && stamp <= k->floor) {
        return true; /* of a block that had this memory before */
    }
    return view_knows(k->imports, who, stamp);
}

static void *map(size_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return got == MAP_FAILED ? NULL : got;
}

/* Without room for the cells nothing is checked here. */
void simt_order_start(void)
{
    views = map(sizeof *views * VIEWS);
    if (simt_options.kinds[RACE] && views)
        simt_cells = map(simt_size / 8 * sizeof(simt_cell[4]) + 4096);
    if (simt_cells) /* a thread that strides through memory meets a new page of cells at each step */
        madvise(simt_cells, simt_size / 8 * sizeof(simt_cell[4]), MADV_HUGEPAGE);
}

/* Modules that are loaded later bring more variables. */
static void cover_variables(void)
{
    uintptr_t begin = simt_variables_begin & ~(uintptr_t)7;

    if (variable_begin == begin && variable_end == simt_variables_end)
        return;
    if (variable_cells)
        munmap(variable_cells, variable_size);
    variable_begin = begin;
    variable_end = simt_variables_end;
    variable_size = begin < variable_end ? (variable_end - begin) / 8 * sizeof(simt_cell[4]) + 4096 : 0;
    variable_cells = variable_size ? map(variable_size) : NULL;
}

static struct {
    const void *a, *b;
} seen[SEEN];

void simt_order_launch(void)
{
    if (!simt_cells)
        return;
    cover_variables();
    if (now > UINT32_MAX / 2) { /* stamps start anew, so all cells must go */
        madvise(simt_cells, simt_size / 8 * sizeof(simt_cell[4]), MADV_DONTNEED);
        if (variable_cells)
            madvise(variable_cells, variable_size, MADV_DONTNEED);
        now = 0;
    }
    for (unsigned i = 0; i < THREADS; i++) {
        drop(&known[i].imports);
        drop(&known[i].pending);
    }
    for (unsigned i = 0; i < LOCATIONS; i++) {
        drop(&locations[i].view);
        locations[i].key = 0;
    }
    drop(&overflow);
    memset(seen, 0, sizeof seen);
    victim = 0;
    launch_floor = tick();
    tick();
}

void simt_order_block(block *b, uint64_t number)
{
    uint32_t floor = now, clock;

    if (!simt_cells)
        return;
    clock = tick();
    for (unsigned i = 0; i < b->warps * LANES; i++) {
        thread *t = &b->warp[i / LANES].threads[i % LANES];
        struct knowledge *k = &known[b->warp[0].number * LANES + i];

        t->know = k;
        t->id = (uint64_t)((uint32_t)number << UNIT_BITS | i) << 32 | clock;
        k->floor = floor;
        memset(k->lanes, 0, sizeof k->lanes);
        drop(&k->imports);
        drop(&k->pending);
        k->release[0].own = k->release[1].own = 0;
    }
}

/* Those who meet share what they have imported, and what they have read but not yet fenced: who reads a flag and who
 * fences need not be the same thread if a barrier stands between. */
typedef struct meeting {
    view *imports, *pending;
} meeting;

static void bring(meeting *all, const struct knowledge *k)
{
    join(&all->imports, k->imports);
    join(&all->pending, k->pending);
}

static void hand_out(const meeting *all, struct knowledge *k)
{
    if (k->imports != all->imports) {
        drop(&k->imports);
        k->imports = share(all->imports);
    }
    if (k->pending != all->pending) {
        drop(&k->pending);
        k->pending = share(all->pending);
    }
}

static void end_meeting(meeting *all)
{
    drop(&all->imports);
    drop(&all->pending);
}

/* Threads that have exited are ordered as if they waited too. A fence before the barrier counts for what the thread
 * does that goes on alone: so the block is released up to what all of it has fenced. */
void simt_order_barrier(block *b)
{
    uint32_t floor = now, clock, fenced[2] = {UINT32_MAX, UINT32_MAX};
    meeting all = {NULL, NULL};

    if (!simt_cells)
        return;
    clock = tick();
    for (unsigned i = 0; i < b->warps; i++)
        for (uint32_t left = b->warp[i].at_barrier; left; left &= left - 1) {
            struct knowledge *k = b->warp[i].threads[__builtin_ctz(left)].know;

            bring(&all, k);
            for (int s = 0; s < 2; s++)
                if (k->release[s].own < fenced[s])
                    fenced[s] = k->release[s].own;
        }
    for (unsigned i = 0; i < b->warps; i++)
        for (uint32_t left = b->warp[i].at_barrier; left; left &= left - 1) {
            thread *t = &b->warp[i].threads[__builtin_ctz(left)];
            struct knowledge *k = t->know;

            set_clock(t, clock);
            k->floor = floor;
            for (int s = 0; s < 2; s++)
                if (fenced[s] && k->release[s].floor < fenced[s])
                    k->release[s].floor = fenced[s];
            hand_out(&all, k);
        }
    end_meeting(&all);
}

void simt_order_warp(warp *w, uint32_t mask)
{
    uint32_t lanes[LANES] = {0}, up_to = now, clock;
    meeting all = {NULL, NULL};

    if (!simt_cells)
        return;
    clock = tick();
    for (uint32_t left = mask; left; left &= left - 1) {
        const struct knowledge *k = w->threads[__builtin_ctz(left)].know;

        bring(&all, k);
        if (mask != w->exists)
            for (unsigned i = 0; i < LANES; i++)
                lanes[i] = lanes[i] < k->lanes[i] ? k->lanes[i] : lanes[i];
    }
    for (unsigned i = 0; i < LANES; i++)
        if (mask >> i & 1)
            lanes[i] = up_to;
    for (uint32_t left = mask; left; left &= left - 1) {
        thread *t = &w->threads[__builtin_ctz(left)];

        set_clock(t, clock);
        memcpy(t->know->lanes, lanes, sizeof lanes);
        hand_out(&all, t->know);
    }
    end_meeting(&all);
}

/* --- fences and what they order */

void simt_order_fence(simt_scope scope)
{
    thread *t = simt_current;
    struct knowledge *k;

    if (!simt_cells || !t)
        return;
    k = t->know;
    join(&k->imports, k->pending);
    drop(&k->pending);
    for (int s = 0; s < (scope == SIMT_BLOCK ? 1 : 2); s++) {
        k->release[s].own = clock_of(t);
        k->release[s].floor = k->floor;
        memcpy(k->release[s].lanes, k->lanes, sizeof k->lanes);
    }
    set_clock(t, tick());
}

/* What is released for the block only has a key of its own for each block. */
static uintptr_t key_of(uintptr_t address, const thread *t, bool device)
{
    return device ? address : address ^ ((uintptr_t)(who_of(t) >> UNIT_BITS) + 1) << 42;
}

static view **location(uintptr_t key)
{
    return &locations[simt_mix(key) % LOCATIONS].view;
}

static uintptr_t *location_key(uintptr_t key)
{
    return &locations[simt_mix(key) % LOCATIONS].key;
}

static void take(struct knowledge *k, uintptr_t key)
{
    if (*location_key(key) == key)
        join(&k->pending, *location(key));
}

static void publish(const thread *t, const release *r, uintptr_t key)
{
    view **at = location(key), *v;
    uint32_t me = who_of(t), first_lane = me & ~(uint32_t)(LANES - 1), least = UINT32_MAX;

    if (*location_key(key) != key) {
        join(&overflow, *at);
        drop(at);
        *location_key(key) = key;
    }
    join(at, t->know->imports);
    v = own(at);
    raise_floor(v, me, r->floor);
    add_single(v, me, r->own);
    for (uint32_t left = t->warp->exists & ~(1u << t->lane); left; left &= left - 1)
        if (r->lanes[__builtin_ctz(left)] < least)
            least = r->lanes[__builtin_ctz(left)];
    if (least > r->floor && least != UINT32_MAX)
        add_single(v, (me >> UNIT_BITS << UNIT_BITS) + WARP_UNIT + (me & (WARP_UNIT - 1)) / LANES, least);
    for (unsigned i = 0; i < LANES; i++)
        if (r->lanes[i] > r->floor && r->lanes[i] > least)
            add_single(v, first_lane + i, r->lanes[i]);
}

/* An atomic or volatile access at the address, which may take up what others have released there, or release. */
void simt_order_through(const void *address, bool reads, bool writes, simt_scope scope)
{
    thread *t = simt_current;
    struct knowledge *k;
    uintptr_t device, block_only;

    if (!simt_cells || !t)
        return;
    k = t->know;
    device = key_of((uintptr_t)address, t, true);
    block_only = key_of((uintptr_t)address, t, false);
    if (reads) {
        take(k, device);
        take(k, block_only);
        join(&k->pending, overflow);
    }
    if (!writes)
        return;
    if (k->release[1].own && scope != SIMT_BLOCK)
        publish(t, &k->release[1], device);
    if (k->release[0].own > k->release[1].own || (k->release[0].own && scope == SIMT_BLOCK))
        publish(t, &k->release[0], block_only);
}

/* --- accesses */

static struct {
    char *text; /* of a race between writes, the second of which is yet to be done */
    const void *address;
    size_t size;
    unsigned char before[8];
} undecided;

static bool is_undecided;

void simt_order_decide(void)
{
    if (is_undecided && memcmp(undecided.before, undecided.address, undecided.size) == 0)
        strcat(undecided.text, ", both of the same value");
    is_undecided = false;
}

static const char *name_of(unsigned kind)
{
    switch (kind & (SIMT_IS_WRITE | SIMT_IS_ATOMIC | SIMT_IS_VOLATILE)) {
    case 0:
        return "read";
    case SIMT_IS_WRITE:
        return "write";
    case SIMT_IS_ATOMIC | SIMT_IS_VOLATILE:
        return "volatile read";
    case SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | SIMT_IS_WRITE:
        return "volatile write";
    default:
        return "atomic access";
    }
}

static bool new_pair(const void *a, const void *b)
{
    const void *low = a < b ? a : b, *high = a < b ? b : a;
    unsigned i = 0;

    for (; i < SEEN && seen[i].a; i++)
        if (seen[i].a == low && seen[i].b == high)
            return false;
    if (i == SEEN)
        return false;
    seen[i].a = low;
    seen[i].b = high;
    return true;
}

/* The number has lost its upper bits: it is the last block to start that has these. */
static uint64_t block_number(uint32_t who)
{
    const uint64_t round = (uint64_t)1 << (32 - UNIT_BITS);
    uint64_t number = (who >> UNIT_BITS) + (m.next_block - 1) / round * round;

    return number >= m.next_block ? number - round : number;
}

static bool is_store(unsigned kind)
{
    return kind & SIMT_IS_WRITE && (!(kind & SIMT_IS_ATOMIC) || kind & SIMT_IS_VOLATILE);
}

static void race(const simt_cell *c, uintptr_t address, size_t size, unsigned kind, const void *place)
{
    const void *other = (const void *)(uintptr_t)(c->rest & (((uint64_t)1 << PLACE_BITS) - 1));
    unsigned other_kind = c->rest >> 56, unit = c->who & (WARP_UNIT - 1);
    uint3 b = simt_block_index(block_number(c->who)), t;
    const dim3 *d = &m.request->block;
    char what[256];
    bool stores = is_store(kind) && is_store(other_kind);

    if (!new_pair(place, other))
        return;
    t = (uint3){unit % d->x, unit / d->x % d->y, unit / d->x / d->y};
    simt_describe_element(address, size, what, sizeof what);
    undecided.text = simt_report_spot(
        RACE,
        &(simt_spot){
            .place = place, .other = other, .other_block = b, .other_thread = t, .address = what, .object = address},
        "%s of %zu byte%s %s %s and %s%s by block (%u,%u,%u) thread (%u,%u,%u) are not ordered", name_of(kind), size,
        size == 1 ? "" : "s", kind & SIMT_IS_WRITE ? "to" : "from", what,
        (kind | other_kind) & SIMT_IS_BLOCK_SCOPE && kind & other_kind & SIMT_IS_ATOMIC ? "narrow-scope " : "",
        name_of(other_kind), b.x, b.y, b.z, t.x, t.y, t.z);
    if (!stores || !undecided.text || size > sizeof undecided.before)
        return;
    undecided.address = (const void *)address;
    undecided.size = size;
    memcpy(undecided.before, (const void *)address, size);
    is_undecided = true;
    simt_settle_later();
}

/* Could the two race if nothing orders them? Volatile accesses of one warp to shared memory do: who writes those relies
 * on lockstep. Between warps they are flags. */
static inline bool conflict(const simt_cell *c, uint32_t me, unsigned kind, bool shared)
{
    unsigned other = c->rest >> 56;

    if (!((kind | other) & SIMT_IS_WRITE))
        return false;
    if (!(kind & other & SIMT_IS_ATOMIC))
        return true;
    if (shared && kind & other & SIMT_IS_VOLATILE)
        return (c->who ^ me) / LANES == 0;
    return (c->who ^ me) >> UNIT_BITS != 0 && ((kind | other) & SIMT_IS_BLOCK_SCOPE) != 0;
}

/* Does the new access tell all that the cell tells, given that the cell's comes before it? */
static inline bool replaces(unsigned kind, unsigned mask, const simt_cell *c)
{
    unsigned other = c->rest >> 56, other_mask = c->rest >> PLACE_BITS & 255;

    return !(other_mask & ~mask) && (kind == other || kind == SIMT_IS_WRITE || other == 0);
}

static void check_granule(simt_cell *cells, uintptr_t address, size_t size, unsigned kind, const void *place)
{
    thread *t = simt_current;
    bool shared = address - simt_base < (uintptr_t)SIMT_ARENA * MAX_BLOCKS;
    unsigned mask = ((1u << size) - 1) << (address & 7);
    uint32_t me = who_of(t);
    simt_cell *put = NULL, *some_read = NULL;

    for (simt_cell *c = cells; c < cells + 4; c++) {
        unsigned overlap = (unsigned)(c->rest >> PLACE_BITS) & mask;
        bool before;

        if (!c->stamp) {
            put = put ? put : c;
            continue;
        }
        before = ordered(t, c->who, c->stamp, shared);
        if (!before && overlap && conflict(c, me, kind, shared)) {
            race(c, address, size, kind, place);
            before = true; /* told once; what comes later is held against this one */
        }
        if (before && (c->stamp <= launch_floor || (shared && c->stamp <= t->know->floor) || replaces(kind, mask, c)))
            put = put && put->stamp && put->who == me ? put : c;
        if (!(c->rest >> 56 & SIMT_IS_WRITE))
            some_read = c;
    }
    if (!put)
        put = some_read ? some_read : &cells[victim++ & 3];
    put->stamp = clock_of(t);
    put->who = me;
    put->rest = (uint64_t)kind << 56 | (uint64_t)mask << PLACE_BITS |
                ((uint64_t)(uintptr_t)place & (((uint64_t)1 << PLACE_BITS) - 1));
}

void simt_order_access(simt_cell *cells, uintptr_t address, size_t size, unsigned kind, const void *place)
{
    while (size > 0) {
        size_t part = 8 - (address & 7) < size ? 8 - (address & 7) : size;

        check_granule(cells, address, part, kind, place);
        cells += 4;
        address += part;
        size -= part;
    }
}

/* Variables are not in the reserved range, but have cells too. */
void simt_order_variable(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    if (variable_cells && address >= variable_begin && address + size <= variable_end)
        simt_order_access(&variable_cells[((address - variable_begin) >> 3) * 4], address, size, kind, place);
}
