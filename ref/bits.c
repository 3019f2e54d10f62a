/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bits in bytes: contract in bits.h.
 */
#include "bits.h"

uint64_t sb_ref_bytes_for(uint64_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

int sb_ref_get_bit(const uint8_t *payload, uint64_t position)
{
    return payload[position / 8] >> (7 - position % 8) & 1;
}

void sb_ref_put_bits(uint8_t *payload, uint64_t position, uint64_t code, int length)
{
    for (int i = length - 1; i >= 0; i--, position++) {
        if (position % 8 == 0)
            payload[position / 8] = 0;
        payload[position / 8] |= (uint8_t)((code >> i & 1) << (7 - position % 8));
    }
}

int sb_ref_pads_with_zeros(const uint8_t *payload, uint64_t bits)
{
    for (uint64_t i = bits; i % 8 != 0; i++)
        if (sb_ref_get_bit(payload, i))
            return 0;
    return 1;
}

uint64_t sb_ref_chunks(uint64_t n, uint64_t chunk)
{
    return chunk == 0 ? n != 0 : n / chunk + (n % chunk != 0);
}

int sb_ref_starts_chunk(uint64_t i, uint64_t chunk)
{
    return chunk == 0 ? i == 0 : i % chunk == 0;
}
