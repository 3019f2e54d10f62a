/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Merges two ascending sequences of keys, a and b, into one. Keys are ordered as in key.h. Stable: equal keys of a come
 * before those of b, and within a and b they keep their order. Values move with their keys; without values all three
 * value arrays are NULL. Both inputs must be ascending. The output has a_count + b_count keys (and values) and must not
 * overlap the inputs.
 */
#ifndef REF_PATTERN_MERGE_H
#define REF_PATTERN_MERGE_H

#include "type.h"

void sb_ref_pattern_merge(sb_ref_type type, const void *a_keys, const uint32_t *a_values, uint64_t a_count,
                          const void *b_keys, const uint32_t *b_values, uint64_t b_count, void *keys, uint32_t *values);

#endif
