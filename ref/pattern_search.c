/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sorted search by walking through the haystack once for each bound: contract in pattern_search.h.
 */
#include "pattern_search.h"
#include "key.h"

void sb_ref_pattern_search(sb_ref_type type, sb_ref_bound bound, const void *needles, uint64_t needle_count,
                           const void *haystack, uint64_t haystack_count, uint32_t *index, uint8_t *matched)
{
    uint64_t lower = 0, upper = 0;

    for (uint64_t i = 0; i < needle_count; i++) {
        while (lower < haystack_count && sb_ref_key_less(type, haystack, lower, needles, i))
            lower++;
        while (upper < haystack_count && !sb_ref_key_less(type, needles, i, haystack, upper))
            upper++;
        index[i] = (uint32_t)(bound == SB_REF_BOUND_LOWER ? lower : upper);
        if (matched != NULL)
            matched[i] = lower < upper;
    }
}
