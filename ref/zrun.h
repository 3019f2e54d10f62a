/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Runs of zeros as numbers in bijective base 2: a run of r zeros takes about log2 r symbols. There are 257 symbols.
 *
 * encode: a maximal run of r zeros becomes the digits of r, least significant first. Digit i is symbol 0, worth 2^i, or
 * symbol 1, worth 2 * 2^i. So 1 is written 0; 2 is 1; 3 is 0,0; 4 is 1,0; 8 is 1,0,0. A rank k > 0 becomes the symbol k
 * + 1. There are at most n symbols; `symbols` must have capacity for n. `length` is set to their number. 2^32 ranks or
 * more are invalid.
 *
 * decode: a maximal sequence of symbols below 2 is one run, so the decoder accepts exactly what the encoder writes.
 * Invalid are a symbol above 256 and symbols that stand for 2^32 ranks or more, which includes every run of more than
 * 32 digits. `length` is set to the number of decoded ranks; if the symbols are invalid, to the number of ranks before
 * the first symbol at which that shows. With `ranks` NULL the ranks are only counted.
 *
 * Source: the zero-run coding that D. Wheeler devised for block sorting, as used in bzip2 (RUNA and RUNB; J. Seward,
 * 1996).
 */
#ifndef REF_ZRUN_H
#define REF_ZRUN_H

#include "ref.h"
#include <stdint.h>

sb_ref_status sb_ref_zrun_encode(const uint8_t *ranks, uint64_t n, uint16_t *symbols, uint64_t *length);
sb_ref_status sb_ref_zrun_decode(const uint16_t *symbols, uint64_t n, uint8_t *ranks, uint64_t *length);

#endif
