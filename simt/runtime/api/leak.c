/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program has not freed when it ends: memory, streams and events. Many programs leave that to the end of the process, so it is
 * reported where it is asked for, and noted in the first run of a series.
 */
#include "calls.h"

#include "../core/options.h"
#include "../core/series.h"
#include "../launch/launch.h"
#include "../memory/memory.h"

static bool note;

static bool allocation_leaks(uintptr_t start, size_t size)
{
    const allocation *a = simt_allocation_at(start);

    simt_report_spot(LEAK, &(simt_spot){.callers = a->made, .note = note}, "%zu bytes of %s memory are not freed", size,
                     a->kind == HOST_MEMORY      ? "pinned"
                     : a->kind == MANAGED_MEMORY ? "managed"
                     : a->kind == HEAP_MEMORY    ? "a kernel's"
                                                 : "device");
    return true;
}

static void leaks(const char *what, const void *const *made)
{
    simt_report_spot(LEAK, &(simt_spot){.callers = made, .note = note}, "%s is not destroyed", what);
}

void simt_report_leaks(void)
{
    uint64_t wanted = simt_options.kinds[LEAK];

    note = wanted == SIMT_IN_SERIES;
    if (!wanted || (note && simt_series_role != FIRST))
        return;
    simt_visit_allocations(allocation_leaks);
    for (const struct CUstream_st *s = simt_streams; s; s = s->next)
        leaks("a stream", s->made);
    for (const struct CUevent_st *e = simt_events; e; e = e->next)
        leaks("an event", e->made);
    simt_report_findings(false);
}
