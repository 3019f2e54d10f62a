/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Burrows-Wheeler transform by sorting rotations: no sentinel, any bytes, any length.
 *
 * The text is cut every `block` bytes (0, or more than n: one block; the last block may be short), and each block is
 * transformed on its own.
 *
 * forward: the rotations of a block, sorted as strings of unsigned bytes, are the rows of a table. Equal rotations are
 * ordered by their start. `last` is the last column of the table. `primary` is the row of the rotation that starts at
 * byte 0.
 *
 * inverse: the LF-mapping takes row j to the row whose rotation starts one byte earlier. That row is C[last[j]] plus
 * the number of rows above j whose last byte equals last[j]; C[c] is the number of bytes of the block smaller than c.
 * Following the mapping from `primary`, once for each byte of the block, gives the text from its end to its start.
 *
 * Invalid for the inverse are
 * - a primary that is not below the length of its block;
 * - a number of primaries that is not the number of blocks; n = 0, which has no block, also accepts one primary of 0.
 * Any `last` is valid, even if it is not the transform of any text: the walk may then go around a part of the rows.
 *
 * `text` and `last` have n bytes, `primary` has one element for each block. Arrays must not overlap. forward allocates
 * 18 bytes for each byte of the longest block, inverse 8. forward calls memcmp about n log2 n times, each call reads at
 * most one block.
 *
 * Source: M. Burrows, D. Wheeler, "A block-sorting lossless data compression algorithm", DEC SRC report 124, 1994. The
 * name LF-mapping: P. Ferragina, G. Manzini, "Opportunistic data structures with applications", 2000.
 */
#ifndef REF_BWT_H
#define REF_BWT_H

#include "ref.h"
#include <stdint.h>

/* The number of blocks that n bytes are cut into. */
uint64_t sb_ref_bwt_blocks(uint64_t n, uint64_t block);

sb_ref_status sb_ref_bwt_forward(const uint8_t *text, uint64_t n, uint64_t block, uint8_t *last, uint64_t *primary);
sb_ref_status sb_ref_bwt_inverse(const uint8_t *last, uint64_t n, const uint64_t *primary, uint64_t primaries,
                                 uint64_t block, uint8_t *text);

/* Writes the LF-mapping of one block of n rows to `map`. It is a permutation for any `last`. */
void sb_ref_bwt_lf_mapping(const uint8_t *last, uint64_t n, uint64_t *map);

#endif
