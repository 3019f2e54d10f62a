/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bits in bytes, the first bit the most significant of the first byte; and where chunks begin.
 */
#ifndef REF_BITS_H
#define REF_BITS_H

#include <stdint.h>

/* The bytes that hold so many bits. */
uint64_t sb_ref_bytes_for(uint64_t bits);

/* 0 or 1. */
int sb_ref_get_bit(const uint8_t *payload, uint64_t position);

/* Puts the low `length` bits of `code`, the highest of them first. To be called from position 0 on, without gaps: with
 * its first bit a byte is cleared. */
void sb_ref_put_bits(uint8_t *payload, uint64_t position, uint64_t code, int length);

/* Are the bits 0 that follow the first `bits` in their last byte? */
int sb_ref_pads_with_zeros(const uint8_t *payload, uint64_t bits);

/* How many chunks n bytes are cut into; does byte i begin one? chunk 0: all are one. */
uint64_t sb_ref_chunks(uint64_t n, uint64_t chunk);
int sb_ref_starts_chunk(uint64_t i, uint64_t chunk);

#endif
