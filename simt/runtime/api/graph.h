/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Graphs, for the files that make, capture and run them.
 */
#ifndef SIMT_GRAPH_PRIVATE_H
#define SIMT_GRAPH_PRIVATE_H

#include "calls.h"

#include "../detect/detect.h"
#include "simt_graph.h"

#pragma GCC visibility push(hidden)

/* A condition: its value is four bytes of device memory, whose address is the handle. So accesses to it are ordered as others are. */
typedef struct simt_condition {
    struct simt_condition *next;
    unsigned *value;
    unsigned initial;
    bool assigned, used; /* set to `initial` at each launch; a node has it */
} simt_condition;

/* A set of nodes without order. */
typedef struct simt_nodes {
    cudaGraphNode_t *node;
    size_t count;
} simt_nodes;

typedef struct simt_kernel_node {
    simt_launch_request request; /* its closure belongs to the node */
    const void *function;        /* NULL: captured from <<< >>> */
    void **arguments;            /* copies, in one piece of memory; NULL: captured */
} simt_kernel_node;

struct CUgraphNode_st {
    cudaGraphNode_t next;
    cudaGraph_t graph; /* NULL: destroyed */
    unsigned number;   /* of the nodes that the graph has had, from 0 */
    uint64_t original; /* number in the program; a copy has that of its original */
    cudaGraphNodeType type;
    simt_nodes after;
    bool disabled;
    union {
        simt_kernel_node kernel;
        cudaMemcpy3DParms copy;
        cudaMemsetParams fill;
        cudaHostNodeParams host;
        cudaGraph_t child;
        cudaEvent_t event;
        struct {
            void *memory;
            size_t size;
        } memory;
        struct {
            simt_condition *condition;
            cudaGraphConditionalNodeType type;
            unsigned size;
            cudaGraph_t *body;
        } conditional;
    };
    /* of the launch that is under way */
    bool done;
    unsigned actor, left; /* left: nodes before it that are not done */
    cudaGraphNode_t last; /* of a node that begins a chain: its last one so far; of others, the one that begins it */
    simt_moment moment;
};

struct CUgraph_st {
    cudaGraph_t next;
    cudaGraphNode_t nodes, *end;
    unsigned number, numbered; /* of the graph; of its next node */
    size_t count;
    simt_condition *conditions;
    cudaGraphNode_t owner; /* the node of which it is the child or a body, or NULL */
    bool executable;       /* it belongs to one */
    bool has_memory;       /* nodes that allocate or free */
    struct simt_user_use *uses;
};

struct CUgraphExec_st {
    cudaGraphExec_t next;
    cudaGraph_t graph; /* a copy, its own */
    unsigned long long flags;
    uint64_t launches;
    simt_moment last; /* the end of the launch before */
    unsigned *actors; /* of chains beside the first one; each is made when it is first needed */
    unsigned actor_count;
    unsigned own;  /* actor + 1 of the first chain in launches from the device; 0: there is none yet */
    bool uploaded; /* as it is now */
    unsigned busy; /* it runs, or nothing is ordered behind it yet */
};

/* --- graph.c */

cudaError_t simt_check_graph(cudaGraph_t graph, const char *call);
cudaError_t simt_check_node(cudaGraphNode_t node, cudaGraphNodeType type, const char *call); /* type Count: any */
cudaGraph_t simt_graph_new(void);
void simt_graph_free(cudaGraph_t graph);
cudaGraph_t simt_graph_copy(cudaGraph_t graph);
cudaGraphNode_t simt_node_of_original(cudaGraph_t graph, uint64_t original); /* NULL: none */
/* A new node; its parameters are yet to be set. */
cudaError_t simt_node_new(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                          cudaGraphNodeType type, const char *call);
void simt_node_set_kernel(cudaGraphNode_t node, const simt_launch_request *request); /* takes a copy */
bool simt_nodes_add(simt_nodes *to, cudaGraphNode_t node);                           /* unless it is there */
bool simt_node_precedes(cudaGraphNode_t before, cudaGraphNode_t node);
cudaMemcpy3DParms simt_copy_of_bytes(void *to, const void *from, size_t size, cudaMemcpyKind kind);

/* --- graph_device.c */

struct simt_environment;

/* Runs the nodes of an executable graph, and no graph that they launch. */
typedef cudaError_t simt_run_nodes(cudaGraphExec_t exec, struct simt_environment *environment, cudaStream_t stream,
                                   unsigned actor);

/* And all that it launches. */
cudaError_t simt_launch_graph(cudaGraphExec_t exec, cudaStream_t stream, unsigned actor, simt_run_nodes *nodes);
/* exec: NULL if there is no such one. */
cudaError_t simt_graph_launch_in_kernel(cudaGraphExec_t exec, cudaStream_t stream, const void *place);
void simt_graph_kernel_begins(struct simt_environment *environment);
void simt_graph_transfer_begins(struct simt_environment *environment);
/* Runs what the kernel launched, or leaves it for later; unless there was an error. */
cudaError_t simt_graph_kernel_ended(struct simt_environment *environment, unsigned actor, cudaError_t error);

/* --- user_object.c: a graph's references to user objects */

void simt_copy_uses(cudaGraph_t to, cudaGraph_t from);
void simt_drop_uses(cudaGraph_t graph);

/* --- graph_nodes.c: parameters; also of nodes of executable graphs */

cudaError_t simt_set_kernel(cudaGraphNode_t node, const cudaKernelNodeParams *p, const char *call);
cudaError_t simt_set_copy(cudaGraphNode_t node, const cudaMemcpy3DParms *p, const char *call);
cudaError_t simt_set_fill(cudaGraphNode_t node, const cudaMemsetParams *p, const char *call);
cudaError_t simt_set_host(cudaGraphNode_t node, const cudaHostNodeParams *p, const char *call);
cudaError_t simt_set_parameters(cudaGraphNode_t node, const cudaGraphNodeParams *p, const char *call);

#pragma GCC visibility pop

#endif
