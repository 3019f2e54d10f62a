/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An element of an array in words.
 */
#include "range.h"

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
