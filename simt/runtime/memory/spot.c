/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Findings about a place in memory.
 */
#include "memory.h"

char *simt_report_spot(finding_kind kind, const simt_spot *spot, const char *format, ...)
{
    const allocation *a = simt_allocation_at(spot->object);
    const simt_made made = a ? (simt_made){a->size, a->made} : (simt_made){0, NULL};
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = simt_note(kind, spot, a ? &made : NULL, format, arguments);
    va_end(arguments);
    return text;
}
