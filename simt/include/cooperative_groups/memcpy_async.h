/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies by all threads of a group. The machine copies at once. Until `wait` nothing orders the copies of different threads,
 * so a program that reads too early has a race.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

/* `shape` is a number of bytes, or cuda::aligned_size_t. */
template <typename Group, typename T, typename U, typename Shape>
SIMT_INLINE void memcpy_async(const Group &group, T *to, const U *from, const Shape &shape)
{
    for (size_t i = group.thread_rank(); i < (size_t)shape; i += group.size())
        ((char *)to)[i] = ((const char *)from)[i];
}

template <typename Group> SIMT_INLINE void wait(const Group &group)
{
    group.sync();
}

/* All copies but the newest `stages` are complete: here all are. */
template <unsigned stages, typename Group> SIMT_INLINE void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
