/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adaptive Huffman coding of bytes (FGK): encoder and decoder keep the same tree and update it after every byte, so no
 * table is sent.
 *
 * Tree. Nodes have numbers; 512 is the root. In order of their numbers the weights never decrease, and siblings have
 * consecutive numbers: the even one is on branch 0, the odd one on branch 1. A chunk starts with one node, NYT ("not
 * yet transmitted"), of weight 0, which is the root.
 *
 * Code of a byte. If the byte has a leaf: the path from the root to that leaf, a bit for each branch. If not: the path
 * to NYT, then the 8 bits of the byte, most significant first. NYT, of number m, then becomes the parent of a new NYT,
 * number m - 2 on branch 0, and of the leaf of the byte, number m - 1 on branch 1. Both have weight 0.
 *
 * Update. For each node from the leaf of the byte up to the root:
 * 1. The node is swapped, with its whole subtree, with its block leader: the highest-numbered node of equal weight
 *    other than its parent. Numbers stay at their positions in the tree.
 * 2. The weight of the node grows by 1.
 * 3. The next node is the parent of its new position.
 * NYT stays in the tree when all 256 bytes have leaves. Weights are never halved.
 *
 * Payload. The codes of all bytes in order fill payload bytes from the most significant bit on; the unused bits of the
 * last byte are 0. `bits` is the number of used bits. `offset[i]` is the bit at which chunk i starts. The input is cut
 * every `chunk` bytes (0, or more than n: one chunk). Chunks are not aligned to bytes; each starts with a new tree.
 *
 * Decoding is invalid if
 * - the payload does not have ceil(bits / 8) bytes, or an unused bit is 1;
 * - a path, or the 8 bits after NYT, are cut by the end;
 * - NYT is followed by a byte that has a leaf;
 * - the offsets are not exactly those that encoding the decoded bytes with this chunk size gives.
 * So the decoder accepts what the encoder writes and nothing else. n = 0 gives no bits, no payload and no offsets.
 *
 * Arrays must not overlap. The encoder writes at most SB_REF_AHUFF_MAX_BYTES = 3 bytes of payload for each input byte:
 * - A node of weight w at depth d below a root of weight W satisfies W >= Fibonacci(d + 1) w, so d is at most
 *   1 + log(W / w) / log(1.618). NYT is as deep as its sibling. Hence a byte takes at most 8 + 16 bits while
 *   W < Fibonacci(18) = 2584.
 * - The worst mix has all 256 values equally often. Summed over a chunk of c bytes the depths then give less than
 *   12.6 c + 368 log2(c) - 900 bits, which is below 24 c from W = 2584 on.
 * Every byte takes at least one bit, so the decoder writes at most `bits` bytes and at most 8 for each payload byte.
 * Weights have 64 bits, so n is not limited.
 *
 * Sources: N. Faller, "An adaptive system for data compression", 1973; R. Gallager, "Variations on a theme by Huffman",
 * IEEE Transactions on Information Theory 24(6), 1978; D. Knuth, "Dynamic Huffman coding", Journal of Algorithms 6(2),
 * 1985; bounds on depths: J. Vitter, "Design and analysis of dynamic Huffman codes", Journal of the ACM 34(4), 1987.
 */
#ifndef REF_AHUFF_H
#define REF_AHUFF_H

#include "ref.h"
#include <stdint.h>

/* The maximum number of payload bytes for one input byte. */
enum { SB_REF_AHUFF_MAX_BYTES = 3 };

void sb_ref_ahuff_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint64_t *bits, uint8_t *payload,
                         uint64_t *offset);

/* Sets `n` to the number of decoded bytes. */
sb_ref_status sb_ref_ahuff_decode(uint64_t bits, const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                  uint64_t offsets, uint64_t chunk, uint8_t *bytes, uint64_t *n);

#endif
