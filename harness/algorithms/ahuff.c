/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of ahuff.encode and ahuff.decode: each is the inverse of the other.
 */
#include "../../ref/ahuff.h"
#include "../../ref/bits.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static bool encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_AHUFF_BYTES].length;

    (void)why;
    (void)size;
    capacity[SB_AHUFF_BITS] = 1;
    capacity[SB_AHUFF_PAYLOAD] = SB_REF_AHUFF_MAX_BYTES * n;
    capacity[SB_AHUFF_OFFSET] = sb_ref_chunks(n, c->parameters[SB_AHUFF_CHUNK]);
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    uint64_t *bits = result->outputs[SB_AHUFF_BITS].data;

    sb_ref_ahuff_encode(c->inputs[SB_AHUFF_BYTES].data, c->inputs[SB_AHUFF_BYTES].length, c->parameters[SB_AHUFF_CHUNK],
                        bits, result->outputs[SB_AHUFF_PAYLOAD].data, result->outputs[SB_AHUFF_OFFSET].data);
    result->outputs[SB_AHUFF_PAYLOAD].length = sb_ref_bytes_for(*bits);
}

/* 500 ns for each byte: a random byte has about nine levels, each with a search through up to 512 nodes. */
static double encode_cost(const sb_case *c)
{
    return 500.0 * (double)c->inputs[SB_AHUFF_BYTES].length;
}

/* The outputs of encode are the inputs of decode, in the same order. */
static bool decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *bits = &c->inputs[SB_AHUFF_BITS];
    uint64_t payload_bits = 8 * c->inputs[SB_AHUFF_PAYLOAD].length;

    if (bits->length != 1) {
        snprintf(why, size, "`bits` has %llu elements, not 1", (unsigned long long)bits->length);
        return false;
    }
    /* A byte takes at least one bit. */
    capacity[SB_AHUFF_BYTES] =
        *(const uint64_t *)bits->data < payload_bits ? *(const uint64_t *)bits->data : payload_bits;
    return true;
}

/* Arbitrary arrays are hardly ever a code. If `bits` does not have exactly one element, the payload is taken as text
 * and the case becomes the code of that text. The last element of `bits` decides whether the code is then corrupted,
 * which happens one time in four. */
static bool decode_normalise(sb_case *c)
{
    const sb_array *text = &c->inputs[SB_AHUFF_PAYLOAD];
    sb_chunked_code code;

    if (c->inputs[SB_AHUFF_BITS].length == 1)
        return true;
    code = sb_chunked_code_new(text->length, c->parameters[SB_AHUFF_CHUNK], SB_REF_AHUFF_MAX_BYTES * text->length);
    if (code.payload != NULL)
        sb_ref_ahuff_encode(text->data, text->length, code.chunk, &code.bits, code.payload, code.offset);
    if (!sb_chunked_code_store(&code, c, SB_AHUFF_BITS))
        return false;
    sb_corrupt_some(c, code.draw);
    return true;
}

static void decode(const sb_case *c, sb_result *result)
{
    const sb_array *in = c->inputs;
    sb_array *out = &result->outputs[SB_AHUFF_BYTES];

    sb_set_status(result,
                  sb_ref_ahuff_decode(*(const uint64_t *)in[SB_AHUFF_BITS].data, in[SB_AHUFF_PAYLOAD].data,
                                      in[SB_AHUFF_PAYLOAD].length, in[SB_AHUFF_OFFSET].data, in[SB_AHUFF_OFFSET].length,
                                      c->parameters[SB_AHUFF_CHUNK], out->data, &out->length),
                  "bits, payload and offsets are not an adaptive Huffman code");
}

/* 500 ns for each payload byte. One bit may stand for a whole byte, so a payload byte may hold 8 symbols; but such
 * symbols are near the root, where the searches are short. */
static double decode_cost(const sb_case *c)
{
    return 500.0 * (double)c->inputs[SB_AHUFF_PAYLOAD].length;
}

/* ahuff.encode: bytes u8[n] -> bits u64[1], payload u8[ceil(bits / 8)] (length in the result, at most 3n), offset
 * u64[chunks]: the bit at which each chunk starts. Every input is valid. ahuff.decode: the three outputs of encode ->
 * bytes u8, length in the result. Invalid: all that encode does not give. */
static const sb_algorithm ahuff_encode = {
    .name = "ahuff.encode",
    .summary = "adaptive Huffman code of bytes, with the start bit of each chunk",
    SB_PARAMETERS([SB_AHUFF_CHUNK] = SB_NUMBER("chunk", sb_chunk_sizes, 4096)),
    SB_INPUTS([SB_AHUFF_BYTES] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_AHUFF_BITS] = SB_FIELD("bits", SB_U64), [SB_AHUFF_PAYLOAD] = SB_FIELD("payload", SB_U8),
               [SB_AHUFF_OFFSET] = SB_FIELD("offset", SB_U64)),
    .shape = encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "ahuff.decode",
    .invert = sb_invert_code,
};

static const sb_algorithm ahuff_decode = {
    .name = "ahuff.decode",
    .summary = "bytes of an adaptive Huffman code",
    SB_PARAMETERS([SB_AHUFF_CHUNK] = SB_NUMBER("chunk", sb_chunk_sizes, 4096)),
    SB_INPUTS([SB_AHUFF_BITS] = SB_FIELD("bits", SB_U64), [SB_AHUFF_PAYLOAD] = SB_FIELD("payload", SB_U8),
              [SB_AHUFF_OFFSET] = SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_AHUFF_BYTES] = SB_FIELD("bytes", SB_U8)),
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .cost = decode_cost,
    .inverse = "ahuff.encode",
    .invert = sb_invert_code,
};

const sb_algorithm *const sb_harness_algorithms_ahuff[] = {&ahuff_encode, &ahuff_decode, NULL};
