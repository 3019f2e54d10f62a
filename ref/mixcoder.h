/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An adaptive binary coder for the output of the Burrows-Wheeler transform: runs of equal bytes, whose symbols and
 * lengths are binary decisions. Each decision is predicted by three adaptive models; their predictions are averaged
 * with fixed weights, and the average is corrected by a secondary estimate.
 *
 * The bytes are cut into segments of `segment` bytes (0, or more than n: one segment; the last may be short). Each
 * segment is coded on its own, with fresh models. Within a segment, bytes are cut into maximal runs; no run extends
 * beyond its segment. The code has for each run its symbol and then its length.
 *
 * Range coder: that of rangecoder.h.
 *
 * Cells. All that adapts is a cell: a probability of a 1, in units of 2^-16. It is initially 32768, but for those of a
 * correction. With a shift s, it becomes e + ((65535 - e) >> s) after a 1, and e - (e >> s) after a 0. So it stays
 * within 0..65535.
 *
 * A mixed decision has cells a, b, c with weights A, B, C, whose sum is 16, and shifts; a correction; and a weight w.
 * 1. mean = (A a + B b + C c) >> 4.
 * 2. A correction is 17 cells t[0..16], initially t[i] = 4096 i and t[16] = 65535. With i = mean >> 12 and f = mean mod
 *    4096, corrected = (t[i] (4096 - f) + t[i + 1] f) >> 12.
 * 3. p = ((4 - w) mean + w corrected) >> 2, and then at least 32 and at most 65504. So no decision costs more than 11
 *    bits.
 * 4. The decision is coded with p. Then a, b and c adapt with their shifts, and t[i] and t[i + 1] with shift 5.
 *
 * The symbol of a run is 8 mixed decisions, its bits from the top one on. A node is a 1 followed by the bits so far: 1
 * for the first, at most 255. Let y be the symbol of the run before, and z that of the run before that; both are 0 where
 * there is none. w = 3.
 *
 * | cell | shift | weight |
 * |---|---|---|
 * | recent[node] | 2 | 5 |
 * | after[y][node] | 3 | 7 |
 * | after_that[z][node] | 3 | 4 |
 * The correction is that of (class, node). The class is 0 if the run before has length 1 or does not exist, 1 for
 * lengths 2 and 3, 2 for others.
 *
 * The length of a run is coded by its exponent e and its bits below the top bit: length = 2^e + ..., 0 <= e <= 31. Let x
 * be the symbol of the run and y that of the run before. The state of the run is 64 a + 16 b + 4 c + d. a and b are the
 * exponents of the run before and of the run before that; c and d those of the last run of x and the one before that.
 * Each is at most 3, and 0 where there is no such run. The cells of a node are, with w = 2:
 *
 * | cell | shift | weight |
 * |---|---|---|
 * | of[x][node] | 4 | 5 |
 * | state[state][node] | 5 | 7 |
 * | next_to[y][node] | 5 | 4 |
 * The correction is that of the node.
 * 1. For k = 0, 1, ..., up to the first answer no, or to k = 30: is e > k? Mixed, node min(k, 19).
 * 2. If 1 <= e <= 8, the bit below the top one: mixed, node 20 + e.
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
 * - a coded segment is not made of whole words, has a run of more bytes than are left, has a run of the symbol of the
 *   run before, or does not end with the word that the encoder writes.
 * Stored segments are valid even if coding would make them smaller. The work is bounded: each run of at most 8 + 62
 * decisions gives at least one byte, also where the payload has ended.
 *
 * Arrays must not overlap. `offset` has sb_ref_range_segments elements (range.h). The encoder returns the number of
 * payload bytes; `payload` must have capacity for n bytes. The decoder writes n bytes.
 *
 * Cost of segments, relative to one segment for a block of 900 KiB, measured on 12 pieces of text, sources, tables and
 * machine code: 65536 bytes add 1.9%, 131072 1.0%, 262144 0.6%, 524288 0.3%.
 *
 * Worked example: `aaaaaaaa` is one run, of the symbol 0x61 = 01100001, with e = 3. Its decisions are the 8 bits of the
 * symbol; 1, 1, 1, 0 for e > 0, 1, 2, 3; 0 and 0 for the two bits below the top one; and the number 0 of one bit. No
 * cell is used twice, so each p is 32768: the mean of the cells is 32768, t[8] of the correction, too. A 1 takes the
 * lower half of the interval and a 0 the upper, but the number 0 the lower. So the code begins with the bits 10011110
 * 0001 1 1 0, and the payload is 9e 1c 00 00.
 *
 * Sources: averaging the predictions of few orders over the transform: bzip3 (K. Palaiologos); coding runs apart from
 * symbols: QLFC (F. Ghido; I. Grebnov's bsc); secondary estimation: M. Mahoney's PAQ; the range coder: Martin 1979.
 */
#ifndef REF_MIXCODER_H
#define REF_MIXCODER_H

#include "ref.h"
#include <stdint.h>

uint64_t sb_ref_mixcoder_encode(const uint8_t *bytes, uint64_t n, uint64_t segment, uint8_t *payload, uint64_t *offset);

sb_ref_status sb_ref_mixcoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                     uint64_t segment, uint8_t *bytes, uint64_t n);

#endif
