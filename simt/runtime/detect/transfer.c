/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Races of transfers, as actor.h describes them: with each other by their spans, with launches by the cells in their spans.
 */
#include "actor.h"
#include "origin.h"
#include "pair.h"
#include "span.h"

#include "../core/lock.h"
#include "../memory/memory.h"
#include "../report/report.h"

enum { TRANSFERS = 256 /* that are remembered; a race with an older one that nobody has waited for is missed */ };

static simt_transferred transfers[TRANSFERS];
static uint64_t first, past; /* numbers of the oldest that is remembered, and of the next */

/* From the first byte to the last of the pageable memory of transfers for which the host may not have waited. */
static uintptr_t pageable_begin, pageable_end;

simt_transferred *simt_next_transfer(uint64_t *i)
{
    while (first < past && simt_host_knows(transfers[first % TRANSFERS].actor, &transfers[first % TRANSFERS].before))
        first++;
    for (*i = *i < first ? first : *i; *i < past; ++*i) {
        simt_transferred *t = &transfers[*i % TRANSFERS];

        if (!simt_host_knows(t->actor, &t->before)) {
            ++*i;
            return t;
        }
    }
    return NULL;
}

/* --- pageable memory */

bool simt_may_be_transferred(uintptr_t address, size_t size)
{
    return address < pageable_end && pageable_begin < address + size;
}

static bool is_pageable(const simt_span *s)
{
    const void *memory = (const void *)s->begin;

    return s->rows && !simt_in_range(memory) && !simt_registered_at(memory) && !simt_variable_at(memory);
}

static void note_pageable(const simt_transferred *t)
{
    uint64_t at = 0;

    for (unsigned i = 0; i < SPANS; i++) {
        const simt_span *s = &t->span[i];
        uintptr_t end = s->begin + (s->rows - 1) * s->pitch + s->size;

        if (!is_pageable(s))
            continue;
        if (!pageable_end || !simt_next_transfer(&at)) {
            pageable_begin = s->begin;
            pageable_end = end;
        }
        pageable_begin = s->begin < pageable_begin ? s->begin : pageable_begin;
        pageable_end = end > pageable_end ? end : pageable_end;
        simt_host_shares = true;
    }
}

/* --- findings */

size_t simt_transferred_bytes(const simt_transferred *t)
{
    const simt_span *s = &t->span[t->span[WRITTEN].rows ? WRITTEN : READ];

    return s->rows * s->size;
}

/* A launch that came before the transfer. */
static void report_earlier(const simt_transferred *t, const simt_hit *h, bool writes)
{
    char what[256], of_transfer[SIMT_STREAM_NAME], of_launch[SIMT_STREAM_NAME];
    simt_spot spot = {.object = h->address, .address = what, .other = simt_origin_place(h->word, ALL_BYTES)};
    const simt_launched *l = h->launch;
    uint3 *b = &spot.other_block, *n = &spot.other_thread;

    simt_describe_element(h->address, 1, what, sizeof what);
    simt_launched_thread(l, h->word, b, n);
    simt_report_spot(
        RACE, &spot,
        "%s of %zu bytes in %s %s %s, and %s by block (%u,%u,%u) thread (%u,%u,%u) of kernel %s, launched at "
        "%s:%d in %s, are not ordered: no event orders %s before %s",
        t->call, simt_transferred_bytes(t), simt_operation_name(t->actor, t->node, of_transfer, sizeof of_transfer),
        writes ? "to" : "from", what, kind_of(h->word) & SIMT_IS_WRITE ? "write" : "read", b->x, b->y, b->z, n->x, n->y,
        n->z, l->name, l->file, l->line, simt_operation_name(l->actor, l->node, of_launch, sizeof of_launch), l->name,
        t->call);
}

/* The launch that has just ended. */
static void report_later(const simt_transferred *t, const simt_hit *h, bool writes)
{
    char what[256], of_transfer[SIMT_STREAM_NAME], of_launch[SIMT_STREAM_NAME];
    simt_spot spot = {.object = h->address,
                      .address = what,
                      .place = simt_origin_place(h->word, ALL_BYTES),
                      .other_callers = t->callers};
    const simt_launched *l = h->launch;
    uint3 b, n;

    simt_describe_element(h->address, 1, what, sizeof what);
    simt_launched_thread(l, h->word, &b, &n);
    simt_report_spot(
        RACE, &spot,
        "block (%u,%u,%u) thread (%u,%u,%u), launched at %s:%d in %s: %s %s %s, and %s of %zu bytes %s it in %s "
        "are not ordered: no event orders %s before %s",
        b.x, b.y, b.z, n.x, n.y, n.z, l->file, l->line,
        simt_operation_name(l->actor, l->node, of_launch, sizeof of_launch),
        kind_of(h->word) & SIMT_IS_WRITE ? "write" : "read", kind_of(h->word) & SIMT_IS_WRITE ? "to" : "from", what,
        t->call, simt_transferred_bytes(t), writes ? "to" : "from",
        simt_operation_name(t->actor, t->node, of_transfer, sizeof of_transfer), t->call, l->name);
}

static void report_both(const simt_transferred *new, const simt_transferred *old, bool writes, bool wrote)
{
    char what[256], of_new[SIMT_STREAM_NAME], of_old[SIMT_STREAM_NAME];
    const simt_span *a = &new->span[writes ? WRITTEN : READ], *b = &old->span[wrote ? WRITTEN : READ];
    uintptr_t address = a->begin < b->begin ? b->begin : a->begin;
    simt_spot spot = {.object = address, .address = what, .other_callers = old->callers};
    const char *new_name = simt_operation_name(new->actor, new->node, of_new, sizeof of_new);
    const char *old_name = simt_operation_name(old->actor, old->node, of_old, sizeof of_old);

    simt_describe_element(address, 1, what, sizeof what);
    simt_report_spot(
        RACE, &spot,
        "%s of %zu bytes in %s %s %s, and %s of %zu bytes %s it in %s are not ordered: no event orders the "
        "%s in %s before the %s in %s",
        new->call, simt_transferred_bytes(new), new_name, writes ? "to" : "from", what, old->call,
        simt_transferred_bytes(old), wrote ? "to" : "from", old_name, old->call, old_name, new->call, new_name);
}

/* --- comparing */

static bool is_unordered(const simt_launched *l, simt_cell word, const void *new)
{
    const simt_transferred *t = new;

    (void)word;
    return !simt_is_known(&t->before, l->actor, &l->before);
}

static bool is_same(const simt_launched *l, simt_cell word, const void *other)
{
    (void)word;
    return l == other;
}

static void compare_with_launches(const simt_transferred *t)
{
    const simt_launched *l = simt_launched_beside(&t->before);
    simt_cell since;
    simt_hit h;

    if (!l)
        return;
    since = after(l->clock);
    for (unsigned i = 0; i < SPANS; i++)
        if (simt_search_span(&t->span[i], i == WRITTEN, since, is_unordered, t, &h)) {
            report_earlier(t, &h, i == WRITTEN);
            return;
        }
}

static uint64_t forking; /* number of the grid; 0: none */
static const struct simt_fork *forked;

void simt_transfers_forked(uint64_t parent, const struct simt_fork *fork)
{
    forking = parent;
    forked = fork;
}

static bool is_behind_fork(const simt_launched *l, simt_cell word, const void *parent)
{
    return l == parent && !simt_fork_has(forked, l->warps_each, word);
}

static void compare_with_fork(const simt_transferred *t)
{
    const simt_launched *l = forked ? simt_launched_numbered(forking) : NULL;
    simt_hit h;

    for (unsigned i = 0; l && l->clock && i < SPANS; i++)
        if (simt_search_span(&t->span[i], i == WRITTEN, after(l->clock), is_behind_fork, l, &h)) {
            report_earlier(t, &h, i == WRITTEN);
            return;
        }
}

static void compare_with_transfers(const simt_transferred *t)
{
    uint64_t at = 0;

    for (simt_transferred *old; (old = simt_next_transfer(&at)) != NULL;) {
        if (simt_is_known(&t->before, old->actor, &old->before))
            continue;
        for (unsigned i = 0; i < SPANS * SPANS; i++)
            if ((i / SPANS == WRITTEN || i % SPANS == WRITTEN) &&
                simt_spans_overlap(&t->span[i / SPANS], &old->span[i % SPANS])) {
                report_both(t, old, i / SPANS == WRITTEN, i % SPANS == WRITTEN);
                break;
            }
    }
}

void simt_transfer(unsigned actor, const char *call, simt_span to, simt_span from, bool waits)
{
    simt_transferred t = {.actor = actor, .node = simt_issuing, .call = call, .span = {[WRITTEN] = to, [READ] = from}};

    if (!simt_cells)
        return;
    t.before = *simt_issue(actor, waits);
    if (simt_unordered_streams) {
        compare_with_launches(&t);
        compare_with_fork(&t);
        compare_with_transfers(&t);
        simt_report_findings(false);
    }
    simt_pages_stale = true;
    if (waits)
        return;
    note_pageable(&t);
    if (simt_unordered_streams || simt_host_shares)
        simt_callers(t.callers, SIMT_CALLERS);
    transfers[past % TRANSFERS] = t;
    if (++past - first > TRANSFERS)
        first++;
}

/* Compares the launch with transfers. One that was issued while the launch was suspended can come after it. */
void simt_launched_end(void)
{
    const simt_launched *l = simt_this_launch;
    uint64_t at = 0;
    simt_hit h;

    simt_pages_stale = true;
    if (!simt_unordered_streams || !l || !l->clock)
        return;
    for (simt_transferred *t; (t = simt_next_transfer(&at)) != NULL;) {
        if (simt_is_known(&l->before, t->actor, &t->before) || simt_is_known(&t->before, l->actor, &l->before))
            continue;
        for (unsigned i = 0; i < SPANS; i++)
            if (simt_search_span(&t->span[i], i == WRITTEN, after(l->clock), is_same, l, &h)) {
                report_later(t, &h, i == WRITTEN);
                break;
            }
    }
}

void simt_transfers_forget(uintptr_t begin, uintptr_t end)
{
    simt_span freed = {.begin = begin, .size = end - begin, .rows = 1};
    uint64_t at = 0;

    if (!simt_cells)
        return;
    for (simt_transferred *t; (t = simt_next_transfer(&at)) != NULL;)
        for (unsigned i = 0; i < SPANS; i++)
            if (simt_spans_overlap(&t->span[i], &freed))
                t->span[i].rows = 0;
    if (simt_launched_beside(NULL))
        simt_cells_clear(begin, end);
}
