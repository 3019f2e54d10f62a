/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Jagged diagonals: contract in jds.h.
 */
#include "jds.h"
#include <stdbool.h>
#include <stdlib.h>

typedef struct row {
    uint64_t length;
    uint32_t number;
} row;

static int compare_rows(const void *left, const void *right)
{
    const row *a = left, *b = right;

    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* The rows by descending length, ties by number. NULL: out of memory. */
static row *sort_rows(const uint64_t *row_offset, uint64_t rows)
{
    row *sorted = malloc((rows + 1) * sizeof *sorted);

    if (sorted == NULL)
        return NULL;
    for (uint64_t r = 0; r < rows; r++)
        sorted[r] = (row){row_offset[r + 1] - row_offset[r], (uint32_t)r};
    qsort(sorted, rows, sizeof *sorted, compare_rows);
    return sorted;
}

static uint64_t divide_up(uint64_t number, uint64_t divisor)
{
    return number / divisor + (number % divisor != 0);
}

/* Rounds up to a multiple. False: the result would exceed the limit. */
static bool round_up(uint64_t number, uint64_t multiple, uint64_t limit, uint64_t *rounded)
{
    uint64_t count = divide_up(number, multiple);

    if (count > limit / multiple)
        return false;
    *rounded = count * multiple;
    return true;
}

/* The warps with more than d packs. They are the first ones, because their longest rows descend. */
static uint64_t warps_in(const row *sorted, uint64_t warps, sb_ref_jds_layout layout, uint64_t d)
{
    uint64_t count = 0;

    while (count < warps && divide_up(sorted[count * layout.warp].length, layout.pack) > d)
        count++;
    return count;
}

/* Sets size->starts and size->slots. False: one exceeds the limit. */
static bool measure_diagonals(const row *sorted, uint64_t rows, sb_ref_jds_layout layout, uint64_t limit,
                              sb_ref_jds_size *size)
{
    uint64_t diagonals = rows > 0 ? divide_up(sorted[0].length, layout.pack) : 0, packs = 0;

    if (diagonals >= limit || diagonals > UINT32_MAX)
        return false;
    for (uint64_t d = 0; d < diagonals; d++) {
        uint64_t height;

        if (!round_up(warps_in(sorted, size->warps, layout, d) * layout.warp, layout.align, limit, &height) ||
            height > limit / layout.pack - packs)
            return false;
        packs += height;
    }
    size->starts = diagonals + 1;
    size->slots = packs * layout.pack;
    return true;
}

sb_ref_status sb_ref_jds_measure(const uint64_t *row_offset, uint64_t rows, sb_ref_jds_layout layout, uint64_t limit,
                                 sb_ref_jds_size *size)
{
    row *sorted;
    bool fits;

    if (layout.warp == 0 || layout.pack == 0 || layout.align == 0 || rows >= UINT32_MAX ||
        !round_up(rows, layout.warp, limit, &size->places))
        return SB_REF_INVALID;
    size->warps = size->places / layout.warp;
    sorted = sort_rows(row_offset, rows);
    if (sorted == NULL)
        return SB_REF_NO_MEMORY;
    fits = measure_diagonals(sorted, rows, layout, limit, size);
    free(sorted);
    return fits ? SB_REF_OK : SB_REF_INVALID;
}

sb_ref_status sb_ref_jds_build(const uint64_t *row_offset, uint64_t rows, const uint32_t *column, const float *value,
                               sb_ref_jds_layout layout, uint32_t *order, uint32_t *packs, uint64_t *start,
                               int32_t *index, float *data)
{
    sb_ref_jds_size size;
    sb_ref_status status = sb_ref_jds_measure(row_offset, rows, layout, UINT64_MAX, &size);
    row *sorted;

    if (status != SB_REF_OK)
        return status;
    sorted = sort_rows(row_offset, rows);
    if (sorted == NULL)
        return SB_REF_NO_MEMORY;
    for (uint64_t i = 0; i < size.places; i++)
        order[i] = i < rows ? sorted[i].number : SB_REF_JDS_NO_ROW;
    for (uint64_t w = 0; w < size.warps; w++)
        packs[w] = (uint32_t)divide_up(sorted[w * layout.warp].length, layout.pack);
    start[0] = 0;
    for (uint64_t d = 0; d + 1 < size.starts; d++) {
        uint64_t height = warps_in(sorted, size.warps, layout, d) * layout.warp;

        start[d + 1] = start[d] + divide_up(height, layout.align) * layout.align;
    }
    for (uint64_t slot = 0; slot < size.slots; slot++) {
        index[slot] = SB_REF_JDS_NO_COLUMN;
        data[slot] = 0;
    }
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = 0; k < sorted[i].length; k++) {
            uint64_t slot = (start[k / layout.pack] + i) * layout.pack + k % layout.pack;
            uint64_t element = row_offset[sorted[i].number] + k;

            index[slot] = (int32_t)column[element];
            data[slot] = value[element];
        }
    free(sorted);
    return SB_REF_OK;
}
