/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Burrows-Wheeler transform of whole rotations: no sentinel, no forbidden byte, no condition on the length.
 *
 * The text is cut every `block` bytes (the last block may be short; block 0, or more than n: one block), and each block
 * is transformed on its own. Forward: the rotations of the block, sorted as strings of unsigned bytes, equal ones by
 * their start, are the rows of a table. `last` is the last column, `primary` the row of the rotation that starts at 0.
 * Inverse: row j goes to the row whose rotation starts one byte earlier, which is C[last[j]] + the number of bytes
 * equal to last[j] above row j, where C[c] counts the bytes of the block that are smaller than c. As many steps as the
 * block is long, from `primary`, give the text back to front.
 *
 * Decided here:
 * - n = 0 has no block: forward gives no primary.
 * - The inverse takes any `last`, also when it is no transform of anything (the walk may then go round a part of the
 * rows). A primary that is not below the length of its block is invalid, and so is a wrong number of them, except that
 * n = 0 also takes one primary, which must be 0.
 *
 * Text and last have n bytes, primary one element a block; arrays must not overlap. Both directions need memory: 18 and
 * 8 bytes a byte of the block. Forward calls memcmp about n log2 n times, each up to a whole block long.
 *
 * Source: M. Burrows, D. J. Wheeler, "A block-sorting lossless data compression algorithm", DEC SRC report 124, 1994.
 */
#ifndef REF_BWT_H
#define REF_BWT_H

#include "ref.h"
#include <stdint.h>

/* How many blocks n bytes are cut into. */
uint64_t sb_ref_bwt_blocks(uint64_t n, uint64_t block);

sb_ref_status sb_ref_bwt_forward(const uint8_t *text, uint64_t n, uint64_t block, uint8_t *last, uint64_t *primary);
sb_ref_status sb_ref_bwt_inverse(const uint8_t *last, uint64_t n, const uint64_t *primary, uint64_t primaries,
                                 uint64_t block, uint8_t *text);

/* The map of one block from a row to the row whose rotation starts one byte earlier: always a permutation. */
void sb_ref_bwt_last_to_first(const uint8_t *last, uint64_t n, uint64_t *map);

#endif
