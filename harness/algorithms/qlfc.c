/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of qlfc.encode and qlfc.decode.
 */
#include "../../ref/qlfc.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

static bool encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_QLFC_BYTES].length;

    (void)why;
    (void)size;
    capacity[SB_QLFC_RANK] = n;
    capacity[SB_QLFC_LENGTH] = n;
    capacity[SB_QLFC_ORDER] = 256;
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    sb_array *out = result->outputs;

    sb_set_status(result,
                  sb_ref_qlfc_encode(c->inputs[SB_QLFC_BYTES].data, c->inputs[SB_QLFC_BYTES].length,
                                     out[SB_QLFC_RANK].data, out[SB_QLFC_LENGTH].data, &out[SB_QLFC_RANK].length,
                                     out[SB_QLFC_ORDER].data, &out[SB_QLFC_ORDER].length),
                  "2^32 bytes or more");
    out[SB_QLFC_LENGTH].length = out[SB_QLFC_RANK].length;
}

/* 100 ns for each byte: a search and a move of up to 256 list entries. */
static double encode_cost(const sb_case *c)
{
    return 100.0 * (double)c->inputs[SB_QLFC_BYTES].length;
}

/* As many lengths as ranks. `total`: what they add up to. */
static bool lengths_fit(const sb_case *c, uint64_t *total, char *why, size_t size)
{
    const uint32_t *length = c->inputs[SB_QLFC_LENGTH].data;
    uint64_t runs = c->inputs[SB_QLFC_RANK].length;

    *total = 0;
    if (c->inputs[SB_QLFC_LENGTH].length != runs) {
        snprintf(why, size, "%llu ranks, but %llu lengths", (unsigned long long)runs,
                 (unsigned long long)c->inputs[SB_QLFC_LENGTH].length);
        return false;
    }
    for (uint64_t run = 0; run < runs; run++)
        *total += length[run];
    return true;
}

/* Lengths that add up to 2^32 or more are invalid, so they are a case: with memory for no byte. */
static bool decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t runs = c->inputs[SB_QLFC_RANK].length, total;

    if (!lengths_fit(c, &total, why, size))
        return false;
    if (total <= UINT32_MAX && total > sb_max_decoded(runs)) {
        snprintf(why, size, "the lengths add up to %llu, too many bytes for a case of %llu runs",
                 (unsigned long long)total, (unsigned long long)runs);
        return false;
    }
    capacity[SB_QLFC_BYTES] = total <= UINT32_MAX ? total : 0;
    return true;
}

/* Corrupts one element of one array, or drops the last run or symbol: `draw` selects which. */
static bool corrupt(sb_case *c, uint64_t draw)
{
    sb_array *array = &c->inputs[draw % 3];
    uint64_t index = draw / 3 % 65536, bit = draw / 3 / 65536 % 4;

    if (array->length == 0)
        return true;
    if (index % 8 == 0 && array == &c->inputs[SB_QLFC_ORDER])
        return sb_array_resize(array, array->length - 1);
    if (index % 8 == 0)
        return sb_array_resize(&c->inputs[SB_QLFC_RANK], array->length - 1) &&
               sb_array_resize(&c->inputs[SB_QLFC_LENGTH], c->inputs[SB_QLFC_RANK].length);
    if (array->type == SB_U32)
        ((uint32_t *)array->data)[index % array->length] ^= 1u << bit;
    else
        ((uint8_t *)array->data)[index % array->length] ^= (uint8_t)(1u << bit);
    return true;
}

/* Arbitrary arrays hardly ever fit together. If they do not, the ranks are taken as bytes, and the case becomes the
 * code of these bytes. The last length decides whether the code is then corrupted, which happens one time in four. */
static bool decode_normalise(sb_case *c)
{
    uint64_t total, runs, symbols, n = c->inputs[SB_QLFC_RANK].length;
    const sb_array *lengths = &c->inputs[SB_QLFC_LENGTH];
    uint32_t draw = lengths->length > 0 ? ((const uint32_t *)lengths->data)[lengths->length - 1] : 0;
    uint8_t order[256], *rank;
    uint32_t *length;
    char why[128];
    bool done = false;

    if (lengths_fit(c, &total, why, sizeof why) && total <= sb_max_decoded(n))
        return true;
    n = n < UINT32_MAX ? n : UINT32_MAX;
    rank = malloc(n + 1);
    length = malloc((n + 1) * sizeof *length);
    if (rank != NULL && length != NULL) {
        sb_ref_qlfc_encode(c->inputs[SB_QLFC_RANK].data, n, rank, length, &runs, order, &symbols);
        done = sb_array_set(&c->inputs[SB_QLFC_RANK], rank, runs) &&
               sb_array_set(&c->inputs[SB_QLFC_LENGTH], length, runs) &&
               sb_array_set(&c->inputs[SB_QLFC_ORDER], order, symbols);
    }
    free(rank);
    free(length);
    return done && (draw % 4 != 1 || corrupt(c, draw / 4));
}

static void decode(const sb_case *c, sb_result *result)
{
    const sb_array *in = c->inputs;

    sb_set_status(result,
                  sb_ref_qlfc_decode(in[SB_QLFC_RANK].data, in[SB_QLFC_LENGTH].data, in[SB_QLFC_RANK].length,
                                     in[SB_QLFC_ORDER].data, in[SB_QLFC_ORDER].length,
                                     result->outputs[SB_QLFC_BYTES].data),
                  "no bytes have these ranks, lengths and order");
}

/* 300 ns for each run: a move of up to 256 list entries and the bytes of a well-formed case; 10 ms for the bytes that
 * sb_max_decoded allows besides. */
static double decode_cost(const sb_case *c)
{
    return 1e7 + 300.0 * (double)c->inputs[SB_QLFC_RANK].length;
}

/* qlfc.encode: bytes u8[n] -> rank u8[runs], length u32[runs], order u8[symbols]; all three lengths in the result.
 * Invalid: n >= 2^32. qlfc.decode: the three outputs of encode -> bytes u8[sum of length]. Invalid: all that encode
 * does not give. */
static const sb_algorithm qlfc_encode = {
    .name = "qlfc.encode",
    .summary = "runs of bytes as ranks, lengths and an order of symbols",
    SB_INPUTS([SB_QLFC_BYTES] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_QLFC_RANK] = SB_FIELD("rank", SB_U8), [SB_QLFC_LENGTH] = SB_FIELD("length", SB_U32),
               [SB_QLFC_ORDER] = SB_FIELD("order", SB_U8)),
    .shape = encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "qlfc.decode",
    .invert = sb_invert_code,
};

static const sb_algorithm qlfc_decode = {
    .name = "qlfc.decode",
    .summary = "bytes of ranks, lengths and an order of symbols",
    SB_INPUTS([SB_QLFC_RANK] = SB_FIELD("rank", SB_U8), [SB_QLFC_LENGTH] = SB_FIELD("length", SB_U32),
              [SB_QLFC_ORDER] = SB_FIELD("order", SB_U8)),
    SB_OUTPUTS([SB_QLFC_BYTES] = SB_FIELD("bytes", SB_U8)),
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .cost = decode_cost,
    .inverse = "qlfc.encode",
    .invert = sb_invert_code,
};

const sb_algorithm *const sb_harness_algorithms_qlfc[] = {&qlfc_encode, &qlfc_decode, NULL};
