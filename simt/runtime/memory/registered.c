/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Host memory that the program allocated by other means. Kernels may access it, and only its bounds are checked: it has no
 * shadow.
 */
#include "memory.h"

#include <stdlib.h>

static simt_registered *registered;

simt_registered **simt_find_registered(const void *memory)
{
    simt_registered **link = &registered;

    while (*link && (*link)->memory != memory)
        link = &(*link)->next;
    return link;
}

/* The registered memory that holds the address, or NULL. */
const simt_registered *simt_registered_at(const void *memory)
{
    const simt_registered *r = registered;

    while (r && (uintptr_t)memory - (uintptr_t)r->memory >= r->size)
        r = r->next;
    return r;
}

bool simt_add_registered(void *memory, size_t size, unsigned flags)
{
    simt_registered *r = malloc(sizeof *r);

    if (!r)
        return false;
    simt_host_shares = true;
    *r = (simt_registered){registered, memory, size, flags};
    registered = r;
    return true;
}

bool simt_is_registered(uintptr_t address, size_t size)
{
    const simt_registered *r = simt_registered_at((const void *)address);

    return r && size <= (uintptr_t)r->memory + r->size - address;
}

bool simt_any_registered(void)
{
    return registered != NULL;
}
