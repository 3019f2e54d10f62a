/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Merge sort, top down: contract in pattern_sort.h.
 */
#include "pattern_sort.h"
#include "pattern_merge.h"
#include <stdlib.h>
#include <string.h>

/* Pointers to key and to value number `at`. */
static void *key_at(sb_ref_type type, void *keys, uint64_t at)
{
    return (char *)keys + at * sb_ref_type_size(type);
}

static uint32_t *value_at(uint32_t *values, uint64_t at)
{
    return values == NULL ? NULL : values + at;
}

/* Sorts keys and values. `spare` and `spare_values` hold a copy of both, which is destroyed: the two halves of the copy
 * are sorted, with the halves of the result as their spare arrays, and merged into the result. */
static void sort_copy(sb_ref_type type, void *keys, uint32_t *values, uint64_t n, void *spare, uint32_t *spare_values)
{
    uint64_t half = n / 2;

    if (n <= 1)
        return;
    sort_copy(type, spare, spare_values, half, keys, values);
    sort_copy(type, key_at(type, spare, half), value_at(spare_values, half), n - half, key_at(type, keys, half),
              value_at(values, half));
    sb_ref_pattern_merge(type, spare, spare_values, half, key_at(type, spare, half), value_at(spare_values, half),
                         n - half, keys, values);
}

sb_ref_status sb_ref_pattern_sort(sb_ref_type type, const void *keys, const uint32_t *values, uint64_t n,
                                  void *sorted_keys, uint32_t *sorted_values)
{
    size_t size = sb_ref_type_size(type);
    void *spare;
    uint32_t *spare_values = NULL;
    sb_ref_status status = SB_REF_NO_MEMORY;

    if (n == 0)
        return SB_REF_OK;
    spare = n <= SIZE_MAX / size ? malloc(n * size) : NULL;
    if (spare != NULL && values != NULL)
        spare_values = malloc(n * sizeof *values); /* cannot overflow: values are no larger than keys */
    if (spare != NULL && (values == NULL || spare_values != NULL)) {
        memcpy(sorted_keys, keys, n * size);
        memcpy(spare, keys, n * size);
        if (values != NULL) {
            memcpy(sorted_values, values, n * sizeof *values);
            memcpy(spare_values, values, n * sizeof *values);
        }
        sort_copy(type, sorted_keys, values != NULL ? sorted_values : NULL, n, spare, spare_values);
        status = SB_REF_OK;
    }
    free(spare);
    free(spare_values);
    return status;
}
