/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Asynchronous copies of a thread: the instructions cp.async.* of PTX as functions (simt_ptx.h says how
 * the two belong together), and the calls of the runtime that they make. Until the thread has waited for a copy, each access to its
 * destination and each write to its source is a finding `race`.
 */
#ifndef SIMT_ASYNC_COPY_H
#define SIMT_ASYNC_COPY_H

#include "simt_stdint.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* Copies the first `taken` bytes, and sets the others to 0. `size` is 4, 8 or 16, and both addresses are multiples of it; `to` is in
 * the block's shared memory, `from` in global memory: otherwise a finding `api` or `misaligned` ends the launch. */
void simt_async_copy(void *to, const void *from, uint32_t size, uint32_t taken);
void simt_async_commit(void);          /* the thread's copies since the last call are a group, which may be empty */
void simt_async_wait(uint64_t newest); /* for all groups of the thread but so many of the newest */
void simt_async_wait_all(void);        /* for all copies of the thread */
/* The mbarrier gets an arrival when all copies of the thread so far are complete. `counts`: it is one of those that the phase expects;
 * otherwise the phase expects one more from now on. */
void simt_async_arrive(void *barrier, int counts);

#pragma GCC visibility pop
#ifdef __cplusplus
}

#include "simt_ptx.h"

namespace simt::ptx
{

/* `__asm__` behind a call: no tail call, because the return address is the place that findings name. The last argument says whether
 * a policy of the cache is the last operand. */

SIMT_INLINE void cp_async(uintptr_t to, uintptr_t from, uint32_t size, bool)
{
    ::simt_async_copy((void *)to, (const void *)from, size, size);
    __asm__ volatile("");
}

SIMT_INLINE void cp_async(uintptr_t to, uintptr_t from, uint32_t size, source taken, bool hint)
{
    ::simt_async_copy((void *)to, (const void *)from, size, hint ? size : (uint32_t)taken);
    __asm__ volatile("");
}

SIMT_INLINE void cp_async(uintptr_t to, uintptr_t from, uint32_t size, predicate_source ignored, bool)
{
    ::simt_async_copy((void *)to, (const void *)from, size, ignored ? 0 : size);
    __asm__ volatile("");
}

template <typename Source>
SIMT_INLINE void cp_async(uintptr_t to, uintptr_t from, uint32_t size, Source taken, uint64_t, bool)
{
    cp_async(to, from, size, taken, false);
}

SIMT_INLINE void cp_async_commit()
{
    ::simt_async_commit();
}

SIMT_INLINE void cp_async_wait(uint32_t newest)
{
    yield();
    ::simt_async_wait(newest);
}

SIMT_INLINE void cp_async_wait_all()
{
    yield();
    ::simt_async_wait_all();
}

SIMT_INLINE void cp_async_arrive(uintptr_t barrier, bool noinc)
{
    yield();
    ::simt_async_arrive((void *)barrier, noinc);
    __asm__ volatile("");
}

} // namespace simt::ptx

#endif

#endif
