/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of huffman.lengths, huffman.encode and huffman.decode. huffman.decode names no inverse: it accepts code
 * lengths that huffman.encode would not choose.
 */
#include "../../ref/bits.h"
#include "../../ref/huffman.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>

/* huffman.lengths */

static bool lengths_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *array = &c->inputs[SB_HUFFMAN_LENGTHS_COUNT];
    const uint64_t *count = array->data;
    uint64_t left = UINT32_MAX;

    capacity[SB_HUFFMAN_LENGTHS_LENGTH] = 256;
    if (array->length != 256) {
        snprintf(why, size, "%llu counts, not 256", (unsigned long long)array->length);
        return false;
    }
    for (int i = 0; i < 256; i++) {
        if (count[i] > left) {
            snprintf(why, size, "the counts add up to 2^32 or more");
            return false;
        }
        left -= count[i];
    }
    return true;
}

/* If the counts add up to 2^32 or more, each is reduced below 2^24, to counts of all magnitudes: the trees are then at
 * least as deep as those of real counts. */
static bool lengths_normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS], *count;
    char why[64];

    if (!sb_array_resize(&c->inputs[SB_HUFFMAN_LENGTHS_COUNT], 256))
        return false;
    if (lengths_shape(c, capacity, why, sizeof why))
        return true;
    count = c->inputs[SB_HUFFMAN_LENGTHS_COUNT].data;
    for (int i = 0; i < 256; i++)
        count[i] = (count[i] & 0xffffff) >> (count[i] >> 24) % 25;
    return true;
}

static void lengths(const sb_case *c, sb_result *result)
{
    sb_set_status(result,
                  sb_ref_huffman_lengths(c->inputs[SB_HUFFMAN_LENGTHS_COUNT].data,
                                         result->outputs[SB_HUFFMAN_LENGTHS_LENGTH].data),
                  "the counts add up to 2^32 or more");
}

/* 0.3 ms: 2 * 255 searches through at most 511 nodes. */
static double lengths_cost(const sb_case *c)
{
    (void)c;
    return 3e5;
}

/* huffman.encode */

static bool encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_HUFFMAN_ENCODE_BYTES].length;

    (void)why;
    (void)size;
    capacity[SB_HUFFMAN_ENCODE_LENGTH] = 256;
    capacity[SB_HUFFMAN_ENCODE_BITS] = 1;
    capacity[SB_HUFFMAN_ENCODE_PAYLOAD] = n;
    capacity[SB_HUFFMAN_ENCODE_OFFSET] = sb_ref_chunks(n, c->parameters[SB_HUFFMAN_CHUNK]);
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    const sb_array *bytes = &c->inputs[SB_HUFFMAN_ENCODE_BYTES];
    sb_array *payload = &result->outputs[SB_HUFFMAN_ENCODE_PAYLOAD];
    uint64_t *bits = result->outputs[SB_HUFFMAN_ENCODE_BITS].data;

    sb_set_status(result,
                  sb_ref_huffman_encode(bytes->data, bytes->length, c->parameters[SB_HUFFMAN_CHUNK],
                                        result->outputs[SB_HUFFMAN_ENCODE_LENGTH].data, bits, payload->data,
                                        result->outputs[SB_HUFFMAN_ENCODE_OFFSET].data),
                  "2^32 bytes or more");
    if (result->status == SB_OK)
        payload->length = sb_ref_bytes_for(*bits);
}

/* The tree, and 20 ns for each byte: at most 8 bits on average, written one by one. */
static double encode_cost(const sb_case *c)
{
    return lengths_cost(c) + 20.0 * (double)c->inputs[SB_HUFFMAN_ENCODE_BYTES].length;
}

/* huffman.decode: its inputs are the outputs of encode, in the same order. */

static bool decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *length = &c->inputs[SB_HUFFMAN_DECODE_LENGTH], *bits = &c->inputs[SB_HUFFMAN_DECODE_BITS];
    uint64_t payload_bits = 8 * c->inputs[SB_HUFFMAN_DECODE_PAYLOAD].length;

    if (length->length != 256 || bits->length != 1) {
        snprintf(why, size, "`length` and `bits` have %llu and %llu elements, not 256 and 1",
                 (unsigned long long)length->length, (unsigned long long)bits->length);
        return false;
    }
    /* A byte takes at least one bit. */
    capacity[SB_HUFFMAN_DECODE_BYTES] =
        *(const uint64_t *)bits->data < payload_bits ? *(const uint64_t *)bits->data : payload_bits;
    return true;
}

/* Arbitrary arrays are hardly ever a code. If `length` does not have 256 elements and `bits` one, the payload (or
 * `length`, if the payload is empty) is taken as text, and the case becomes the code of that text. The last element of
 * `bits` decides whether the code is then corrupted, which happens one time in four. */
static bool decode_normalise(sb_case *c)
{
    sb_array *lengths = &c->inputs[SB_HUFFMAN_DECODE_LENGTH];
    const sb_array *text = &c->inputs[SB_HUFFMAN_DECODE_PAYLOAD];
    uint8_t length[256] = {0};
    sb_chunked_code code;
    uint64_t n;

    if (lengths->length == 256 && c->inputs[SB_HUFFMAN_DECODE_BITS].length == 1)
        return true;
    if (text->length == 0)
        text = lengths;
    n = text->length < UINT32_MAX ? text->length : UINT32_MAX;
    code = sb_chunked_code_new(n, c->parameters[SB_HUFFMAN_CHUNK], n);
    if (code.payload != NULL)
        sb_ref_huffman_encode(text->data, n, code.chunk, length, &code.bits, code.payload, code.offset);
    if (!sb_chunked_code_store(&code, c, SB_HUFFMAN_DECODE_BITS) || !sb_array_set(lengths, length, 256))
        return false;
    sb_corrupt_some(c, code.draw);
    return true;
}

static void decode(const sb_case *c, sb_result *result)
{
    const sb_array *in = c->inputs;
    sb_array *out = &result->outputs[SB_HUFFMAN_DECODE_BYTES];

    sb_set_status(result,
                  sb_ref_huffman_decode(in[SB_HUFFMAN_DECODE_LENGTH].data,
                                        *(const uint64_t *)in[SB_HUFFMAN_DECODE_BITS].data,
                                        in[SB_HUFFMAN_DECODE_PAYLOAD].data, in[SB_HUFFMAN_DECODE_PAYLOAD].length,
                                        in[SB_HUFFMAN_DECODE_OFFSET].data, in[SB_HUFFMAN_DECODE_OFFSET].length,
                                        c->parameters[SB_HUFFMAN_CHUNK], out->data, &out->length),
                  "lengths, bits, payload and offsets are not a Huffman code");
}

/* The table, and 50 ns for each payload byte, whose bits are read one by one. */
static double decode_cost(const sb_case *c)
{
    return 1e4 + 50.0 * (double)c->inputs[SB_HUFFMAN_DECODE_PAYLOAD].length;
}

/* huffman.lengths: count u64[256] -> length u8[256], in bits. Invalid: counts that add up to 2^32 or more. */
static const sb_algorithm huffman_lengths = {
    .name = "huffman.lengths",
    .summary = "lengths of the Huffman codes for byte counts",
    SB_INPUTS([SB_HUFFMAN_LENGTHS_COUNT] = SB_FIELD("count", SB_U64)),
    SB_OUTPUTS([SB_HUFFMAN_LENGTHS_LENGTH] = SB_FIELD("length", SB_U8)),
    .normalise = lengths_normalise,
    .shape = lengths_shape,
    .reference = lengths,
    .cost = lengths_cost,
};

/* huffman.encode: bytes u8[n] -> length u8[256], bits u64[1], payload u8[ceil(bits / 8)] (length in the result, at most
 * n), offset u64[chunks]: the bit at which each chunk starts. Invalid: n >= 2^32. */
static const sb_algorithm huffman_encode = {
    .name = "huffman.encode",
    .summary = "canonical Huffman code of bytes, with the start bit of each chunk",
    SB_PARAMETERS([SB_HUFFMAN_CHUNK] = SB_NUMBER("chunk", sb_chunk_sizes, 4096)),
    SB_INPUTS([SB_HUFFMAN_ENCODE_BYTES] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_HUFFMAN_ENCODE_LENGTH] = SB_FIELD("length", SB_U8),
               [SB_HUFFMAN_ENCODE_BITS] = SB_FIELD("bits", SB_U64),
               [SB_HUFFMAN_ENCODE_PAYLOAD] = SB_FIELD("payload", SB_U8),
               [SB_HUFFMAN_ENCODE_OFFSET] = SB_FIELD("offset", SB_U64)),
    .shape = encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "huffman.decode",
    .invert = sb_invert_code,
};

/* huffman.decode: the four outputs of encode -> bytes u8, length in the result. Invalid: lengths that are not a
 * complete code of at most 45 bits; a payload or offsets that do not fit (ref/huffman.h lists all). */
static const sb_algorithm huffman_decode = {
    .name = "huffman.decode",
    .summary = "bytes of a canonical Huffman code",
    SB_PARAMETERS([SB_HUFFMAN_CHUNK] = SB_NUMBER("chunk", sb_chunk_sizes, 4096)),
    SB_INPUTS([SB_HUFFMAN_DECODE_LENGTH] = SB_FIELD("length", SB_U8),
              [SB_HUFFMAN_DECODE_BITS] = SB_FIELD("bits", SB_U64),
              [SB_HUFFMAN_DECODE_PAYLOAD] = SB_FIELD("payload", SB_U8),
              [SB_HUFFMAN_DECODE_OFFSET] = SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_HUFFMAN_DECODE_BYTES] = SB_FIELD("bytes", SB_U8)),
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .cost = decode_cost,
};

const sb_algorithm *const sb_harness_algorithms_huffman[] = {&huffman_lengths, &huffman_encode, &huffman_decode, NULL};
