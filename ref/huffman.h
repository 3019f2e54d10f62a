/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Canonical Huffman coding of bytes with one table for all.
 *
 * Lengths: every byte that occurs is a leaf; the two lightest nodes are merged until one is left, and the depth of a
 * leaf is the length of its code. Of equally light nodes leaves come before inner nodes, leaves by symbol, inner nodes
 * by age. A byte that does not occur has length 0; a byte that is alone has length 1. The counts add up to less than
 * 2^32, or the call is invalid: so no code is longer than 45 bits (a code of d bits takes at least L(d + 1) - 1 bytes,
 * L the Lucas numbers, and L(46) - 1 is the last that is below 2^32).
 *
 * Codes: ascending by (length, symbol), from 0, each the one before plus 1, extended by zeros to its length.
 *
 * Payload: the codes of all bytes one after the other, each from its most significant bit, filling payload bytes from
 * their most significant bit; the unused bits of the last byte are 0. `bits` counts the used ones. `offset` is the bit
 * at which each chunk of `chunk` bytes begins (chunk 0, or more than n: one chunk); chunks are not aligned to bytes.
 *
 * Decoding is invalid for: a length over 45; a Kraft sum other than 1, except one symbol of length 1, or no symbol and
 * no bits; a payload of other than ceil(bits / 8) bytes; a pad bit that is set; a code that is cut by the end or is
 * none.
 *
 * Decided here:
 * - n = 0 gives lengths 0, no bits, no payload and no offset.
 * - Decoding is invalid, too, when the offsets are not exactly those that encoding these bytes with this chunk gives.
 * - Lengths that no encoder would choose are accepted, also with no bits at all, as long as the Kraft sum is right.
 *
 * Arrays must not overlap. Encoding writes at most n bytes of payload, as no optimal code beats the 8-bit one by being
 * longer. Decoding writes at most `bits` bytes, and none past 8 times the payload.
 *
 * Source: D. Huffman, "A method for the construction of minimum-redundancy codes", Proc. IRE 40(9), 1952; canonical
 * codes: E. Schwartz, B. Kallick, "Generating a canonical prefix encoding", CACM 7(3), 1964.
 */
#ifndef REF_HUFFMAN_H
#define REF_HUFFMAN_H

#include "ref.h"
#include <stdint.h>

enum { SB_REF_HUFFMAN_LONGEST = 45 };

sb_ref_status sb_ref_huffman_lengths(const uint64_t count[256], uint8_t length[256]);

sb_ref_status sb_ref_huffman_encode(const uint8_t *bytes, uint64_t n, uint64_t chunk, uint8_t length[256],
                                    uint64_t *bits, uint8_t *payload, uint64_t *offset);

/* Sets `n` to the number of bytes. */
sb_ref_status sb_ref_huffman_decode(const uint8_t length[256], uint64_t bits, const uint8_t *payload,
                                    uint64_t payload_bytes, const uint64_t *offset, uint64_t offsets, uint64_t chunk,
                                    uint8_t *bytes, uint64_t *n);

#endif
