/* SPDX-License-Identifier: BSD-2-Clause
 *
 * `__device__` and `__constant__` variables. They are globals of the host program that register themselves before main.
 */
#include "memory.h"

#include "../core/lock.h"

enum { VARIABLE_ALIGNMENT = 64 }; /* bytes: as simtcc aligns them; the padding after one is its redzone */

static simt_variable *registered;

uintptr_t simt_variables_begin = UINTPTR_MAX, simt_variables_end;

void simt_register(simt_variable *v)
{
    SIMT_CALL;
    uintptr_t begin = (uintptr_t)v->address, end = begin + v->size + VARIABLE_ALIGNMENT;

    v->next = registered;
    registered = v;
    simt_variables_begin = begin < simt_variables_begin ? begin : simt_variables_begin;
    simt_variables_end = end > simt_variables_end ? end : simt_variables_end;
}

/* simtcc aligns the variables, so that none begins in the 64 bytes in which another one ends. */
const simt_variable *simt_variable_before(uintptr_t address)
{
    if (simt_far_from_variables(address) || simt_variable_at((const void *)address))
        return NULL;
    for (const simt_variable *v = registered; v; v = v->next) {
        uintptr_t end = (uintptr_t)v->address + v->size;

        if (address >= end && address < ((end + VARIABLE_ALIGNMENT - 1) & ~(uintptr_t)(VARIABLE_ALIGNMENT - 1)))
            return v;
    }
    return NULL;
}

bool simt_visit_variables(bool (*visit)(uintptr_t start, size_t size))
{
    for (const simt_variable *v = registered; v; v = v->next)
        if (!visit((uintptr_t)v->address, v->size))
            return false;
    return true;
}

const simt_variable *simt_variable_at(const void *address)
{
    for (const simt_variable *v = registered; v; v = v->next)
        if ((uintptr_t)address - (uintptr_t)v->address < v->size)
            return v;
    return NULL;
}
