/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bulk remove and insert, an item at a time: contract in bulk.h.
 */
#include "bulk.h"
#include <string.h>

static void copy(size_t size, const void *items, uint64_t from, void *out, uint64_t to)
{
    memcpy((char *)out + to * size, (const char *)items + from * size, size);
}

bool sb_ref_bulk_can_remove(uint64_t m, const uint32_t *index, uint64_t k)
{
    for (uint64_t j = 0; j < k; j++)
        if (index[j] >= m || (j > 0 && index[j] <= index[j - 1]))
            return false;
    return true;
}

bool sb_ref_bulk_can_insert(uint64_t m, const uint32_t *index, uint64_t k)
{
    for (uint64_t j = 0; j < k; j++)
        if (index[j] > m || (j > 0 && index[j] < index[j - 1]))
            return false;
    return true;
}

sb_ref_status sb_ref_bulk_remove(size_t size, const void *items, uint64_t m, const uint32_t *index, uint64_t k,
                                 void *out)
{
    uint64_t removed = 0;

    if (!sb_ref_bulk_can_remove(m, index, k))
        return SB_REF_INVALID;
    for (uint64_t i = 0; i < m; i++)
        if (removed < k && index[removed] == i)
            removed++;
        else
            copy(size, items, i, out, i - removed);
    return SB_REF_OK;
}

sb_ref_status sb_ref_bulk_insert(size_t size, const void *items, uint64_t m, const uint32_t *index, const void *values,
                                 uint64_t k, void *out)
{
    uint64_t inserted = 0;

    if (!sb_ref_bulk_can_insert(m, index, k))
        return SB_REF_INVALID;
    for (uint64_t i = 0; i <= m; i++) {
        for (; inserted < k && index[inserted] == i; inserted++)
            copy(size, values, inserted, out, i + inserted);
        if (i < m)
            copy(size, items, i, out, i + inserted);
    }
    return SB_REF_OK;
}
