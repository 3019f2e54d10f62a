/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Load-balancing search, a segment at a time: contract in pattern_lbs.h.
 */
#include "pattern_lbs.h"

void sb_ref_pattern_lbs(const uint64_t *offset, uint64_t segments, uint32_t *segment, uint32_t *rank)
{
    for (uint64_t s = 0; s < segments; s++) {
        for (uint64_t i = offset[s]; i < offset[s + 1]; i++) {
            segment[i] = (uint32_t)s;
            rank[i] = (uint32_t)(i - offset[s]);
        }
    }
}
