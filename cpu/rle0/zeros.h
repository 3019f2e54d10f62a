/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which of 64 bytes are 0, as a mask, the first byte's bit the lowest; and copies of a few bytes by 16.
 */
#ifndef CPU_RLE0_ZEROS_H
#define CPU_RLE0_ZEROS_H

#include <stdint.h>
#include <string.h>

enum { SB_GROUP = 64, SB_STRIDE = 16 };

/* In each word the sum of the low seven bits and 127 reaches the highest bit unless they are 0; then the eight highest
 * bits are gathered. Words of a big-endian machine have their first byte highest, and so they are turned. */
static inline uint64_t sb_zeros(const uint8_t bytes[SB_GROUP])
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t zeros = 0, word;

    for (unsigned i = 0; i < SB_GROUP / 8; i++) {
        memcpy(&word, bytes + 8 * i, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        word = ~(((word & low) + low) | word) & ~low;
        zeros |= ((word >> 7) * 0x0102040810204080u >> 56) << 8 * i;
    }
    return zeros;
}

/* The number of 0 bits below the lowest 1; 64 of 0. */
static inline unsigned sb_low_zeros(uint64_t mask)
{
    return mask == 0 ? 64 : (unsigned)__builtin_ctzll(mask);
}

/* Copies `count` bytes, and up to 15 that do not matter. */
static inline void sb_copy_strides(uint8_t *to, const uint8_t *from, unsigned count)
{
    memcpy(to, from, SB_STRIDE);
    for (unsigned i = SB_STRIDE; i < count; i += SB_STRIDE)
        memcpy(to + i, from + i, SB_STRIDE);
}

#endif
