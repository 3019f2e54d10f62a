/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Happens-before across launches: which work of one stream comes before which work of another. In the checking build only.
 *
 * An actor is a stream. Its operations, launches and transfers (copies, fills, allocations and frees in stream order), are numbered.
 * A moment is a vector clock over actors: operation n of actor a happens before it if known[a] >= n. Each stream has such a clock,
 * and so has the host, which an operation takes over from both when it is issued. All host threads are one: what one of them
 * has waited for, all know, because the machine does not see how they wait for each other. Edges are those that CUDA's documents
 * promise:
 *
 *   stream order      an operation comes after those issued before it in its stream
 *   legacy stream     its operations come after all of blocking streams, and operations of blocking streams after all of it
 *   event             what waits for it, in a stream or in the host, comes after what was before its last record
 *   synchronisation   the host comes after a stream, an event or all streams; a query that succeeds is one
 *   copies            the host comes after a copy that is not asynchronous, unless both sides are device memory; and after one to pageable
 *                     memory. It does not wait for a fill.
 *   host function     the host comes after what is before it in its stream
 *   programmatic      a launch that may overlap with the one before it comes after that where a thread of its block has executed
 *                     griddepcontrol.wait; without that, after what comes before the one before it
 *   graph             the host waits for no copy, whatever its memory. A node comes after those from which an edge leads to it, and roots after what was before the launch in its stream; what
 *                     follows in the stream comes after all nodes. A chain of nodes is an actor. A function of the host that is a node
 *                     comes after what is before it; the host, only when the launch has ended
 *   nested launch     a grid comes after what the thread that launched it knew of its own grid (happens_before.c), and after the grid
 *                     before it in its stream of the device, which each block has for itself. What follows a grid comes after all
 *                     that it launched
 *   system fence      the host comes after a launch in which a thread calls __threadfence_system: it may tell the host by a flag
 *
 * cudaFree waits for the device today, but a program that counts on that breaks with another allocator, so it is no edge. The memory to which cudaMemcpy
 * copies from the host counts as written when that returns, although the document permits later for pageable memory.
 *
 * Accesses of kernels are compared by their cells (race.c): a cell's clock tells its launch. Transfers have no cells: a transfer is
 * compared with the cells of earlier launches when it is issued, and with those of a later launch when that ends.
 *
 * Where no two streams exist that nothing orders, all launches happen in one order, and no cell is kept beyond its launch, unless there
 * is memory that the host accesses, too.
 */
#ifndef SIMT_ACTOR_H
#define SIMT_ACTOR_H

#include "cells.h"

#pragma GCC visibility push(hidden)

enum {
    SIMT_LAUNCHES = 1024, /* that are remembered; a race with an older one that nobody has waited for is missed */
    SIMT_TEXT = 128       /* bytes of a name; longer ones are cut */
};

/* What a thread knew of its grid when it launched another one, as in happens_before.c. */
struct simt_fork {
    uint64_t epoch;
    warp_clock warp;
    bool partial;
    uint32_t lanes[LANES];
    vector_clock *imports;
};

/* A launch, with what is needed to name the threads of its cells. */
typedef struct simt_launched {
    simt_moment before; /* what happens before it, and itself */
    unsigned actor;
    simt_node_name node;
    uint32_t clock; /* of happens_before.c when it began; 0: it has not, or its cells are forgotten */
    char name[SIMT_TEXT], file[SIMT_TEXT];
    int line;
    bool told;         /* the host */
    bool programmatic; /* what it does before griddepcontrol.wait comes after `early` only */
    simt_moment early; /* what happens before the kernel before it */
    bool speaks;       /* to the host, by atomics of the system's scope */
    uint64_t first, stride, blocks;
    dim3 grid, block, cluster;
    unsigned warps_each;
    uint64_t number, parent; /* in the order of launches, from 1; parent: the grid whose thread launched it, or 0 */
    bool whole;              /* it comes after the whole parent */
    struct simt_fork *fork;  /* otherwise: what that thread knew of the parent; NULL: no memory */
} simt_launched;

extern bool simt_unordered_streams; /* two streams exist, or have existed, that nothing orders */
extern simt_launched *simt_this_launch;

void simt_launched_tells(void);                        /* a fence of the system */
void simt_launched_block(const block *b);              /* a block starts */
void simt_launched_start(uint32_t clock);              /* simt_this_launch begins at this clock */
void simt_launched_forget(uint32_t clock);             /* the same, and all recorded accesses are dropped */
const simt_launched *simt_launched_at(uint32_t clock); /* whose cells have that clock; NULL: forgotten */
bool simt_launched_ordered(const simt_launched *l);    /* does it happen before this launch? */
/* The grid that launched this one, or launched a grid above it, from a thread of l; NULL: there is none. */
const simt_launched *simt_child_of(const simt_launched *l);

/* By its number; NULL: forgotten. */
const simt_launched *simt_launched_numbered(uint64_t number);
/* Did the thread know of that access of its grid? */
bool simt_fork_has(const struct simt_fork *fork, unsigned warps_each, simt_cell word);

/* A new operation, for which the host waits or not: what happens before it, and itself. */
const simt_moment *simt_issue(unsigned actor, bool waits);
bool simt_is_known(const simt_moment *by, unsigned actor, const simt_moment *operation);
bool simt_host_knows(unsigned actor, const simt_moment *operation);
bool simt_function_knows(unsigned actor, const simt_moment *operation); /* the one that this thread runs, if it does */
/* The first launch for which the host has not waited and that does not happen before the operation, if that is not NULL. */
const simt_launched *simt_launched_beside(const simt_moment *operation);
/* As `stream 2`, or `node 3 of graph 1`. */
const char *simt_operation_name(unsigned actor, simt_node_name node, char *text, size_t size);

#pragma GCC visibility pop

#endif
