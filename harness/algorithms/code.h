/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of encoders and decoders share.
 */
#ifndef HARNESS_ALGORITHMS_CODE_H
#define HARNESS_ALGORITHMS_CODE_H

#include "../../ref/ref.h"
#include "../../common/algorithm.h"

/* Values of a parameter `chunk` that reach the borders of warps, blocks and tiles. */
enum { SB_CHUNK_SIZES = 13 };
extern const uint64_t sb_chunk_sizes[SB_CHUNK_SIZES];

/* Turns what a reference returned into the result's status. `invalid` is the message for SB_REF_INVALID. */
void sb_set_status(sb_result *result, sb_ref_status status, const char *invalid);

/* The `invert` of algorithms whose inverse takes parameter 0 and, in the same order, all outputs as its inputs. */
bool sb_invert_code(const sb_case *c, const sb_result *result, sb_case *inverse);

/* The capacity to give a decoder's output when the reference has decoded `length` elements and returned `status`. An
 * invalid code gets spare capacity behind the fault: a decoder that overlooks the fault then returns SB_OK, which the
 * judge reports, instead of SB_INVALID because its output is full. */
uint64_t sb_decoder_capacity(sb_ref_status status, uint64_t length);

/* A few elements of a code can stand for 2^32 elements of output. A well-formed case may decode to at most this many
 * elements, so that it fits into memory. */
uint64_t sb_max_decoded(uint64_t code_elements);

/* The code of a text in chunks, which a descriptor makes of a case of arbitrary arrays. */
typedef struct sb_chunked_code {
    uint64_t chunk, chunks, bits; /* bytes of a chunk; how many; bits of the payload, which the encoder sets */
    uint8_t *payload;             /* NULL: out of memory */
    uint64_t *offset;
    uint64_t draw; /* the last element that `bits` had */
} sb_chunked_code;

/* Allocates the code of n bytes. */
sb_chunked_code sb_chunked_code_new(uint64_t n, uint64_t chunk, uint64_t max_payload_bytes);

/* Makes the code the inputs `bits`, `payload` and `offset` of the case, which are numbered in this order from `first`, and
 * frees it. False if memory ran out. */
bool sb_chunked_code_store(sb_chunked_code *code, sb_case *c, size_t first);

/* Corrupts one element of one input (u8 or u64), one time in four: `draw` selects the input, the element and the bit. */
void sb_corrupt_some(sb_case *c, uint64_t draw);

#endif
