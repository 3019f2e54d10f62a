/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bits in bytes, from the most significant bit of the first byte on; and the cutting of an input into chunks.
 */
#ifndef REF_BITS_H
#define REF_BITS_H

#include <stdint.h>

/* ceil(bits / 8). */
uint64_t sb_ref_bytes_for(uint64_t bits);

/* The bit at `position`: 0 or 1. */
int sb_ref_get_bit(const uint8_t *payload, uint64_t position);

/* Writes the low `length` bits of `code` at `position`, the highest of them first. Positions must be written in order
 * from 0 on, without gaps: writing the first bit of a byte clears the byte. */
void sb_ref_put_bits(uint8_t *payload, uint64_t position, uint64_t code, int length);

/* Returns 1 if the bits that follow the first `bits` bits in the same byte are all 0, else 0. */
int sb_ref_pads_with_zeros(const uint8_t *payload, uint64_t bits);

/* The number of chunks that n bytes are cut into, and whether byte i is the first of a chunk. chunk 0: one chunk. */
uint64_t sb_ref_chunks(uint64_t n, uint64_t chunk);
int sb_ref_starts_chunk(uint64_t i, uint64_t chunk);

#endif
