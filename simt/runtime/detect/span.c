/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows of memory: contract in span.h.
 */
#include "span.h"

static uintptr_t end_of(const simt_span *s)
{
    return s->rows ? s->begin + (s->rows - 1) * s->pitch + s->size : s->begin;
}

bool simt_spans_overlap(const simt_span *a, const simt_span *b)
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

/* What is looked for in the cells. */
typedef struct query {
    bool writes;
    simt_cell since;
    simt_counts *counts;
    const void *state;
} query;

static bool search_granule(const granule *g, unsigned bytes, const query *q, simt_hit *h)
{
    for (unsigned i = 0; i < ALL_CELLS && (i < CELLS || g->cells[0] & SIMT_CELL_MORE); i++) {
        simt_cell word = *simt_cell_at(g->cells, g->more, i);
        unsigned both = bytes_of(word) & bytes;

        if (word < q->since || !both || !(q->writes || kind_of(word) & SIMT_IS_WRITE))
            continue;
        h->launch = simt_launched_at(clock_of(word));
        if (!h->launch || !q->counts(h->launch, word, q->state))
            continue;
        h->word = cell_of_byte(word, (unsigned)__builtin_ctz(both));
        h->address = (uintptr_t)__builtin_ctz(both);
        return true;
    }
    return false;
}

static bool search_row(uintptr_t begin, uintptr_t end, const query *q, simt_hit *h)
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
        if (((g.cells[0] | g.cells[SIMT_SECOND]) >= q->since || g.cells[0] & SIMT_CELL_MORE) &&
            search_granule(&g, bytes, q, h)) {
            h->address += at;
            return true;
        }
    }
    return false;
}

bool simt_search_span(const simt_span *s, bool writes, simt_cell since, simt_counts *counts, const void *state,
                      simt_hit *h)
{
    query q = {writes, since, counts, state};

    for (size_t i = 0; i < s->rows; i++)
        if (search_row(s->begin + i * s->pitch, s->begin + i * s->pitch + s->size, &q, h))
            return true;
    return false;
}
