/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The code lengths of 256 symbols in few bytes: bitmaps of the symbols that occur, as in bzip2, and then differences.
 * docs/SBZ.md defines the bits, under "Code lengths".
 */
#ifndef SBZ_CODE_LENGTHS_H
#define SBZ_CODE_LENGTHS_H

#include <stddef.h>
#include <stdint.h>

/* 20 bits, so that a decoder needs no wide codes. A longer one takes a byte that hardly occurs in a million; such a block is better
 * off with the range coder. 2048 bytes: 17 words and 256 lengths of at most 2 * 19 + 1 bits are fewer. */
enum { SBZ_MAX_CODE_LENGTH = 20, SBZ_CODE_LENGTHS_BYTES = 2048 };

/* Writes lengths. Returns how many bytes; 0: one is more than SBZ_MAX_CODE_LENGTH. */
size_t sbz_code_lengths_put(const uint8_t length[256], uint8_t to[SBZ_CODE_LENGTHS_BYTES]);
/* Reads lengths. Returns how many bytes they took; 0: the bytes are no lengths. */
size_t sbz_code_lengths_get(const uint8_t *from, size_t size, uint8_t length[256]);

#endif
