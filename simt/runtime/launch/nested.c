/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Grids that kernels launch (dynamic parallelism as of CUDA 12). A grid is complete when all grids that it launched are. CUDA promises no
 * more than that a grid in a stream of the device runs between its launch and then, so here it runs when the grid that launched it
 * has ended: in the order of the launches of its stream, and among streams in one that the seed draws. Each block has a default stream of its
 * own; what is launched into cudaStreamFireAndForget is in no stream; what is launched into cudaStreamTailLaunch comes one after
 * the other when all else is complete.
 */
#include "nested.h"

#include <stdlib.h>
#include <string.h>

enum { ACTORS = 32 /* of streams that are told apart at a time; of more, some count as one */ };

typedef struct nested {
    struct nested *next;
    simt_operation operation; /* its `stream` is what the thread named; `owned` has the arguments */
    uint64_t block;           /* that launched it */
    uint64_t number;          /* of its stream, which may be destroyed, and its memory another's, before this runs */
    struct simt_fork *fork;
} nested;

typedef struct grid {
    struct grid *parent;
    unsigned actor;
    int device;
    const struct simt_launched *launched;
    nested *first, **end, *tail, **tail_end;
    bool began;  /* something was kept; before that, `before` and `all` are not set */
    bool events; /* some operations are of events: then they run in the order of their calls */
    simt_moment before, all;
    unsigned used;
    struct {
        uint64_t block;
        cudaStream_t stream;
        uint64_t number;
        unsigned actor;
    } chain[ACTORS];
} grid;

static grid root; /* of the host's launch */
static grid *top; /* the one that runs or ran last; below it those that wait for it */
static unsigned pool[ACTORS], pool_used, pool_next;

/* --- in kernels */

bool simt_nest(const simt_operation *operation)
{
    nested *n = calloc(1, sizeof *n);

    if (!n || !top) {
        free(n);
        return false;
    }
    if (!top->began) {
        top->began = true;
        simt_nested_launches();
        simt_actor_moment(top->actor, &top->before);
        top->all = top->before;
    }
    n->operation = *operation;
    n->block = ((uint64_t)m.block->index.z << 40 | (uint64_t)m.block->index.y << 20) ^ m.block->index.x;
    n->number = simt_stream_number(operation->stream);
    n->fork = simt_fork_new();
    if (operation->stream == cudaStreamTailLaunch) {
        *top->tail_end = n;
        top->tail_end = &n->next;
    } else {
        *top->end = n;
        top->end = &n->next;
    }
    top->events |= operation->of_event;
    return true;
}

bool simt_is_nested(void)
{
    return top && top != &root;
}

/* --- after the grid */

static unsigned actor_of(const nested *n)
{
    unsigned i;

    for (i = 0; i < top->used; i++)
        if (top->chain[i].block == n->block && top->chain[i].stream == n->operation.stream &&
            top->chain[i].number == n->number && n->operation.stream != cudaStreamFireAndForget)
            return top->chain[i].actor;
    if (pool_used < ACTORS)
        pool[pool_used++] = simt_actor_new(SIMT_OF_GRAPH);
    i = top->used < ACTORS ? top->used++ : ACTORS - 1;
    top->chain[i].block = n->block;
    top->chain[i].stream = n->operation.stream;
    top->chain[i].number = n->number;
    top->chain[i].actor = pool[pool_next++ % pool_used];
    return top->chain[i].actor;
}

/* Is it the first of its stream? */
static bool is_head(const nested *n)
{
    for (const nested *before = top->first; before != n; before = before->next)
        if (before->block == n->block && before->operation.stream == n->operation.stream &&
            before->number == n->number && n->operation.stream != cudaStreamFireAndForget)
            return false;
    return true;
}

enum { CHOICES = 64 /* heads among which one is drawn; not tuned */ };

static nested *take_next(void)
{
    nested **choice[CHOICES], **link, *n;
    unsigned heads = 0;

    for (link = &top->first; *link && heads < CHOICES; link = &(*link)->next)
        if (top->events ? heads == 0 : is_head(*link))
            choice[heads++] = link;
    if (!heads)
        return NULL;
    link = choice[simt_current_seed ? simt_mix(simt_current_seed ^ simt_mix(simt_launch_number)) % heads : 0];
    n = *link;
    *link = n->next;
    if (top->end == &n->next)
        top->end = link;
    return n;
}

static void begin(grid *g, struct simt_launched *launched, unsigned actor)
{
    *g = (grid){.parent = top, .actor = actor, .launched = launched};
    g->end = &g->first;
    g->tail_end = &g->tail;
    top = g;
}

static bool push(struct simt_launched *launched, unsigned actor)
{
    grid *g = malloc(sizeof *g);

    if (g)
        begin(g, launched, actor);
    if (g)
        g->device = root.device;
    return g != NULL;
}

static void pop(void)
{
    grid *g = top;

    top = g->parent;
    if (g != &root)
        free(g);
}

static void run(nested *n, bool tail)
{
    unsigned actor = tail ? top->actor : actor_of(n);
    struct simt_launched *launched;
    grid *parent = top;

    n->operation.actor = actor;
    simt_actor_waits(actor, tail ? &parent->all : &parent->before);
    if (n->operation.run != simt_run_launch) {
        simt_node_actor = actor + 1;
        n->operation.run(&n->operation);
        simt_node_actor = 0;
        simt_fork_drop(n->fork);
        simt_moment_join(&parent->all, actor);
        return;
    }
    launched = simt_launched_new(actor, &n->operation.request);
    if (tail) {
        simt_fork_drop(n->fork);
        simt_launched_forked_as(launched, parent->launched);
    } else {
        simt_launched_forked(launched, parent->launched, n->fork);
    }
    if (push(launched, actor))
        simt_start_launch(&n->operation.request, launched, top->device);
}

static void finish(void)
{
    grid *g = top;

    if (g->began) {
        simt_moment_join(&g->all, g->actor);
        simt_actor_waits(g->actor, &g->all);
    }
    if (g->parent)
        simt_moment_join(&g->parent->all, g->actor);
    pop();
}

static void drop(nested *list)
{
    for (nested *next; list; list = next) {
        next = list->next;
        simt_fork_drop(list->fork);
        free(list->operation.owned);
        free(list);
    }
}

void simt_drop_nested(void)
{
    while (top) {
        drop(top->first);
        drop(top->tail);
        pop();
    }
}

void simt_finish_nested(void)
{
    while (top && !m.suspended) {
        nested *n = take_next();
        bool tail = !n && top->tail;

        if (tail) {
            n = top->tail;
            top->tail = n->next;
            if (!top->tail)
                top->tail_end = &top->tail;
        }
        if (simt_sticky != cudaSuccess) {
            simt_drop_nested();
        } else if (n) {
            run(n, tail);
        } else {
            finish();
            continue;
        }
        if (n) {
            free(n->operation.owned);
            free(n);
        }
    }
}

void simt_start_whole(const simt_launch_request *request, struct simt_launched *launched, int device)
{
    simt_drop_nested();
    begin(&root, launched, simt_actor_of(request->stream));
    root.device = device;
    simt_start_launch(request, launched, device);
    simt_finish_nested();
}

void simt_run_launch(simt_operation *operation)
{
    simt_start_whole(&operation->request, operation->launched, operation->device);
}
