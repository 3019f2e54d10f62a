/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The intrinsics of asynchronous copies, as in CUDA's header of this name: names for instructions of simt_async_copy.h.
 */
#ifndef SIMT_CUDA_PIPELINE_PRIMITIVES_H
#define SIMT_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"

/* The last `zeros` of the `size` bytes become 0. */
SIMT_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0)
{
    ::simt_async_copy(to, from, (uint32_t)size, zeros < size ? (uint32_t)(size - zeros) : 0);
    __asm__ volatile("");
}

SIMT_INLINE void __pipeline_commit()
{
    ::simt::ptx::cp_async_commit();
}

SIMT_INLINE void __pipeline_wait_prior(size_t newest)
{
    ::simt::ptx::cp_async_wait((uint32_t)(newest < 8 ? newest : 8)); /* CUDA's limit */
}

SIMT_INLINE void __pipeline_arrive_on(__mbarrier_t *barrier)
{
    ::simt::ptx::cp_async_arrive((uintptr_t)barrier, false);
}

#endif
