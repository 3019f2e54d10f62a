/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA runtime calls: executable graphs. A launch runs the nodes one after the other, in an order that the seed draws among those that the
 * edges permit; seed 0 takes the one in which they were made. Each node runs as the call of a stream that does the same, but its order is
 * that of its own actor (detect/actor.h): a chain of nodes that follow each other is one, and the first chain is the stream's.
 */
#include "capture.h"

#include "../launch/launch.h"
#include "../memory/memory.h"

#include <stdlib.h>
#include <string.h>

static cudaGraphExec_t execs;

static bool is_exec(cudaGraphExec_t exec)
{
    for (cudaGraphExec_t e = execs; e; e = e->next)
        if (e == exec)
            return true;
    return false;
}

static cudaError_t check_exec(cudaGraphExec_t exec, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess || is_exec(exec))
        return error;
    return simt_refuse(cudaErrorInvalidValue, call, "no such executable graph, or it was destroyed");
}

/* --- instantiation */

/* Is there an order of the nodes? Counts those that can be done. */
static bool has_order(cudaGraph_t graph)
{
    size_t done = 0, before;

    for (cudaGraphNode_t n = graph->nodes; n; n = n->next)
        n->done = false;
    do {
        before = done;
        for (cudaGraphNode_t n = graph->nodes; n; n = n->next) {
            bool ready = !n->done;

            for (size_t i = 0; i < n->after.count && ready; i++)
                ready = n->after.node[i]->done;
            n->done |= ready;
            done += ready;
        }
    } while (done != before);
    return done == graph->count;
}

/* What bodies of conditional nodes may hold (CUDA's documents). */
static bool is_body_node(cudaGraphNodeType type)
{
    return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeEmpty || type == cudaGraphNodeTypeGraph ||
           type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeConditional;
}

static cudaError_t check_structure(cudaGraph_t graph, bool body, const char *call)
{
    cudaError_t error = cudaSuccess;

    if (!has_order(graph))
        return simt_refuse(cudaErrorInvalidValue, call, "the edges of the graph form a cycle");
    for (cudaGraphNode_t n = graph->nodes; n && error == cudaSuccess; n = n->next) {
        if (body && !is_body_node(n->type))
            error =
                simt_refuse(cudaErrorNotSupported, call,
                            "a body of a conditional node has a node other than kernels, copies, fills, empty ones, "
                            "children and conditional ones");
        if (error == cudaSuccess && n->type == cudaGraphNodeTypeGraph)
            error = check_structure(n->child, body, call);
        for (unsigned i = 0; n->type == cudaGraphNodeTypeConditional && i < n->conditional.size; i++)
            if (error == cudaSuccess)
                error = check_structure(n->conditional.body[i], true, call);
    }
    return error;
}

/* Can the device do it? Of the host, only memory that is pinned. */
static const char *wrong_copy(const cudaMemcpy3DParms *p)
{
    const void *host = p->kind == cudaMemcpyHostToDevice   ? p->srcPtr.ptr
                       : p->kind == cudaMemcpyDeviceToHost ? p->dstPtr.ptr
                                                           : NULL;

    if (p->srcArray || p->dstArray)
        return "a copy from or to an array, in a graph for launches from the device";
    return host && !simt_allocation_at((uintptr_t)host) && !simt_registered_at(host)
               ? "a copy from or to pageable memory, in a graph for launches from the device"
               : NULL;
}

/* Of a graph for launches from the device; *work: it has a node that does something. */
static const char *wrong_node(cudaGraph_t graph, bool *work)
{
    const char *reason = NULL;

    for (cudaGraphNode_t n = graph->nodes; n && !reason; n = n->next) {
        if (n->type == cudaGraphNodeTypeGraph)
            reason = wrong_node(n->child, work);
        else if (n->type == cudaGraphNodeTypeMemcpy)
            reason = wrong_copy(&n->copy);
        else if (n->type != cudaGraphNodeTypeKernel && n->type != cudaGraphNodeTypeMemset)
            reason = "a graph for launches from the device has a node other than kernels, copies, fills and children";
        *work |= n->type != cudaGraphNodeTypeGraph;
    }
    return reason;
}

static cudaError_t check_for_device(cudaGraph_t graph, unsigned long long flags, const char *call)
{
    bool work = false;
    const char *reason = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch
                             ? "cudaGraphInstantiateFlagAutoFreeOnLaunch together with launches from the device"
                             : wrong_node(graph, &work);

    if (!reason && !work)
        reason = "a graph for launches from the device has no kernel, copy or fill";
    return reason ? simt_refuse(cudaErrorInvalidValue, call, reason) : cudaSuccess;
}

static bool has_executable(cudaGraph_t graph)
{
    for (cudaGraphExec_t e = execs; e; e = e->next)
        if (e->graph->number == graph->number)
            return true;
    return false;
}

static cudaError_t instantiate(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags, const char *call)
{
    cudaError_t error = simt_check_graph(graph, call);
    cudaGraphExec_t exec;

    if (error == cudaSuccess && flags & cudaGraphInstantiateFlagDeviceLaunch)
        error = check_for_device(graph, flags, call);
    if (error == cudaSuccess && graph->owner)
        error = simt_refuse(cudaErrorInvalidValue, call, "the graph belongs to a node");
    for (const simt_condition *c = error == cudaSuccess ? graph->conditions : NULL; c && error == cudaSuccess;
         c = c->next)
        if (!c->used)
            error = simt_refuse(cudaErrorInvalidValue, call, "no node has the handle of a condition");
    if (error == cudaSuccess && (graph->has_memory || graph->conditions) && has_executable(graph))
        error = simt_refuse(cudaErrorNotSupported, call,
                            "a second executable graph, where nodes allocate memory or are conditional");
    if (error == cudaSuccess)
        error = check_structure(graph, false, call);
    if (error != cudaSuccess)
        return error;
    exec = calloc(1, sizeof *exec);
    if (exec)
        exec->graph = simt_graph_copy(graph);
    if (!exec || !exec->graph)
        return simt_fail(cudaErrorMemoryAllocation);
    exec->flags = flags;
    exec->next = execs;
    execs = exec;
    *made = exec;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    SIMT_CALL;

    return instantiate(exec, graph, flags, "cudaGraphInstantiate");
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    SIMT_CALL;

    return instantiate(exec, graph, flags, "cudaGraphInstantiateWithFlags");
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *p)
{
    SIMT_CALL;
    cudaError_t error = instantiate(exec, graph, p->flags, "cudaGraphInstantiateWithParams");

    if (error == cudaSuccess)
        (*exec)->uploaded = p->flags & cudaGraphInstantiateFlagUpload;
    p->errNode_out = NULL;
    p->result_out = error == cudaSuccess             ? cudaGraphInstantiateSuccess
                    : error == cudaErrorInvalidValue ? cudaGraphInstantiateInvalidStructure
                                                     : cudaGraphInstantiateError;
    return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    SIMT_CALL;
    cudaError_t error = check_exec(exec, "cudaGraphExecGetFlags");

    if (error == cudaSuccess)
        *flags = exec->flags;
    return error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    SIMT_CALL;
    cudaError_t error = check_exec(exec, "cudaGraphExecDestroy");
    cudaGraphExec_t *link = &execs;

    if (error != cudaSuccess)
        return error;
    while (*link != exec)
        link = &(*link)->next;
    *link = exec->next;
    for (unsigned i = 0; i < exec->actor_count; i++)
        simt_actor_end(exec->actors[i]);
    if (exec->own)
        simt_actor_end(exec->own - 1);
    free(exec->actors);
    simt_graph_free(exec->graph);
    free(exec);
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error = simt_check_stream(stream, "cudaGraphUpload");

    if (error == cudaSuccess)
        error = check_exec(exec, "cudaGraphUpload");
    if (error == cudaSuccess)
        exec->uploaded = true;
    return error;
}

/* --- a launch */

typedef struct run {
    cudaGraphExec_t exec;
    cudaStream_t stream;
    uint64_t random;
    unsigned used; /* actors of the exec in this launch */
    struct simt_environment *environment;
} run;

static cudaError_t run_graph(run *r, cudaGraph_t graph, unsigned actor);

static unsigned new_actor(run *r)
{
    cudaGraphExec_t e = r->exec;

    if (r->used == e->actor_count) {
        unsigned *more = realloc(e->actors, (e->actor_count + 1) * sizeof *more);

        if (!more)
            return e->actors ? e->actors[0] : 1; /* a race may be missed */
        e->actors = more;
        e->actors[e->actor_count++] = simt_actor_new(SIMT_OF_GRAPH);
    }
    return e->actors[r->used++];
}

/* The actor of a node: that of a node before it, if no other one has gone on with it; otherwise a new one. */
static void choose_actor(run *r, cudaGraphNode_t node, unsigned first, bool *first_is_free)
{
    for (size_t i = 0; i < node->after.count; i++)
        if (!node->after.node[i]->last) {
            node->after.node[i]->last = node;
            node->actor = node->after.node[i]->actor;
            return;
        }
    node->actor = *first_is_free ? first : new_actor(r);
    *first_is_free = false;
}

static cudaError_t run_copy(const cudaMemcpy3DParms *p, cudaStream_t stream)
{
    if (!p->srcArray && !p->dstArray && p->extent.height == 1 && p->extent.depth == 1 && !p->dstPos.y && !p->dstPos.z &&
        !p->srcPos.y && !p->srcPos.z)
        return cudaMemcpyAsync((char *)p->dstPtr.ptr + p->dstPos.x, (char *)p->srcPtr.ptr + p->srcPos.x,
                               p->extent.width, p->kind, stream);
    return cudaMemcpy3DAsync(p, stream);
}

static cudaError_t run_memory(cudaGraphNode_t node, bool allocates)
{
    uintptr_t start = (uintptr_t)node->memory.memory;
    const allocation *a = simt_allocation_at(start);
    simt_span span = {start, node->memory.size, 0, 1}, none = {.rows = 0};

    if (!a || a->start != start || a->freed != allocates)
        return simt_refuse(cudaErrorInvalidValue, "cudaGraphLaunch",
                           allocates ? "the memory of the launch before was not freed" : "the memory is freed already");
    if (allocates)
        simt_revive(start);
    simt_transfer(node->actor, allocates ? "an allocation" : "a free", span, none, false);
    if (!allocates)
        simt_retire(start);
    return cudaSuccess;
}

enum { ROUNDS = 1 << 20 }; /* of a while: more count as never ending; such a program takes a minute here */

static cudaError_t run_conditional(run *r, cudaGraphNode_t node)
{
    simt_condition *c = node->conditional.condition;
    simt_span span = {(uintptr_t)c->value, sizeof *c->value, 0, 1}, none = {.rows = 0};
    unsigned size = node->conditional.size;
    cudaError_t error = cudaSuccess;

    for (uint64_t round = 0; error == cudaSuccess; round++) {
        unsigned value, body;

        simt_synchronise(r->stream);
        simt_transfer(node->actor, "a conditional node", none, span, false);
        value = *(volatile unsigned *)c->value;
        body = node->conditional.type == cudaGraphCondTypeIf ? !value : value;
        if (node->conditional.type == cudaGraphCondTypeWhile)
            body = value ? 0 : size;
        if (body >= size)
            return cudaSuccess;
        if (round == ROUNDS) {
            simt_report(HANG, NULL, 0, NULL,
                        "node %u of graph %u: the body of a `while` has run %u times, and its condition is still %u",
                        node->number, node->graph->number, (unsigned)ROUNDS, value);
            simt_report_findings(true);
            return simt_fail(cudaErrorLaunchTimeout);
        }
        error = run_graph(r, node->conditional.body[body], node->actor);
        if (node->conditional.type != cudaGraphCondTypeWhile)
            return error;
    }
    return error;
}

static cudaError_t run_kernel(run *r, cudaGraphNode_t node)
{
    simt_launch_request request = node->kernel.request;
    cudaError_t error;

    request.stream = r->stream;
    simt_last_error = cudaSuccess;
    simt_graph_kernel_begins(r->environment);
    simt_launch(&request);
    error = simt_last_error;
    return simt_graph_kernel_ended(r->environment, node->actor, error);
}

static cudaError_t run_transfer(run *r, cudaGraphNode_t node)
{
    cudaError_t error;

    simt_graph_transfer_begins(r->environment);
    if (node->type == cudaGraphNodeTypeMemcpy)
        error = run_copy(&node->copy, r->stream);
    else
        error = simt_fill_elements(node->fill.dst, node->fill.pitch, node->fill.value, node->fill.elementSize,
                                   node->fill.width, node->fill.height, r->stream);
    simt_transfers_forked(0, NULL);
    return error;
}

static cudaError_t run_contents(run *r, cudaGraphNode_t node)
{
    switch (node->type) {
    case cudaGraphNodeTypeKernel:
        return run_kernel(r, node);
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
        return run_transfer(r, node);
    case cudaGraphNodeTypeHost:
        return cudaLaunchHostFunc(r->stream, node->host.fn, node->host.userData);
    case cudaGraphNodeTypeGraph:
        return run_graph(r, node->child, node->actor);
    case cudaGraphNodeTypeWaitEvent:
        return cudaStreamWaitEvent(r->stream, node->event, 0);
    case cudaGraphNodeTypeEventRecord:
        return cudaEventRecord(node->event, r->stream);
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
        return run_memory(node, node->type == cudaGraphNodeTypeMemAlloc);
    case cudaGraphNodeTypeConditional:
        return run_conditional(r, node);
    default:
        return cudaSuccess;
    }
}

static cudaError_t run_node(run *r, cudaGraphNode_t node, const simt_moment *start)
{
    unsigned outer = simt_node_actor;
    simt_node_name named = simt_issuing;
    cudaError_t error = cudaSuccess;

    simt_actor_waits(node->actor, start);
    for (size_t i = 0; i < node->after.count; i++)
        simt_actor_waits(node->actor, &node->after.node[i]->moment);
    simt_node_actor = node->actor + 1;
    simt_issuing = (simt_node_name){node->graph->number, node->number};
    if (!node->disabled)
        error = run_contents(r, node);
    simt_actor_moment(node->actor, &node->moment);
    simt_node_actor = outer;
    simt_issuing = named;
    return error;
}

static bool is_ready(cudaGraphNode_t n, bool frees)
{
    return !n->done && !n->left && (n->type == cudaGraphNodeTypeMemFree) == frees;
}

/* Nodes that free memory come as late as they can: so a node that uses it without an edge to them is a race, which names both. */
static cudaGraphNode_t draw_node(run *r, cudaGraph_t graph)
{
    size_t ready = 0, frees = 0, chosen;

    for (cudaGraphNode_t n = graph->nodes; n; n = n->next) {
        ready += is_ready(n, false);
        frees += is_ready(n, true);
    }
    r->random = simt_mix(r->random);
    chosen = simt_current_seed && ready + frees ? r->random % (ready ? ready : frees) : 0;
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next)
        if (is_ready(n, !ready) && chosen-- == 0)
            return n;
    return NULL;
}

/* `actor` is that of the stream, or of the node to which the graph belongs. */
static cudaError_t run_graph(run *r, cudaGraph_t graph, unsigned actor)
{
    cudaError_t error = cudaSuccess;
    bool first_is_free = true;
    simt_moment start;

    simt_actor_moment(actor, &start);
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next) {
        n->done = false;
        n->left = (unsigned)n->after.count;
        n->last = NULL;
    }
    for (cudaGraphNode_t n; error == cudaSuccess && (n = draw_node(r, graph)) != NULL;) {
        choose_actor(r, n, actor, &first_is_free);
        error = run_node(r, n, &start);
        n->done = true;
        for (cudaGraphNode_t k = graph->nodes; k; k = k->next)
            for (size_t i = 0; i < k->after.count; i++)
                k->left -= k->after.node[i] == n;
    }
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next) {
        if (n->done)
            simt_actor_waits(actor, &n->moment);
        if (n->done &&
            n->type == cudaGraphNodeTypeHost) /* not earlier: what the function tells is not told to other nodes */
            simt_host_waits(&n->moment);
    }
    return error;
}

static void free_memory(cudaGraph_t graph)
{
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next)
        if (n->type == cudaGraphNodeTypeMemAlloc) {
            const allocation *a = simt_allocation_at((uintptr_t)n->memory.memory);

            if (a && !a->freed)
                simt_retire(a->start);
        }
}

static cudaError_t run_nodes(cudaGraphExec_t exec, struct simt_environment *environment, cudaStream_t stream,
                             unsigned actor)
{
    run r = {.exec = exec, .stream = stream, .environment = environment};
    cudaError_t error;

    r.random = simt_current_seed ^ simt_mix(exec->graph->number + (++exec->launches << 16));
    simt_actor_waits(actor, &exec->last); /* launches of an executable graph follow each other */
    if (exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch)
        free_memory(exec->graph);
    for (const simt_condition *c = exec->graph->conditions; c; c = c->next)
        if (c->assigned)
            *c->value = c->initial;
    error = run_graph(&r, exec->graph, actor);
    simt_actor_moment(actor, &exec->last);
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    SIMT_CALL;
    cudaError_t error;

    if (simt_current)
        return simt_graph_launch_in_kernel(is_exec(exec) ? exec : NULL, stream, __builtin_return_address(0));
    error = simt_stream_ready(stream, "cudaGraphLaunch");
    if (error == cudaSuccess)
        error = check_exec(exec, "cudaGraphLaunch");
    if (error == cudaSuccess && simt_is_captured(stream))
        return simt_capture_child(stream, exec->graph);
    if (error != cudaSuccess)
        return error;
    simt_run_late(stream);
    return simt_launch_graph(exec, stream, simt_actor_of(stream), run_nodes);
}

/* --- changes */

static cudaError_t find_node(cudaGraphExec_t exec, cudaGraphNode_t *node, const char *call)
{
    cudaError_t error = check_exec(exec, call);
    cudaGraphNode_t found;

    if (error == cudaSuccess)
        error = simt_check_node(*node, cudaGraphNodeTypeCount, call);
    if (error != cudaSuccess)
        return error;
    found = simt_node_of_original(exec->graph, (*node)->original);
    if (!found)
        return simt_refuse(cudaErrorInvalidValue, call, "the node is not of the graph that was instantiated");
    *node = found;
    return cudaSuccess;
}

static bool same_structure(cudaGraph_t a, cudaGraph_t b, cudaGraphExecUpdateResultInfo *result);

/* Are edges the same, by the numbers of the nodes? */
static bool same_edges(cudaGraphNode_t a, cudaGraphNode_t b)
{
    if (a->after.count != b->after.count)
        return false;
    for (size_t i = 0; i < a->after.count; i++) {
        bool found = false;

        for (size_t k = 0; k < b->after.count && !found; k++)
            found = b->after.node[k]->left == a->after.node[i]->left;
        if (!found)
            return false;
    }
    return true;
}

static bool differs(cudaGraphExecUpdateResultInfo *result, cudaGraphExecUpdateResult why, cudaGraphNode_t node)
{
    result->result = why;
    result->errorNode = node;
    return false;
}

static bool may_become(cudaGraphNode_t old, cudaGraphNode_t new, cudaGraphExecUpdateResultInfo *result)
{
    if (old->type != new->type)
        return differs(result, cudaGraphExecUpdateErrorNodeTypeChanged, new);
    if (!same_edges(old, new))
        return differs(result, cudaGraphExecUpdateErrorTopologyChanged, new);
    if (old->type == cudaGraphNodeTypeGraph)
        return same_structure(old->child, new->child, result);
    if (old->type == cudaGraphNodeTypeMemcpy && old->copy.kind != new->copy.kind)
        return differs(result, cudaGraphExecUpdateErrorParametersChanged, new);
    if (old->type == cudaGraphNodeTypeMemAlloc || old->type == cudaGraphNodeTypeMemFree ||
        old->type == cudaGraphNodeTypeConditional)
        return old->type != cudaGraphNodeTypeConditional && old->memory.memory == new->memory.memory
                   ? true
                   : differs(result, cudaGraphExecUpdateErrorNotSupported, new);
    return true;
}

/* Nodes correspond to each other in the order in which they were made. */
static bool same_structure(cudaGraph_t a, cudaGraph_t b, cudaGraphExecUpdateResultInfo *result)
{
    unsigned i = 0, k = 0;

    if (a->count != b->count)
        return differs(result, cudaGraphExecUpdateErrorTopologyChanged, NULL);
    for (cudaGraphNode_t n = a->nodes; n; n = n->next)
        n->left = i++;
    for (cudaGraphNode_t n = b->nodes; n; n = n->next)
        n->left = k++;
    for (cudaGraphNode_t old = a->nodes, new = b->nodes; old; old = old->next, new = new->next)
        if (!may_become(old, new, result))
            return false;
    return true;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *result)
{
    SIMT_CALL;
    static const char call[] = "cudaGraphExecUpdate";
    cudaError_t error = check_exec(exec, call);
    cudaGraph_t copy;

    if (error == cudaSuccess)
        error = simt_check_graph(graph, call);
    if (error != cudaSuccess)
        return error;
    *result = (cudaGraphExecUpdateResultInfo){cudaGraphExecUpdateSuccess, NULL, NULL};
    if (!same_structure(exec->graph, graph, result)) /* a program that asks first and then instantiates anew is right */
        return simt_fail(cudaErrorGraphExecUpdateFailure);
    copy = simt_graph_copy(graph);
    if (!copy)
        return simt_fail(cudaErrorMemoryAllocation);
    for (cudaGraphNode_t old = exec->graph->nodes, new = copy->nodes; old; old = old->next, new = new->next)
        new->original = old->original; /* its nodes are still those of the graph that was instantiated */
    copy->number = exec->graph->number;
    exec->uploaded = false;
    simt_graph_free(exec->graph);
    exec->graph = copy;
    return cudaSuccess;
}

/* What may not change in an executable graph, though it may in a graph: the direction of a copy, one row or several. */
static cudaError_t check_change(cudaGraphNode_t node, const cudaGraphNodeParams *p, const char *call)
{
    if (p->type == cudaGraphNodeTypeMemcpy && node->copy.kind != p->memcpy.copyParams.kind)
        return simt_refuse(cudaErrorInvalidValue, call, "a copy in another direction");
    if (p->type == cudaGraphNodeTypeMemset && (node->fill.height > 1) != (p->memset.height > 1))
        return simt_refuse(cudaErrorInvalidValue, call, "a fill of several rows instead of one, or the reverse");
    return cudaSuccess;
}

static cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaGraphNodeParams *p, const char *call)
{
    cudaError_t error = find_node(exec, &node, call);
    cudaGraphExecUpdateResultInfo result;

    if (error == cudaSuccess)
        error = simt_check_node(node, p->type, call);
    if (error == cudaSuccess)
        error = check_change(node, p, call);
    if (error == cudaSuccess && p->type == cudaGraphNodeTypeGraph) {
        error = simt_check_graph(p->graph.graph, call);
        if (error == cudaSuccess && !same_structure(node->child, p->graph.graph, &result))
            error = simt_refuse(cudaErrorGraphExecUpdateFailure, call, "the child has other nodes or edges");
    }
    if (error == cudaSuccess)
        exec->uploaded = false;
    return error == cudaSuccess ? simt_set_parameters(node, p, call) : error;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams *p)
{
    SIMT_CALL;

    return change(exec, node, p, "cudaGraphExecNodeSetParams");
}

#define SET(name, number, field, parameter)                                                                            \
    cudaError_t name(cudaGraphExec_t exec, cudaGraphNode_t node, parameter)                                            \
    {                                                                                                                  \
        SIMT_CALL;                                                                                                     \
        cudaGraphNodeParams all = {.type = number, .field};                                                            \
                                                                                                                       \
        return change(exec, node, &all, #name);                                                                        \
    }

SET(cudaGraphExecKernelNodeSetParams, cudaGraphNodeTypeKernel, kernel = *p, const cudaKernelNodeParams *p)
SET(cudaGraphExecMemcpyNodeSetParams, cudaGraphNodeTypeMemcpy, memcpy.copyParams = *p, const cudaMemcpy3DParms *p)
SET(cudaGraphExecMemsetNodeSetParams, cudaGraphNodeTypeMemset, memset = *p, const cudaMemsetParams *p)
SET(cudaGraphExecHostNodeSetParams, cudaGraphNodeTypeHost, host = *p, const cudaHostNodeParams *p)
SET(cudaGraphExecChildGraphNodeSetParams, cudaGraphNodeTypeGraph, graph.graph = child, cudaGraph_t child)
SET(cudaGraphExecEventRecordNodeSetEvent, cudaGraphNodeTypeEventRecord, eventRecord.event = event, cudaEvent_t event)
SET(cudaGraphExecEventWaitNodeSetEvent, cudaGraphNodeTypeWaitEvent, eventWait.event = event, cudaEvent_t event)

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from,
                                               size_t size, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms p = simt_copy_of_bytes(to, from, size, kind);

    return cudaGraphExecMemcpyNodeSetParams(exec, node, &p);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    SIMT_CALL;
    static const char call[] = "cudaGraphNodeSetEnabled";
    cudaError_t error = find_node(exec, &node, call);

    if (error == cudaSuccess && node->type != cudaGraphNodeTypeKernel && node->type != cudaGraphNodeTypeMemset &&
        node->type != cudaGraphNodeTypeMemcpy)
        error = simt_refuse(cudaErrorInvalidValue, call, "only kernels, copies and fills can be switched off");
    if (error == cudaSuccess) {
        node->disabled = !enabled;
        exec->uploaded = false;
    }
    return error;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    SIMT_CALL;
    cudaError_t error = find_node(exec, &node, "cudaGraphNodeGetEnabled");

    if (error == cudaSuccess)
        *enabled = !node->disabled;
    return error;
}

/* --- memory of graphs: it is not apart from the rest */

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    SIMT_CALL;

    return simt_check_device(device, "cudaDeviceGraphMemTrim");
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType which, void *value)
{
    SIMT_CALL;

    (void)which;
    *(uint64_t *)value = simt_memory_used();
    return simt_check_device(device, "cudaDeviceGetGraphMemAttribute");
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which, void *value)
{
    SIMT_CALL;

    (void)which;
    (void)value;
    return simt_check_device(device, "cudaDeviceSetGraphMemAttribute");
}

/* --- in kernels */

void simt_set_conditional(cudaGraphConditionalHandle handle, unsigned value)
{
    unsigned *condition = (unsigned *)(uintptr_t)handle;
    const allocation *a = simt_allocation_at((uintptr_t)handle);

    if (!a || a->start != handle || a->size != sizeof value || a->freed) {
        simt_report(API, NULL, 0, __builtin_return_address(0), "cudaGraphSetConditional: no such handle");
        simt_stop(cudaErrorInvalidValue);
    }
    /* several threads may set it: not a plain write */
    simt_access(condition, sizeof value, SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | SIMT_IS_WRITE,
                __builtin_return_address(0));
    *condition = value;
}
