/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inner join of two ascending arrays of keys: the indices of all pairs of a key of a and an equal key of b, ordered by the
 * index in a, then by that in b. Returns the number of pairs. a_index and b_index have space for all pairs; if a_index is
 * NULL the pairs are only counted. Keys are ordered as in key.h: two keys are equal if their bits are. a and b have fewer
 * than 2^32 keys each, so the number of pairs does not overflow.
 */
#ifndef REF_PATTERN_JOIN_H
#define REF_PATTERN_JOIN_H

#include "type.h"

uint64_t sb_ref_pattern_join(sb_ref_type type, const void *a_keys, uint64_t a_count, const void *b_keys,
                             uint64_t b_count, uint32_t *a_index, uint32_t *b_index);

#endif
