/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pending copies: contract in copies.h.
 */
#include "copies.h"

#include "../memory/memory.h"

#include <stdlib.h>
#include <string.h>

struct queue {
    simt_copy *first, **end; /* those that are not waited for; the link of the last one */
    uint64_t groups[2];      /* committed: of cp.async, of bulk copies */
};

static void *of_workers[SIMT_WORKERS];

static struct state {
    struct queue queues[SIMT_SLOTS];
    simt_arrival *arrivals;
    unsigned counted; /* copies whose arrival was counted, and for which nobody has waited */
    uint64_t awaited_phase;
} * own(void)
{
    return simt_of_worker(of_workers, sizeof(struct state));
}

static struct queue *queue_of(const thread *t)
{
    struct queue *q = &own()->queues[t - m.threads];

    if (!q->first)
        q->end = &q->first;
    return q;
}

static void move(simt_copy *c)
{
    unsigned char bytes[SIMT_WATCHED_BYTES];

    if (c->moved)
        return;
    c->moved = true;
    memcpy(bytes, c->value, c->size);
    if (c->taken)
        memcpy(bytes, (const void *)c->from.address, c->taken);
    if (c->convert)
        c->convert(bytes, c->taken);
    if (c->reduce)
        c->reduce((void *)c->to.address, bytes, c->size);
    else
        memcpy((void *)c->to.address, bytes, c->size);
    if (simt_checking && c->taken && !c->reduce)
        simt_copy_states(c->to.address, c->from.address, c->taken);
}

static unsigned kind_of_write(const simt_copy *c)
{
    return c->reduce ? SIMT_IS_WRITE | SIMT_IS_ATOMIC : SIMT_IS_WRITE;
}

/* By the running thread, at this moment of its order. */
static void record(const simt_copy *c)
{
    if (!simt_checking)
        return;
    if (c->taken)
        simt_record_access(c->from.address, c->taken, 0, c->place);
    simt_record_access(c->to.address, c->size, kind_of_write(c), c->place);
}

static void drop(simt_copy *c)
{
    simt_watch_remove(&c->to);
    simt_watch_remove(&c->from);
    free(c);
}

/* Removes the copies of the queue for which `gone` says so, and moves their bytes if that was not yet done. */
static void take(struct queue *q, bool (*gone)(const simt_copy *c, uint64_t argument), uint64_t argument, bool recorded)
{
    for (simt_copy **link = &q->first, *c; (c = *link) != NULL;) {
        if (!gone(c, argument)) {
            link = &c->next;
            continue;
        }
        *link = c->next;
        move(c);
        if (recorded)
            record(c);
        own()->counted -= c->barrier != 0;
        drop(c);
    }
    q->end = &q->first;
    while (*q->end)
        q->end = &(*q->end)->next;
}

static bool any(const simt_copy *c, uint64_t ignored)
{
    (void)c;
    (void)ignored;
    return true;
}

static bool of_group_below(const simt_copy *c, uint64_t limit)
{
    return c->by == BY_GROUP && c->group < limit;
}

static bool of_bulk_group_below(const simt_copy *c, uint64_t limit)
{
    return c->by == BY_BULK_GROUP && c->group < limit;
}

/* --- what goes on behind the threads */

/* The copies are complete: the mbarrier counts the arrival. */
static void trigger(simt_arrival *a)
{
    struct queue *q = queue_of(a->by);
    uint64_t phase;

    for (simt_copy *c = q->first; c; c = c->next)
        if (c->tracked == a)
            move(c);
    phase = simt_mbarrier_late_arrival(a->barrier, a->bytes == 0, a->bytes);
    for (simt_copy *c = q->first; c; c = c->next)
        if (c->tracked == a) {
            c->tracked = NULL;
            c->barrier = a->barrier;
            c->phase = phase;
            own()->counted++;
        }
    free(a);
}

/* Only bulk copies: of cp.async, PTX does not say what happens when its thread ends. */
static bool uses_memory_of(const simt_copy *c, uint64_t arena)
{
    return c->by != BY_GROUP && (c->to.address - arena < SIMT_ARENA ||
                                 (c->taken && c->from.address - arena < SIMT_ARENA && c->from.watching));
}

static void report_end(const simt_copy *c, const block *b)
{
    bool writes = c->to.address - (uintptr_t)b->arena < SIMT_ARENA;
    char name[256];

    simt_describe_element(writes ? c->to.address : c->from.address, c->size, name, sizeof name);
    simt_report_spot(RACE, &(simt_spot){.place = c->place, .address = name},
                     "block (%u,%u,%u) ends, and nobody has waited for an asynchronous copy by thread (%u,%u,%u) that "
                     "%s %s",
                     b->index.x, b->index.y, b->index.z, c->thread.x, c->thread.y, c->thread.z,
                     writes ? "writes to" : "reads from", name);
}

static void block_ends(const block *b)
{
    const uintptr_t arena = (uintptr_t)b->arena;

    for (unsigned i = 0; i < m.resident * m.warps_each * LANES; i++)
        for (simt_copy *c = own()->queues[i].first; c; c = c->next)
            if (simt_checking && m.stop == RUNNING && uses_memory_of(c, arena)) {
                report_end(c, b);
                break;
            }
    for (simt_arrival **link = &own()->arrivals, *a; (a = *link) != NULL;) {
        if (a->by->warp->block != b) {
            link = &a->next;
            continue;
        }
        *link = a->next;
        trigger(a);
    }
    for (unsigned i = 0; i < m.resident * m.warps_each * LANES; i++)
        take(&own()->queues[i], m.threads[i].warp->block == b ? any : uses_memory_of, arena, false);
}

static void progress(void)
{
    uint64_t random = simt_draw_apart();
    simt_arrival **link = &own()->arrivals, *a;

    if (!own()->arrivals || random & 1)
        return;
    while ((*link)->next && (random >>= 1) & 1) /* of one thread the older ones come first */
        if ((*link)->by == (*link)->next->by)
            break;
        else
            link = &(*link)->next;
    a = *link;
    *link = a->next;
    trigger(a);
}

static bool is_counted(const simt_copy *c, uint64_t barrier)
{
    return c->barrier && c->barrier == barrier && c->phase <= own()->awaited_phase;
}

static void waited(uintptr_t barrier, uint64_t phase)
{
    own()->awaited_phase = phase;
    for (unsigned i = 0; own()->counted && i < m.resident * m.warps_each * LANES; i++)
        if (own()->queues[i].first)
            take(&own()->queues[i], is_counted, barrier, false);
}

static simt_primitive primitive = {.block_ends = block_ends, .progress = progress, .waited = waited};

void simt_copies_used(void)
{
    simt_use(&primitive);
}

/* --- findings */

static void touched(const simt_watch *w, unsigned kind, const void *place)
{
    const simt_copy *c = w->owner;
    const bool writes = kind & SIMT_IS_WRITE, source = w == &c->from;
    char name[256];

    if ((source && !writes) || (!source && c->reduce && kind & SIMT_IS_ATOMIC))
        return;
    simt_describe_element(w->address, w->size, name, sizeof name);
    simt_report_spot(
        RACE,
        &(simt_spot){.place = place,
                     .other = c->place,
                     .other_block = c->block,
                     .other_thread = c->thread,
                     .address = name,
                     .object = w->address},
        "%s %s, which an asynchronous copy by block (%u,%u,%u) thread (%u,%u,%u) %s until it is waited for",
        writes ? "writes to" : "reads from", name, c->block.x, c->block.y, c->block.z, c->thread.x, c->thread.y,
        c->thread.z, source ? "reads" : "writes");
}

void simt_copy_refuse(const char *why, const void *place)
{
    simt_report(API, NULL, 0, place, "%s", why);
    simt_stop(cudaErrorLaunchFailure);
}

/* --- the queue of a thread */

static void watch(simt_copy *c)
{
    c->to.touched = c->from.touched = touched;
    c->to.owner = c->from.owner = c;
    c->to.size = c->size;
    c->from.size = c->taken;
    simt_watch_add(&c->to);
    if (c->taken)
        simt_watch_add(&c->from);
}

void simt_copies_move_some(void)
{
    for (simt_copy *c = queue_of(simt_current)->first; c; c = c->next)
        if (!(simt_draw_apart() & 3))
            move(c);
}

void simt_copy_issue(const simt_copy *model)
{
    struct queue *q = queue_of(simt_current);
    simt_copy *c = malloc(sizeof *c);

    if (!c)
        simt_stop(cudaErrorMemoryAllocation);
    *c = *model;
    c->to.address = c->to_address;
    c->from.address = c->from_address;
    c->group = c->by == BY_BARRIER ? 0 : q->groups[c->by];
    c->block = simt_current->warp->block->index;
    c->thread = simt_current->index;
    if (simt_checking)
        watch(c);
    *q->end = c;
    q->end = &c->next;
}

void simt_copies_commit(simt_completion by)
{
    queue_of(simt_current)->groups[by]++;
    simt_copies_move_some();
}

void simt_copies_wait(simt_completion by, uint64_t newest)
{
    struct queue *q = queue_of(simt_current);

    if (newest < q->groups[by])
        take(q, by == BY_GROUP ? of_group_below : of_bulk_group_below, q->groups[by] - newest, true);
    simt_copies_move_some();
}

void simt_copies_wait_read(uint64_t newest)
{
    struct queue *q = queue_of(simt_current);

    for (simt_copy *c = q->first; c; c = c->next)
        if (newest < q->groups[BY_BULK_GROUP] && of_bulk_group_below(c, q->groups[BY_BULK_GROUP] - newest)) {
            move(c);
            if (simt_checking && c->from.watching)
                simt_record_access(c->from.address, c->taken, 0, c->place);
            simt_watch_remove(&c->from);
        }
    simt_copies_move_some();
}

void simt_copies_wait_all(void)
{
    take(queue_of(simt_current), of_group_below, UINT64_MAX, true);
}

simt_arrival *simt_copies_arrival(uintptr_t barrier, unsigned bytes)
{
    simt_arrival *a = calloc(1, sizeof *a), **link = &own()->arrivals;

    if (!a)
        simt_stop(cudaErrorMemoryAllocation);
    a->by = simt_current;
    a->barrier = barrier;
    a->bytes = bytes;
    while (*link)
        link = &(*link)->next;
    return *link = a;
}

void simt_copies_arrive_on(uintptr_t barrier, bool more, const void *place)
{
    const struct queue *q = queue_of(simt_current);
    const simt_arrival *a;

    for (const simt_copy *c = q->first; c; c = c->next)
        if (c->by == BY_GROUP && !c->tracked && !c->barrier)
            record(c);
    if (!simt_mbarrier_announce(barrier, more, place))
        return;
    a = simt_copies_arrival(barrier, 0);
    for (simt_copy *c = q->first; c; c = c->next)
        if (c->by == BY_GROUP && !c->tracked && !c->barrier)
            c->tracked = a;
}
