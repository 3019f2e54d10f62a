/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Segmented reduction: value[s] is what pattern_reduce.h makes of the items of segment s, which are offset[s] .. offset[s + 1]
 * - 1. An empty segment gives the identity. offset has segments + 1 elements, starts at 0 and does not descend. Invalid: a
 * type that has no such operator (operator.h).
 */
#ifndef REF_PATTERN_SEGREDUCE_H
#define REF_PATTERN_SEGREDUCE_H

#include "operator.h"
#include "ref.h"

sb_ref_status sb_ref_pattern_segreduce(sb_ref_type type, sb_ref_op op, const void *items, const uint64_t *offset,
                                       uint64_t segments, void *value);

#endif
