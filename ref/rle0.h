/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run-length code for zeros with counts of one byte.
 *
 * encode: bytes other than 0 are copied. A maximal run of r zeros becomes pairs (0, c): c = 255 while more than 255
 * zeros are left, then one pair with the rest. 300 zeros are 0,255,0,45. The code has at most 2n bytes, and `code` must
 * have capacity for that many. Returns the number of bytes written.
 *
 * decode: the reverse. Invalid are a count of 0 and a 0 at the very end, which lacks its count. Adjacent runs, which
 * the encoder never writes, are valid: 0,1,0,1 stands for two zeros. `length` is set to the number of decoded bytes;
 * for an invalid code, to the number of bytes decoded before the fault. With `bytes` NULL the bytes are only counted.
 *
 * Any bytes can be encoded. The arrays must not overlap.
 *
 * Source: run-length coding of the zeros that move-to-front makes of a Burrows-Wheeler transform, as block-sorting
 * compressors do it, with counts of 8 bits.
 */
#ifndef REF_RLE0_H
#define REF_RLE0_H

#include "ref.h"
#include <stdint.h>

uint64_t sb_ref_rle0_encode(const uint8_t *bytes, uint64_t n, uint8_t *code);
sb_ref_status sb_ref_rle0_decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length);

#endif
