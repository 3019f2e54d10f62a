/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Races of transfers, as actor.h describes them: with each other by their spans, with launches by the cells in their spans.
 */
#include "actor.h"
#include "origin.h"
#include "pair.h"

#include "../report/report.h"

#include <stdio.h>
#include <string.h>

enum { TRANSFERS = 256 /* that are remembered; a race with an older one that nobody has waited for is missed */ };

enum { WRITTEN, READ, SPANS };

typedef struct transfer {
    simt_moment before; /* what happens before it, and itself */
    unsigned actor;
    simt_node_name node;
    const char *call;
    simt_span span[SPANS];
    const void *callers[SIMT_CALLERS];
} transfer;

static transfer transfers[TRANSFERS];
static uint64_t first, past; /* numbers of the oldest that is remembered, and of the next */

static transfer *next_unknown(uint64_t *i)
{
    while (first < past && simt_host_knows(transfers[first % TRANSFERS].actor, &transfers[first % TRANSFERS].before))
        first++;
    for (*i = *i < first ? first : *i; *i < past; ++*i) {
        transfer *t = &transfers[*i % TRANSFERS];

        if (!simt_host_knows(t->actor, &t->before)) {
            ++*i;
            return t;
        }
    }
    return NULL;
}

/* --- overlaps */

static uintptr_t end_of(const simt_span *s)
{
    return s->rows ? s->begin + (s->rows - 1) * s->pitch + s->size : s->begin;
}

static bool overlap(const simt_span *a, const simt_span *b)
{
    if (!a->rows || !b->rows || a->begin >= end_of(b) || b->begin >= end_of(a))
        return false;
    for (size_t i = 0; i < a->rows; i++) {
        uintptr_t begin = a->begin + i * a->pitch, from = begin < b->begin ? b->begin : begin;
        size_t row = b->rows > 1 && from < end_of(b) ? (from - b->begin) / b->pitch : 0;

        /* the row of b in which `from` lies or which ends before it, and the next */
        for (size_t k = row; k < row + 2 && k < b->rows; k++)
            if (begin < b->begin + k * b->pitch + b->size && b->begin + k * b->pitch < begin + a->size)
                return true;
    }
    return false;
}

typedef struct hit {
    simt_cell word; /* of one byte */
    uintptr_t address;
    const simt_launched *launch;
} hit;

/* Looks in the cells of a granule for an access to one of the bytes that a launch made for which `counts` holds. */
static bool search_granule(const granule *g, unsigned bytes, bool writes, simt_cell since,
                           bool (*counts)(const simt_launched *, const void *), const void *state, hit *h)
{
    for (unsigned i = 0; i < ALL_CELLS && (i < CELLS || g->cells[0] & SIMT_CELL_MORE); i++) {
        simt_cell word = i < CELLS ? g->cells[i] : g->more[i - CELLS];
        unsigned both = bytes_of(word) & bytes;

        if (word < since || !both || !(writes || kind_of(word) & SIMT_IS_WRITE))
            continue;
        h->launch = simt_launched_at(clock_of(word));
        if (!h->launch || !counts(h->launch, state))
            continue;
        h->word = cell_of_byte(word, (unsigned)__builtin_ctz(both));
        h->address = (uintptr_t)__builtin_ctz(both);
        return true;
    }
    return false;
}

static bool search_row(uintptr_t begin, uintptr_t end, bool writes, simt_cell since,
                       bool (*counts)(const simt_launched *, const void *), const void *state, hit *h)
{
    for (uintptr_t at = begin & ~(uintptr_t)(GRANULE - 1); at < end; at += GRANULE) {
        granule g = simt_granule_at(at);
        unsigned bytes = ALL_BYTES;

        if (!g.cells)
            return false;
        if (at < begin)
            bytes &= ALL_BYTES << (begin - at);
        if (end - at < GRANULE)
            bytes &= (1u << (end - at)) - 1;
        if (((g.cells[0] | g.cells[1]) >= since || g.cells[0] & SIMT_CELL_MORE) &&
            search_granule(&g, bytes, writes, since, counts, state, h)) {
            h->address += at;
            return true;
        }
    }
    return false;
}

static bool search(const simt_span *s, bool writes, simt_cell since,
                   bool (*counts)(const simt_launched *, const void *), const void *state, hit *h)
{
    for (size_t i = 0; i < s->rows; i++)
        if (search_row(s->begin + i * s->pitch, s->begin + i * s->pitch + s->size, writes, since, counts, state, h))
            return true;
    return false;
}

/* --- findings */

enum { STREAM_NAME = 40 };

static size_t bytes_in(const transfer *t)
{
    const simt_span *s = &t->span[t->span[WRITTEN].rows ? WRITTEN : READ];

    return s->rows * s->size;
}

/* A launch that came before the transfer. */
static void report_earlier(const transfer *t, const hit *h, bool writes)
{
    char what[256], of_transfer[STREAM_NAME], of_launch[STREAM_NAME];
    simt_spot spot = {.object = h->address, .address = what, .other = simt_origin_place(h->word, ALL_BYTES)};
    const simt_launched *l = h->launch;
    uint3 *b = &spot.other_block, *n = &spot.other_thread;

    simt_describe_element(h->address, 1, what, sizeof what);
    simt_launched_thread(l, h->word, b, n);
    simt_report_spot(
        RACE, &spot,
        "%s of %zu bytes in %s %s %s, and %s by block (%u,%u,%u) thread (%u,%u,%u) of kernel %s, launched at "
        "%s:%d in %s, are not ordered: no event orders %s before %s",
        t->call, bytes_in(t), simt_operation_name(t->actor, t->node, of_transfer, sizeof of_transfer),
        writes ? "to" : "from", what, kind_of(h->word) & SIMT_IS_WRITE ? "write" : "read", b->x, b->y, b->z, n->x, n->y,
        n->z, l->name, l->file, l->line, simt_operation_name(l->actor, l->node, of_launch, sizeof of_launch), l->name,
        t->call);
}

/* The launch that has just ended. */
static void report_later(const transfer *t, const hit *h, bool writes)
{
    char what[256], of_transfer[STREAM_NAME], of_launch[STREAM_NAME];
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
        t->call, bytes_in(t), writes ? "to" : "from",
        simt_operation_name(t->actor, t->node, of_transfer, sizeof of_transfer), t->call, l->name);
}

static void report_both(const transfer *new, const transfer *old, bool writes, bool wrote)
{
    char what[256], of_new[STREAM_NAME], of_old[STREAM_NAME];
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
        new->call, bytes_in(new), new_name, writes ? "to" : "from", what, old->call, bytes_in(old),
        wrote ? "to" : "from", old_name, old->call, old_name, new->call, new_name);
}

/* --- comparing */

static bool is_unordered(const simt_launched *l, const void *new)
{
    const transfer *t = new;

    return !simt_is_known(&t->before, l->actor, &l->before);
}

static bool is_same(const simt_launched *l, const void *other)
{
    return l == other;
}

static void compare_with_launches(const transfer *t)
{
    const simt_launched *l = simt_launched_beside(&t->before);
    simt_cell since;
    hit h;

    if (!l)
        return;
    since = after(l->clock);
    for (unsigned i = 0; i < SPANS; i++)
        if (search(&t->span[i], i == WRITTEN, since, is_unordered, t, &h)) {
            report_earlier(t, &h, i == WRITTEN);
            return;
        }
}

static void compare_with_transfers(const transfer *t)
{
    uint64_t at = 0;

    for (transfer *old; (old = next_unknown(&at)) != NULL;) {
        if (simt_is_known(&t->before, old->actor, &old->before))
            continue;
        for (unsigned i = 0; i < SPANS * SPANS; i++)
            if ((i / SPANS == WRITTEN || i % SPANS == WRITTEN) && overlap(&t->span[i / SPANS], &old->span[i % SPANS])) {
                report_both(t, old, i / SPANS == WRITTEN, i % SPANS == WRITTEN);
                break;
            }
    }
}

void simt_transfer(unsigned actor, const char *call, simt_span to, simt_span from, bool waits)
{
    transfer t = {.actor = actor, .node = simt_issuing, .call = call, .span = {[WRITTEN] = to, [READ] = from}};

    if (!simt_cells)
        return;
    t.before = *simt_issue(actor, waits);
    if (simt_unordered_streams) {
        compare_with_launches(&t);
        compare_with_transfers(&t);
        simt_report_findings(false);
    }
    if (waits)
        return;
    if (simt_unordered_streams)
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
    hit h;

    if (!simt_unordered_streams || !l || !l->clock)
        return;
    for (transfer *t; (t = next_unknown(&at)) != NULL;) {
        if (simt_is_known(&l->before, t->actor, &t->before) || simt_is_known(&t->before, l->actor, &l->before))
            continue;
        for (unsigned i = 0; i < SPANS; i++)
            if (search(&t->span[i], i == WRITTEN, after(l->clock), is_same, l, &h)) {
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
    for (transfer *t; (t = next_unknown(&at)) != NULL;)
        for (unsigned i = 0; i < SPANS; i++)
            if (overlap(&t->span[i], &freed))
                t->span[i].rows = 0;
    if (simt_launched_beside(NULL))
        simt_cells_clear(begin, end);
}
