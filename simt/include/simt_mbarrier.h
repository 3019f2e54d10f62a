/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Barriers in memory: the instructions mbarrier.* of PTX as functions (simt_ptx.h says how the two belong together), and the calls
 * of the runtime that they make. An mbarrier has 8 bytes of the block's shared memory, aligned to 8. Every misuse is a finding
 * `barrier`; the operation then does nothing, unless it says otherwise. The caller must have yielded before.
 */
#ifndef SIMT_MBARRIER_H
#define SIMT_MBARRIER_H

#include "simt_stdint.h"

enum { SIMT_MBARRIER = 8 }; /* bytes */

/* How an operation differs from the usual one. */
enum {
    SIMT_MBARRIER_DROP = 1,        /* one arrival fewer is expected from the next phase on */
    SIMT_MBARRIER_NO_COMPLETE = 2, /* must not complete the phase */
    SIMT_MBARRIER_RELAXED = 4,     /* orders nothing */
    SIMT_MBARRIER_PARITY = 8,      /* the operand is a phase's parity */
    SIMT_MBARRIER_TRY = 16,        /* try_wait */
    SIMT_MBARRIER_BLOCK = 32 /* .cta: orders the threads of the block only. Without a scope it is the cluster: PTX's
                                      default is .cta, but NVIDIA's libraries arrive at other blocks without one */
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

void simt_mbarrier_init(void *at, uint32_t count); /* 1 to 2^20 - 1 arrivals a phase */
void simt_mbarrier_inval(void *at);
/* Announces `bytes` and then makes `count` arrivals. Returns the state of the phase in which it arrived. More arrivals than the
 * phase lacks are a finding, and count as those that it lacks. */
uint64_t simt_mbarrier_arrive(void *at, uint32_t count, uint32_t bytes, unsigned how);
void simt_mbarrier_bytes(void *at, uint32_t bytes, int completes); /* announces them; or they have come */
/* Is the phase of the state or parity complete? Then what was done before its arrivals happens before what comes next. */
int simt_mbarrier_test(void *at, uint64_t operand, unsigned how);

#pragma GCC visibility pop
#ifdef __cplusplus
}

#include "simt_atomic.h"

namespace simt::ptx
{

/* `__asm__` behind a call: no tail call, because the return address is the place that findings name. */

SIMT_INLINE void mbarrier_init(uintptr_t at, uint32_t count)
{
    yield();
    ::simt_mbarrier_init((void *)at, count);
    __asm__ volatile("");
}

SIMT_INLINE void fence_mbarrier_init()
{
    ::simt_fence(::simt_cluster_scope());
}

SIMT_INLINE void mbarrier_inval(uintptr_t at)
{
    yield();
    ::simt_mbarrier_inval((void *)at);
    __asm__ volatile("");
}

SIMT_INLINE uint64_t mbarrier_do(uintptr_t at, uint32_t count, uint32_t bytes, unsigned how)
{
    uint64_t state;

    yield();
    state = ::simt_mbarrier_arrive((void *)at, count, bytes, how);
    __asm__ volatile("");
    return state;
}

static constexpr unsigned mbarrier_order(bool relaxed, bool block)
{
    return (relaxed ? SIMT_MBARRIER_RELAXED : 0u) | (block ? SIMT_MBARRIER_BLOCK : 0u);
}

template <unsigned how> SIMT_INLINE uint64_t mbarrier_arrive(uintptr_t at, uint32_t count, bool relaxed, bool block)
{
    return mbarrier_do(at, count, 0, how | mbarrier_order(relaxed, block));
}

template <unsigned how> SIMT_INLINE uint64_t mbarrier_arrive(uintptr_t at, bool relaxed, bool block)
{
    return mbarrier_arrive<how>(at, 1, relaxed, block);
}

template <unsigned how>
SIMT_INLINE uint64_t mbarrier_arrive_expect(uintptr_t at, uint32_t bytes, bool relaxed, bool block)
{
    return mbarrier_do(at, 1, bytes, how | mbarrier_order(relaxed, block));
}

template <bool completes> SIMT_INLINE void mbarrier_bytes(uintptr_t at, uint32_t bytes)
{
    yield();
    ::simt_mbarrier_bytes((void *)at, bytes, completes);
    __asm__ volatile("");
}

/* try_wait waits for a time of its own choice, and may return `false` behind it: here it lets others run once. */
template <unsigned how>
SIMT_INLINE bool mbarrier_wait(uintptr_t at, uint64_t operand, uint32_t, bool relaxed, bool block)
{
    bool complete;

    yield();
    complete = ::simt_mbarrier_test((void *)at, operand, how | mbarrier_order(relaxed, block));
    if (!complete)
        ::simt_switch(::simt_pause());
    if (!complete && how & SIMT_MBARRIER_TRY)
        complete = ::simt_mbarrier_test((void *)at, operand, how | mbarrier_order(relaxed, block));
    __asm__ volatile("");
    return complete;
}

template <unsigned how> SIMT_INLINE bool mbarrier_wait(uintptr_t at, uint64_t operand, bool relaxed, bool block)
{
    return mbarrier_wait<how>(at, operand, 0, relaxed, block);
}

/* The arrivals that the phase lacked when the state was made. */
SIMT_INLINE uint32_t mbarrier_pending_count(uint64_t state)
{
    return (uint32_t)(state >> 20) & 0xfffff;
}

} // namespace simt::ptx

#endif

#endif
