/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Canonical Huffman coding of bytes with one table for the whole input.
 *
 * lengths: every byte that occurs is a leaf. The two lightest nodes are merged until one is left; the depth of a leaf
 * is the length of its code. Among nodes of equal weight, leaves come before inner nodes, leaves with smaller symbols
 * before leaves with larger ones, and older inner nodes before younger ones. A byte that does not occur has length 0.
 * If only one byte value occurs, its length is 1. The counts must add up to less than 2^32, or the call is invalid. So
 * no code has more than SB_REF_HUFFMAN_MAX_LENGTH = 45 bits: a code of d bits needs at least L(d + 1) - 1 bytes of
 * input, where L are the Lucas numbers, and L(46) - 1 is the last of these below 2^32.
 *
 * Codes: in ascending order of (length, symbol) the first code is 0, and each further code is the one before plus 1,
 * followed by zeros up to its length.
 *
 * Payload: the codes of all bytes in order, each from its most significant bit, fill payload bytes from their most
 * significant bit on; the unused bits of the last byte are 0. `bits` is the number of used bits. `offset[i]` is the bit
 * at which chunk i starts. The input is cut every `chunk` bytes (0, or more than n: one chunk). Chunks are not aligned
 * to bytes.
 *
 * Decoding is invalid if
 * - a length is above 45;
 * - the Kraft sum is not 1, except for one symbol of length 1, and for no symbol together with bits = 0;
 * - the payload does not have ceil(bits / 8) bytes, or an unused bit is 1;
 * - a code is cut by the end, or there is no such code;
 * - the offsets are not exactly those that encoding the decoded bytes with this chunk size gives.
 * Lengths that the encoder would not choose are valid, also with bits = 0, if the Kraft sum is right. n = 0 gives
 * lengths 0, no bits, no payload and no offsets.
 *
 * Arrays must not overlap. The encoder writes at most n bytes of payload, because a Huffman code is never longer than
 * the code of 8 bits for each byte. The decoder writes at most `bits` bytes and at most 8 for each payload byte.
 *
 * Sources: D. Huffman, "A method for the construction of minimum-redundancy codes", Proceedings of the IRE 40(9), 1952;
 * canonical codes: E. Schwartz, B. Kallick, "Generating a canonical prefix encoding", CACM 7(3), 1964.
 */
#ifndef REF_HUFFMAN_H
#define REF_HUFFMAN_H

#include "ref.h"
#include <stdint.h>

enum { SB_REF_HUFFMAN_MAX_LENGTH = 45 }; /* bits of a code */

sb_ref_status sb_ref_huffman_lengths(const uint64_t count[256], uint8_t length[256]);

sb_ref_status sb_ref_huffman_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint8_t length[256],
                                    uint64_t *bits, uint8_t *payload, uint64_t *offset);

/* Sets `n` to the number of decoded bytes. */
sb_ref_status sb_ref_huffman_decode(const uint8_t length[256], uint64_t bits, const uint8_t *payload,
                                    uint64_t payload_bytes, const uint64_t *offset, uint64_t offsets, uint64_t chunk,
                                    uint8_t *bytes, uint64_t *n);

#endif
