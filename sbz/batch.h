/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The layout of a batch: where its blocks lie in one array of a device. Transform and ranking take a row of blocks in
 * one call: blocks of one size, of which the last may be shorter. So blocks are ordered by size, the largest first, and
 * blocks of one size stay in the order of the caller. Entropy stages take blocks of any rows together.
 */
#ifndef SBZ_BATCH_H
#define SBZ_BATCH_H

#include "format.h"

typedef struct sbz_batch {
    size_t count, capacity;
    uint64_t *key;
    size_t *order;   /* the block at each position */
    uint64_t *start; /* the first byte of each position, and the end of the last */
} sbz_batch;

/* Lays out blocks of the sizes `original`. False: out of memory. */
bool sbz_batch_lay(sbz_batch *batch, const sbz_record *records, size_t count);
void sbz_batch_free(sbz_batch *batch);
/* How many positions belong to the row that begins at `first`. */
size_t sbz_batch_row(const sbz_batch *batch, size_t first);

#endif
