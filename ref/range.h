/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the references of rangecoder and mixcoder share: the binary range coder of ref/rangecoder.h, which defines its
 * interval, its words, its carry and its end, and the segments, each of which is a code or stored as it is. Encoder and decoder
 * share their code: each function takes the bit or the number to encode, and returns it or the one that it has decoded.
 *
 * Source: G. N. N. Martin, "Range encoding: an algorithm for removing redundancy from a digitised message", 1979.
 */
#ifndef REF_RANGE_H
#define REF_RANGE_H

#include "ref.h"
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

/* A decision whose bit is 1 with probability p / 65536, 0 < p < 65536. */
unsigned sb_ref_range_bit(sb_ref_range *c, uint32_t p, unsigned bit);
/* A number of so many equiprobable bits, at most 16. */
unsigned sb_ref_range_number(sb_ref_range *c, unsigned bits, unsigned number);

/* True if the decoder has read more than one word past its code. Then the code is invalid, however it goes on, and the time that
 * decoding takes is bounded by the code, not by what it claims to become. */
bool sb_ref_range_passed(const sb_ref_range *c);

/* The number of segments that n elements are cut into. `segment` 0: one. */
uint64_t sb_ref_range_segments(uint64_t n, uint64_t segment);

/* Codes n bytes, the whole segment, with fresh models, which are at `models`. It may stop as soon as c->full. */
typedef void sb_ref_segment_encoder(sb_ref_range *c, void *models, const uint8_t *bytes, uint64_t n);
/* Decodes n bytes. False: the code is invalid. */
typedef bool sb_ref_segment_decoder(sb_ref_range *c, void *models, uint8_t *bytes, uint64_t n);

/* Encodes each segment, and stores those that coding does not make smaller. Returns the bytes of the payload. */
uint64_t sb_ref_range_encode_segments(sb_ref_segment_encoder *encode, void *models, const uint8_t *bytes, uint64_t n,
                                      uint64_t segment, uint8_t *payload, uint64_t *offset);
/* Decodes each segment. SB_REF_INVALID: offsets that do not cut the payload into parts of at most a segment each, or a code
 * that `decode` refuses or that does not end with the word that an encoder writes last. */
sb_ref_status sb_ref_range_decode_segments(sb_ref_segment_decoder *decode, void *models, const uint8_t *payload,
                                           uint64_t payload_bytes, const uint64_t *offset, uint64_t segment,
                                           uint8_t *bytes, uint64_t n);

#endif
