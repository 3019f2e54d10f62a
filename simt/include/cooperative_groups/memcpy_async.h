/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies by all threads of a group, as CUDA makes them: from global to shared memory asynchronously, in pieces of 4, 8 or 16 bytes
 * as addresses and size permit; otherwise at once. A call is a group of copies in the sense of simt_async_copy.h.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

/* `shape` is a number of bytes, or cuda::aligned_size_t. */
template <typename Group, typename T, typename _U, typename Shape>
SIMT_INLINE void memcpy_async(const Group &group, T *to, const _U *from, const Shape &shape)
{
    const size_t size = (size_t)shape;
    const uintptr_t all = (uintptr_t)to | (uintptr_t)from | size;
    const size_t piece = all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : 4;

    if (all % 4 == 0 && ::simt_points_to_shared(to) && ::simt_points_to_global(from))
        for (size_t i = group.thread_rank() * piece; i < size; i += group.size() * piece) {
            ::simt_async_copy((char *)to + i, (const char *)from + i, (uint32_t)piece, (uint32_t)piece);
            __asm__ volatile("");
        }
    else
        for (size_t i = group.thread_rank(); i < size; i += group.size())
            ((char *)to)[i] = ((const char *)from)[i];
    ::simt_async_commit();
}

/* As many elements as both layouts have. */
template <typename Group, typename T, typename To_layout, typename From_layout>
SIMT_INLINE void memcpy_async(const Group &group, T *to, const To_layout &to_layout, const T *from,
                              const From_layout &from_layout)
{
    const size_t to_count = (size_t)to_layout, from_count = (size_t)from_layout;

    memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}

/* All copies but the newest `stages` are complete. */
template <unsigned stages, typename Group> SIMT_INLINE void wait_prior(const Group &group)
{
    ::simt_async_wait(stages);
    group.sync();
}

template <typename Group> SIMT_INLINE void wait(const Group &group)
{
    wait_prior<0>(group);
}

} // namespace cooperative_groups

#endif
