/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Graphs as data: nodes, edges, copies, questions. What the nodes hold is graph_nodes.c, how they run graph_launch.c.
 */
#include "graph.h"

#include "../memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cudaGraph_t graphs;
static unsigned graphs_made;
static uint64_t nodes_made;

/* Destroyed nodes stay in memory, so that their use is found; the oldest is used again when there are many. */
enum { SLAB = 256, STALE = 4096 /* not tuned */ };

static struct slab {
    struct slab *next;
    struct CUgraphNode_st node[SLAB];
} * slabs;

static cudaGraphNode_t unused, stale, *stale_end = &stale;
static size_t stale_count;

/* --- memory */

static cudaGraphNode_t take_node(void)
{
    cudaGraphNode_t node;

    if (!unused && stale_count > STALE) {
        unused = stale;
        stale = stale->next;
        stale_count--;
        unused->next = NULL;
    }
    if (!unused) {
        struct slab *s = calloc(1, sizeof *s);

        if (!s)
            return NULL;
        s->next = slabs;
        slabs = s;
        for (unsigned i = 0; i < SLAB; i++) {
            s->node[i].next = unused;
            unused = &s->node[i];
        }
    }
    node = unused;
    unused = node->next;
    memset(node, 0, sizeof *node);
    return node;
}

static void clear_node(cudaGraphNode_t node)
{
    free(node->after.node);
    node->after = (simt_nodes){0};
    if (node->type == cudaGraphNodeTypeKernel) {
        free((void *)(uintptr_t)node->kernel.request.closure);
        free(node->kernel.arguments);
    }
    if (node->type == cudaGraphNodeTypeGraph && node->child)
        simt_graph_free(node->child);
    if (node->type == cudaGraphNodeTypeConditional) {
        for (unsigned i = 0; i < node->conditional.size; i++)
            if (node->conditional.body[i])
                simt_graph_free(node->conditional.body[i]);
        free(node->conditional.body);
    }
    node->graph = NULL;
    node->next = NULL;
    *stale_end = node;
    stale_end = &node->next;
    stale_count++;
}

static bool is_node(cudaGraphNode_t node)
{
    for (const struct slab *s = slabs; s; s = s->next) {
        uintptr_t offset = (uintptr_t)node - (uintptr_t)s->node;

        if (offset < sizeof s->node)
            return offset % sizeof *s->node == 0 && node->graph;
    }
    return false;
}

cudaError_t simt_check_graph(cudaGraph_t graph, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    for (cudaGraph_t g = graphs; g; g = g->next)
        if (g == graph)
            return cudaSuccess;
    return simt_refuse(cudaErrorInvalidValue, call, "no such graph, or it was destroyed");
}

cudaError_t simt_check_node(cudaGraphNode_t node, cudaGraphNodeType type, const char *call)
{
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (!node || !is_node(node))
        return simt_refuse(cudaErrorInvalidValue, call, "no such node, or it was destroyed");
    if (type != cudaGraphNodeTypeCount && node->type != type)
        return simt_refuse(cudaErrorInvalidValue, call, "a node of another type");
    return cudaSuccess;
}

cudaGraph_t simt_graph_new(void)
{
    cudaGraph_t graph = calloc(1, sizeof *graph);

    if (!graph)
        return NULL;
    graph->end = &graph->nodes;
    graph->number = ++graphs_made;
    graph->next = graphs;
    graphs = graph;
    return graph;
}

void simt_graph_free(cudaGraph_t graph)
{
    cudaGraph_t *link = &graphs;

    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
    simt_drop_uses(graph);
    for (cudaGraphNode_t node = graph->nodes, next; node; node = next) {
        next = node->next;
        clear_node(node);
    }
    while (!graph->executable && graph->conditions) {
        simt_condition *c = graph->conditions;

        graph->conditions = c->next;
        simt_release((uintptr_t)c->value, NULL);
        free(c);
    }
    free(graph);
}

/* --- nodes and edges */

static bool has(const simt_nodes *set, cudaGraphNode_t node)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->node[i] == node)
            return true;
    return false;
}

bool simt_nodes_add(simt_nodes *to, cudaGraphNode_t node)
{
    cudaGraphNode_t *more;

    if (has(to, node))
        return true;
    if ((to->count & (to->count - 1)) == 0) { /* it doubles at powers of two */
        more = realloc(to->node, (to->count ? 2 * to->count : 1) * sizeof(cudaGraphNode_t));
        if (!more)
            return false;
        to->node = more;
    }
    to->node[to->count++] = node;
    return true;
}

cudaError_t simt_node_new(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                          cudaGraphNodeType type, const char *call)
{
    cudaError_t error = simt_check_graph(graph, call);
    cudaGraphNode_t node;

    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        error = simt_check_node(after[i], cudaGraphNodeTypeCount, call);
        if (error == cudaSuccess && after[i]->graph != graph)
            error = simt_refuse(cudaErrorInvalidValue, call, "a dependency on a node of another graph");
        for (size_t k = 0; k < i && error == cudaSuccess; k++)
            if (after[k] == after[i])
                error = simt_refuse(cudaErrorInvalidValue, call, "the same dependency twice");
    }
    if (error != cudaSuccess)
        return error;
    node = take_node();
    if (!node)
        return simt_fail(cudaErrorMemoryAllocation);
    for (size_t i = 0; i < count; i++)
        if (!simt_nodes_add(&node->after, after[i]))
            return simt_fail(cudaErrorMemoryAllocation);
    node->graph = graph;
    node->type = type;
    node->number = graph->numbered++;
    node->original = ++nodes_made;
    *graph->end = node;
    graph->end = &node->next;
    graph->count++;
    graph->has_memory |= type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
    *made = node;
    return cudaSuccess;
}

static void take_out(cudaGraphNode_t node)
{
    cudaGraph_t graph = node->graph;
    cudaGraphNode_t *link = &graph->nodes;

    while (*link != node)
        link = &(*link)->next;
    *link = node->next;
    if (graph->end == &node->next)
        graph->end = link;
    graph->count--;
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next)
        for (size_t i = 0; i < n->after.count; i++)
            if (n->after.node[i] == node)
                n->after.node[i--] = n->after.node[--n->after.count];
    clear_node(node);
}

static bool precedes(cudaGraphNode_t before, cudaGraphNode_t node)
{
    if (before == node)
        return true;
    if (node->done)
        return false;
    node->done = true; /* was looked at */
    for (size_t i = 0; i < node->after.count; i++)
        if (precedes(before, node->after.node[i]))
            return true;
    return false;
}

bool simt_node_precedes(cudaGraphNode_t before, cudaGraphNode_t node)
{
    for (cudaGraphNode_t n = node->graph->nodes; n; n = n->next)
        n->done = false;
    return precedes(before, node);
}

void simt_node_set_kernel(cudaGraphNode_t node, const simt_launch_request *request)
{
    void *closure = malloc(request->closure_bytes);

    if (!closure)
        return;
    free((void *)(uintptr_t)node->kernel.request.closure);
    node->kernel.request = *request;
    node->kernel.request.closure = memcpy(closure, request->closure, request->closure_bytes);
}

cudaMemcpy3DParms simt_copy_of_bytes(void *to, const void *from, size_t size, cudaMemcpyKind kind)
{
    return (cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, size, size, 1},
                               .dstPtr = {to, size, size, 1},
                               .extent = {size, 1, 1},
                               .kind = kind};
}

/* --- copies */

static void copy_kernel(const simt_kernel_node *from, cudaGraphNode_t to)
{
    to->kernel = (simt_kernel_node){.function = from->function};
    simt_node_set_kernel(to, &from->request);
    if (from->arguments) {
        size_t size = 0, count = from->request.count;

        for (size_t i = 0; i < count; i++)
            size += (from->request.sizes[i] + 15) & ~(size_t)15;
        to->kernel.arguments = malloc(size + count * sizeof(void *) + 16);
        for (size_t i = 0, at = (count * sizeof(void *) + 15) & ~(size_t)15; to->kernel.arguments && i < count; i++) {
            to->kernel.arguments[i] =
                memcpy((char *)to->kernel.arguments + at, from->arguments[i], from->request.sizes[i]);
            at += (from->request.sizes[i] + 15) & ~(size_t)15;
        }
    }
}

static bool copy_contents(cudaGraphNode_t from, cudaGraphNode_t to)
{
    switch (from->type) {
    case cudaGraphNodeTypeKernel:
        copy_kernel(&from->kernel, to);
        return true;
    case cudaGraphNodeTypeMemcpy:
        to->copy = from->copy;
        return true;
    case cudaGraphNodeTypeMemset:
        to->fill = from->fill;
        return true;
    case cudaGraphNodeTypeHost:
        to->host = from->host;
        return true;
    case cudaGraphNodeTypeGraph:
        to->child = simt_graph_copy(from->child);
        if (to->child)
            to->child->owner = to;
        return to->child != NULL;
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
        to->event = from->event;
        return true;
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
        to->memory = from->memory;
        return true;
    case cudaGraphNodeTypeConditional:
        to->conditional = from->conditional;
        to->conditional.body = calloc(from->conditional.size, sizeof(cudaGraph_t));
        for (unsigned i = 0; to->conditional.body && i < from->conditional.size; i++) {
            to->conditional.body[i] = simt_graph_copy(from->conditional.body[i]);
            if (to->conditional.body[i])
                to->conditional.body[i]->owner = to;
        }
        return to->conditional.body != NULL;
    default:
        return true;
    }
}

/* Its nodes have the numbers and originals of the graph's. */
cudaGraph_t simt_graph_copy(cudaGraph_t graph)
{
    cudaGraph_t copy = simt_graph_new();

    for (cudaGraphNode_t n = graph->nodes; copy && n; n = n->next) {
        cudaGraphNode_t node;

        if (simt_node_new(&node, copy, NULL, 0, n->type, "cudaGraphClone") != cudaSuccess || !copy_contents(n, node))
            return NULL;
        node->number = n->number;
        node->original = n->original;
        node->disabled = n->disabled;
        n->last = node; /* its copy, until the edges are made */
    }
    for (cudaGraphNode_t n = graph->nodes; copy && n; n = n->next)
        for (size_t i = 0; i < n->after.count; i++)
            if (!simt_nodes_add(&n->last->after, n->after.node[i]->last))
                return NULL;
    if (copy) {
        copy->number = graph->number;
        copy->conditions = graph->conditions;
        copy->executable = true; /* the conditions are not its own */
        simt_copy_uses(copy, graph);
    }
    return copy;
}

cudaGraphNode_t simt_node_of_original(cudaGraph_t graph, uint64_t original)
{
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next) {
        cudaGraphNode_t found = n->original == original ? n : NULL;

        if (!found && n->type == cudaGraphNodeTypeGraph)
            found = simt_node_of_original(n->child, original);
        for (unsigned i = 0; !found && n->type == cudaGraphNodeTypeConditional && i < n->conditional.size; i++)
            found = simt_node_of_original(n->conditional.body[i], original);
        if (found)
            return found;
    }
    return NULL;
}

/* --- calls */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_ready();

    if (error != cudaSuccess)
        return error;
    if (flags)
        return simt_refuse(cudaErrorInvalidValue, "cudaGraphCreate", "flags that are not 0");
    *graph = simt_graph_new();
    return *graph ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(graph, "cudaGraphDestroy");

    if (error == cudaSuccess && graph->owner)
        error = simt_refuse(cudaErrorInvalidValue, "cudaGraphDestroy", "the graph belongs to a node");
    if (error == cudaSuccess)
        simt_graph_free(graph);
    return error;
}

static bool has_conditions(cudaGraph_t graph)
{
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next)
        if (n->type == cudaGraphNodeTypeConditional)
            return true;
    return false;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(graph, "cudaGraphClone");

    if (error == cudaSuccess && (graph->has_memory || has_conditions(graph)))
        error = simt_refuse(cudaErrorNotSupported, "cudaGraphClone",
                            "a graph with nodes that allocate or free memory, or are conditional");
    if (error != cudaSuccess)
        return error;
    *clone = simt_graph_copy(graph);
    return *clone ? cudaSuccess : simt_fail(cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(clone, "cudaGraphNodeFindInClone");

    if (error == cudaSuccess)
        error = simt_check_node(node, cudaGraphNodeTypeCount, "cudaGraphNodeFindInClone");
    if (error != cudaSuccess)
        return error;
    *found = simt_node_of_original(clone, node->original);
    return *found ? cudaSuccess
                  : simt_refuse(cudaErrorInvalidValue, "cudaGraphNodeFindInClone", "the clone has no copy of the node");
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    SIMT_CALL;
    cudaError_t error = simt_check_node(node, cudaGraphNodeTypeCount, "cudaGraphDestroyNode");

    if (error == cudaSuccess && (node->type == cudaGraphNodeTypeMemAlloc || node->type == cudaGraphNodeTypeMemFree))
        error = simt_refuse(cudaErrorNotSupported, "cudaGraphDestroyNode", "a node that allocates or frees memory");
    if (error == cudaSuccess)
        take_out(node);
    return error;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type)
{
    SIMT_CALL;
    cudaError_t error = simt_check_node(node, cudaGraphNodeTypeCount, "cudaGraphNodeGetType");

    if (error == cudaSuccess)
        *type = node->type;
    return error;
}

/* Without `nodes`, how many there are; otherwise as many as fit, and null for the rest. */
static cudaError_t give(cudaGraph_t graph, bool (*counts)(cudaGraphNode_t, cudaGraphNode_t), cudaGraphNode_t of,
                        cudaGraphNode_t *nodes, size_t *count)
{
    size_t got = 0;

    for (cudaGraphNode_t n = graph->nodes; n; n = n->next)
        if (counts(n, of)) {
            if (nodes && got < *count)
                nodes[got] = n;
            got++;
        }
    for (size_t i = got; nodes && i < *count; i++)
        nodes[i] = NULL;
    if (!nodes || got < *count)
        *count = got;
    return cudaSuccess;
}

static bool is_any(cudaGraphNode_t n, cudaGraphNode_t of)
{
    (void)n;
    (void)of;
    return true;
}

static bool is_root(cudaGraphNode_t n, cudaGraphNode_t of)
{
    (void)of;
    return n->after.count == 0;
}

static bool comes_before(cudaGraphNode_t n, cudaGraphNode_t of)
{
    return has(&of->after, n);
}

static bool comes_after(cudaGraphNode_t n, cudaGraphNode_t of)
{
    return has(&n->after, of);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(graph, "cudaGraphGetNodes");

    return error == cudaSuccess ? give(graph, is_any, NULL, nodes, count) : error;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(graph, "cudaGraphGetRootNodes");

    return error == cudaSuccess ? give(graph, is_root, NULL, nodes, count) : error;
}

static void clear_data(cudaGraphEdgeData *data, const size_t *count)
{
    if (data)
        memset(data, 0, *count * sizeof *data);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data,
                                         size_t *count)
{
    SIMT_CALL;
    cudaError_t error = simt_check_node(node, cudaGraphNodeTypeCount, "cudaGraphNodeGetDependencies");

    if (error == cudaSuccess) {
        error = give(node->graph, comes_before, node, nodes, count);
        clear_data(data, count);
    }
    return error;
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data,
                                           size_t *count)
{
    SIMT_CALL;
    cudaError_t error = simt_check_node(node, cudaGraphNodeTypeCount, "cudaGraphNodeGetDependentNodes");

    if (error == cudaSuccess) {
        error = give(node->graph, comes_after, node, nodes, count);
        clear_data(data, count);
    }
    return error;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data,
                              size_t *count)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(graph, "cudaGraphGetEdges");
    size_t got = 0;

    if (error != cudaSuccess)
        return error;
    for (cudaGraphNode_t n = graph->nodes; n; n = n->next)
        for (size_t i = 0; i < n->after.count; i++, got++)
            if (from && to && got < *count) {
                from[got] = n->after.node[i];
                to[got] = n;
            }
    for (size_t i = got; from && to && i < *count; i++)
        from[i] = to[i] = NULL;
    clear_data(from && to ? data : NULL, count);
    if (!from || !to || got < *count)
        *count = got;
    return cudaSuccess;
}

static cudaError_t check_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, const char *call)
{
    cudaError_t error = simt_check_node(from, cudaGraphNodeTypeCount, call);

    if (error == cudaSuccess)
        error = simt_check_node(to, cudaGraphNodeTypeCount, call);
    if (error == cudaSuccess && (from->graph != graph || to->graph != graph))
        error = simt_refuse(cudaErrorInvalidValue, call, "a node of another graph");
    return error;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *data, size_t count)
{
    SIMT_CALL;
    static const char call[] = "cudaGraphAddDependencies";
    cudaError_t error = simt_check_graph(graph, call);

    (void)data; /* a programmatic edge lets the later kernel begin earlier; it need not */
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        error = check_edge(graph, from[i], to[i], call);
        if (error == cudaSuccess && has(&to[i]->after, from[i]))
            error = simt_refuse(cudaErrorInvalidValue, call, "the edge is there already");
        if (error == cudaSuccess && from[i] == to[i])
            error = simt_refuse(cudaErrorInvalidValue, call, "an edge from a node to itself");
        if (error == cudaSuccess && !simt_nodes_add(&to[i]->after, from[i]))
            error = simt_fail(cudaErrorMemoryAllocation);
    }
    return error;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *data, size_t count)
{
    SIMT_CALL;
    static const char call[] = "cudaGraphRemoveDependencies";
    cudaError_t error = simt_check_graph(graph, call);

    (void)data;
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        error = check_edge(graph, from[i], to[i], call);
        if (error == cudaSuccess && !has(&to[i]->after, from[i]))
            error = simt_refuse(cudaErrorInvalidValue, call, "there is no such edge");
        for (size_t k = 0; error == cudaSuccess && k < to[i]->after.count; k++)
            if (to[i]->after.node[k] == from[i]) {
                to[i]->after.node[k] = to[i]->after.node[to[i]->after.count - 1];
                to[i]->after.count--;
                break;
            }
    }
    return error;
}

static void print_nodes(FILE *file, cudaGraph_t graph, const char *indent)
{
    static const char *const names[] = {"KERNEL",     "MEMCPY",       "MEMSET", "HOST", "GRAPH",     "EMPTY",
                                        "WAIT_EVENT", "EVENT_RECORD", "",       "",     "MEM_ALLOC", "MEM_FREE",
                                        "",           "CONDITIONAL"};

    for (cudaGraphNode_t n = graph->nodes; n; n = n->next) {
        fprintf(file, "%s\"graph_%u_node_%u\" [label=\"%u\\n%s%s%s\"];\n", indent, graph->number, n->number, n->number,
                names[n->type], n->type == cudaGraphNodeTypeKernel ? "\\n" : "",
                n->type == cudaGraphNodeTypeKernel ? n->kernel.request.name : "");
        for (size_t i = 0; i < n->after.count; i++)
            fprintf(file, "%s\"graph_%u_node_%u\" -> \"graph_%u_node_%u\";\n", indent, graph->number,
                    n->after.node[i]->number, graph->number, n->number);
    }
}

/* The nodes with their types and kernels, and the edges; no parameters. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    SIMT_CALL;
    cudaError_t error = simt_check_graph(graph, "cudaGraphDebugDotPrint");
    FILE *file;

    (void)flags;
    if (error != cudaSuccess)
        return error;
    file = fopen(path, "we");
    if (!file)
        return simt_refuse(cudaErrorOperatingSystem, "cudaGraphDebugDotPrint", "the file cannot be written");
    fprintf(file, "digraph dot {\n");
    print_nodes(file, graph, "    ");
    fprintf(file, "}\n");
    return fclose(file) == 0 ? cudaSuccess : simt_fail(cudaErrorOperatingSystem);
}
