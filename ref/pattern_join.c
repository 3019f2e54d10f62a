/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Merge join: contract in pattern_join.h. The keys of b that are equal to key a are those from `lower` to `upper` - 1.
 */
#include "pattern_join.h"
#include "key.h"
#include <stddef.h>

uint64_t sb_ref_pattern_join(sb_ref_type type, const void *a_keys, uint64_t a_count, const void *b_keys,
                             uint64_t b_count, uint32_t *a_index, uint32_t *b_index)
{
    uint64_t lower = 0, upper = 0, pairs = 0;

    for (uint64_t a = 0; a < a_count; a++) {
        while (lower < b_count && sb_ref_key_less(type, b_keys, lower, a_keys, a))
            lower++;
        while (upper < b_count && !sb_ref_key_less(type, a_keys, a, b_keys, upper))
            upper++;
        for (uint64_t b = lower; a_index != NULL && b < upper; b++) {
            a_index[pairs + b - lower] = (uint32_t)a;
            b_index[pairs + b - lower] = (uint32_t)b;
        }
        pairs += upper - lower;
    }
    return pairs;
}
