/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Segmented sort, a segment at a time: contract in pattern_segsort.h.
 */
#include "pattern_segsort.h"
#include "pattern_sort.h"
#include <stdlib.h>

sb_ref_status sb_ref_pattern_segsort(sb_ref_type type, const void *keys, const uint32_t *values, const uint64_t *offset,
                                     uint64_t segments, void *sorted_keys, uint32_t *sorted_values)
{
    size_t size = sb_ref_type_size(type);
    sb_ref_status status = SB_REF_OK;

    for (uint64_t s = 0; status == SB_REF_OK && s < segments; s++) {
        uint64_t first = offset[s], n = offset[s + 1] - first;

        status = sb_ref_pattern_sort(type, (const char *)keys + first * size, values != NULL ? values + first : NULL, n,
                                     (char *)sorted_keys + first * size, values != NULL ? sorted_values + first : NULL);
    }
    return status;
}

sb_ref_status sb_ref_pattern_segsort_indices(sb_ref_type type, const void *keys, const uint64_t *offset,
                                             uint64_t segments, void *sorted_keys, uint32_t *sorted_indices)
{
    uint64_t n = offset[segments];
    uint32_t *indices = n < SIZE_MAX / sizeof *indices ? malloc((n + 1) * sizeof *indices) : NULL;
    sb_ref_status status;

    if (indices == NULL)
        return SB_REF_NO_MEMORY;
    for (uint64_t i = 0; i < n; i++)
        indices[i] = (uint32_t)i;
    status = sb_ref_pattern_segsort(type, keys, indices, offset, segments, sorted_keys, sorted_indices);
    free(indices);
    return status;
}
