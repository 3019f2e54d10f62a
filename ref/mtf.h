/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Move-to-front. A list holds the 256 byte values, at first in ascending order. Encoding replaces each byte by its
 * rank, the position in the list at which it stands, and moves it to the front; decoding replaces each rank by the byte
 * at that position and moves that to the front. The list starts anew every `chunk` bytes; chunk 0: one list for the
 * whole input. Any bytes are valid in both directions. `n` bytes are read and written; the arrays must not overlap.
 *
 * Source: J. Bentley, D. Sleator, R. Tarjan, V. Wei, "A locally adaptive data compression scheme", CACM 29(4), 1986.
 */
#ifndef REF_MTF_H
#define REF_MTF_H

#include <stdint.h>

void sb_ref_mtf_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint8_t *rank);
void sb_ref_mtf_decode(const uint8_t *rank, uint64_t n, uint64_t chunk, uint8_t *bytes);

#endif
