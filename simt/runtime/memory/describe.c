/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An address in words, for findings: the array or allocation, and the element or offset.
 */
#include "memory.h"

#include <stddef.h>
#include <stdio.h>

/* As name[index] if the access is one aligned element, otherwise by its offset in bytes. */
void simt_describe_within(const simt_named *n, uintptr_t address, size_t element, char *text, size_t size)
{
    ptrdiff_t offset = (ptrdiff_t)(address - n->start);
    bool before = offset < 0, after = !before && offset + (ptrdiff_t)(element ? element : 1) > (ptrdiff_t)n->size;
    char where[48] = "", bytes[48] = "";

    if (element && element <= 16 && offset % (ptrdiff_t)element == 0)
        snprintf(where, sizeof where, "%s[%td]", n->sized ? " at " : "", offset / (ptrdiff_t)element);
    else
        snprintf(where, sizeof where, " at offset %td", offset);
    if (offset == 0 && element == n->size)
        where[0] = 0;
    if ((before || after) && !n->sized)
        snprintf(bytes, sizeof bytes, " (it has %zu bytes)", (size_t)n->size);
    snprintf(text, size, "%s%s%s%s", n->name, where,
             before  ? ", before its start"
             : after ? ", past its end"
                     : "",
             bytes);
}

void simt_describe_element(uintptr_t address, size_t element, char *text, size_t size)
{
    const allocation *a = simt_allocation_at(address);
    const simt_variable *v = simt_variable_at((const void *)address);
    char name[128];

    v = v ? v : simt_variable_before(address);
    if (simt_is_shared(address)) {
        simt_describe_shared(address, element, text, size);
    } else if (v) {
        simt_describe_within(&(simt_named){v->name, (uintptr_t)v->address, v->size, false}, address, element, text,
                             size);
    } else if (a) {
        snprintf(name, sizeof name, "%s of %zu bytes", a->freed ? "a freed allocation" : "an allocation",
                 (size_t)a->size);
        simt_describe_within(&(simt_named){name, a->start, a->size, true}, address, element, text, size);
    } else {
        snprintf(text, size, "%s",
                 address - simt_base < simt_size ? "device memory that is not allocated" : "not device memory");
    }
}

void simt_describe(uintptr_t address, char *text, size_t size)
{
    simt_describe_element(address, 0, text, size);
}
