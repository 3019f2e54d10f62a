/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The layout of a batch: contract in batch.h.
 */
#include "batch.h"
#include "allocate.h"
#include <stdlib.h>

enum { ALIGNMENT = 256 }; /* bytes, of rows: as that of cudaMalloc */
/* A sort key is the number of the block in its lower 32 bits, and above them how much smaller it is than the maximum.
 */
enum { NUMBER_BITS = 32 };

void sbz_batch_free(sbz_batch *batch)
{
    sbz_free(batch->key);
    sbz_free(batch->order);
    sbz_free(batch->start);
    *batch = (sbz_batch){0};
}

static bool reserve(sbz_batch *batch, size_t count)
{
    if (count <= batch->capacity)
        return true;
    sbz_batch_free(batch);
    batch->key = sbz_malloc(count * sizeof *batch->key);
    batch->order = sbz_malloc(count * sizeof *batch->order);
    batch->start = sbz_malloc((count + 1) * sizeof *batch->start);
    if (batch->key == NULL || batch->order == NULL || batch->start == NULL) {
        sbz_batch_free(batch);
        return false;
    }
    batch->capacity = count;
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static uint64_t smallness(const sbz_batch *batch, size_t at)
{
    return batch->key[at] >> NUMBER_BITS;
}

/* The blocks of one size; and one shorter block, if it is the only one of its size. */
size_t sbz_batch_row(const sbz_batch *batch, size_t first)
{
    size_t end = first + 1;

    while (end < batch->count && smallness(batch, end) == smallness(batch, first))
        end++;
    if (end < batch->count && (end + 1 == batch->count || smallness(batch, end + 1) != smallness(batch, end)))
        end++;
    return end - first;
}

bool sbz_batch_lay(sbz_batch *batch, const sbz_record *records, size_t count)
{
    uint64_t bytes = 0;

    if (!reserve(batch, count))
        return false;
    batch->count = count;
    for (size_t i = 0; i < count; i++)
        batch->key[i] = (uint64_t)(SBZ_MAX_BLOCK - records[i].block.original) << NUMBER_BITS | i;
    qsort(batch->key, count, sizeof *batch->key, compare);
    for (size_t first = 0, row; first < count; first += row) {
        row = sbz_batch_row(batch, first);
        bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        for (size_t at = first; at < first + row; at++) {
            batch->order[at] = (size_t)(batch->key[at] & UINT32_MAX);
            batch->start[at] = bytes;
            bytes += records[batch->order[at]].block.original;
        }
    }
    batch->start[count] = bytes;
    return true;
}
