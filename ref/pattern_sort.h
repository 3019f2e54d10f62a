/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sorts keys in the ascending order of key.h. Values move with their keys. Stable: equal keys keep their order, which
 * their values show. Without values `values` is NULL and sorted_values is ignored. Any keys and any n are valid. The
 * output must not overlap the input. Returns SB_REF_OK or SB_REF_NO_MEMORY.
 */
#ifndef REF_PATTERN_SORT_H
#define REF_PATTERN_SORT_H

#include "ref.h"
#include "type.h"

sb_ref_status sb_ref_pattern_sort(sb_ref_type type, const void *keys, const uint32_t *values, uint64_t n,
                                  void *sorted_keys, uint32_t *sorted_values);

#endif
