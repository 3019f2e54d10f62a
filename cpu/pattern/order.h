/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys as unsigned integers of the same order (ref/key.h), without a branch. A float that is negative has all bits flipped,
 * any other only its sign bit: so its magnitude descends below the middle and ascends above it.
 */
#ifndef CPU_PATTERN_ORDER_H
#define CPU_PATTERN_ORDER_H

#include <stdint.h>

static inline uint32_t sb_order_u32(uint32_t key)
{
    return key;
}

static inline uint64_t sb_order_u64(uint64_t key)
{
    return key;
}

static inline uint32_t sb_order_i32(uint32_t key)
{
    return key ^ 0x80000000;
}

static inline uint32_t sb_order_f32(uint32_t key)
{
    return key ^ (-(key >> 31) | 0x80000000);
}

#endif
