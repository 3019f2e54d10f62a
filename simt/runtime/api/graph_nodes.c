/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the nodes of a graph hold: made, read and changed.
 */
#include "graph.h"

#include "../memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- kernels */

static bool keep_arguments(simt_kernel_node *k, void **arguments)
{
    size_t count = k->request.count, at = (count * sizeof(void *) + 15) & ~(size_t)15, size = at;
    void **old = k->arguments; /* `arguments` may be these */

    for (size_t i = 0; i < count; i++)
        size += (k->request.sizes[i] + 15) & ~(size_t)15;
    k->arguments = malloc(size + 16);
    for (size_t i = 0; k->arguments && i < count; i++) {
        k->arguments[i] = memcpy((char *)k->arguments + at, arguments[i], k->request.sizes[i]);
        at += (k->request.sizes[i] + 15) & ~(size_t)15;
    }
    free(old);
    return k->arguments != NULL;
}

cudaError_t simt_set_kernel(cudaGraphNode_t node, const cudaKernelNodeParams *p, const char *call)
{
    simt_launch_request request = {0};
    cudaError_t error;

    if (p->extra)
        return simt_refuse(cudaErrorNotSupported, call, "arguments in `extra`");
    simt_catch = &request;
    error = cudaLaunchKernel(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, NULL);
    simt_catch = NULL;
    if (error != cudaSuccess)
        return error;
    if (!request.closure)
        return simt_fail(cudaErrorMemoryAllocation);
    free((void *)(uintptr_t)node->kernel.request.closure);
    node->kernel.request = request;
    node->kernel.function = p->func;
    return keep_arguments(&node->kernel, p->kernelParams) ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *p)
{
    SIMT_CALL;
    static const char call[] = "cudaGraphKernelNodeGetParams";
    cudaError_t error = simt_check_node(node, cudaGraphNodeTypeKernel, call);
    const simt_launch_request *r = &node->kernel.request;

    if (error == cudaSuccess && !node->kernel.function)
        error = simt_refuse(cudaErrorNotSupported, call,
                            "the kernel was captured from <<< >>>, of whose arguments this machine knows no types");
    if (error == cudaSuccess)
        *p = (cudaKernelNodeParams){(void *)(uintptr_t)node->kernel.function,
                                    r->grid,
                                    r->block,
                                    (unsigned)r->shared_bytes,
                                    node->kernel.arguments,
                                    NULL};
    return error;
}

/* --- copies and fills */

cudaError_t simt_set_copy(cudaGraphNode_t node, const cudaMemcpy3DParms *p, const char *call)
{
    cudaError_t error = cudaSuccess;
    const cudaExtent *e = &p->extent;

    if (!p->srcArray && !p->dstArray)
        for (size_t z = 0; z < e->depth; z++)
            for (size_t y = 0; y < e->height && error == cudaSuccess; y++)
                error = simt_check_copy(
                    (char *)p->dstPtr.ptr + ((z + p->dstPos.z) * p->dstPtr.ysize + y + p->dstPos.y) * p->dstPtr.pitch +
                        p->dstPos.x,
                    (char *)p->srcPtr.ptr + ((z + p->srcPos.z) * p->srcPtr.ysize + y + p->srcPos.y) * p->srcPtr.pitch +
                        p->srcPos.x,
                    e->width, p->kind, call);
    if (error == cudaSuccess && (!e->width || !e->height || !e->depth))
        error = simt_refuse(cudaErrorInvalidValue, call, "a copy of nothing");
    if (error == cudaSuccess)
        node->copy = *p;
    return error;
}

cudaError_t simt_set_fill(cudaGraphNode_t node, const cudaMemsetParams *p, const char *call)
{
    cudaError_t error = cudaSuccess;

    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        error = simt_refuse(cudaErrorInvalidValue, call, "elements of another size than 1, 2 or 4 bytes");
    if (error == cudaSuccess && p->elementSize < 4 && p->value >> 8 * p->elementSize)
        error = simt_refuse(cudaErrorInvalidValue, call, "a value that does not fit into an element");
    if (error == cudaSuccess && p->height > 1 && p->pitch < p->width * p->elementSize)
        error = simt_refuse(cudaErrorInvalidValue, call, "rows are wider than the pitch");
    if (error == cudaSuccess && (!p->width || !p->height))
        error = simt_refuse(cudaErrorInvalidValue, call, "a fill of nothing");
    for (size_t y = 0; y < p->height && error == cudaSuccess; y++)
        error = simt_check_fill((char *)p->dst + y * p->pitch, p->width * p->elementSize, call);
    if (error == cudaSuccess)
        node->fill = *p;
    return error;
}

cudaError_t simt_set_host(cudaGraphNode_t node, const cudaHostNodeParams *p, const char *call)
{
    if (!p->fn)
        return simt_refuse(cudaErrorInvalidValue, call, "no function");
    node->host = *p;
    return cudaSuccess;
}

/* --- making: a node whose parameters are wrong is taken back */

static cudaError_t keep_if(cudaError_t error, cudaGraphNode_t *node)
{
    if (error != cudaSuccess) {
        cudaGraphDestroyNode(*node);
        *node = NULL;
    }
    return error;
}

#define SIMT_NEW_NODE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count

#define ADD(type, call, set)                                                                                           \
    SIMT_CALL;                                                                                                         \
    cudaError_t error = simt_node_new(node, graph, after, count, type, call);                                          \
                                                                                                                       \
    return error == cudaSuccess ? keep_if(set, node) : error

cudaError_t cudaGraphAddKernelNode(SIMT_NEW_NODE, const cudaKernelNodeParams *p)
{
    ADD(cudaGraphNodeTypeKernel, "cudaGraphAddKernelNode", simt_set_kernel(*node, p, "cudaGraphAddKernelNode"));
}

cudaError_t cudaGraphAddMemcpyNode(SIMT_NEW_NODE, const cudaMemcpy3DParms *p)
{
    ADD(cudaGraphNodeTypeMemcpy, "cudaGraphAddMemcpyNode", simt_set_copy(*node, p, "cudaGraphAddMemcpyNode"));
}

cudaError_t cudaGraphAddMemcpyNode1D(SIMT_NEW_NODE, void *to, const void *from, size_t size, cudaMemcpyKind kind)
{
    cudaMemcpy3DParms p = simt_copy_of_bytes(to, from, size, kind);

    ADD(cudaGraphNodeTypeMemcpy, "cudaGraphAddMemcpyNode1D", simt_set_copy(*node, &p, "cudaGraphAddMemcpyNode1D"));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(SIMT_NEW_NODE, const void *symbol, const void *from, size_t size,
                                           size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNode1D(node, graph, after, count, (char *)(uintptr_t)symbol + offset, from, size, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(SIMT_NEW_NODE, void *to, const void *symbol, size_t size, size_t offset,
                                             cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNode1D(node, graph, after, count, to, (const char *)symbol + offset, size, kind);
}

cudaError_t cudaGraphAddMemsetNode(SIMT_NEW_NODE, const cudaMemsetParams *p)
{
    ADD(cudaGraphNodeTypeMemset, "cudaGraphAddMemsetNode", simt_set_fill(*node, p, "cudaGraphAddMemsetNode"));
}

cudaError_t cudaGraphAddHostNode(SIMT_NEW_NODE, const cudaHostNodeParams *p)
{
    ADD(cudaGraphNodeTypeHost, "cudaGraphAddHostNode", simt_set_host(*node, p, "cudaGraphAddHostNode"));
}

cudaError_t cudaGraphAddEmptyNode(SIMT_NEW_NODE)
{
    SIMT_CALL;

    return simt_node_new(node, graph, after, count, cudaGraphNodeTypeEmpty, "cudaGraphAddEmptyNode");
}

static cudaError_t set_child(cudaGraphNode_t node, cudaGraph_t child, const char *call)
{
    cudaError_t error = simt_check_graph(child, call);

    for (cudaGraph_t g = node->graph; g && error == cudaSuccess; g = g->owner ? g->owner->graph : NULL)
        if (g == child)
            error = simt_refuse(cudaErrorInvalidValue, call, "the graph would be its own child");
    if (error == cudaSuccess && child->has_memory)
        error = simt_refuse(cudaErrorNotSupported, call, "a child with nodes that allocate or free memory");
    if (error != cudaSuccess)
        return error;
    child = simt_graph_copy(child);
    if (!child)
        return simt_fail(cudaErrorMemoryAllocation);
    if (node->child)
        simt_graph_free(node->child);
    node->child = child;
    child->owner = node;
    return cudaSuccess;
}

cudaError_t cudaGraphAddChildGraphNode(SIMT_NEW_NODE, cudaGraph_t child)
{
    ADD(cudaGraphNodeTypeGraph, "cudaGraphAddChildGraphNode", set_child(*node, child, "cudaGraphAddChildGraphNode"));
}

static cudaError_t set_event(cudaGraphNode_t node, cudaEvent_t event, const char *call)
{
    cudaError_t error = simt_check_event(event, call);

    if (error == cudaSuccess)
        node->event = event;
    return error;
}

cudaError_t cudaGraphAddEventRecordNode(SIMT_NEW_NODE, cudaEvent_t event)
{
    ADD(cudaGraphNodeTypeEventRecord, "cudaGraphAddEventRecordNode",
        set_event(*node, event, "cudaGraphAddEventRecordNode"));
}

cudaError_t cudaGraphAddEventWaitNode(SIMT_NEW_NODE, cudaEvent_t event)
{
    ADD(cudaGraphNodeTypeWaitEvent, "cudaGraphAddEventWaitNode", set_event(*node, event, "cudaGraphAddEventWaitNode"));
}

/* --- memory: its address is known now; before its node has run, and after it was freed, it cannot be accessed. */

cudaError_t cudaGraphAddMemAllocNode(SIMT_NEW_NODE, cudaMemAllocNodeParams *p)
{
    SIMT_CALL;
    static const char call[] = "cudaGraphAddMemAllocNode";
    cudaError_t error;
    void *memory;

    if (!p->bytesize || p->poolProps.allocType != cudaMemAllocationTypePinned)
        return simt_refuse(cudaErrorInvalidValue, call, "no bytes, or allocType is not cudaMemAllocationTypePinned");
    if (p->poolProps.location.type == cudaMemLocationTypeInvalid)
        return simt_refuse(cudaErrorInvalidValue, call, "location.type is cudaMemLocationTypeInvalid");
    error = simt_node_new(node, graph, after, count, cudaGraphNodeTypeMemAlloc, call);
    if (error != cudaSuccess)
        return error;
    memory = simt_allocate(p->bytesize, DEVICE_MEMORY);
    if (!memory)
        return simt_fail(cudaErrorMemoryAllocation);
    simt_retire((uintptr_t)memory);
    (*node)->memory.memory = p->dptr = memory;
    (*node)->memory.size = p->bytesize;
    return cudaSuccess;
}

static cudaError_t set_free(cudaGraphNode_t node, void *memory, const char *call)
{
    cudaError_t error = cudaSuccess;
    bool after = true;

    for (cudaGraphNode_t n = node->graph->nodes; n && error == cudaSuccess; n = n->next) {
        if (n != node && n->type == cudaGraphNodeTypeMemFree && n->memory.memory == memory)
            error = simt_refuse(cudaErrorInvalidValue, call, "another node frees the memory");
        if (n->type == cudaGraphNodeTypeMemAlloc && n->memory.memory == memory) {
            node->memory.size = n->memory.size;
            after = simt_node_precedes(n, node);
        }
    }
    if (error == cudaSuccess && !after)
        error = simt_refuse(cudaErrorInvalidValue, call, "no path leads here from the node that allocates the memory");
    if (error == cudaSuccess && !node->memory.size) {
        const allocation *a = simt_allocation_at((uintptr_t)memory);

        if (!a || a->start != (uintptr_t)memory || !a->of_graph)
            error = simt_refuse(cudaErrorInvalidValue, call, "no node has allocated the memory");
        else
            node->memory.size = a->size;
    }
    node->memory.memory = memory;
    return error;
}

cudaError_t cudaGraphAddMemFreeNode(SIMT_NEW_NODE, void *memory)
{
    SIMT_CALL;
    static const char call[] = "cudaGraphAddMemFreeNode";
    cudaError_t error = simt_node_new(node, graph, after, count, cudaGraphNodeTypeMemFree, call);

    if (error == cudaSuccess)
        error = set_free(*node, memory, call);
    if (error != cudaSuccess && *node) {
        (*node)->type = cudaGraphNodeTypeEmpty; /* those that free may not be destroyed */
        cudaGraphDestroyNode(*node);
        *node = NULL;
    }
    return error;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *p)
{
    SIMT_CALL;
    cudaError_t error = simt_check_node(node, cudaGraphNodeTypeMemAlloc, "cudaGraphMemAllocNodeGetParams");

    if (error == cudaSuccess)
        *p = (cudaMemAllocNodeParams){
            .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
            .bytesize = node->memory.size,
            .dptr = node->memory.memory};
    return error;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *memory)
{
    SIMT_CALL;
    cudaError_t error = simt_check_node(node, cudaGraphNodeTypeMemFree, "cudaGraphMemFreeNodeGetParams");

    if (error == cudaSuccess)
        *(void **)memory = node->memory.memory;
    return error;
}

/* --- conditions */

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned value,
                                             unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(graph, "cudaGraphConditionalHandleCreate");
    simt_condition *c;

    if (error != cudaSuccess)
        return error;
    while (graph->owner) /* a handle of a body belongs to the whole */
        graph = graph->owner->graph;
    c = calloc(1, sizeof *c);
    if (c)
        c->value = simt_allocate(sizeof *c->value, DEVICE_MEMORY);
    if (!c || !c->value)
        return simt_fail(cudaErrorMemoryAllocation);
    c->initial = *c->value = value;
    simt_set_state((uintptr_t)c->value, sizeof *c->value, ACCESSIBLE | INITIALISED);
    c->assigned = flags & cudaGraphCondAssignDefault;
    c->next = graph->conditions;
    graph->conditions = c;
    *handle = (uintptr_t)c->value;
    return cudaSuccess;
}

static cudaError_t set_conditional(cudaGraphNode_t node, cudaConditionalNodeParams *p, const char *call)
{
    static const unsigned max_size[] = {2, 1, UINT16_MAX};
    cudaGraph_t whole = node->graph;
    simt_condition *c;
    cudaError_t error = cudaSuccess;

    while (whole->owner)
        whole = whole->owner->graph;
    c = whole->conditions;
    while (c && (uintptr_t)c->value != p->handle)
        c = c->next;
    if (!c)
        error = simt_refuse(cudaErrorInvalidValue, call, "the handle is not one of this graph");
    else if (c->used)
        error = simt_refuse(cudaErrorInvalidValue, call, "another node has the handle");
    else if ((unsigned)p->type > cudaGraphCondTypeSwitch || !p->size || p->size > max_size[p->type])
        error = simt_refuse(cudaErrorInvalidValue, call, "a number of bodies that the type does not have");
    if (error != cudaSuccess) {
        node->type = cudaGraphNodeTypeEmpty; /* it has no bodies */
        return error;
    }
    node->conditional.condition = c;
    node->conditional.type = p->type;
    node->conditional.size = p->size;
    node->conditional.body = calloc(p->size, sizeof(cudaGraph_t));
    for (unsigned i = 0; node->conditional.body && i < p->size; i++) {
        node->conditional.body[i] = simt_graph_new();
        if (!node->conditional.body[i])
            return simt_fail(cudaErrorMemoryAllocation);
        node->conditional.body[i]->owner = node;
    }
    p->phGraph_out = node->conditional.body;
    c->used = true;
    return cudaSuccess;
}

/* --- any type */

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count, cudaGraphNodeParams *p)
{
    static const char call[] = "cudaGraphAddNode";

    (void)edges;
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return cudaGraphAddKernelNode(node, graph, after, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(node, graph, after, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(node, graph, after, count, &p->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(node, graph, after, count, &p->host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(node, graph, after, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(node, graph, after, count);
    case cudaGraphNodeTypeWaitEvent:
        return cudaGraphAddEventWaitNode(node, graph, after, count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphAddEventRecordNode(node, graph, after, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(node, graph, after, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(node, graph, after, count, p->free.dptr);
    case cudaGraphNodeTypeConditional: {
        ADD(cudaGraphNodeTypeConditional, call, set_conditional(*node, &p->conditional, call));
    }
    default:
        return simt_refuse(cudaErrorNotSupported, call, "nodes of this type");
    }
}

cudaError_t simt_set_parameters(cudaGraphNode_t node, const cudaGraphNodeParams *p, const char *call)
{
    cudaError_t error = simt_check_node(node, p->type, call);

    if (error != cudaSuccess)
        return error;
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return simt_set_kernel(node, &p->kernel, call);
    case cudaGraphNodeTypeMemcpy:
        return simt_set_copy(node, &p->memcpy.copyParams, call);
    case cudaGraphNodeTypeMemset:
        return simt_set_fill(node, &p->memset, call);
    case cudaGraphNodeTypeHost:
        return simt_set_host(node, &p->host, call);
    case cudaGraphNodeTypeGraph:
        return set_child(node, p->graph.graph, call);
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
        return set_event(node, p->eventWait.event, call);
    default:
        return simt_refuse(cudaErrorNotSupported, call, "such nodes cannot be changed");
    }
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *p)
{
    SIMT_CALL;

    return simt_set_parameters(node, p, "cudaGraphNodeSetParams");
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *p)
{
    cudaGraphNodeParams all = {.type = cudaGraphNodeTypeKernel, .kernel = *p};

    return cudaGraphNodeSetParams(node, &all);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *p)
{
    cudaGraphNodeParams all = {.type = cudaGraphNodeTypeMemcpy, .memcpy = {.copyParams = *p}};

    return cudaGraphNodeSetParams(node, &all);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t size,
                                           cudaMemcpyKind kind)
{
    cudaMemcpy3DParms p = simt_copy_of_bytes(to, from, size, kind);

    return cudaGraphMemcpyNodeSetParams(node, &p);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *p)
{
    cudaGraphNodeParams all = {.type = cudaGraphNodeTypeMemset, .memset = *p};

    return cudaGraphNodeSetParams(node, &all);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *p)
{
    cudaGraphNodeParams all = {.type = cudaGraphNodeTypeHost, .host = *p};

    return cudaGraphNodeSetParams(node, &all);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    cudaGraphNodeParams all = {.type = cudaGraphNodeTypeEventRecord, .eventRecord = {event}};

    return cudaGraphNodeSetParams(node, &all);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    cudaGraphNodeParams all = {.type = cudaGraphNodeTypeWaitEvent, .eventWait = {event}};

    return cudaGraphNodeSetParams(node, &all);
}

#define GET(name, type, to, what)                                                                                      \
    cudaError_t name(cudaGraphNode_t node, to)                                                                         \
    {                                                                                                                  \
        SIMT_CALL;                                                                                                     \
        cudaError_t error = simt_check_node(node, type, #name);                                                        \
                                                                                                                       \
        if (error == cudaSuccess)                                                                                      \
            *p = what;                                                                                                 \
        return error;                                                                                                  \
    }

GET(cudaGraphMemcpyNodeGetParams, cudaGraphNodeTypeMemcpy, cudaMemcpy3DParms *p, node->copy)
GET(cudaGraphMemsetNodeGetParams, cudaGraphNodeTypeMemset, cudaMemsetParams *p, node->fill)
GET(cudaGraphHostNodeGetParams, cudaGraphNodeTypeHost, cudaHostNodeParams *p, node->host)
GET(cudaGraphChildGraphNodeGetGraph, cudaGraphNodeTypeGraph, cudaGraph_t *p, node->child)
GET(cudaGraphEventRecordNodeGetEvent, cudaGraphNodeTypeEventRecord, cudaEvent_t *p, node->event)
GET(cudaGraphEventWaitNodeGetEvent, cudaGraphNodeTypeWaitEvent, cudaEvent_t *p, node->event)
