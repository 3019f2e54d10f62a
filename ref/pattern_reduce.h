/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Combines all items in their order, from the left: ((identity op x0) op x1) op ... Writes one item; for n = 0 it is
 * the identity. Only for the addition of floats does the order of evaluation matter (sum.h says by how much). Invalid:
 * a type that has no such operator (operator.h).
 */
#ifndef REF_PATTERN_REDUCE_H
#define REF_PATTERN_REDUCE_H

#include "operator.h"
#include "ref.h"

sb_ref_status sb_ref_pattern_reduce(sb_ref_type type, sb_ref_op op, const void *items, uint64_t n, void *value);

#endif
