/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Happens-before: which accesses of threads are ordered, and so which race. In the checking build only.
 *
 * Time is one counter of all synchronisation. A thread's clock is the time of its last one, and every access is stamped
 * with it. That a thread knows another one "up to T" means that accesses of the other one stamped T or less come
 * before. What a thread knows has four parts:
 *
 *   floor     all threads of its block up to here: the last block barrier
 *   synced    all lanes of its warp up to here: the last __syncwarp of the whole warp
 *   lanes     each lane of its warp up to here: a __syncwarp of some
 *   imports   a view of other threads, from atomics: a table of whole blocks, and one of single threads and warps
 *
 * A fence makes a copy of the thread's knowledge; an atomic or volatile write after it joins that to the view of the
 * address. An atomic or volatile read takes the view of the address, and a fence after it joins that to the thread's
 * imports. __syncwarp and barriers join what those who meet have imported and taken. A launch comes after all before
 * it.
 *
 * An access to some of four bytes is remembered in a cell, which is one word:
 *
 *   stamp 26 | resident thread 11 | kind 4 | which of the bytes 4 | 1 | spread 1 | more 1 | origin 16
 *
 * Four bytes have two cells, and six more elsewhere for when two do not suffice. A new access is held against the
 * cells. It takes their bytes from those that it makes useless, joins an earlier one of its thread, or takes a cell
 * that is empty. Of several threads that have done the same without order two are remembered. Where neighbours of a
 * warp touch neighbouring bytes, one cell is spread over them: it names the thread of byte 0, and that of byte i is the
 * i-th after it. Only the usual cases know spread cells; all others take them apart first. An origin says where in the
 * code: for each byte, since one cell may stand for accesses of several lines; it is a place, the bytes touched there,
 * and the origin before it.
 *
 * When stamps run out all is forgotten, as if a launch began. When origins run out a finding has one place only.
 *
 * Memory: 16 bytes of cells for each 4 that kernels touch, and 48 more where two cells do not suffice; at most VIEWS
 * views, 13 MiB; 16 bytes for each of the last STARTS blocks of a launch in each resident place, 16 MiB; origins, 1
 * MiB. Where a table is too small entries fall together such that too much counts as ordered, never too little: a race
 * may be missed, and no alarm is false.
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
    GRANULE = 4,
    CELLS = 2,
    MORE_CELLS = 6,
    ALL_CELLS = CELLS + MORE_CELLS,
    STARTS = 1 << 16,
    ORIGINS = 1 << SIMT_ORIGIN_BITS,
    PLACE_BITS = 48,
    PROBES = 8,
    EVERY_BYTE = 15
};

#ifndef LAST_STAMP
#define LAST_STAMP ((1u << (64 - SIMT_STAMP_SHIFT)) - 16)
#endif

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
    bool partial; /* lanes counts: some lane is known for longer than `synced` says */
    uint32_t lanes[LANES];
    view *imports, *pending;
    release release[2]; /* for the block; for the device */
};

/* What all threads of a resident warp know. Words are compared with words, whose upper bits are the stamp: what is less
 * than `floor` comes before if it is of the block, what is less than `synced` if it is of the warp. */
typedef struct warp_order {
    uint64_t floor, synced;
    uint64_t start; /* what is less is not of this block but of one before it */
    uint16_t place; /* of the block among the resident */
    bool partial;   /* some lane's knowledge is */
} warp_order;

/* Of a place for a resident block: the blocks that were there, the last one at starts[count % STARTS]. */
typedef struct residence {
    uint64_t count;
    unsigned first_thread;
    bool views, releases; /* has any thread of the block imported or taken something, has one fenced? */
    struct {
        uint64_t number;
        uint32_t stamp;
    } starts[STARTS];
} residence;

static warp_order order_of[MAX_WARPS];
static residence residences[MAX_BLOCKS];
static struct knowledge known[THREADS];
static struct {
    uintptr_t key;
    view *view;
} locations[LOCATIONS];

static view *views, *free_views, *overflow; /* overflow: of locations for which there was no room */
static unsigned views_made;
static uint32_t now, launch_floor;
static uint32_t victim;

static bool published; /* anything at any location */

uint64_t *simt_cells;
static uint64_t *more_cells;
static struct {
    uint64_t *cells, *more;
    uintptr_t begin, end;
} variables;

/* Where the accesses of a cell come from. The table is one of hashes; 0 is no origin. */
static struct {
    uint64_t place; /* and above it which bytes */
    uint32_t before;
} origins[ORIGINS];

static unsigned origins_made;

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

/* --- threads and the words of cells */

static inline uint32_t stamp_of(uint64_t word)
{
    return (uint32_t)(word >> SIMT_STAMP_SHIFT);
}

/* The first word with a later stamp. */
static inline uint64_t after(uint32_t stamp)
{
    return ((uint64_t)stamp + 1) << SIMT_STAMP_SHIFT;
}

static inline unsigned thread_of(uint64_t word)
{
    return word >> SIMT_THREAD_SHIFT & (THREADS - 1);
}

static inline unsigned kind_of(uint64_t word)
{
    return word >> SIMT_KIND_SHIFT & 15;
}

static inline unsigned bytes_of(uint64_t word)
{
    return word >> SIMT_BYTES_SHIFT & 15;
}

static inline struct knowledge *knowledge_of(const thread *t)
{
    return &known[thread_of(t->id)];
}

static inline void set_clock(thread *t, uint32_t clock)
{
    t->id = (uint64_t)clock << SIMT_STAMP_SHIFT | (t->id & ((uint64_t)(THREADS - 1) << SIMT_THREAD_SHIFT));
}

static inline uint32_t tick(void)
{
    return ++now;
}

/* The block that was in the place at that time: the last that started before. Of one that is forgotten, some older. */
static uint64_t block_at(const residence *r, uint32_t stamp)
{
    uint64_t low = r->count < STARTS ? 1 : r->count - STARTS + 1, high = r->count;

    while (low < high) {
        uint64_t middle = (low + high + 1) / 2;

        if (r->starts[middle % STARTS].stamp <= stamp)
            low = middle;
        else
            high = middle - 1;
    }
    return r->starts[low % STARTS].number;
}

static bool is_forgotten(const residence *r, uint32_t stamp)
{
    return r->count >= STARTS && r->starts[(r->count + 1) % STARTS].stamp > stamp;
}

static uint32_t who_of(uint64_t word)
{
    unsigned index = thread_of(word);
    const residence *r = &residences[order_of[index / LANES].place];

    return (uint32_t)block_at(r, stamp_of(word)) << UNIT_BITS | (index - r->first_thread);
}

/* Of the block of the running thread, or of one that was there before? */
static inline bool same_block(const warp_order *mine, uint64_t word)
{
    return order_of[thread_of(word) / LANES].place == mine->place && word >= mine->start;
}

/* By what the running thread knows of single lanes, and of other blocks. */
static __attribute__((noinline)) bool far_ordered(const thread *t, uint64_t word)
{
    const struct knowledge *k = knowledge_of(t);
    unsigned index = thread_of(word), mine = thread_of(t->id);

    if (index / LANES == mine / LANES && k->partial && word >= order_of[mine / LANES].start &&
        stamp_of(word) <= k->lanes[index % LANES])
        return true;
    if (is_forgotten(&residences[order_of[index / LANES].place], stamp_of(word)))
        return true;
    return k->imports && view_knows(k->imports, who_of(word), stamp_of(word));
}

static void *map(size_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return got == MAP_FAILED ? NULL : got;
}

static size_t cells_size(uintptr_t begin, uintptr_t end, size_t count)
{
    return (end - begin) / GRANULE * count * sizeof(uint64_t) + 4096;
}

/* Without room for the cells nothing is checked here. */
void simt_order_start(void)
{
    views = map(sizeof *views * VIEWS);
    if (!simt_options.kinds[RACE] || !views)
        return;
    more_cells = map(cells_size(0, simt_size, MORE_CELLS));
    if (more_cells)
        simt_cells = map(cells_size(0, simt_size, CELLS));
    if (simt_cells) /* a thread that strides through memory meets a new page of cells at each step */
        madvise(simt_cells, cells_size(0, simt_size, CELLS), MADV_HUGEPAGE);
}

static void forget_cells(uint64_t *cells, uint64_t *more, uintptr_t begin, uintptr_t end)
{
    madvise(cells + begin / GRANULE * CELLS, (end - begin) / GRANULE * CELLS * sizeof *cells, MADV_DONTNEED);
    madvise(more + begin / GRANULE * MORE_CELLS, (end - begin) / GRANULE * MORE_CELLS * sizeof *more, MADV_DONTNEED);
}

void simt_order_forget(uintptr_t begin, uintptr_t end)
{
    if (simt_cells)
        forget_cells(simt_cells, more_cells, begin - simt_base, end - simt_base);
}

static void free_variables(void)
{
    if (variables.cells)
        munmap(variables.cells, cells_size(variables.begin, variables.end, CELLS));
    if (variables.more)
        munmap(variables.more, cells_size(variables.begin, variables.end, MORE_CELLS));
    variables.cells = variables.more = NULL;
}

/* Modules that are loaded later bring more variables. */
static void cover_variables(void)
{
    uintptr_t begin = simt_variables_begin & ~(uintptr_t)7;

    if (variables.begin == begin && variables.end == simt_variables_end)
        return;
    free_variables();
    variables.begin = begin;
    variables.end = simt_variables_end;
    if (begin >= variables.end)
        return;
    variables.cells = map(cells_size(begin, variables.end, CELLS));
    variables.more = map(cells_size(begin, variables.end, MORE_CELLS));
    if (!variables.cells || !variables.more)
        free_variables();
}

static struct {
    const void *a, *b;
} seen[SEEN];

static void forget_views(void)
{
    for (unsigned i = 0; i < THREADS; i++) {
        drop(&known[i].imports);
        drop(&known[i].pending);
    }
    for (unsigned i = 0; published && i < LOCATIONS; i++) {
        drop(&locations[i].view);
        locations[i].key = 0;
    }
    drop(&overflow);
    published = false;
}

/* All accesses are forgotten and time starts anew. */
static void begin_anew(void)
{
    simt_order_forget(simt_base, simt_base + simt_size);
    if (variables.cells)
        forget_cells(variables.cells, variables.more, 0, variables.end - variables.begin);
    memset(origins, 0, sizeof origins);
    origins_made = 0;
    forget_views();
    memset(known, 0, sizeof known);
    now = 1;
    launch_floor = 1;
    for (unsigned i = 0; i < MAX_WARPS; i++)
        order_of[i].floor = order_of[i].synced = order_of[i].start = after(1);
    for (unsigned i = 0; i < MAX_BLOCKS; i++) {
        residence *r = &residences[i];

        r->starts[1].number = r->starts[r->count % STARTS].number;
        r->starts[1].stamp = 1;
        r->count = 1;
        r->views = r->releases = false;
    }
}

/* Also of threads whose clock does not change now. */
static void reset_clocks(void)
{
    begin_anew();
    tick();
    for (unsigned i = 0; i < m.resident; i++) {
        block *b = simt_resident_block(i);

        for (unsigned k = 0; k < b->warps * LANES; k++)
            set_clock(&b->warp[k / LANES].threads[k % LANES], now);
    }
}

static inline void keep_time(void)
{
    if (__builtin_expect(now >= LAST_STAMP, 0))
        reset_clocks();
}

void simt_order_launch(void)
{
    if (!simt_cells)
        return;
    cover_variables();
    forget_views();
    memset(seen, 0, sizeof seen);
    victim = 0;
    if (now > LAST_STAMP / 2 || origins_made > ORIGINS / 2)
        begin_anew();
    launch_floor = tick();
    tick();
    for (unsigned i = 0; i < MAX_BLOCKS; i++)
        residences[i].count = 0;
}

static void start_residence(block *b, uint64_t number, uint32_t clock)
{
    unsigned place = b->warp[0].number / b->warps;
    uint64_t start = after(clock - 1);
    residence *r = &residences[place];

    r->first_thread = b->warp[0].number * LANES;
    r->views = r->releases = false;
    r->count++;
    r->starts[r->count % STARTS].number = number;
    r->starts[r->count % STARTS].stamp = clock;
    for (unsigned i = 0; i < b->warps; i++)
        order_of[b->warp[i].number] =
            (warp_order){.floor = start, .synced = start, .start = start, .place = (uint16_t)place};
}

void simt_order_block(block *b, uint64_t number)
{
    uint32_t clock;

    if (!simt_cells)
        return;
    keep_time();
    clock = tick();
    start_residence(b, number, clock);
    for (unsigned i = 0; i < b->warps * LANES; i++) {
        thread *t = &b->warp[i / LANES].threads[i % LANES];
        uint64_t index = b->warp[0].number * LANES + i;
        struct knowledge *k = &known[index];

        t->id = (uint64_t)clock << SIMT_STAMP_SHIFT | index << SIMT_THREAD_SHIFT;
        k->partial = false;
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

static residence *residence_of(const warp *w)
{
    return &residences[order_of[w->number].place];
}

static void meet(warp *w, unsigned warps, const uint32_t *lanes)
{
    meeting all = {NULL, NULL};

    for (unsigned i = 0; i < warps; i++)
        for (uint32_t left = lanes[i]; left; left &= left - 1)
            bring(&all, knowledge_of(&w[i].threads[__builtin_ctz(left)]));
    for (unsigned i = 0; i < warps; i++)
        for (uint32_t left = lanes[i]; left; left &= left - 1)
            hand_out(&all, knowledge_of(&w[i].threads[__builtin_ctz(left)]));
    drop(&all.imports);
    drop(&all.pending);
}

/* A fence before the barrier counts for what the thread does that goes on alone: so the block is released up to what
 * all of it has fenced. */
static void release_block(block *b, const uint32_t *lanes)
{
    uint32_t fenced[2] = {UINT32_MAX, UINT32_MAX};

    for (unsigned i = 0; i < b->warps * 2; i++)
        for (uint32_t left = lanes[i / 2]; left; left &= left - 1) {
            const release *r = &knowledge_of(&b->warp[i / 2].threads[__builtin_ctz(left)])->release[i % 2];

            fenced[i % 2] = r->own < fenced[i % 2] ? r->own : fenced[i % 2];
        }
    for (unsigned i = 0; i < b->warps * 2; i++)
        for (uint32_t left = lanes[i / 2]; left; left &= left - 1) {
            release *r = &knowledge_of(&b->warp[i / 2].threads[__builtin_ctz(left)])->release[i % 2];

            if (fenced[i % 2] && r->floor < fenced[i % 2])
                r->floor = fenced[i % 2];
        }
}

/* Threads that have exited are ordered as if they waited too. */
void simt_order_barrier(block *b)
{
    uint32_t floor, clock, lanes[MAX_WARPS];
    residence *r;

    if (!simt_cells)
        return;
    keep_time();
    floor = now;
    clock = tick();
    r = residence_of(&b->warp[0]);
    for (unsigned i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];

        lanes[i] = w->at_barrier;
        order_of[w->number].floor = order_of[w->number].synced = after(floor);
        for (uint32_t left = lanes[i]; left; left &= left - 1)
            set_clock(&w->threads[__builtin_ctz(left)], clock);
    }
    if (r->views)
        meet(b->warp, b->warps, lanes);
    if (r->releases)
        release_block(b, lanes);
}

/* A lane that exits early, or is not of the mask, is known only as far as the others knew it. */
static void sync_some(warp *w, uint32_t mask, uint32_t up_to)
{
    uint32_t lanes[LANES] = {0};

    for (uint32_t left = mask; left; left &= left - 1) {
        const struct knowledge *k = knowledge_of(&w->threads[__builtin_ctz(left)]);

        for (unsigned i = 0; k->partial && i < LANES; i++)
            lanes[i] = lanes[i] < k->lanes[i] ? k->lanes[i] : lanes[i];
    }
    for (unsigned i = 0; i < LANES; i++)
        if (mask >> i & 1)
            lanes[i] = up_to;
    for (uint32_t left = mask; left; left &= left - 1) {
        struct knowledge *k = knowledge_of(&w->threads[__builtin_ctz(left)]);

        k->partial = true;
        memcpy(k->lanes, lanes, sizeof lanes);
    }
    order_of[w->number].partial = true;
}

static void sync_all(warp *w, uint32_t up_to)
{
    warp_order *o = &order_of[w->number];

    o->synced = after(up_to);
    if (w->block->warps == 1)
        o->floor = o->synced; /* the warp is the block */
    for (unsigned i = 0; o->partial && i < LANES; i++)
        knowledge_of(&w->threads[i])->partial = false;
    o->partial = false;
}

void simt_order_warp(warp *w, uint32_t mask)
{
    uint32_t up_to, clock;

    if (!simt_cells)
        return;
    keep_time();
    up_to = now;
    clock = tick();
    if (mask == w->exists)
        sync_all(w, up_to);
    else
        sync_some(w, mask, up_to);
    for (uint32_t left = mask; left; left &= left - 1)
        set_clock(&w->threads[__builtin_ctz(left)], clock);
    if (residence_of(w)->views)
        meet(w, 1, &mask);
}

/* --- fences and what they order */

void simt_order_fence(simt_scope scope)
{
    thread *t = simt_current;
    const warp_order *o;
    struct knowledge *k;
    uint32_t synced;

    if (!simt_cells || !t)
        return;
    keep_time();
    k = knowledge_of(t);
    o = &order_of[t->warp->number];
    synced = stamp_of(o->synced) - 1;
    join(&k->imports, k->pending);
    drop(&k->pending);
    for (int s = 0; s < (scope == SIMT_BLOCK ? 1 : 2); s++) {
        k->release[s].own = stamp_of(t->id);
        k->release[s].floor = stamp_of(o->floor) - 1;
        for (unsigned i = 0; i < LANES; i++)
            k->release[s].lanes[i] = k->partial && k->lanes[i] > synced ? k->lanes[i] : synced;
    }
    residence_of(t->warp)->releases = true;
    set_clock(t, tick());
}

/* What is released for the block only has a key of its own for each block. */
static uintptr_t key_of(uintptr_t address, const thread *t, bool device)
{
    return device ? address : address ^ ((uintptr_t)(who_of(t->id) >> UNIT_BITS) + 1) << 42;
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
    uint32_t me = who_of(t->id), first_lane = me & ~(uint32_t)(LANES - 1), least = UINT32_MAX;

    if (*location_key(key) != key) {
        join(&overflow, *at);
        drop(at);
        *location_key(key) = key;
    }
    published = true;
    join(at, knowledge_of(t)->imports);
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
    k = knowledge_of(t);
    if (!published && (!writes || !k->release[0].own))
        return;
    device = key_of((uintptr_t)address, t, true);
    block_only = key_of((uintptr_t)address, t, false);
    if (reads) {
        take(k, device);
        take(k, block_only);
        join(&k->pending, overflow);
        residence_of(t->warp)->views |= k->pending != NULL;
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
    unsigned char before[16];
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

static bool is_store(unsigned kind)
{
    return kind & SIMT_IS_WRITE && (!(kind & SIMT_IS_ATOMIC) || kind & SIMT_IS_VOLATILE);
}

static inline uint64_t origin_hash(uint64_t key, uint32_t before)
{
    return (key ^ (uint64_t)before << 20) * 0x9e3779b97f4a7c15u >> 40;
}

/* 0 when the table is full. */
static __attribute__((noinline)) uint32_t new_origin(uint64_t key, uint32_t before)
{
    uint64_t hash = origin_hash(key, before);

    for (unsigned i = 0; i < PROBES; i++) {
        uint32_t at = (hash + i) & (ORIGINS - 1);

        if (origins[at].place == key && origins[at].before == before)
            return at;
        if (origins[at].place || !at)
            continue;
        origins[at].place = key;
        origins[at].before = before;
        origins_made++;
        return at;
    }
    return 0;
}

static inline uint64_t origin_key(unsigned bytes, const void *place)
{
    return (uint64_t)(uintptr_t)place ^ (uint64_t)bytes << PLACE_BITS; /* user addresses have 47 bits */
}

static inline uint32_t origin_after(uint32_t before, unsigned bytes, const void *place)
{
    uint64_t key = origin_key(bytes, place);
    uint32_t at = origin_hash(key, before) & (ORIGINS - 1);

    if (__builtin_expect(origins[at].place == key && origins[at].before == before, 1))
        return at;
    return new_origin(key, before);
}

/* Where the thread last did it to one of these bytes; NULL when that is not known. */
static const void *place_of(uint64_t word, unsigned bytes)
{
    uint32_t at = word & (ORIGINS - 1);

    while (at && !(origins[at].place >> PLACE_BITS & bytes))
        at = origins[at].before;
    return (const void *)(uintptr_t)(origins[at].place & (((uint64_t)1 << PLACE_BITS) - 1));
}

static void race(uint64_t word, uintptr_t address, size_t size, unsigned kind, const void *place, unsigned bytes)
{
    const void *other = place_of(word, bytes);
    const residence *r = &residences[order_of[thread_of(word) / LANES].place];
    unsigned other_kind = kind_of(word), unit = thread_of(word) - r->first_thread;
    uint3 b = simt_block_index(block_at(r, stamp_of(word))), t;
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

/* Does the new access tell all that an older one of the same bytes tells, given that that comes before it? */
static inline bool replaces(unsigned kind, unsigned other)
{
    return kind == other || kind == SIMT_IS_WRITE;
}

/* What is being done, and what has been found out about the four bytes. */
typedef struct look {
    uint64_t cell;      /* that it would make, without its origin */
    uint64_t bytes;     /* which of the four, as in a cell */
    uint64_t alive;     /* what is less comes before all that can still happen */
    uint64_t *same;     /* of the thread and its clock, of this kind */
    uint64_t *alike[2]; /* of others, that did the same to all these bytes without order */
    unsigned kind;
    bool shared;
    bool done; /* `same` says it all */
    const thread *t;
    const warp_order *mine;
    const void *place;
    uintptr_t address; /* of all of the access */
    size_t size;
} look;

static const uint64_t a_thread = (uint64_t)(THREADS - 1) << SIMT_THREAD_SHIFT;
static const uint64_t a_warp = (uint64_t)(THREADS - LANES) << SIMT_THREAD_SHIFT;
static const uint64_t all_bytes = (uint64_t)15 << SIMT_BYTES_SHIFT;
static const uint64_t all_kinds = (uint64_t)15 << SIMT_KIND_SHIFT;

/* Could the two race if nothing orders them? Volatile accesses of one warp to shared memory do: who writes those relies
 * on lockstep. Between warps they are flags. */
static inline bool conflict(uint64_t word, const look *l)
{
    unsigned kind = l->kind, other = kind_of(word);

    if (!((kind | other) & SIMT_IS_WRITE))
        return false;
    if (!(kind & other & SIMT_IS_ATOMIC))
        return true;
    if (l->shared && kind & other & SIMT_IS_VOLATILE)
        return thread_of(word ^ l->cell) / LANES == 0;
    return ((kind | other) & SIMT_IS_BLOCK_SCOPE) != 0 && !same_block(l->mine, word);
}

static inline bool near_ordered(const warp_order *mine, uint64_t word, uint64_t differs)
{
    if (word < mine->start)
        return false;
    if (!(differs & a_warp))
        return word < mine->synced || !(differs & a_thread);
    return word < mine->floor && order_of[thread_of(word) / LANES].place == mine->place;
}

/* Holds the access against a cell, and gives what is left of that. */
static inline __attribute__((always_inline)) uint64_t look_at(look *l, uint64_t word, uint64_t *cell)
{
    uint64_t differs = word ^ l->cell;

    if (word < l->alive)
        return 0;
    if (differs >> SIMT_KIND_SHIFT == 0) {
        l->same = cell;
        l->done |= !(l->bytes & ~word);
        return word;
    }
    if (!(word & l->bytes))
        return word;
    if (!near_ordered(l->mine, word, differs)) {
        if (!conflict(word, l)) {
            if (!(differs & all_kinds) && !(l->bytes & ~word) && !(l->kind & SIMT_IS_VOLATILE))
                l->alike[l->alike[0] != NULL] = cell;
            return word;
        }
        if (__builtin_expect(!far_ordered(l->t, word), 0)) /* told once: what comes later is held against the new one */
            race(word, l->address, l->size, l->kind, l->place, bytes_of(word & l->bytes));
    }
    if (!replaces(l->kind, kind_of(word)))
        return word;
    word &= ~l->bytes;
    return bytes_of(word) ? word : 0;
}

/* Looks at the cells beyond the first two and closes the gaps between them. */
static unsigned look_at_more(look *l, uint64_t *more)
{
    unsigned kept = 0, i = 0;

    for (; i < MORE_CELLS && more[i]; i++) {
        uint64_t left = look_at(l, more[i], &more[kept]);

        more[kept] = left;
        kept += left != 0;
    }
    for (unsigned k = kept; k < i; k++)
        more[k] = 0;
    return kept;
}

/* Of many that do the same without order two are kept: of different blocks, or else of different warps, where there are
 * such. Whoever conflicts with them all but is ordered after one of the two is then found by the other. */
static bool enough_alike(const look *l)
{
    uint64_t a = *l->alike[0], b = *l->alike[1], c = l->cell;
    unsigned warp_a = thread_of(a) / LANES, warp_b = thread_of(b) / LANES, warp_c = thread_of(c) / LANES;

    if (order_of[warp_a].place != order_of[warp_b].place)
        return true;
    return order_of[warp_a].place == order_of[warp_c].place && (warp_a != warp_b || warp_a == warp_c);
}

static uint64_t *cell_at(uint64_t *cells, uint64_t *more, unsigned i)
{
    return i < CELLS ? &cells[i] : &more[i - CELLS];
}

/* An empty cell, or that of a read if there is one. */
static uint64_t *place_for(const look *l, uint64_t *cells, uint64_t *more, unsigned kept)
{
    unsigned start = victim++, i = 0;

    if (l->alike[1])
        return l->alike[1];
    for (unsigned k = 0; k < CELLS; k++)
        if (!(cells[k] & ~SIMT_MORE))
            return &cells[k];
    if (kept < MORE_CELLS)
        return &more[kept];
    while (i < ALL_CELLS && kind_of(*cell_at(cells, more, (start + i) % ALL_CELLS)) & SIMT_IS_WRITE)
        i++;
    return cell_at(cells, more, (start + i) % ALL_CELLS);
}

static void put(look *l, uint64_t *cells, uint64_t *more, unsigned kept)
{
    uint32_t origin = l->same ? origin_after(*l->same & (ORIGINS - 1), bytes_of(l->bytes), l->place) : 0;
    uint64_t *cell;

    if (origin) {
        *l->same = ((*l->same & ~(uint64_t)(ORIGINS - 1)) | l->bytes) + origin;
        return;
    }
    cell = place_for(l, cells, more, kept);
    *cell = (*cell & SIMT_MORE) | l->cell | origin_after(0, bytes_of(l->bytes), l->place);
    if (cell == more + kept)
        cells[0] |= SIMT_MORE;
}

/* Two others have done the same, neither comes before the access, and they are such that a third tells nothing new. */
static inline __attribute__((always_inline)) bool tells_nothing(uint64_t a, uint64_t b, uint64_t cell,
                                                                const warp_order *mine, bool local)
{
    static const uint64_t plain_write = (uint64_t)SIMT_IS_WRITE << SIMT_KIND_SHIFT;
    static const uint64_t special = (uint64_t)(SIMT_IS_BLOCK_SCOPE | SIMT_IS_VOLATILE) << SIMT_KIND_SHIFT;
    uint64_t differs = (a ^ cell) | (b ^ cell);

    if (a < mine->synced || b < mine->synced || differs & all_kinds || a & SIMT_MORE || cell & ~(a & b) & all_bytes)
        return false;
    if (!((a ^ cell) & a_thread) || !((b ^ cell) & a_thread)) /* the thread itself, earlier */
        return false;
    if (cell & special || (cell & all_kinds) == plain_write)
        return false;
    return !(differs & a_warp) || (local && ((a ^ b) & a_warp || !((a ^ cell) & a_warp)));
}

/* Can nobody but the running block have touched it? */
static inline bool is_local(uintptr_t address)
{
    return simt_is_shared(address) || m.blocks == 1;
}

/* The cell as if it were not spread, for one who looks at this byte alone. */
static inline uint64_t of_byte(uint64_t word, unsigned byte)
{
    return word + ((word & SIMT_SPREAD ? (uint64_t)byte : 0) << SIMT_THREAD_SHIFT);
}

/* Takes spread cells apart. They have no others beside them, so that all have room. */
static void take_apart(uint64_t *cells, uint64_t *more)
{
    uint64_t before[CELLS] = {cells[0], cells[1]};
    unsigned made = 0;

    cells[0] = cells[1] = 0;
    for (unsigned i = 0; i < CELLS; i++)
        for (unsigned byte = 0; byte < GRANULE; byte++) {
            uint64_t bit = (uint64_t)1 << (SIMT_BYTES_SHIFT + byte), word = before[i];

            if (!(word & bit))
                continue;
            *cell_at(cells, more, made++) =
                word & SIMT_SPREAD ? (of_byte(word, byte) & ~(SIMT_SPREAD | all_bytes)) | bit : word;
            if (!(word & SIMT_SPREAD))
                break;
        }
    if (made > CELLS)
        cells[0] |= SIMT_MORE;
}

static void check_granule(uint64_t *cells, uint64_t *more, look *l)
{
    unsigned kept = 0;
    uint64_t first = cells[0] & ~SIMT_MORE;

    l->same = l->alike[0] = l->alike[1] = NULL;
    l->done = false;
    if (cells[0] & SIMT_MORE)
        kept = look_at_more(l, more);
    if (first)
        first = look_at(l, first, &cells[0]);
    if (cells[1])
        cells[1] = look_at(l, cells[1], &cells[1]);
    cells[0] = first | (kept ? SIMT_MORE : 0);
    if (!l->done && !(l->alike[1] && enough_alike(l)))
        put(l, cells, more, kept);
}

static __attribute__((noinline)) void check_all(uint64_t *cells, uint64_t *more, uintptr_t address, size_t size,
                                                unsigned kind, const void *place)
{
    const thread *t = simt_current;
    const warp_order *mine = &order_of[thread_of(t->id) / LANES];
    bool local = is_local(address);
    look l = {.t = t, .mine = mine, .place = place, .kind = kind, .address = address, .size = size};
    uintptr_t at = address & (GRANULE - 1), end = at + size;

    l.shared = simt_is_shared(address);
    l.alive = local ? mine->floor : after(launch_floor);
    while (at < end) {
        unsigned first = at & (GRANULE - 1), past = end - at + first < GRANULE ? (unsigned)(end - at) + first : GRANULE;

        l.bytes = (uint64_t)((1u << past) - (1u << first)) << SIMT_BYTES_SHIFT;
        l.cell = t->id | (uint64_t)kind << SIMT_KIND_SHIFT | l.bytes;
        if ((cells[0] | cells[1]) & SIMT_SPREAD)
            take_apart(cells, more);
        if (!tells_nothing(cells[0], cells[1], l.cell, mine, local))
            check_granule(cells, more, &l);
        cells += CELLS;
        more += MORE_CELLS;
        at = (at & ~(uintptr_t)(GRANULE - 1)) + GRANULE;
    }
}

/* What becomes of a cell, where that is plain: what is left of it, or UNCLEAR. */
static const uint64_t UNCLEAR = 1; /* no cell: it has no stamp */

static inline __attribute__((always_inline)) uint64_t left_of(uint64_t word, uint64_t cell, unsigned byte, bool alone,
                                                              const warp_order *mine, uint64_t alive)
{
    static const uint64_t is_write = (uint64_t)SIMT_IS_WRITE << SIMT_KIND_SHIFT;
    uint64_t differs = (alone ? of_byte(word, byte) : word) ^ cell;

    if (!alone && word & SIMT_SPREAD) /* of several threads: that one of them is this one orders nothing */
        differs |= (uint64_t)1 << SIMT_THREAD_SHIFT;
    if (word < alive)
        return 0;
    if (!(word & cell & all_bytes))
        return word;
    if (!near_ordered(mine, word, differs))
        return UNCLEAR;
    if ((differs & all_kinds) && (cell & all_kinds) != is_write)
        return word;
    word &= ~(cell & all_bytes);
    return word & all_bytes ? word : 0;
}

/* A cell of an access to one byte that its neighbours can join, where the thread of byte 0 would be of the warp. */
static inline uint64_t spread(uint64_t cell, unsigned byte)
{
    uint64_t first = cell - ((uint64_t)byte << SIMT_THREAD_SHIFT);

    return (first ^ cell) & a_warp ? cell : first | SIMT_SPREAD;
}

/* Lets a spread cell join one of neighbours. 0: it is none. */
static inline __attribute__((always_inline)) uint64_t join_neighbours(uint64_t word, uint64_t cell, const void *place)
{
    uint32_t origin = word & (ORIGINS - 1);

    if (!(word & cell & SIMT_SPREAD) || (word ^ cell) >> SIMT_KIND_SHIFT)
        return 0;
    if (origins[origin].place != origin_key(EVERY_BYTE, place))
        origin = origin_after(origin, bytes_of(cell), place);
    return origin ? ((word & ~(uint64_t)(ORIGINS - 1)) | (cell & all_bytes)) + origin : 0;
}

static inline uint64_t cell_of(unsigned bytes, unsigned kind)
{
    return simt_current->id | (uint64_t)kind << SIMT_KIND_SHIFT | (uint64_t)bytes << SIMT_BYTES_SHIFT;
}

/* The usual cases, of an access within four bytes that have no more than two cells; to one of them `alone`. */
static inline __attribute__((always_inline)) bool check_quickly(uint64_t *cells, uintptr_t address, size_t size,
                                                                bool alone, unsigned kind, const void *place)
{
    unsigned byte = address & (GRANULE - 1), bytes = ((1u << size) - 1) << byte;
    uint64_t cell = cell_of(bytes, kind), made, first, second, joined;
    const warp_order *mine = &order_of[thread_of(cell) / LANES];
    bool local = is_local(address);
    uint64_t alive = local ? mine->floor : after(launch_floor);

    if (cells[0] & SIMT_MORE)
        return false;
    if (alone && tells_nothing(of_byte(cells[0], byte), of_byte(cells[1], byte), cell, mine, local))
        return true;
    first = left_of(cells[0], cell, byte, alone, mine, alive);
    second = left_of(cells[1], cell, byte, alone, mine, alive);
    if (first == UNCLEAR || second == UNCLEAR)
        return false;
    made = alone ? spread(cell, byte) : cell;
    if (alone && (joined = join_neighbours(first, made, place)) != 0)
        first = joined;
    else if (alone && (joined = join_neighbours(second, made, place)) != 0)
        second = joined;
    else if (!first)
        first = made | origin_after(0, alone ? EVERY_BYTE : bytes, place); /* its neighbours', too, if they come */
    else if (!second)
        second = made | origin_after(0, alone ? EVERY_BYTE : bytes, place);
    else
        return false;
    cells[0] = first;
    cells[1] = second;
    return true;
}

/* The most usual case of bytes: their neighbours have just been touched from the same place. */
static inline bool is_next_to(const uint64_t *cells, unsigned byte, unsigned kind, const void *place)
{
    uint64_t word = cells[0], made = spread(cell_of(1u << byte, kind), byte);

    return word & made & SIMT_SPREAD && (word ^ made) >> SIMT_KIND_SHIFT == 0 && !(word & made & all_bytes) &&
           !cells[1] && origins[word & (ORIGINS - 1)].place == origin_key(EVERY_BYTE, place);
}

static __attribute__((noinline)) void check_byte(uintptr_t address, unsigned kind, const void *place)
{
    uintptr_t granule = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells + granule * CELLS;

    if (!check_quickly(cells, address, 1, true, kind, place))
        check_all(cells, more_cells + granule * MORE_CELLS, address, 1, kind, place);
}

void simt_order_byte(uintptr_t address, unsigned kind, const void *place)
{
    uint64_t *cells = simt_cells + (address - simt_base) / GRANULE * CELLS;
    unsigned byte = address & (GRANULE - 1);

    if (is_next_to(cells, byte, kind, place))
        cells[0] |= (uint64_t)1 << (SIMT_BYTES_SHIFT + byte);
    else
        check_byte(address, kind, place);
}

static __attribute__((noinline)) void check_bytes(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    uintptr_t granule = (address - simt_base) / GRANULE;
    uint64_t *cells = simt_cells + granule * CELLS;

    if ((address & (GRANULE - 1)) + size > GRANULE || !check_quickly(cells, address, size, false, kind, place))
        check_all(cells, more_cells + granule * MORE_CELLS, address, size, kind, place);
}

/* Where two have done the same, this says so without a stack. */
void simt_order_access(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    const uint64_t *cells = simt_cells + (address - simt_base) / GRANULE * CELLS;
    unsigned byte = address & (GRANULE - 1);

    if (cells[1] && !((cells[0] | cells[1]) & SIMT_SPREAD) && byte + size <= GRANULE) {
        uint64_t cell = cell_of(((1u << size % 8) - 1) << byte, kind);

        if (tells_nothing(cells[0], cells[1], cell, &order_of[thread_of(cell) / LANES], is_local(address)))
            return;
    }
    check_bytes(address, size, kind, place);
}

/* Variables are not in the reserved range, but have cells too. */
void simt_order_variable(uintptr_t address, size_t size, unsigned kind, const void *place)
{
    uintptr_t granule = (address - variables.begin) / GRANULE;

    if (variables.cells && address >= variables.begin && address + size <= variables.end)
        check_all(variables.cells + granule * CELLS, variables.more + granule * MORE_CELLS, address, size, kind, place);
}
