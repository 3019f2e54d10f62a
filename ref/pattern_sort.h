/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys in ascending order, ordered as in key.h. Stable: equal keys keep their order, which the values show that go
 * along with their keys. `values` is NULL when there are none, and sorted_values is not looked at then. Any keys are
 * valid, and n = 0. The output must not overlap the input. Returns SB_REF_OK or SB_REF_NO_MEMORY.
 */
#ifndef REF_PATTERN_SORT_H
#define REF_PATTERN_SORT_H

#include "ref.h"
#include "type.h"

sb_ref_status sb_ref_pattern_sort(sb_ref_type type, const void *keys, const uint32_t *values, uint64_t n,
                                  void *sorted_keys, uint32_t *sorted_values);

#endif
