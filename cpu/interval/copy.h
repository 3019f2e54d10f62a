/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Copies the interval of each segment (ref/interval.h) with one call of memcpy, which picks its instructions by the length and
 * the alignment. Without starts of its own, NULL, one side is that of the segments themselves.
 */
#ifndef CPU_INTERVAL_COPY_H
#define CPU_INTERVAL_COPY_H

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

static inline size_t sb_element_size(uint64_t type)
{
    return type == SB_U8 ? 1 : type == SB_U32 ? 4 : 8;
}

static inline void sb_copy_intervals(uint64_t type, const void *items, const sb_array *offsets, const uint64_t *source,
                                     const uint64_t *target, void *out)
{
    const uint64_t *offset = offsets->data;
    size_t size = sb_element_size(type);

    for (uint64_t s = 0; s + 1 < offsets->length; s++) {
        uint64_t length = offset[s + 1] - offset[s];

        if (length > 0)
            memcpy((char *)out + (target != NULL ? target[s] : offset[s]) * size,
                   (const char *)items + (source != NULL ? source[s] : offset[s]) * size, length * size);
    }
}

#endif
