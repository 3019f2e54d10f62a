/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reduce over a tile or coalesced group. The order of the operands is fixed: neighbours first, then their results.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

/* Each step combines with the thread `distance` ranks above, if there is one. Rank 0 then has the result. */
template <typename Group, typename T, typename Operator>
SIMT_INLINE auto reduce(const Group &group, T value, Operator &&combine, SIMT_PLACE)
{
    const unsigned long long count = group.size(), rank = group.thread_rank();

    for (unsigned long long distance = 1; distance < count; distance *= 2) {
        T other = group.shfl_down(value, (unsigned)distance, simt_file, simt_line);

        if (rank + distance < count && rank % (2 * distance) == 0)
            value = combine(value, other);
    }
    return group.shfl(value, 0, simt_file, simt_line);
}

} // namespace cooperative_groups

#endif
