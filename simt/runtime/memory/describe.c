/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An address in words, for findings: the array or allocation, and the element or offset.
 */
#include "range.h"

#include <stdio.h>

void simt_describe_element(uintptr_t address, size_t element, char *text, size_t size)
{
    const allocation *a = simt_allocation_at(address);
    const simt_variable *v = simt_variable_at((const void *)address);
    const simt_registered *r = simt_registered_at((const void *)address);
    char name[128];

    v = v ? v : simt_variable_before(address);
    if (simt_is_shared(address)) {
        simt_describe_shared(address, element, text, size);
    } else if (v) {
        simt_describe_within(&(simt_named){v->name, (uintptr_t)v->address, v->size, false}, address, element, text,
                             size);
    } else if (a) {
        snprintf(name, sizeof name, "%s%s of %zu bytes", a->freed ? "a freed allocation" : "an allocation",
                 a->kind == HEAP_MEMORY ? " of the kernels' heap" : "", (size_t)a->size);
        simt_describe_within(&(simt_named){name, a->start, a->size, true}, address, element, text, size);
    } else if (r) {
        snprintf(name, sizeof name, "registered memory of %zu bytes", r->size);
        simt_describe_within(&(simt_named){name, (uintptr_t)r->memory, r->size, true}, address, element, text, size);
    } else {
        snprintf(text, size, "%s",
                 address - simt_base < simt_size    ? "device memory that is not allocated"
                 : simt_of_another_machine(address) ? "memory of another machine: a shared library has one of its own"
                                                    : "not device memory");
    }
}

void simt_describe(uintptr_t address, char *text, size_t size)
{
    simt_describe_element(address, 0, text, size);
}
