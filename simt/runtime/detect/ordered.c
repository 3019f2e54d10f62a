/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PTX's loads and stores that have an order. An acquire is such a load with a fence after it, a release such a store
 * with a fence before it: simt_ptx.h adds these fences.
 */
#include "detect.h"

#include "../memory/memory.h"

#include <string.h>

static unsigned kind_of_access(int is_volatile, simt_scope scope)
{
    return SIMT_IS_ATOMIC | (is_volatile ? SIMT_IS_VOLATILE : 0u) | (scope == SIMT_BLOCK ? SIMT_IS_BLOCK_SCOPE : 0u);
}

/* Words as one access of the processor, for other workers. */
static void copy(void *to, const void *from, size_t size)
{
    if (size == 4 && !((uintptr_t)to & 3) && !((uintptr_t)from & 3))
        *(volatile uint32_t *)to = *(const volatile uint32_t *)from;
    else if (size == 8 && !((uintptr_t)to & 7) && !((uintptr_t)from & 7))
        *(volatile uint64_t *)to = *(const volatile uint64_t *)from;
    else
        memcpy(to, from, size);
}

void simt_load_ordered(const void *address, void *value, size_t size, int is_volatile, simt_scope scope)
{
    if (simt_checking) {
        simt_access(address, size, kind_of_access(is_volatile, scope), __builtin_return_address(0));
        if (!simt_on_stacks((uintptr_t)address)) {
            simt_hb_atomic(address, true, false, scope);
            simt_weak_load((void *)(uintptr_t)address, size);
        }
    }
    copy(value, address, size);
}

/* To the checks, an atomic write that is not volatile is a read-modify-write. A store reads nothing, so the bytes count as
 * written before it. */
static void mark_written(uintptr_t address, size_t size)
{
    for (uintptr_t i = address - simt_base; i < address - simt_base + size && i < simt_size; i++)
        if (simt_shadow[i] & ACCESSIBLE)
            simt_shadow[i] |= INITIALISED;
}

void simt_store_ordered(void *address, const void *value, size_t size, int is_volatile, simt_scope scope)
{
    m.polls = 0;
    if (simt_checking) {
        if (!is_volatile)
            mark_written((uintptr_t)address, size);
        simt_access(address, size, SIMT_IS_WRITE | kind_of_access(is_volatile, scope), __builtin_return_address(0));
        if (!simt_on_stacks((uintptr_t)address)) {
            simt_hb_atomic(address, false, true, scope);
            simt_weak_store(address, size);
        }
    }
    copy(address, value, size);
}

int simt_points_to_shared(const void *address)
{
    return simt_is_shared((uintptr_t)address);
}

int simt_points_to_local(const void *address)
{
    return simt_on_stacks((uintptr_t)address);
}

int simt_points_to_global(const void *address)
{
    return !simt_is_shared((uintptr_t)address) && !simt_on_stacks((uintptr_t)address);
}
