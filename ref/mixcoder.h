/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An adaptive binary coder for the output of the Burrows-Wheeler transform: runs of equal bytes, whose symbols and
 * lengths are binary decisions. Each decision is predicted by adaptive models of different contexts. Their predictions
 * are mixed with weights that adapt, and the mix is averaged with a secondary estimate.
 *
 * The bytes are cut into segments of `segment` bytes (0, or more than n: one segment; the last may be short). Each
 * segment is coded on its own, with fresh models. Within a segment, bytes are cut into maximal runs; no run extends
 * beyond its segment. The code has for each run its symbol and then its length.
 *
 * Range coder: that of rangecoder.h.
 *
 * Cells. A cell is a probability of a 1, in units of 2^-16. It is initially 32768, but for those of a correction. With a
 * shift s, it becomes e + ((65535 - e) >> s) after a 1, and e - (e >> s) after a 0. So it stays within 0..65535.
 *
 * The logistic function, 65536 / (1 + exp(-d / 256)), in integers: for d from -2048 to 2047, with i = (d + 2048) >> 7 and
 * f = (d + 2048) mod 128, squash(d) = (T[i] (128 - f) + T[i + 1] f) >> 7. T[0..32] are the values for d = -2048, -1920, ...,
 * 2048, rounded: 22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768, 40793, 47911,
 * 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514. Its inverse:
 * stretch(e) is the least d from -2047 to 2047 for which squash(d) is at least e without its four lowest bits. It is 2047
 * where there is none.
 *
 * A mixed decision has cells, each with a shift; as many weights, which are signed, in units of 2^-14; and a correction.
 * 1. d = (the sum of weight times stretch(cell), over the cells) >> 14, and then at least -2047 and at most 2047. Here and
 *    below, >> rounds down, of negative numbers too. mean = squash(d).
 * 2. A correction is 17 cells t[0..16], initially t[i] = T[2 i]. With i = (d + 2048) >> 8 and f = (d + 2048) mod 256,
 *    corrected = (t[i] (256 - f) + t[i + 1] f) >> 8.
 * 3. p = (mean + corrected) >> 1, and then at least 32 and at most 65504. So no decision costs more than 11 bits.
 * 4. The decision is coded with p.
 * 5. Each weight learns: error = (65536 bit - mean) >> 1, and weight + ((stretch(cell) error + 2^17) >> 18), and then at least
 *    -32768 and at most 32767, is the new weight.
 * 6. The cells adapt with their shifts, and t[i] and t[i + 1] with shift 5.
 *
 * Recent symbols. m[0] is the symbol of the run before, m[1] the last symbol that differs from it, and so on: the four that
 * were last seen, most recent first. They are initially 0, 1, 2, 3. Once a run is coded, its symbol moves to the front, if it
 * is one of the four; otherwise it is put before them and the last is dropped.
 *
 * The symbol of a run is its 8 bits from the top one on. A node is a 1 followed by the bits so far: 1 for the first, at most
 * 255. A symbol continues a node with bit b if its first bits are those of the node, and the next is b. No run has the symbol
 * of the run before it. So where m[0] continues the node of the last bit, that bit is the other one, and there is no decision.
 * The first run of a segment may have any symbol: all its decisions are made, and m[0] continues none of its nodes.
 * The other decisions are mixed. For j = 1, 2, 3, v[j] is 1 + b if m[j] continues the node with bit b, and otherwise 0. depth
 * is the number of bits so far. h is the sum of 1 if the symbol of the run before was m[1] when it was coded, and of 2 if that
 * of the run before that was. It is initially 0. The weights are those of the depth, initially 6144 each.
 *
 * | cell | shift |
 * |---|---|
 * | recent[node] | 2 |
 * | after[m[0]][node] | 3 |
 * | after_that[m[1]][node] | 3 |
 * | recency[9 v[3] + 3 v[2] + v[1]][depth][h] | 4 |
 * The correction is that of (u, node). u is 1 + b if m[0] continues the node with bit b, and otherwise 0.
 *
 * The length of a run is coded by its exponent e and its bits below the top bit: length = 2^e + ..., 0 <= e <= 31. Let x
 * be the symbol of the run. The state of the run is 64 r + 16 a + 4 c + b. r is j - 1 if x is m[j], but 0 for m[0], and 3 if x
 * is none of the four, before x moves to the front. a and b are the exponents of the run before and of the run before that,
 * and c that of the last run of x: each is at most 3, and 0 where there is no such run. The weights are those of the node,
 * initially 8192 each.
 *
 * | cell | shift |
 * |---|---|
 * | of[x][node] | 4 |
 * | state[state][node] | 5 |
 * The correction is that of the node.
 * 1. For k = 0, 1, ..., up to the first answer no, or to k = 30: is e > k? Mixed, node min(k, 19).
 * 2. If 1 <= e <= 8, the bit below the top one: mixed, node 20 + e, which is at most 28.
 * 3. If 2 <= e <= 8, the bit below that: not mixed. Its cell is second[e][the bit before]; p is the cell, at least 32
 *    and at most 65504; shift 6.
 * 4. The other bits, most significant first, each as a number of one equiprobable bit.
 *
 * Payload: the segments in order, as in rangecoder.h. `offset[i]` is the byte at which segment i starts. A segment of m
 * bytes is coded if the code has fewer than m bytes, and otherwise stored as it is. So the payload never has more than n
 * bytes, and the size of a segment tells which it is. n = 0 gives no payload and no offsets.
 *
 * Decoding is invalid if
 * - the first offset is not 0, an offset is less than the one before it, or an offset exceeds the payload;
 * - a segment has more payload than bytes;
 * - a coded segment is not made of whole words, has a run of more bytes than are left, or does not end with the word that
 *   the encoder writes.
 * Stored segments are valid even if coding would make them smaller. The work is bounded: each run of at most 8 + 62
 * decisions gives at least one byte, also where the payload has ended.
 *
 * Arrays must not overlap. `offset` has sb_ref_range_segments elements (range.h). The encoder returns the number of
 * payload bytes; `payload` must have capacity for n bytes. The decoder writes n bytes.
 *
 * Cost of segments, relative to one segment for a block of 900 KiB, measured on 12 pieces of text, sources, tables and
 * machine code: 65536 bytes add 0.9%, 131072 0.5%, 262144 0.3%, 524288 0.1%.
 *
 * Worked example: `aaaaaaaa` is one run, of the symbol 0x61 = 01100001, with e = 3. Its decisions are the 8 bits of the
 * symbol; 1, 1, 1, 0 for e > 0, 1, 2, 3; 0 and 0 for the two bits below the top one; and the number 0 of one bit. No
 * cell is used twice, so stretch is 0 for each, d is 0, and each p is 32768: the mean is squash(0) = 32768, the corrected
 * mean t[8], too. A 1 takes the lower half of the interval and a 0 the upper, but the number 0 the lower. So the code begins
 * with the bits 10011110 0001 1 1 0, and the payload is 9e 1c 00 00.
 *
 * Sources: mixing by weights that learn in the logistic domain, and secondary estimation: M. Mahoney, "Adaptive weighing of
 * context models for lossless data compression", 2005 (PAQ); predictions of few orders over the transform: bzip3
 * (K. Palaiologos); coding runs apart from symbols: QLFC (F. Ghido; I. Grebnov's bsc); the range coder: Martin 1979.
 */
#ifndef REF_MIXCODER_H
#define REF_MIXCODER_H

#include "ref.h"
#include <stdint.h>

uint64_t sb_ref_mixcoder_encode(const uint8_t *bytes, uint64_t n, uint64_t segment, uint8_t *payload, uint64_t *offset);

sb_ref_status sb_ref_mixcoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                     uint64_t segment, uint8_t *bytes, uint64_t n);

#endif
