/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An adaptive binary range coder for move-to-front ranks. Its contexts are the bit lengths of the two preceding
 * symbols.
 *
 * The ranks are cut into segments of `segment` ranks (0, or more than n: one segment; the last may be short). Each
 * segment is coded on its own, with fresh estimates. Within a segment, runs of zeros and other ranks become the symbols
 * 0..256 of zrun.h; no run extends beyond its segment.
 *
 * Range coder. The state is an interval [low, low + range) of 64-bit numbers, initially [0, 2^64 - 1).
 * - A decision whose bit is 1 with probability p / 65536: bound = (range >> 16) * p. Bit 1 takes the lower `bound` of
 *   the interval, bit 0 the rest.
 * - A number of k equiprobable bits: range >>= k, low += number * range.
 * - After each of these, if range < 2^32: the upper 32 bits of low are output as a word, and low and range are shifted
 *   left by 32.
 * - Carry: when low passes 2^64, 1 is added to the words already output, taken as one long number.
 * - At the end, one more word: the upper 32 bits of the smallest multiple of 2^32 that is not below low.
 * Words are written most significant byte first. After the last word the decoder reads zeros.
 *
 * Estimates. Each decision has two estimates of 16 bits, both initially 32768, with a fast and a slow adaptation rate.
 * p is half their sum, rounded down. After a 1, an estimate e becomes e + ((65536 - e) >> s), after a 0, e - (e >> s),
 * with s = 4 for the fast one and s = 7 for the slow one. So 71 <= p <= 65465, and no decision costs more than 10 bits.
 *
 * Decisions for a symbol of bit length l (0 for 0, 1 for 1, 2 for 2 and 3, ... 9 for 256). a and b are the bit lengths
 * of the preceding symbol and of the one before it, each limited to 3, and initially 0.
 * 1. Is l > 1? Context (a, b). If not: the symbol, 0 or 1, in context (a, b), ends the code.
 * 2. Is l > 2? Context (a, b). Then, while the answer is yes, for k = 3, 4, ... 8: is l > k? Context (a, k).
 * 3. The l - 1 bits below the top bit, most significant first: the first in context (l), the second in context (l,
 *    first), the others as one number of k = l - 3 equiprobable bits. l = 9 has none of these bits.
 *
 * Payload: the segments in order. `offset[i]` is the byte at which segment i starts. A segment of m ranks is coded if
 * the code has fewer than m bytes, and otherwise stored as its m ranks. So the payload never has more than n bytes, and
 * the size of a segment tells which it is. n = 0 gives no payload and no offsets.
 *
 * Decoding is invalid if
 * - the first offset is not 0, an offset is less than the one before it, or an offset exceeds the payload;
 * - a segment has more bytes than ranks;
 * - a coded segment is not made of whole words, or has a run of more zeros than ranks are left, or does not end with
 *   the word that the encoder writes.
 * Stored segments are valid even if coding would make them smaller.
 *
 * Arrays must not overlap. `offset` has sb_ref_range_segments elements (range.h). The encoder returns the number of payload
 * bytes; `payload` must have capacity for n bytes. The decoder writes n ranks.
 *
 * Cost of segments, relative to one segment for the whole block, measured: 65536 ranks add 0.4% (32 MiB of text in one
 * block), 0.2% (machine code in blocks of 1 MiB), 0.8% (source code in blocks of 4 MiB); 131072 ranks add 0.2%, 0.1%,
 * 0.5%.
 *
 * Worked example: eight zeros are the symbols 1, 0, 0; every p is 32768 when it is used.
 * - Symbol 1: bit 0 (not l > 1): bound = (2^48 - 1) * 2^15, so low = 2^63 - 2^15, range = 2^63 + 2^15 - 1. Bit 1 (the
 *   symbol is 1): range = 2^62.
 * - Symbol 0: bits 0, 0 in context (1, 0): low += 2^61 + 2^60, range = 2^60.
 * - Symbol 0: bits 0, 0 in context (0, 1): low += 2^59 + 2^58, range = 2^58.
 * - The smallest multiple of 2^32 not below low = 2^63 + 2^61 + 2^60 + 2^59 + 2^58 - 2^15 gives the payload bc 00 00
 *   00.
 *
 * Sources: G. N. N. Martin, "Range encoding: an algorithm for removing redundancy from a digitised message", 1979, here
 * with binary decisions; pairs of estimates with two adaptation rates, as in the compressors lpaq and bsc.
 */
#ifndef REF_RANGECODER_H
#define REF_RANGECODER_H

#include "ref.h"
#include <stdint.h>

uint64_t sb_ref_rangecoder_encode(const uint8_t *ranks, uint64_t n, uint64_t segment, uint8_t *payload,
                                  uint64_t *offset);

sb_ref_status sb_ref_rangecoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                       uint64_t segment, uint8_t *ranks, uint64_t n);

#endif
