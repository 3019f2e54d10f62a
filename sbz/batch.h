/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How the blocks of a batch lie side by side in the memory of a device. Those of one size go through transform and
 * ranking by one call, as a row, with a last one that may be shorter; so they lie in the order of their sizes, the
 * largest first, and otherwise as they come. Entropy stages take blocks of any rows together.
 */
#ifndef SBZ_BATCH_H
#define SBZ_BATCH_H

#include "format.h"

typedef struct sbz_batch {
    size_t count, room;
    uint64_t *key;
    size_t *order;   /* which block lies at each place */
    uint64_t *start; /* the byte at which each place begins, and behind the last one more */
} sbz_batch;

/* Lays blocks by the original bytes of their records. False for want of memory. */
bool sbz_batch_lay(sbz_batch *batch, const sbz_record *records, size_t count);
void sbz_batch_free(sbz_batch *batch);
/* How many places are the row that begins with this one. */
size_t sbz_batch_row(const sbz_batch *batch, size_t first);

#endif
