/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Intervals, an element at a time: contract in interval.h.
 */
#include "interval.h"
#include <string.h>

static void copy(size_t size, const void *items, uint64_t from, void *out, uint64_t to)
{
    memcpy((char *)out + to * size, (const char *)items + from * size, size);
}

void sb_ref_interval_expand(size_t size, const void *items, const uint64_t *offset, uint64_t segments, void *out)
{
    for (uint64_t s = 0; s < segments; s++)
        for (uint64_t i = offset[s]; i < offset[s + 1]; i++)
            copy(size, items, s, out, i);
}

void sb_ref_interval_gather(size_t size, const void *items, const uint64_t *offset, uint64_t segments,
                            const uint64_t *source, void *out)
{
    for (uint64_t s = 0; s < segments; s++)
        for (uint64_t i = offset[s]; i < offset[s + 1]; i++)
            copy(size, items, source[s] + (i - offset[s]), out, i);
}

void sb_ref_interval_scatter(size_t size, const void *items, const uint64_t *offset, uint64_t segments,
                             const uint64_t *target, void *out)
{
    for (uint64_t s = 0; s < segments; s++)
        for (uint64_t i = offset[s]; i < offset[s + 1]; i++)
            copy(size, items, i, out, target[s] + (i - offset[s]));
}

void sb_ref_interval_move(size_t size, const void *items, const uint64_t *offset, uint64_t segments,
                          const uint64_t *source, const uint64_t *target, void *out)
{
    for (uint64_t s = 0; s < segments; s++)
        for (uint64_t r = 0; r < offset[s + 1] - offset[s]; r++)
            copy(size, items, source[s] + r, out, target[s] + r);
}
