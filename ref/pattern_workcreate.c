/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Work creation, an item at a time: contract in pattern_workcreate.h.
 */
#include "pattern_workcreate.h"

uint64_t sb_ref_pattern_workcreate(const uint64_t *offset, uint64_t segments, const uint32_t *made, uint32_t *segment,
                                   uint32_t *rank, uint64_t *created)
{
    uint64_t count = 0;

    created[0] = 0;
    for (uint64_t s = 0; s < segments; s++) {
        for (uint64_t i = offset[s]; i < offset[s + 1]; i++) {
            if (made[i] == 0)
                continue;
            segment[count] = (uint32_t)s;
            rank[count] = (uint32_t)(i - offset[s]);
            created[count + 1] = created[count] + made[i];
            count++;
        }
    }
    return count;
}
