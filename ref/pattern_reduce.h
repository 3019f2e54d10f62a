/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All items combined in their order, from the left: ((identity op x0) op x1) op ... For n = 0 that is the identity, and
 * only for the addition of floats does the bracketing matter (sum.h says by how much). Writes one item. Invalid: a type
 * that has no such operator (operator.h).
 */
#ifndef REF_PATTERN_REDUCE_H
#define REF_PATTERN_REDUCE_H

#include "operator.h"
#include "ref.h"

sb_ref_status sb_ref_pattern_reduce(sb_ref_type type, sb_ref_op op, const void *items, uint64_t n, void *value);

#endif
