/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Run-length code for zeros with extensible counts: one 0 per run, however long the run is.
 *
 * encode: bytes other than 0 are copied. A maximal run of r zeros becomes a 0, then r / 255 bytes of value 255, then
 * one byte r mod 255, which is written even when it is 0. 300 zeros are 0,255,45; 255 zeros are 0,255,0. The code has
 * at most 2n bytes, and `code` must have capacity for that many. Returns the number of bytes written.
 *
 * decode: the reverse. Invalid are a run whose counts add up to 0 and a code that ends inside a run, that is, after the
 * 0 or after a 255 of a count. Adjacent runs, which the encoder never writes, are valid: 0,1,0,1 stands for two zeros.
 * `length` is set to the number of decoded bytes; for an invalid code, to the number of bytes decoded before the fault.
 * With `bytes` NULL the bytes are only counted.
 *
 * Any bytes can be encoded. The arrays must not overlap.
 *
 * Source: rle0 (rle0.h) with the continued counts that LZ4 uses for its lengths: 255 means that another byte follows.
 */
#ifndef REF_RLE0X_H
#define REF_RLE0X_H

#include "ref.h"
#include <stdint.h>

uint64_t sb_ref_rle0x_encode(const uint8_t *bytes, uint64_t n, uint8_t *code);
sb_ref_status sb_ref_rle0x_decode(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length);

#endif
