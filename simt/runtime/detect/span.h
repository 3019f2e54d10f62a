/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows of memory: which of them overlap, and which launches have accessed them, by their cells. And the transfers that have such rows.
 */
#ifndef SIMT_SPAN_H
#define SIMT_SPAN_H

#include "actor.h"

#include "../report/report.h"

#pragma GCC visibility push(hidden)

bool simt_spans_overlap(const simt_span *a, const simt_span *b);

/* An access of a launch to one byte. */
typedef struct simt_hit {
    simt_cell word;
    uintptr_t address;
    const simt_launched *launch;
} simt_hit;

typedef bool simt_counts(const simt_launched *launch, simt_cell word, const void *state);

/* Looks for an access to the rows, a write or, if `writes`, any, whose cell is not less than `since` and which counts. */
bool simt_search_span(const simt_span *s, bool writes, simt_cell since, simt_counts *counts, const void *state,
                      simt_hit *h);

enum { WRITTEN, READ, SPANS };

/* A copy, a fill, or an allocation or a free in stream order, for which the host does not wait. */
typedef struct simt_transferred {
    simt_moment before; /* what happens before it, and itself */
    unsigned actor;
    simt_node_name node;
    const char *call;
    simt_span span[SPANS];
    const void *callers[SIMT_CALLERS];
} simt_transferred;

simt_transferred *simt_next_transfer(uint64_t *i); /* for which the host has not waited; *i is 0 first; NULL: no more */
size_t simt_transferred_bytes(const simt_transferred *t);

enum { SIMT_STREAM_NAME = 40 }; /* bytes of simt_operation_name's text */

#pragma GCC visibility pop

#endif
