/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The filter arm64, the same as filter 10 of liblzma: BL and ADRP hold distances, to which the position of the instruction is
 * added. Instructions are 4 bytes at multiples of 4.
 *
 *     BL      100101, and a signed distance of 26 bits in units of 4 bytes
 *     ADRP    1, the lowest 2 bits of a distance, 10000, its upper 19 bits, a register of 5 bits; in units of 4096 bytes
 *
 * Only ADRPs of less than 2^17 pages in either direction, 512 MiB, are taken: others are rare in programs, and frequent in
 * data. The result keeps 18 bits, of which the highest is repeated in the three above it, so it is in that range, too, and decoding
 * finds the same instructions. A decoder needs no more than each word for itself, so both directions go forwards.
 */
#include "filter.h"
#include <string.h>

static uint32_t load(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void store(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

/* `sign`: 1 to encode, -1 (modulo 2^32) to decode. */
static uint32_t move(uint32_t word, uint32_t position, uint32_t sign)
{
    if (word >> 26 == 0x25) /* BL */
        return (word & ~0x3ffffffu) | ((word + sign * (position >> 2)) & 0x3ffffff);
    if ((word & 0x9f000000) == 0x90000000) { /* ADRP */
        const uint32_t pages = (word >> 29 & 3) | (word >> 5 & 0x7ffff) << 2;
        const uint32_t sum = pages + sign * (position >> 12);

        if (((pages + (1u << 17)) & 0x1c0000) != 0)
            return word;
        return (word & 0x9000001f) | (sum & 3) << 29 | (sum >> 2 & 0xffff) << 5 | (sum >> 17 & 1) * 0xe00000;
    }
    return word;
}

static void move_all(uint8_t *bytes, size_t size, uint32_t sign)
{
    for (size_t i = 0; size - i >= 4; i += 4)
        store(bytes + i, move(load(bytes + i), (uint32_t)i, sign));
}

void sbz_arm64_encode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    (void)distance;
    memcpy(to, from, size);
    move_all(to, size, 1);
}

void sbz_arm64_decode(const uint8_t *from, uint8_t *to, size_t size, unsigned distance)
{
    (void)distance;
    if (to != from)
        memcpy(to, from, size);
    move_all(to, size, 0 - 1u);
}
