/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The strong entropy stage: move-to-front ranks as the symbols of zrun, through an adaptive binary range coder whose
 * contexts are the bit lengths of the two symbols before.
 *
 * The ranks are cut into segments of `segment` (0, or more than n: one), the last may be short, and each begins anew.
 * In a segment, runs of zeros and other ranks become the symbols 0..256 of zrun.h; no run goes beyond its segment.
 *
 * Coder: an interval [low, low + range) of 64-bit numbers, at first [0, 2^64 - 1).
 * - A decision whose bit is 1 with probability p / 65536: bound = (range >> 16) * p; 1 takes the lower `bound` of the
 *   interval, 0 the rest.
 * - A number of k bits, all alike: range >>= k, low += number * range.
 * - After each, if range < 2^32: the upper 32 bits of low go out as a word, and low and range are shifted left by 32.
 *   Where low has passed 2^64, 1 is added to the words that are out already, as one long number.
 * - At the end the least multiple of 2^32 that is not below low goes out, as one more word.
 * Words are written from their most significant byte. Behind the last the decoder reads zeros.
 *
 * Probabilities: each decision has two estimates of 16 bits, at first 32768, one fast and one slow; p is half their
 * sum, rounded down. After a 1 an estimate e becomes e + ((65536 - e) >> s), after a 0, e - (e >> s), with s = 4 for
 * the fast one and 7 for the slow one. So 71 <= p <= 65465.
 *
 * Decisions for a symbol of bit length l (0 for 0, 1 for 1, 2 for 2 and 3, ... 9 for 256), where a and b are the bit
 * lengths of the symbol before and the one before that, each at most 3 (at first both 0):
 * 1. Is l > 1? In context (a, b). If not: the symbol, 0 or 1, in context (a, b); that is all.
 * 2. Is l > 2? In context (a, b). For k = 3, 4, ... 8, as long as the last answer was 1: is l > k? In context (a, k).
 * 3. The l - 1 bits below the top one, from the most significant: the first in context (l), the second in context (l,
 *    first), the others as one number of k = l - 3 bits. For l = 9 there are none.
 *
 * Payload: the segments one after the other, `offset` the byte at which each begins. A segment of m ranks is coded when
 * that takes fewer than m bytes; otherwise its m ranks stand there as they are. So the payload never has more than n
 * bytes, and a segment's size says which it is. n = 0 gives no payload and no offset.
 *
 * Decoding is invalid for: a first offset other than 0, an offset before the one before it or behind the payload; a
 * segment of more bytes than ranks; a coded one that is not of whole words, or has a run of more zeros than ranks are
 * left, or does not end with the word that the encoder writes. Plain segments that coding would make smaller are
 * accepted.
 *
 * Arrays must not overlap. `offset` has sb_ref_rangecoder_segments elements. The encoder returns the bytes of payload
 * and writes none past n; the decoder writes n ranks at most.
 *
 * What a segment costs, against one whole: 65536 ranks 0.4% (32 MiB of text in one block), 0.2% (machine code in blocks
 * of 1 MiB), 0.8% (sources, in blocks of 4 MiB); 131072 ranks 0.2%, 0.1%, 0.5%.
 *
 * Worked example: eight zeros are the symbols 1, 0, 0, and every p is 32768 when it is asked. Bit 0 (not longer than 1
 * bit): bound = (2^48 - 1) * 2^15, so low = 2^63 - 2^15, range = 2^63 + 2^15 - 1. Bit 1 (the symbol is 1): range =
 * 2^62. Bits 0, 0 in context (1, 0): low += 2^61 + 2^60, range = 2^60. Bits 0, 0 in context (0, 1): low += 2^59 + 2^58,
 * range = 2^58. The least multiple of 2^32 not below low = 2^63 + 2^61 + 2^60 + 2^59 + 2^58 - 2^15 makes the payload bc
 * 00 00 00.
 *
 * Source: G. N. N. Martin, "Range encoding", 1979, with binary decisions; two rates of adaptation as in lpaq and bsc.
 */
#ifndef REF_RANGECODER_H
#define REF_RANGECODER_H

#include "ref.h"
#include <stdint.h>

/* How many segments n ranks are cut into. */
uint64_t sb_ref_rangecoder_segments(uint64_t n, uint64_t segment);

uint64_t sb_ref_rangecoder_encode(const uint8_t *ranks, uint64_t n, uint64_t segment, uint8_t *payload,
                                  uint64_t *offset);

sb_ref_status sb_ref_rangecoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                       uint64_t segment, uint8_t *ranks, uint64_t n);

#endif
