/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Accesses of host code to memory that operations of streams use, while the host has not waited for them (actor.h). They are seen where
 * simtcc has compiled the host code: its hooks are those of kernels.
 *
 * Two accesses race if one of them writes. Three exceptions: both are volatile, as of a flag that the host polls; the host's is volatile
 * or atomic and the kernel's atomic, in a launch with atomics of the system's scope; the kernel's is a volatile or atomic read.
 */
#include "origin.h"
#include "pair.h"
#include "span.h"

#include "../core/lock.h"
#include "../report/report.h"

#include <stdio.h>

typedef struct host_access {
    simt_span span;
    unsigned kind;
    const char *call; /* NULL: of host code */
    const void *place;
    bool faulted; /* `place` is of a fault: its line may be that of a caller */
} host_access;

static const void *place_of(const host_access *a)
{
    return a->faulted ? simt_place_of_fault(a->place) : a->place;
}

static bool conflicts(const simt_launched *l, simt_cell word, const void *state)
{
    const host_access *a = state;
    unsigned kind = kind_of(word);

    if (simt_host_knows(l->actor, &l->before) || simt_function_knows(l->actor, &l->before))
        return false;
    if (!(kind & SIMT_IS_ATOMIC))
        return true;
    if (!(kind & SIMT_IS_WRITE))
        return false;
    return !(a->kind & SIMT_IS_ATOMIC) || !(kind & SIMT_IS_VOLATILE || l->speaks);
}

/* "read by host code from", or "cudaFree of" */
static const char *begin_text(const host_access *a)
{
    return a->call ? a->call : a->kind & SIMT_IS_WRITE ? "write by host code to" : "read by host code from";
}

static void report_launch(const host_access *a, const simt_hit *h)
{
    char what[256], stream[SIMT_STREAM_NAME];
    simt_spot spot = {
        .place = place_of(a), .object = h->address, .address = what, .other = simt_origin_place(h->word, ALL_BYTES)};
    const simt_launched *l = h->launch;
    uint3 *b = &spot.other_block, *n = &spot.other_thread;

    simt_describe_element(h->address, 1, what, sizeof what);
    simt_launched_thread(l, h->word, b, n);
    simt_report_spot(RACE, &spot,
                     "%s %s, and %s by block (%u,%u,%u) thread (%u,%u,%u) of kernel %s, launched at %s:%d in %s, are "
                     "not ordered: the host does not wait for %s before",
                     begin_text(a), what, kind_of(h->word) & SIMT_IS_WRITE ? "write" : "read", b->x, b->y, b->z, n->x,
                     n->y, n->z, l->name, l->file, l->line, simt_operation_name(l->actor, l->node, stream, sizeof stream), l->name);
}

static void report_transfer(const host_access *a, const simt_transferred *t, bool wrote)
{
    char what[256], stream[SIMT_STREAM_NAME];
    simt_spot spot = {.place = place_of(a), .object = a->span.begin, .address = what, .other_callers = t->callers};

    if (simt_may_be_transferred(a->span.begin, 1))
        snprintf(what, sizeof what, "pageable memory");
    else
        simt_describe_element(a->span.begin, 1, what, sizeof what);
    simt_report_spot(RACE, &spot,
                     "%s %s, and %s of %zu bytes %s it in %s are not ordered: the host does not wait for the %s before",
                     begin_text(a), what, t->call, simt_transferred_bytes(t), wrote ? "to" : "from",
                     simt_operation_name(t->actor, t->node, stream, sizeof stream), t->call);
}

static bool races(const host_access *a)
{
    const simt_launched *l = simt_launched_beside(NULL);
    bool writes = a->kind & SIMT_IS_WRITE, any = l != NULL;
    uint64_t at = 0;
    simt_hit h;

    if (l && simt_search_span(&a->span, writes, after(l->clock), conflicts, a, &h)) {
        report_launch(a, &h);
        return true;
    }
    for (const simt_transferred *t; (t = simt_next_transfer(&at)) != NULL;) {
        any = true;
        for (unsigned i = 0; i < SPANS && !simt_function_knows(t->actor, &t->before); i++)
            if ((writes || i == WRITTEN) && simt_spans_overlap(&t->span[i], &a->span)) {
                report_transfer(a, t, i == WRITTEN);
                return true;
            }
    }
    simt_in_flight = any;
    return false;
}

static bool judge(const host_access *a)
{
    bool found = simt_cells && !simt_options.ignore_host && races(a);

    if (found)
        simt_report_findings(false);
    return found;
}

bool simt_host_access(uintptr_t address, size_t size, unsigned kind, const char *call, const void *place)
{
    SIMT_CALL;

    return judge(&(host_access){{.begin = address, .size = size, .rows = size != 0}, kind, call, place, false});
}

/* Only the first byte is known, and not whether the access is volatile. */
bool simt_host_faults(uintptr_t address, bool write, const void *place)
{
    unsigned kind = SIMT_IS_ATOMIC | SIMT_IS_VOLATILE | write;

    return judge(&(host_access){{.begin = address, .size = 1, .rows = 1}, kind, NULL, place, true});
}
