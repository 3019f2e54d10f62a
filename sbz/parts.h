/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Estimates what a text costs as one block and in parts, without transforming it.
 */
#ifndef SBZ_PARTS_H
#define SBZ_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of the first half of `size` bytes: `unit` times a power of two, so that parts of long and of short texts end
 * at the same places. The second half has at least unit / 4 bytes, and at least one. `size` has at least two units. */
static inline size_t sbz_half_of(size_t size, size_t unit)
{
    size_t half = unit;

    while (2 * half + (unit + 3) / 4 <= size)
        half *= 2;
    return half;
}

/* Halves the bytes, and halves the halves, where that is estimated to pay; with `hopeful` where it is not estimated to cost
 * much. Writes the sizes of the parts, in order, to `sizes`, which has a capacity of `size` / `unit` + 1. Returns how
 * many there are; 0: out of memory. `size` is less than 2^30, and than 2^20 units. */
size_t sbz_estimate_parts(const uint8_t *bytes, size_t size, size_t unit, bool hopeful, size_t *sizes);

#endif
