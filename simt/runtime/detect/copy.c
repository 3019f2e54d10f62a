/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory functions of instrumented code: each is a read of all that it reads and a write of all that it writes.
 */
#include "access.h"

#include "../memory/memory.h"

#include <string.h>

/* What was never written at `from` is not at `to` either: the copy of a structure's padding is no use of it. Where the
 * two overlap, all of `to` counts as written. */
void simt_copy_states(uintptr_t to, uintptr_t from, size_t size)
{
    if (to - simt_base >= simt_size || from - simt_base >= simt_size || to - from < size || from - to < size)
        return;
    simt_host_wrote(from, size);
    simt_pages_change(to, size);
    for (size_t i = 0; i < size; i++)
        simt_shadow[to - simt_base + i] &= (uint8_t)~INITIALISED | simt_shadow[from - simt_base + i];
}

static void check_copy(const void *to, const void *from, size_t size, const void *place)
{
    if (!size || !simt_checking)
        return;
    simt_access(from, size, false, place);
    simt_access(to, size, true, place);
    if (simt_current)
        simt_copy_states((uintptr_t)to, (uintptr_t)from, size);
}

#pragma GCC visibility push(hidden)

void *__simt_memcpy(void *to, const void *from, size_t size);
void *__simt_memcpy(void *to, const void *from, size_t size)
{
    check_copy(to, from, size, PLACE);
    return memcpy(to, from, size);
}

void *__simt_memmove(void *to, const void *from, size_t size);
void *__simt_memmove(void *to, const void *from, size_t size)
{
    check_copy(to, from, size, PLACE);
    return memmove(to, from, size);
}

void *__simt_memset(void *to, int value, size_t size);
void *__simt_memset(void *to, int value, size_t size)
{
    simt_access(to, size, true, PLACE);
    return memset(to, value, size);
}

#pragma GCC visibility pop
