/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inclusive_scan and exclusive_scan over a tile or coalesced group, by rank. The first result of an exclusive scan is
 * T(): CUDA's result for a sum; CUDA leaves it undefined for other operators.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

template <typename Group, typename T, typename Operator>
SIMT_INLINE T inclusive_scan(const Group &group, T value, Operator &&combine, SIMT_PLACE)
{
    const unsigned long long count = group.size(), rank = group.thread_rank();

    for (unsigned long long distance = 1; distance < count; distance *= 2) {
        T other = group.shfl_up(value, (unsigned)distance, simt_file, simt_line);

        if (rank >= distance)
            value = combine(other, value);
    }
    return value;
}

template <typename Group, typename T> SIMT_INLINE T inclusive_scan(const Group &group, T value, SIMT_PLACE)
{
    return inclusive_scan(group, value, plus<T>(), simt_file, simt_line);
}

template <typename Group, typename T, typename Operator>
SIMT_INLINE T exclusive_scan(const Group &group, T value, Operator &&combine, SIMT_PLACE)
{
    T all = inclusive_scan(group, value, combine, simt_file, simt_line);
    T before = group.shfl_up(all, 1, simt_file, simt_line);

    return group.thread_rank() ? before : T();
}

template <typename Group, typename T> SIMT_INLINE T exclusive_scan(const Group &group, T value, SIMT_PLACE)
{
    return exclusive_scan(group, value, plus<T>(), simt_file, simt_line);
}

} // namespace cooperative_groups

#endif
