/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Clusters: the barrier of all threads of a cluster, and addresses in the shared memory of its blocks. Without clusters, a block is one of
 * its own.
 *
 * The barrier counts the threads that have arrived. Its phase ends when no thread of the cluster that has not exited is missing; a
 * thread arrives once in a phase and then waits for its end. An arrival is an atomic of the device, with a fence before it unless it
 * is relaxed, and a wait one with a fence behind it. Two addresses take turns, as those of mbarrier.c do.
 *
 * A 32-bit address of shared memory is an offset in the block's own, or, where the upper 8 bits are not 0, in that of the block
 * whose rank they are, and 1 more.
 *
 * Findings `barrier`: a thread that arrives twice, or waits without having arrived; `hang`; and `api`: a rank that the cluster does not
 * have, an address that is none of the cluster's shared memory.
 */
#include "../../include/simt_cluster.h"
#include "sync.h"

#include "../detect/detect.h"
#include "../memory/memory.h"
#include "../report/report.h"
#include "../schedule/schedule.h"

#include <string.h>

enum { RANK_SHIFT = 24, NO_RANK = 255 };

struct cluster_barrier {
    uint64_t launch; /* and block number for which it is valid */
    uint64_t phase;
    unsigned arrived;
    char order[2]; /* only their addresses */
};

struct arrival {
    uint64_t launch, phase; /* in which the thread has arrived, and not waited yet; launch 0: none */
    bool waits;
    const char *file;
    int line;
};

static void *of_workers[SIMT_WORKERS];

static struct state {
    struct cluster_barrier barriers[MAX_BLOCKS]; /* of each cluster, at the index of its first block */
    struct arrival arrivals[SIMT_SLOTS];
} * own(void)
{
    return simt_of_worker(of_workers, sizeof(struct state));
}

static struct cluster_barrier *barrier_of(const block *first)
{
    struct cluster_barrier *b = &own()->barriers[first - m.slots];

    if (b->launch != simt_launch_number) {
        b->launch = simt_launch_number;
        b->arrived = 0;
    }
    return b;
}

static struct arrival *arrival_of(const thread *t)
{
    return &own()->arrivals[t - m.threads];
}

static unsigned live_threads(const block *first)
{
    unsigned live = 0;

    for (unsigned i = 0; i < m.cluster_blocks; i++)
        live += first[i].live;
    return live;
}

static void complete(block *first, struct cluster_barrier *b)
{
    struct arrival *arrivals;

    if (b->arrived == 0 || b->arrived < live_threads(first))
        return;
    arrivals = own()->arrivals;
    b->phase++;
    b->arrived = 0;
    m.polls = m.steps = m.warp_steps = 0;
    for (unsigned i = 0; i < first->warps * m.cluster_blocks * LANES; i++) {
        thread *t = &first->warp[i / LANES].threads[i % LANES];
        struct arrival *a = &arrivals[t - m.threads];

        if (a->waits && a->launch == simt_launch_number) {
            a->waits = false;
            simt_wake(t->warp, 1u << t->lane);
        }
    }
}

/* A thread that arrived and exits is no longer one of those that must arrive. */
void simt_cluster_after_exit(const thread *t)
{
    block *first = simt_cluster_of(t->warp->block);
    struct cluster_barrier *b = &own()->barriers[first - m.slots];
    struct arrival *a = arrival_of(t);

    if (b->launch != simt_launch_number)
        return;
    if (a->launch == simt_launch_number && a->phase == b->phase)
        b->arrived--;
    a->launch = 0;
    complete(first, b);
}

bool simt_report_cluster(const block *first)
{
    const struct cluster_barrier *b = barrier_of(first);

    if (!b->arrived)
        return false;
    for (unsigned i = 0; i < first->warps * m.cluster_blocks * LANES; i++) {
        const struct arrival *a = &own()->arrivals[first->warp[i / LANES].threads + i % LANES - m.threads];

        if (a->launch != simt_launch_number || !a->waits)
            continue;
        simt_current = &first->warp[i / LANES].threads[i % LANES];
        simt_report(HANG, a->file, a->line, NULL,
                    "waits at the barrier of the cluster, to which %u of %u threads have come", b->arrived,
                    live_threads(first));
        return true;
    }
    return false;
}

void simt_cluster_arrive(int relaxed, const char *file, int line)
{
    block *first = simt_cluster_of(m.block);
    struct cluster_barrier *b = barrier_of(first);
    struct arrival *a = arrival_of(simt_current);

    if (a->launch == simt_launch_number) {
        simt_report(BARRIER, file, line, NULL, "arrives at the barrier of the cluster again, and has not waited");
        return;
    }
    if (simt_checking) {
        if (!relaxed)
            simt_fence(SIMT_DEVICE);
        simt_hb_atomic(&b->order[b->phase % 2], false, true, SIMT_DEVICE); /* also what an earlier fence releases */
    }
    m.unusual |= SIMT_CLUSTER_WAITS;
    a->launch = simt_launch_number;
    a->phase = b->phase;
    a->waits = false;
    a->file = file;
    a->line = line;
    b->arrived++;
    complete(first, b);
}

simt_turn simt_cluster_wait(const char *file, int line)
{
    struct cluster_barrier *b = barrier_of(simt_cluster_of(m.block));
    struct arrival *a = arrival_of(simt_current);

    if (a->launch != simt_launch_number) {
        simt_report(BARRIER, file, line, NULL, "waits at the barrier of the cluster, and has not arrived");
        return simt_stop_turn(cudaErrorLaunchFailure);
    }
    if (a->phase != b->phase)
        return simt_next();
    a->waits = true;
    a->file = file;
    a->line = line;
    return simt_next_without(m.warp, m.lane);
}

void simt_cluster_pass(void)
{
    struct cluster_barrier *b = barrier_of(simt_cluster_of(m.block));
    struct arrival *a = arrival_of(simt_current);

    if (simt_checking) {
        simt_hb_atomic(&b->order[a->phase % 2], true, false, SIMT_DEVICE);
        simt_fence(SIMT_DEVICE);
    }
    a->launch = 0;
}

/* --- addresses */

static __attribute__((noreturn)) void refuse(const char *what, unsigned long value, const void *place)
{
    simt_report(API, NULL, 0, place, "%s %#lx in a cluster of %u block%s", what, value, m.cluster_blocks,
                m.cluster_blocks == 1 ? "" : "s");
    simt_stop(cudaErrorLaunchFailure);
}

void *simt_cluster_address(uint32_t address)
{
    unsigned rank = address >> RANK_SHIFT;

    if (rank > m.cluster_blocks)
        refuse("the shared::cluster address", address, __builtin_return_address(0));
    return (rank ? simt_cluster_of(m.block)[rank - 1].arena : m.block->arena) + (address & (SIMT_ARENA - 1));
}

void *simt_block_address(uint32_t address)
{
    const unsigned rank = address >> RANK_SHIFT, own = simt_rank_in_cluster(m.block);

    if (rank > m.cluster_blocks)
        refuse("the shared::cluster address", address, __builtin_return_address(0));
    if (rank != own + 1) {
        simt_report(OOB, NULL, 0, __builtin_return_address(0),
                    "an instruction for the block's own shared memory (.shared, .shared::cta) has an address in block "
                    "%u of the cluster, and runs in block %u",
                    rank - 1, own);
        simt_stop(cudaErrorIllegalAddress);
    }
    return m.block->arena + (address & (SIMT_ARENA - 1));
}

uint32_t simt_cluster_offset(const void *address)
{
    uintptr_t from_first = (uintptr_t)address - (uintptr_t)simt_cluster_of(m.block)->arena;

    if ((uintptr_t)address - (uintptr_t)m.block->arena < SIMT_ARENA)
        return (uint32_t)((uintptr_t)address - (uintptr_t)m.block->arena);
    if (from_first / SIMT_ARENA >= m.cluster_blocks)
        return (uint32_t)NO_RANK
               << RANK_SHIFT; /* no address of shared memory: undefined, and refused when it is used */
    return (uint32_t)((from_first / SIMT_ARENA + 1) << RANK_SHIFT | from_first % SIMT_ARENA);
}

simt_scope simt_cluster_scope(void)
{
    return m.cluster_blocks > 1 ? SIMT_DEVICE : SIMT_BLOCK;
}

static unsigned rank_of(const void *address, const void *place)
{
    uintptr_t rank = ((uintptr_t)address - (uintptr_t)simt_cluster_of(m.block)->arena) / SIMT_ARENA;

    if (rank >= m.cluster_blocks)
        refuse("no address of shared memory:", (unsigned long)(uintptr_t)address, place);
    return (unsigned)rank;
}

unsigned simt_cluster_rank_of(const void *address)
{
    return rank_of(address, __builtin_return_address(0));
}

void *simt_cluster_map(const void *address, unsigned rank)
{
    const void *place = __builtin_return_address(0);
    const block *first = simt_cluster_of(m.block);

    if (rank >= m.cluster_blocks)
        refuse("rank", rank, place);
    return first[rank].arena + ((uintptr_t)address - (uintptr_t)first[rank_of(address, place)].arena);
}

unsigned simt_cluster_register(simt_cluster_value which)
{
    unsigned rank = simt_rank_in_cluster(m.block);
    const dim3 *c = &m.cluster;
    const uint3 *b = &m.block->index;

    switch (which) {
    case SIMT_CLUSTER_RANK:
        return rank;
    case SIMT_CLUSTER_BLOCKS:
        return m.cluster_blocks;
    case SIMT_CLUSTER_BLOCK_X:
        return b->x % c->x;
    case SIMT_CLUSTER_BLOCK_Y:
        return b->y % c->y;
    case SIMT_CLUSTER_BLOCK_Z:
        return b->z % c->z;
    case SIMT_CLUSTER_SIZE_X:
        return c->x;
    case SIMT_CLUSTER_SIZE_Y:
        return c->y;
    case SIMT_CLUSTER_SIZE_Z:
        return c->z;
    case SIMT_CLUSTER_X:
        return b->x / c->x;
    case SIMT_CLUSTER_Y:
        return b->y / c->y;
    case SIMT_CLUSTER_Z:
        return b->z / c->z;
    case SIMT_CLUSTERS_X:
        return gridDim.x / c->x;
    case SIMT_CLUSTERS_Y:
        return gridDim.y / c->y;
    case SIMT_CLUSTERS_Z:
        return gridDim.z / c->z;
    }
    return 0;
}

int simt_cluster_is_explicit(void)
{
    return m.request->explicit_cluster;
}
