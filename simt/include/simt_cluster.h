/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Clusters of blocks: the instructions barrier.cluster.*, mapa and getctarank of PTX as functions (simt_ptx.h says how the two belong
 * together), and the calls of the runtime that they make. Without clusters, a block is one of its own.
 */
#ifndef SIMT_CLUSTER_H
#define SIMT_CLUSTER_H

#include "simt_calls.h"

typedef enum simt_cluster_value {
    SIMT_CLUSTER_RANK, /* of the running block in its cluster */
    SIMT_CLUSTER_BLOCKS,
    SIMT_CLUSTER_BLOCK_X, /* the block's index in its cluster */
    SIMT_CLUSTER_BLOCK_Y,
    SIMT_CLUSTER_BLOCK_Z,
    SIMT_CLUSTER_SIZE_X, /* blocks of a cluster */
    SIMT_CLUSTER_SIZE_Y,
    SIMT_CLUSTER_SIZE_Z,
    SIMT_CLUSTER_X, /* the cluster's index in the grid */
    SIMT_CLUSTER_Y,
    SIMT_CLUSTER_Z,
    SIMT_CLUSTERS_X, /* clusters of the grid */
    SIMT_CLUSTERS_Y,
    SIMT_CLUSTERS_Z
} simt_cluster_value;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

unsigned simt_cluster_register(simt_cluster_value which);
int simt_cluster_is_explicit(void); /* the launch or the kernel names a cluster */
/* The thread arrives once, then waits until all threads of the cluster that have not exited have arrived: otherwise a finding
 * `barrier`. A relaxed arrival publishes nothing. */
void simt_cluster_arrive(int relaxed, const char *file, int line);
simt_turn simt_cluster_wait(const char *file, int line);
void simt_cluster_pass(void); /* must be called after it */
/* Where the variable at the address, in shared memory of the cluster, is in the block of that rank. A rank that is not there, or
 * another address, is a finding `api`. */
void *simt_cluster_map(const void *address, unsigned rank);
unsigned simt_cluster_rank_of(const void *address);

#pragma GCC visibility pop
#ifdef __cplusplus
}

#include "simt_ptx.h"

namespace simt::ptx
{

/* `__asm__` behind a call: no tail call, because the return address is the place that findings name. */

SIMT_INLINE void barrier_cluster_arrive(bool relaxed, SIMT_PLACE)
{
    yield();
    ::simt_cluster_arrive(relaxed, simt_file, (int)simt_line);
}

SIMT_INLINE void barrier_cluster_wait(SIMT_PLACE)
{
    ::simt_switch(::simt_cluster_wait(simt_file, (int)simt_line));
    ::simt_cluster_pass();
}

SIMT_INLINE uint64_t mapa(uint64_t address, uint32_t rank)
{
    uint64_t there = (uint64_t)(uintptr_t)::simt_cluster_map((const void *)address, rank);

    __asm__ volatile("");
    return there;
}

SIMT_INLINE uint32_t mapa_shared(source address, uint32_t rank)
{
    uint32_t there = ::simt_cluster_offset((const void *)mapa(shared_address(address, 0), rank));

    /* an address of the block itself has its rank, too: other blocks of the cluster may use it */
    return there >> 24 ? there : there | (rank + 1) << 24;
}

SIMT_INLINE uint32_t getctarank(uint64_t address)
{
    uint32_t rank = ::simt_cluster_rank_of((const void *)address);

    __asm__ volatile("");
    return rank;
}

SIMT_INLINE uint32_t getctarank_shared(source address)
{
    return getctarank(shared_address(address, 0));
}

} // namespace simt::ptx

/* --- CUDA's functions */

SIMT_INLINE void *__cluster_map_shared_rank(const void *address, unsigned rank)
{
    return (void *)::simt::ptx::mapa((uintptr_t)address, rank);
}

SIMT_INLINE unsigned __cluster_query_shared_rank(const void *address)
{
    return ::simt::ptx::getctarank((uintptr_t)address);
}

SIMT_INLINE void __cluster_barrier_arrive(SIMT_PLACE)
{
    ::simt::ptx::barrier_cluster_arrive(false, simt_file, simt_line);
}

SIMT_INLINE void __cluster_barrier_arrive_relaxed(SIMT_PLACE)
{
    ::simt::ptx::barrier_cluster_arrive(true, simt_file, simt_line);
}

SIMT_INLINE void __cluster_barrier_wait(SIMT_PLACE)
{
    ::simt::ptx::barrier_cluster_wait(simt_file, simt_line);
}

SIMT_INLINE unsigned __clusterRelativeBlockRank()
{
    return ::simt_cluster_register(SIMT_CLUSTER_RANK);
}

SIMT_INLINE unsigned __clusterSizeInBlocks()
{
    return ::simt_cluster_register(SIMT_CLUSTER_BLOCKS);
}

SIMT_INLINE dim3 __clusterDim()
{
    return dim3(::simt_cluster_register(SIMT_CLUSTER_SIZE_X), ::simt_cluster_register(SIMT_CLUSTER_SIZE_Y),
                ::simt_cluster_register(SIMT_CLUSTER_SIZE_Z));
}

SIMT_INLINE dim3 __clusterRelativeBlockIdx()
{
    return dim3(::simt_cluster_register(SIMT_CLUSTER_BLOCK_X), ::simt_cluster_register(SIMT_CLUSTER_BLOCK_Y),
                ::simt_cluster_register(SIMT_CLUSTER_BLOCK_Z));
}

SIMT_INLINE dim3 __clusterIdx()
{
    return dim3(::simt_cluster_register(SIMT_CLUSTER_X), ::simt_cluster_register(SIMT_CLUSTER_Y),
                ::simt_cluster_register(SIMT_CLUSTER_Z));
}

SIMT_INLINE dim3 __clusterGridDimInClusters()
{
    return dim3(::simt_cluster_register(SIMT_CLUSTERS_X), ::simt_cluster_register(SIMT_CLUSTERS_Y),
                ::simt_cluster_register(SIMT_CLUSTERS_Z));
}

SIMT_INLINE unsigned __clusterDimIsSpecified()
{
    return (unsigned)::simt_cluster_is_explicit();
}

#endif

#endif
