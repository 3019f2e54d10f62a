/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Findings about a place in memory.
 */
#include "memory.h"

#include <stdio.h>

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

char *simt_report_freed(finding_kind kind, const simt_spot *spot, const char *format, ...)
{
    const allocation *a = simt_allocation_at(spot->object);
    simt_spot both = *spot;
    char by[96] = "", what[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!a || !a->freed)
        return simt_report_spot(kind, spot, "%s", what);
    both.other_block = a->ended_block;
    both.other_thread = a->ended_thread;
    if (a->ended_by_thread)
        both.other = a->ended[0];
    else
        both.other_callers = a->ended;
    if (a->ended_by_thread)
        snprintf(by, sizeof by, "block (%u,%u,%u) thread (%u,%u,%u)", a->ended_block.x, a->ended_block.y,
                 a->ended_block.z, a->ended_thread.x, a->ended_thread.y, a->ended_thread.z);
    return simt_report_spot(kind, &both, "%s, freed by %s", what, *by ? by : "the host");
}
