/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Asynchronous copies from global to shared memory, on which __pipeline_*, cuda::pipeline and cuda::memcpy_async stand: PTX's cp.async
 * of 4, 8 or 16 bytes, and cp.async.bulk of any multiple of 16. A thread commits copies of the first kind in groups and waits until
 * all but its newest groups are complete; or an mbarrier counts an arrival when the thread's copies so far are complete
 * (cp.async.mbarrier.arrive). Of a bulk copy, an mbarrier counts the bytes when they have come.
 *
 * The bytes move at a time that the seed draws: at once, at a later instruction of this kind by the same thread, or at its wait;
 * before an arrival at an mbarrier, when some thread waits there in vain.
 *
 * Order: PTX orders the copy after its instruction and before the wait, and with nothing else. So it is recorded twice, as accesses
 * of the thread: at its instruction, which finds what other threads did before without order; and at the wait, or at
 * cp.async.mbarrier.arrive, from where the usual order of the thread makes it known to others. In between both ends are watched: any
 * access to the destination and any write to the source is a race, also one by the thread itself, and two copies to one place are. Of
 * copies that an mbarrier counts, that ends when a thread has waited for the phase in which their arrival was counted. More is
 * published there than PTX says: what the thread itself did before cp.async.mbarrier.arrive or the bulk copy, too. Bulk copies use
 * another proxy than threads do; a missing fence.proxy.async is not found.
 *
 * Findings `race`, and `api`: a size that does not exist; a destination that is not in the block's shared memory; a source that is in
 * shared memory. Source memory of `__device__` variables has no shadow: writes to it between instruction and wait are found only if
 * the order of the threads shows them.
 */
#include "../../include/simt_async_copy.h"
#include "sync.h"

#include "../detect/detect.h"
#include "../memory/memory.h"
#include "../schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

/* What an mbarrier gets when the copies before it are complete: an arrival, or the bytes of a bulk copy. */
typedef struct arrival {
    struct arrival *next;
    const thread *by;
    uintptr_t barrier;
    unsigned bytes; /* 0: an arrival */
} arrival;

typedef struct copy {
    simt_watch to, from;
    struct copy *next;    /* of the thread, in the order of the instructions */
    unsigned size, taken; /* bytes written; bytes read: the others become 0 */
    uint64_t group;
    bool moved;
    const arrival *tracked; /* the arrival that waits for it */
    uintptr_t barrier;      /* that has counted this arrival, in this phase */
    uint64_t phase;
    const void *place; /* in the code */
    uint3 block, thread;
} copy;

static struct queue {
    copy *first, **end; /* those that are not waited for; the link of the last one */
    uint64_t groups;    /* committed */
} queues[MAX_WARPS * LANES];

static arrival *arrivals;
static unsigned counted; /* copies whose arrival was counted, and for which nobody has waited */

static struct queue *queue_of(const thread *t)
{
    struct queue *q = &queues[t - simt_threads];

    if (!q->first)
        q->end = &q->first;
    return q;
}

static void move(copy *c)
{
    if (c->moved)
        return;
    c->moved = true;
    memcpy((void *)c->to.address, (const void *)c->from.address, c->taken);
    memset((char *)c->to.address + c->taken, 0, c->size - c->taken);
    if (simt_checking)
        simt_copy_states(c->to.address, c->from.address, c->taken);
}

/* By the running thread, at this moment of its order. */
static void record(const copy *c)
{
    if (!simt_checking)
        return;
    if (c->taken)
        simt_record_access(c->from.address, c->taken, 0, c->place);
    simt_record_access(c->to.address, c->size, SIMT_IS_WRITE, c->place);
}

static void drop(copy *c)
{
    simt_watch_remove(&c->to);
    simt_watch_remove(&c->from);
    free(c);
}

/* Removes the copies of the queue for which `gone` says so, and moves their bytes if that was not yet done. */
static void take(struct queue *q, bool (*gone)(const copy *c, uint64_t argument), uint64_t argument, bool recorded)
{
    for (copy **link = &q->first, *c; (c = *link) != NULL;) {
        if (!gone(c, argument)) {
            link = &c->next;
            continue;
        }
        *link = c->next;
        move(c);
        if (recorded)
            record(c);
        counted -= c->barrier != 0;
        drop(c);
    }
    q->end = &q->first;
    while (*q->end)
        q->end = &(*q->end)->next;
}

static bool any(const copy *c, uint64_t ignored)
{
    (void)c;
    (void)ignored;
    return true;
}

static bool of_group_below(const copy *c, uint64_t limit)
{
    return c->group < limit;
}

/* --- what goes on behind the threads */

static void block_ends(const block *b)
{
    for (arrival **link = &arrivals, *a; (a = *link) != NULL;) {
        if (a->by->warp->block != b) {
            link = &a->next;
            continue;
        }
        *link = a->next;
        free(a);
    }
    for (unsigned i = 0; i < b->warps * LANES; i++)
        take(queue_of(&b->warp[i / LANES].threads[i % LANES]), any, 0, false);
}

/* The copies are complete: the mbarrier counts the arrival. */
static void trigger(arrival *a)
{
    struct queue *q = queue_of(a->by);
    uint64_t phase;

    for (copy *c = q->first; c; c = c->next)
        if (c->tracked == a)
            move(c);
    phase = simt_mbarrier_late_arrival(a->barrier, a->bytes == 0, a->bytes);
    for (copy *c = q->first; c; c = c->next)
        if (c->tracked == a) {
            c->tracked = NULL;
            c->barrier = a->barrier;
            c->phase = phase;
            counted++;
        }
    free(a);
}

static void progress(void)
{
    uint64_t random = simt_draw_apart();
    arrival **link = &arrivals, *a;

    if (!arrivals || random & 1)
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

static uint64_t awaited_phase;

static bool is_counted(const copy *c, uint64_t barrier)
{
    return c->barrier && c->barrier == barrier && c->phase <= awaited_phase;
}

static void waited(uintptr_t barrier, uint64_t phase)
{
    const block *b = m.block;

    awaited_phase = phase;
    for (unsigned i = 0; counted && i < b->warps * LANES; i++)
        take(queue_of(&b->warp[i / LANES].threads[i % LANES]), is_counted, barrier, false);
}

static simt_primitive primitive = {.block_ends = block_ends, .progress = progress, .waited = waited};

/* --- findings */

static void touched(const simt_watch *w, unsigned kind, const void *place)
{
    const copy *c = w->owner;
    const bool writes = kind & SIMT_IS_WRITE, source = w == &c->from;
    char name[256];

    if (source && !writes)
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

static void refuse(const char *why, const void *place)
{
    simt_report(API, NULL, 0, place, "%s", why);
    simt_stop(cudaErrorLaunchFailure);
}

static void check(uintptr_t to, uintptr_t from, unsigned alignment, const void *place)
{
    if (to - (uintptr_t)m.block->arena >= SIMT_ARENA)
        refuse("the destination of an asynchronous copy is in the block's shared memory", place);
    if (simt_is_shared(from))
        refuse("the source of an asynchronous copy is in global memory", place);
    simt_check_alignment((void *)to, alignment, SIMT_IS_WRITE, place);
    simt_check_alignment((void *)from, alignment, 0, place);
}

static void watch(copy *c)
{
    c->to.touched = c->from.touched = touched;
    c->to.owner = c->from.owner = c;
    c->to.size = c->size;
    c->from.size = c->taken;
    simt_watch_add(&c->to);
    if (c->taken)
        simt_watch_add(&c->from);
}

/* --- the instructions */

/* Some of the thread's copies take place now. */
static void move_some(const struct queue *q)
{
    for (copy *c = q->first; c; c = c->next)
        if (!(simt_draw_apart() & 3))
            move(c);
}

static const uint64_t NO_GROUP = UINT64_MAX; /* of a bulk copy: no wait for groups is for it */

/* Issues a copy of one piece. */
static copy *issue(uintptr_t to, uintptr_t from, unsigned size, unsigned taken, const void *place)
{
    struct queue *q = queue_of(simt_current);
    copy *c = calloc(1, sizeof *c);

    if (!c)
        simt_stop(cudaErrorMemoryAllocation);
    c->to.address = to;
    c->from.address = from;
    c->size = size;
    c->taken = taken;
    c->group = q->groups;
    c->place = place;
    c->block = simt_current->warp->block->index;
    c->thread = simt_current->index;
    if (simt_checking)
        watch(c);
    *q->end = c;
    q->end = &c->next;
    return c;
}

void simt_async_copy(void *to, const void *from, uint32_t size, uint32_t taken)
{
    const void *place = __builtin_return_address(0);

    simt_use(&primitive);
    if (size != 4 && size != 8 && size != 16)
        refuse("an asynchronous copy is of 4, 8 or 16 bytes", place);
    check((uintptr_t)to, (uintptr_t)from, size, place);
    if (taken > size)
        taken = size;
    if (simt_checking) {
        simt_access(from, taken, 0, place);
        simt_access(to, size, SIMT_IS_WRITE, place);
    }
    issue((uintptr_t)to, (uintptr_t)from, size, taken, place);
    move_some(queue_of(simt_current));
}

static arrival *add_arrival(uintptr_t barrier, unsigned bytes)
{
    arrival *a = calloc(1, sizeof *a), **link = &arrivals;

    if (!a)
        simt_stop(cudaErrorMemoryAllocation);
    a->by = simt_current;
    a->barrier = barrier;
    a->bytes = bytes;
    while (*link)
        link = &(*link)->next;
    return *link = a;
}

void simt_bulk_copy(void *to, const void *from, uint32_t size, void *barrier)
{
    const void *place = __builtin_return_address(0);
    arrival *a;

    simt_use(&primitive);
    if (size % SIMT_WATCHED_BYTES != 0)
        refuse("a bulk copy is of a multiple of 16 bytes", place);
    check((uintptr_t)to, (uintptr_t)from, SIMT_WATCHED_BYTES, place);
    if (simt_checking) {
        simt_access(from, size, 0, place);
        simt_access(to, size, SIMT_IS_WRITE, place);
    }
    if (!simt_mbarrier_announce((uintptr_t)barrier, false, place) || size == 0)
        return;
    a = add_arrival((uintptr_t)barrier, size);
    for (uint32_t i = 0; i < size; i += SIMT_WATCHED_BYTES) {
        copy *c = issue((uintptr_t)to + i, (uintptr_t)from + i, SIMT_WATCHED_BYTES, SIMT_WATCHED_BYTES, place);

        c->group = NO_GROUP;
        c->tracked = a;
    }
}

void simt_async_commit(void)
{
    struct queue *q = queue_of(simt_current);

    simt_use(&primitive);
    q->groups++;
    move_some(q);
}

void simt_async_wait(uint64_t newest)
{
    struct queue *q = queue_of(simt_current);

    simt_use(&primitive);
    if (newest < q->groups)
        take(q, of_group_below, q->groups - newest, true);
    move_some(q);
}

void simt_async_wait_all(void)
{
    simt_use(&primitive);
    take(queue_of(simt_current), of_group_below, NO_GROUP, true);
}

void simt_async_arrive(void *at, int counts)
{
    const void *place = __builtin_return_address(0);
    const struct queue *q;
    const arrival *a;

    simt_use(&primitive);
    q = queue_of(simt_current);
    for (const copy *c = q->first; c; c = c->next)
        if (!c->tracked && !c->barrier)
            record(c);
    if (!simt_mbarrier_announce((uintptr_t)at, !counts, place))
        return;
    a = add_arrival((uintptr_t)at, 0);
    for (copy *c = q->first; c; c = c->next)
        if (!c->tracked && !c->barrier)
            c->tracked = a;
}
