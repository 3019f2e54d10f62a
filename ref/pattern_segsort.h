/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Segmented sort: sorts each segment as pattern_sort.h does, stable, with or without values. The keys of segment s are
 * offset[s] .. offset[s + 1] - 1; offset has segments + 1 elements, starts at 0 and does not descend. Keys of different
 * segments are not compared. Without values `values` is NULL and sorted_values is ignored. The output must not overlap the
 * input. Returns SB_REF_OK or SB_REF_NO_MEMORY.
 */
#ifndef REF_PATTERN_SEGSORT_H
#define REF_PATTERN_SEGSORT_H

#include "ref.h"
#include "type.h"

sb_ref_status sb_ref_pattern_segsort(sb_ref_type type, const void *keys, const uint32_t *values, const uint64_t *offset,
                                     uint64_t segments, void *sorted_keys, uint32_t *sorted_values);

/* The same with the index of each key in `keys` as its value. */
sb_ref_status sb_ref_pattern_segsort_indices(sb_ref_type type, const void *keys, const uint64_t *offset,
                                             uint64_t segments, void *sorted_keys, uint32_t *sorted_indices);

#endif
