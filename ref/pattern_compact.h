/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Stream compaction: copies the items that a predicate keeps, in their order, and returns how many these are. `kept` has
 * space for n items. The predicates are:
 *
 *     less    the item is less than the key whose bits are `limit`, in the order of key.h; for types of 32 bits these
 *             are its low 32 bits
 *     odd     the lowest bit of the item is 1
 *     unique  it is item 0, or its bits differ from those of the item before it
 *
 * less keeps any share of the items, odd depends on nothing but the item, and unique looks at a neighbour. Any items of
 * the key types are valid. `limit` is used by less only.
 */
#ifndef REF_PATTERN_COMPACT_H
#define REF_PATTERN_COMPACT_H

#include "type.h"
#include <stdbool.h>

/* The values are those of SB_KEEP_... in <samebits/algorithms.h>. */
typedef enum sb_ref_keep { SB_REF_KEEP_LESS = 0, SB_REF_KEEP_ODD = 1, SB_REF_KEEP_UNIQUE = 2 } sb_ref_keep;

/* Is item i kept? */
bool sb_ref_pattern_compact_keeps(sb_ref_type type, sb_ref_keep keep, uint64_t limit, const void *items, uint64_t i);

uint64_t sb_ref_pattern_compact(sb_ref_type type, sb_ref_keep keep, uint64_t limit, const void *items, uint64_t n,
                                void *kept);

#endif
