/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The intrinsics of barriers in memory, as in CUDA's header of this name: names for instructions of simt_mbarrier.h.
 */
#ifndef SIMT_CUDA_AWBARRIER_PRIMITIVES_H
#define SIMT_CUDA_AWBARRIER_PRIMITIVES_H

#include "cuda_runtime.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

SIMT_INLINE uint32_t __mbarrier_maximum_count()
{
    return (1u << 20) - 1;
}

SIMT_INLINE void __mbarrier_init(__mbarrier_t *barrier, uint32_t count)
{
    ::simt::ptx::mbarrier_init((uintptr_t)barrier, count);
}

SIMT_INLINE void __mbarrier_inval(__mbarrier_t *barrier)
{
    ::simt::ptx::mbarrier_inval((uintptr_t)barrier);
}

SIMT_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier)
{
    return ::simt::ptx::mbarrier_arrive<0>((uintptr_t)barrier, false, false);
}

SIMT_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier)
{
    return ::simt::ptx::mbarrier_arrive<SIMT_MBARRIER_DROP>((uintptr_t)barrier, false, false);
}

SIMT_INLINE bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token)
{
    return ::simt::ptx::mbarrier_wait<0>((uintptr_t)barrier, token, false, false);
}

SIMT_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity)
{
    return ::simt::ptx::mbarrier_wait<SIMT_MBARRIER_PARITY>((uintptr_t)barrier, parity, false, false);
}

SIMT_INLINE bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t)
{
    return ::simt::ptx::mbarrier_wait<SIMT_MBARRIER_TRY>((uintptr_t)barrier, token, false, false);
}

SIMT_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, uint32_t)
{
    return ::simt::ptx::mbarrier_wait<SIMT_MBARRIER_PARITY | SIMT_MBARRIER_TRY>((uintptr_t)barrier, parity, false, false);
}

SIMT_INLINE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    return ::simt::ptx::mbarrier_pending_count(token);
}

#endif
