/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sorted search: for each needle its lower bound in the haystack, which is how many keys are less, or its upper bound, which
 * is how many are not greater. Keys are ordered as in key.h. Both arrays must be ascending, so the bounds are, too.
 * matched[i] is 1 if some key of the haystack is equal to needle i, and else 0; `matched` may be NULL.
 */
#ifndef REF_PATTERN_SEARCH_H
#define REF_PATTERN_SEARCH_H

#include "type.h"

/* The values are those of SB_BOUND_... in <samebits/algorithms.h>. */
typedef enum sb_ref_bound { SB_REF_BOUND_LOWER = 0, SB_REF_BOUND_UPPER = 1 } sb_ref_bound;

void sb_ref_pattern_search(sb_ref_type type, sb_ref_bound bound, const void *needles, uint64_t needle_count,
                           const void *haystack, uint64_t haystack_count, uint32_t *index, uint8_t *matched);

#endif
