/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two run-length codes for zeros. Other bytes pass as they are; a run of r zeros, taken as long as it is, becomes
 *
 * rle0:  pairs 0, c with c = 255 while more than 255 are left, then c = what is left: 300 zeros are 0,255,0,45.
 * rle0x: 0, then r / 255 times 255, then r mod 255, also when that is 0: 300 zeros are 0,255,45 and 255 are 0,255,0.
 *
 * The code is at most twice as long as the bytes. Decoding is stricter than reading: a count of zeros that is 0 is
 * invalid, as is input that ends inside a run (rle0: after a lone 0; rle0x: after the 0 or a 255 of a run). Runs side
 * by side, which no encoder writes, are accepted: 0,1,0,1 are two zeros in both codes.
 *
 * Encoders return the length of the code; `code` has room for 2n bytes. Decoders set `length` to that of the bytes;
 * with `bytes` NULL they only count. When the code is invalid, they have counted what stands before the fault.
 *
 * Source: rle0 is the zero run coding of block sorters with 8-bit counts; rle0x extends a count by further bytes.
 */
#ifndef REF_RLE_H
#define REF_RLE_H

#include "ref.h"
#include <stdint.h>

uint64_t sb_ref_rle0_encode(const uint8_t *bytes, uint64_t n, uint8_t *code);
sb_ref_status sb_ref_rle0_decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length);

uint64_t sb_ref_rle0x_encode(const uint8_t *bytes, uint64_t n, uint8_t *code);
sb_ref_status sb_ref_rle0x_decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length);

#endif
