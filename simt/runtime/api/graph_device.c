/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Graphs that kernels of graphs launch. What a graph launches to be done at once (fire and forget) is its environment, which ends when all of it has
 * ended; then come its tail launches, one after the other, those of a tail graph before the rest. A sibling is of the environment around:
 * that of the graph which launched this one, or of the launch by the host, which ends when all is done. Here a graph runs when the kernel
 * that launched it has ended, or after later nodes, as the seed draws. To the detector it comes after what the launching thread knew
 * (detect/actor.h), a copy or a fill only while no kernel of the graph has run, and what follows the environment comes after it; nothing else does.
 */
#include "graph.h"

#include "../launch/nested.h"

#include <stdlib.h>

enum {
    FIRE_AND_FORGET = 120,
    TAILS = 255,   /* of one run of a graph: CUDA's limits */
    RUNS = 1 << 20 /* by tail, behind one launch: more count as never ending, as rounds of a conditional node do */
};

typedef struct device_launch {
    struct device_launch *next;
    cudaGraphExec_t exec;
    uint64_t parent; /* the launch of which a thread launched it; 0: the host did, or races are not looked for */
    struct simt_fork *fork;
    bool kernels; /* one has run in it, or where it is the tail: that may have learnt more of the parent than `fork` */
    bool ended;   /* the kernel: then `before` is set */
    simt_moment before;
    const void *place;
} device_launch;

struct simt_environment {
    struct simt_environment *around; /* NULL: that of a launch by the host */
    device_launch *from;
    device_launch *first, *done, *tail;
    unsigned count, tails;
    simt_moment all;
    cudaStream_t stream;
    simt_run_nodes *run;
};

static struct simt_environment *of_kernel; /* of the node that runs; NULL: the kernel is of no graph */
static bool waited; /* a kernel of a graph waits for the host, or for one that does: its graph has been left */

/* --- in kernels */

static bool is_for_device(cudaGraphExec_t exec)
{
    return exec->flags & cudaGraphInstantiateFlagDeviceLaunch;
}

static const char *wrong_tail(cudaGraphExec_t exec)
{
    bool itself = exec == of_kernel->from->exec;

    for (const device_launch *l = of_kernel->tail; l && itself; l = l->next)
        if (l->exec == exec)
            return "the graph has launched itself already";
    return of_kernel->tails == TAILS ? "more than 255 tail launches of a graph" : NULL;
}

static const char *wrong(cudaGraphExec_t exec, cudaStream_t stream)
{
    const struct simt_environment *e = of_kernel;

    if (!e || simt_is_nested())
        return e || !waited ? "only a kernel that is a node of a graph may launch one"
                            : "not supported where the launching graph waits for the host";
    if (stream != cudaStreamGraphTailLaunch && stream != cudaStreamGraphFireAndForget &&
        stream != cudaStreamGraphFireAndForgetAsSibling)
        return "the stream is none of cudaStreamGraphFireAndForget, cudaStreamGraphFireAndForgetAsSibling and "
               "cudaStreamGraphTailLaunch";
    if (!exec)
        return "no such executable graph, or it was destroyed";
    if (!is_for_device(exec))
        return "the graph was instantiated without cudaGraphInstantiateFlagDeviceLaunch";
    if (!exec->uploaded)
        return "the graph was not uploaded, or was changed since";
    if (stream == cudaStreamGraphTailLaunch)
        return wrong_tail(exec);
    if (exec->busy)
        return "the graph is running already, or nothing orders its end before";
    e = stream == cudaStreamGraphFireAndForgetAsSibling ? e->around : e;
    return e->count == FIRE_AND_FORGET ? "more than 120 graphs launched by one to run beside it" : NULL;
}

static void append(device_launch **list, device_launch *l)
{
    while (*list)
        list = &(*list)->next;
    *list = l;
}

cudaError_t simt_graph_launch_in_kernel(cudaGraphExec_t exec, cudaStream_t stream, const void *place)
{
    const char *reason = wrong(exec, stream);
    struct simt_environment *e = of_kernel;
    device_launch *l;

    if (reason) {
        simt_report(API, NULL, 0, place, "cudaGraphLaunch in a kernel: %s", reason);
        return cudaErrorInvalidValue; /* to the kernel alone */
    }
    l = calloc(1, sizeof *l);
    if (!l)
        return cudaErrorMemoryAllocation;
    l->exec = exec;
    l->place = place;
    if (stream == cudaStreamGraphTailLaunch) {
        e->tails++;
        append(&e->tail, l);
        return cudaSuccess;
    }
    simt_nested_launches();
    l->parent = simt_launched_number();
    l->fork = simt_fork_new();
    exec->busy++;
    if (stream == cudaStreamGraphFireAndForgetAsSibling)
        e = e->around;
    e->count++;
    append(&e->first, l);
    return cudaSuccess;
}

cudaGraphExec_t simt_current_graph(void)
{
    SIMT_CALL;

    return simt_current && simt_no_nested && !simt_is_nested() ? of_kernel->from->exec : NULL;
}

/* --- around them */

static unsigned actor_of(cudaGraphExec_t exec)
{
    if (!exec->own)
        exec->own = simt_actor_new(SIMT_OF_GRAPH) + 1;
    return exec->own - 1;
}

static cudaError_t run_with_tails(struct simt_environment *around, device_launch *first, unsigned actor);

static void end(device_launch *l)
{
    simt_fork_drop(l->fork);
    free(l);
}

static cudaError_t start(struct simt_environment *e, device_launch **link)
{
    device_launch *l = *link, *copy = malloc(sizeof *copy);
    unsigned actor = actor_of(l->exec);
    cudaError_t error = cudaErrorMemoryAllocation;

    *link = l->next;
    simt_actor_waits(actor, &l->before);
    if (copy) {
        *copy = *l;
        l->fork = NULL;
        error = run_with_tails(e, copy, actor);
    }
    simt_moment_join(&e->all, actor);
    l->next = e->done;
    e->done = l; /* until the environment ends, nothing is ordered behind it: it counts as running */
    return error;
}

static bool draw(void)
{
    static uint64_t draws;

    return !simt_current_seed || simt_mix(simt_current_seed ^ simt_mix(simt_launch_number ^ ++draws << 32)) % 2;
}

static void note_moment(device_launch *l, unsigned actor)
{
    for (; l; l = l->next)
        if (!l->ended) {
            simt_actor_moment(actor, &l->before);
            l->ended = true;
        }
}

void simt_graph_kernel_begins(struct simt_environment *e)
{
    of_kernel = e;
    simt_forked_parent = e->from->parent;
    simt_forked = e->from->fork;
    e->from->kernels = true;
    simt_no_nested = is_for_device(e->from->exec);
}

void simt_graph_transfer_begins(struct simt_environment *e)
{
    if (!e->from->kernels)
        simt_transfers_forked(e->from->parent, e->from->fork);
}

cudaError_t simt_graph_kernel_ended(struct simt_environment *e, unsigned actor, cudaError_t error)
{
    of_kernel = NULL;
    simt_forked_parent = 0;
    simt_no_nested = false;
    waited |= m.suspended || simt_is_pending(e->stream);
    note_moment(e->first, actor);
    note_moment(e->around->first, actor);
    for (device_launch **link = &e->first; *link && error == cudaSuccess;)
        if (draw())
            error = start(e, link);
        else
            link = &(*link)->next;
    return error;
}

/* What is left of it, in an order that is drawn. Behind this comes what follows in the actor. */
static cudaError_t finish(struct simt_environment *e, unsigned actor, cudaError_t error)
{
    while (e->first && error == cudaSuccess) {
        device_launch **link = &e->first;

        while ((*link)->next && !draw())
            link = &(*link)->next;
        error = start(e, link);
    }
    append(&e->done, e->first);
    e->first = NULL;
    for (device_launch *l = e->done, *next; l; l = next) {
        next = l->next;
        l->exec->busy--;
        end(l);
    }
    simt_actor_waits(actor, &e->all);
    return error;
}

static cudaError_t run_one(struct simt_environment *around, device_launch *l, unsigned actor, device_launch **tail)
{
    struct simt_environment e = {.around = around, .from = l, .stream = around->stream, .run = around->run};
    cudaError_t error;

    l->exec->busy++;
    error = finish(&e, actor, e.run(l->exec, &e, e.stream, actor));
    l->exec->busy--;
    for (device_launch *t = e.tail; t; t = t->next) { /* they are in its place */
        t->parent = l->parent;
        t->fork = simt_fork_copy(l->fork);
        t->kernels = l->kernels;
    }
    append(&e.tail, *tail);
    *tail = e.tail;
    return error;
}

static cudaError_t never_ends(const device_launch *l)
{
    simt_report(HANG, NULL, 0, l->place, "graphs have launched graphs by tail %u times", (unsigned)RUNS);
    simt_report_findings(true);
    return simt_fail(cudaErrorLaunchTimeout);
}

static cudaError_t run_with_tails(struct simt_environment *around, device_launch *list, unsigned actor)
{
    cudaError_t error = cudaSuccess;

    list->next = NULL;
    for (unsigned runs = 0; list; runs++) {
        device_launch *l = list;

        list = l->next;
        if (runs == RUNS && error == cudaSuccess)
            error = never_ends(l);
        if (runs && l->exec->busy && error == cudaSuccess) {
            simt_report(API, NULL, 0, l->place,
                        "cudaGraphLaunch in a kernel: a tail launch of a graph that is still running");
        } else if (error == cudaSuccess) {
            error = run_one(around, l, actor, &list);
        }
        end(l);
    }
    return error;
}

cudaError_t simt_launch_graph(cudaGraphExec_t exec, cudaStream_t stream, unsigned actor, simt_run_nodes *nodes)
{
    struct simt_environment host = {.stream = stream, .run = nodes};
    device_launch *l = calloc(1, sizeof *l);

    if (!l)
        return simt_fail(cudaErrorMemoryAllocation);
    l->exec = exec;
    exec->uploaded = true;
    return finish(&host, actor, run_with_tails(&host, l, actor));
}
