/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Prefix scan. Inclusive: result[i] combines items 0..i as pattern_reduce.h does. Exclusive: result[i] combines the
 * items before i, so result[0] is the operator's identity, which is not always 0. `total` combines all items; it is the
 * identity if n = 0. Invalid: a type that has no such operator (operator.h).
 */
#ifndef REF_PATTERN_SCAN_H
#define REF_PATTERN_SCAN_H

#include "operator.h"
#include "ref.h"
#include <stdbool.h>

sb_ref_status sb_ref_pattern_scan(sb_ref_type type, sb_ref_op op, bool inclusive, const void *items, uint64_t n,
                                  void *result, void *total);

#endif
