/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Move-to-front. A list holds the 256 byte values, initially in ascending order.
 *
 * encode: replaces each byte by its rank, which is its position in the list, and moves the byte to the front.
 * decode: replaces each rank by the byte at that position, and moves the byte to the front.
 *
 * The list is reset every `chunk` bytes (0: never). All bytes and all ranks are valid. n bytes are read and n written;
 * the arrays must not overlap.
 *
 * Sources: B. Ryabko, "Data compression by means of a book stack", 1980; J. Bentley, D. Sleator, R. Tarjan, V. Wei, "A
 * locally adaptive data compression scheme", CACM 29(4), 1986.
 */
#ifndef REF_MTF_H
#define REF_MTF_H

#include <stdint.h>

void sb_ref_mtf_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint8_t *rank);
void sb_ref_mtf_decode(const uint8_t *rank, uint64_t n, uint64_t chunk, uint8_t *bytes);

#endif
