/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binary range coder of ref/rangecoder.h, which defines its interval, its words, its carry and its end: what the
 * references of rangecoder and mixcoder share. Encoder and decoder share their code: each function takes the bit or the
 * number to encode, and returns it or the one that it has decoded.
 *
 * Source: G. N. N. Martin, "Range encoding: an algorithm for removing redundancy from a digitised message", 1979.
 */
#ifndef REF_RANGE_H
#define REF_RANGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_ref_range {
    bool decoding;
    bool full;               /* encoding: a word was dropped, as it exceeded the capacity */
    uint64_t low, range;     /* decoding: low is the position of the code relative to the interval */
    uint8_t *words;          /* encoding: the output */
    const uint8_t *code;     /* decoding: the input */
    uint64_t used, capacity; /* bytes of either */
} sb_ref_range;

sb_ref_range sb_ref_range_encoder(uint8_t *words, uint64_t capacity);
sb_ref_range sb_ref_range_decoder(const uint8_t *code, uint64_t bytes);

/* A decision whose bit is 1 with probability p / 65536, 0 < p < 65536. */
unsigned sb_ref_range_bit(sb_ref_range *c, uint32_t p, unsigned bit);
/* A number of so many equiprobable bits, at most 16. */
unsigned sb_ref_range_number(sb_ref_range *c, unsigned bits, unsigned number);

/* Writes the last word. The code is void if c->full. */
void sb_ref_range_end(sb_ref_range *c);
/* True if the decoder has read a code that ends with the word of sb_ref_range_end. */
bool sb_ref_range_ended(const sb_ref_range *c);
/* True if the decoder has read more than one word past its code. Then the code is invalid, however it goes on, and the time that
 * decoding takes is bounded by the code, not by what it claims to become. */
bool sb_ref_range_passed(const sb_ref_range *c);

/* The number of segments that n elements are cut into. `segment` 0: one. */
uint64_t sb_ref_range_segments(uint64_t n, uint64_t segment);

#endif
