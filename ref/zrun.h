/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs of zeros as numbers in bijective base 2: symbols of at most 257 kinds, so that a long run costs few of them.
 *
 * encode: a run of r zeros, taken as long as it is, becomes the digits of r, the least first. A digit at place i is
 * worth 2^i (symbol 0) or 2 * 2^i (symbol 1): 1 is 0; 2 is 1; 3 is 0,0; 4 is 1,0; 8 is 1,0,0. A rank k > 0 becomes
 * k + 1. There are at most as many symbols as ranks; `length` is set to how many. 2^32 ranks or more are invalid.
 *
 * decode: each row of symbols below 2, taken as long as it is, is one run; so what decoding takes, encoding gives, and
 * nothing else. Invalid are a symbol over 256 and symbols that stand for 2^32 ranks or more, which includes every run
 * of more than 32 digits. `length` is set to how many ranks there are, or, when the symbols are invalid, to how many
 * stand before the symbol at which that shows; with `ranks` NULL they are only counted.
 *
 * Source: the zero run coding of D. Wheeler, as in bzip2 (RUNA, RUNB).
 */
#ifndef REF_ZRUN_H
#define REF_ZRUN_H

#include "ref.h"
#include <stdint.h>

sb_ref_status sb_ref_zrun_encode(const uint8_t *ranks, uint64_t n, uint16_t *symbols, uint64_t *length);
sb_ref_status sb_ref_zrun_decode(const uint16_t *symbols, uint64_t n, uint8_t *ranks, uint64_t *length);

#endif
