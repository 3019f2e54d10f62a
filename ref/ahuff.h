/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adaptive Huffman coding of bytes, after Faller, Gallager and Knuth: both sides keep the same tree and let it grow
 * with every byte, so no table is sent.
 *
 * The tree. Nodes have numbers, 512 the root; by ascending number their weights never descend, and siblings have
 * neighbouring numbers, the even one on branch 0. A chunk begins with one node, NYT ("not yet transmitted"), of weight
 * 0.
 *
 * A byte is sent as the path from the root to its leaf; a byte that has no leaf as the path to NYT and its 8 bits, most
 * significant first, whereupon NYT, number m, becomes the parent of a new NYT, number m - 2, on branch 0 and of the
 * leaf, number m - 1, on branch 1, all of weight 0. Then the tree is updated. From the leaf up to the root: the node is
 * swapped, with all below it, with the highest-numbered node of equal weight other than its parent (numbers stay where
 * they are); its weight grows by 1; its parent, where it now stands, is next. NYT stays when all 256 bytes have leaves,
 * and weights are never halved.
 *
 * Payload: the bits of all bytes one after the other, filling payload bytes from their most significant bit; the unused
 * bits of the last byte are 0. `bits` counts the used ones. `offset` is the bit at which each chunk of `chunk` bytes
 * begins (chunk 0, or more than n: one chunk); chunks are not aligned to bytes, and each begins with a new tree.
 *
 * Decoding is invalid for: a payload of other than ceil(bits / 8) bytes; a pad bit that is set; a path, or the 8 bits
 * after NYT, cut by the end; NYT with a byte that has a leaf.
 *
 * Decided here:
 * - n = 0 gives no bits, no payload and no offset.
 * - Decoding is invalid, too, when the offsets are not exactly those that encoding these bytes with this chunk gives.
 * So decoding takes what encoding gives, and nothing else.
 * - Any n: weights are u64.
 *
 * Arrays must not overlap. Encoding writes at most 3 n bytes of payload. A node of weight w at depth d lies below a
 * root of weight W >= Fibonacci(d + 1) w: so d <= 1 + log(W / w) / log(1.618), and NYT is as deep as its sibling. Hence
 * a byte takes at most 8 + 16 bits while W < Fibonacci(18) = 2584; and these depths, summed over a chunk of c bytes in
 * which all values are as frequent, which is the worst mix, make less than 12.6 c + 368 log2(c) - 900 bits, from there
 * on less than 24 c. Every byte takes a bit at least: decoding writes at most `bits` bytes, and none past 8 times the
 * payload.
 *
 * Source: D. Knuth, "Dynamic Huffman coding", Journal of Algorithms 6(2), 1985; J. Vitter, "Design and analysis of
 * dynamic Huffman codes", Journal of the ACM 34(4), 1987.
 */
#ifndef REF_AHUFF_H
#define REF_AHUFF_H

#include "ref.h"
#include <stdint.h>

/* Payload bytes that a byte takes at most. */
enum { SB_REF_AHUFF_MAX_BYTES = 3 };

void sb_ref_ahuff_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint64_t *bits, uint8_t *payload,
                         uint64_t *offset);

/* Sets `n` to the number of bytes. */
sb_ref_status sb_ref_ahuff_decode(uint64_t bits, const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                  uint64_t offsets, uint64_t chunk, uint8_t *bytes, uint64_t *n);

#endif
