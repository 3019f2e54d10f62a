/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bulk copies: the instructions cp.async.bulk.*, cp.reduce.async.bulk.* and fence.proxy.async of PTX as functions (simt_ptx.h says how
 * the two belong together), and the calls of the runtime that they make. All addresses and sizes are multiples of 16: otherwise a
 * finding `misaligned` or `api` ends the launch, as does an address in another state space than the instruction names.
 */
#ifndef SIMT_BULK_COPY_H
#define SIMT_BULK_COPY_H

#include "simt_stdint.h"

/* What a reduction does. */
typedef enum simt_bulk_operation {
    SIMT_BULK_ADD,
    SIMT_BULK_MIN,
    SIMT_BULK_MAX,
    SIMT_BULK_INC,
    SIMT_BULK_DEC,
    SIMT_BULK_AND,
    SIMT_BULK_OR,
    SIMT_BULK_XOR,
    SIMT_BULK_OPERATIONS
} simt_bulk_operation;

typedef enum simt_bulk_type {
    SIMT_BULK_U32,
    SIMT_BULK_S32,
    SIMT_BULK_U64,
    SIMT_BULK_S64,
    SIMT_BULK_B32,
    SIMT_BULK_B64,
    SIMT_BULK_F16,
    SIMT_BULK_BF16,
    SIMT_BULK_F32,
    SIMT_BULK_F64,
    SIMT_BULK_TYPES
} simt_bulk_type;

enum { SIMT_BULK_COPY = -1 }; /* in the place of an operation: a copy */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/* To shared memory. The mbarrier, which must expect these bytes, counts them when they have come. `from` is in global memory, or in the
 * block's shared memory if `from_shared`. */
void simt_bulk_to_shared(void *to, const void *from, uint32_t size, void *barrier, int from_shared, int operation,
                         simt_bulk_type type);
/* The same from global memory to each block of the cluster that a bit names, at the same offsets. */
void simt_bulk_multicast(void *to, const void *from, uint32_t size, void *barrier, uint32_t blocks);
/* st.async and red.async of `size` bytes, at most 16, into shared memory of the cluster. */
void simt_store_async(void *to, const void *value, uint32_t size, void *barrier, int operation, simt_bulk_type type);
/* From the block's shared memory to global memory, as part of the thread's current bulk group. */
void simt_bulk_to_global(void *to, const void *from, uint32_t size, int operation, simt_bulk_type type);
void simt_bulk_commit(void);                        /* what the thread issued since the last call is a group */
void simt_bulk_wait(uint64_t newest, int for_read); /* all its groups but so many of the newest are done, or read */
void simt_bulk_prefetch(const void *from, uint32_t size);
/* Orders what happens before it and after it across the generic and the async proxy, in these spaces: 1 shared, 2 global. */
void simt_fence_proxy(unsigned spaces);

#pragma GCC visibility pop
#ifdef __cplusplus
}

#include "simt_ptx.h"

namespace simt::ptx
{

/* `__asm__` behind a call: no tail call, because the return address is the place that findings name. */

SIMT_INLINE void fence_proxy_async(bool global, bool cta, bool cluster)
{
    ::simt_fence_proxy(global ? 2 : cta || cluster ? 1 : 3);
}

/* Two addresses of one memory do not exist here. */
SIMT_INLINE void fence_proxy_alias()
{
}

SIMT_INLINE void bulk_load(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier, bool shared, int operation,
                           simt_bulk_type type)
{
    yield();
    ::simt_bulk_to_shared((void *)to, (const void *)from, size, (void *)barrier, shared, operation, type);
    __asm__ volatile("");
}

SIMT_INLINE void cp_async_bulk(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier, bool, bool)
{
    bulk_load(to, from, size, barrier, false, SIMT_BULK_COPY, SIMT_BULK_B32);
}

/* To the block itself: there is no multicast. The last operand is a policy of the cache. */
SIMT_INLINE void cp_async_bulk_own(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier, bool)
{
    bulk_load(to, from, size, barrier, false, SIMT_BULK_COPY, SIMT_BULK_B32);
}

SIMT_INLINE void cp_async_bulk_own(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier, source, bool)
{
    bulk_load(to, from, size, barrier, false, SIMT_BULK_COPY, SIMT_BULK_B32);
}

/* The last operand is the blocks of a multicast, or a policy of the cache. */
SIMT_INLINE void cp_async_bulk(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier, source blocks,
                               bool multicast, bool)
{
    if (!multicast) {
        cp_async_bulk(to, from, size, barrier, false, false);
        return;
    }
    yield();
    ::simt_bulk_multicast((void *)to, (const void *)from, size, (void *)barrier, (uint32_t)blocks & 0xffff);
    __asm__ volatile("");
}

SIMT_INLINE void cp_async_bulk(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier, source blocks, source,
                               bool, bool)
{
    cp_async_bulk(to, from, size, barrier, blocks, true, false);
}

SIMT_INLINE void cp_async_bulk_peer(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier)
{
    bulk_load(to, from, size, barrier, true, SIMT_BULK_COPY, SIMT_BULK_B32);
}

SIMT_INLINE void bulk_store(uintptr_t to, uintptr_t from, uint32_t size, int operation, simt_bulk_type type)
{
    yield();
    ::simt_bulk_to_global((void *)to, (const void *)from, size, operation, type);
    __asm__ volatile("");
}

SIMT_INLINE void cp_async_bulk_store(uintptr_t to, uintptr_t from, uint32_t size, bool)
{
    bulk_store(to, from, size, SIMT_BULK_COPY, SIMT_BULK_B32);
}

SIMT_INLINE void cp_async_bulk_store(uintptr_t to, uintptr_t from, uint32_t size, source, bool)
{
    bulk_store(to, from, size, SIMT_BULK_COPY, SIMT_BULK_B32);
}

/* Operation and type of flags: operations and types, each in the order of its enumeration. */
struct reduction {
    int operation = 0, type = 0;

    template <typename... Flags> __attribute__((always_inline)) explicit reduction(Flags... flags)
    {
        const bool flag[] = {flags...};

        while (operation < SIMT_BULK_OPERATIONS - 1 && !flag[operation])
            operation++;
        while (type < SIMT_BULK_TYPES - 1 && !flag[SIMT_BULK_OPERATIONS + type])
            type++;
    }
};

template <typename... Flags>
SIMT_INLINE void cp_reduce_bulk_store(uintptr_t to, uintptr_t from, uint32_t size, Flags... flags)
{
    reduction r(flags...);

    bulk_store(to, from, size, r.operation, (simt_bulk_type)r.type);
}

template <typename... Flags>
SIMT_INLINE void cp_reduce_bulk_peer(uintptr_t to, uintptr_t from, uint32_t size, uintptr_t barrier, Flags... flags)
{
    reduction r(flags...);

    bulk_load(to, from, size, barrier, true, r.operation, (simt_bulk_type)r.type);
}

template <typename T, size_t size>
SIMT_INLINE void st_async(uintptr_t to, memory_vector<T, size> value, uintptr_t barrier)
{
    yield();
    ::simt_store_async((void *)to, &value, sizeof value, (void *)barrier, SIMT_BULK_COPY, SIMT_BULK_B32);
    __asm__ volatile("");
}

template <typename... Flags> SIMT_INLINE void red_async(uintptr_t to, uint64_t value, uintptr_t barrier, Flags... flags)
{
    reduction r(flags...);
    bool wide = r.type == SIMT_BULK_U64 || r.type == SIMT_BULK_S64 || r.type == SIMT_BULK_B64;

    yield();
    ::simt_store_async((void *)to, &value, wide ? 8 : 4, (void *)barrier, r.operation, (simt_bulk_type)r.type);
    __asm__ volatile("");
}

SIMT_INLINE void cp_async_bulk_commit()
{
    ::simt_bulk_commit();
}

SIMT_INLINE void cp_async_bulk_wait(uint32_t newest, bool read)
{
    yield();
    ::simt_bulk_wait(newest, read);
}

SIMT_INLINE void cp_async_bulk_prefetch(uintptr_t from, uint32_t size)
{
    ::simt_bulk_prefetch((const void *)from, size);
    __asm__ volatile("");
}

} // namespace simt::ptx

#endif

#endif
