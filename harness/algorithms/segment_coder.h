/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of the coders of segments share, rangecoder and mixcoder: they have the same parameters and arrays.
 */
#ifndef HARNESS_ALGORITHMS_SEGMENT_CODER_H
#define HARNESS_ALGORITHMS_SEGMENT_CODER_H

#include "../../ref/ref.h"
#include "../../common/algorithm.h"

/* Interesting numbers of ranks to decode. */
enum { SB_CODER_COUNTS = 10 };
extern const uint64_t sb_coder_counts[SB_CODER_COUNTS];

/* References. */
typedef uint64_t sb_coder_encode_segments(const uint8_t *ranks, uint64_t n, uint64_t segment, uint8_t *payload,
                                          uint64_t *offset);
typedef sb_ref_status sb_coder_decode_segments(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                               uint64_t segment, uint8_t *ranks, uint64_t n);

/* Functions of a descriptor, without or with the reference that they call. */
bool sb_coder_encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size);
bool sb_coder_decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size);
bool sb_coder_invert(const sb_case *c, const sb_result *result, sb_case *inverse);
void sb_coder_encode(const sb_case *c, sb_result *result, sb_coder_encode_segments *encode);
void sb_coder_decode(const sb_case *c, sb_result *result, sb_coder_decode_segments *decode);
/* Arbitrary arrays hardly ever fit together. If they do not, the payload is taken as ranks, and the case becomes the
 * code of these ranks. The last offset decides whether the code is then corrupted, which happens one time in four. */
bool sb_coder_decode_normalise(sb_case *c, sb_coder_encode_segments *encode);

#endif
