/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of rangecoder.encode and rangecoder.decode. rangecoder.decode names no inverse: it accepts stored
 * segments that rangecoder.encode would have coded.
 */
#include "../../ref/rangecoder.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t segments[] = {0, 1, 5, 8, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, UINT64_MAX};
static const uint64_t counts[] = {0, 1, 4, 5, 8, 31, 256, 257, 4096, 65536};

static bool encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_RANGECODER_RANKS].length;

    (void)why;
    (void)size;
    capacity[SB_RANGECODER_PAYLOAD] = n;
    capacity[SB_RANGECODER_OFFSET] = sb_ref_rangecoder_segments(n, c->parameters[SB_RANGECODER_SEGMENT]);
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    sb_array *payload = &result->outputs[SB_RANGECODER_PAYLOAD];

    payload->length = sb_ref_rangecoder_encode(
        c->inputs[SB_RANGECODER_RANKS].data, c->inputs[SB_RANGECODER_RANKS].length,
        c->parameters[SB_RANGECODER_SEGMENT], payload->data, result->outputs[SB_RANGECODER_OFFSET].data);
}

/* 100 ns for each rank: up to eleven binary decisions. */
static double encode_cost(const sb_case *c)
{
    return 100.0 * (double)c->inputs[SB_RANGECODER_RANKS].length;
}

static bool invert(const sb_case *c, const sb_result *result, sb_case *inverse)
{
    inverse->parameters[SB_RANGECODER_DECODE_COUNT] = c->inputs[SB_RANGECODER_RANKS].length;
    return sb_invert_code(c, result, inverse);
}

static bool decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->parameters[SB_RANGECODER_DECODE_COUNT], offsets = c->inputs[SB_RANGECODER_OFFSET].length;

    if (n > sb_max_decoded(c->inputs[SB_RANGECODER_PAYLOAD].length)) {
        snprintf(why, size, "%llu ranks are too many for a case of %llu bytes", (unsigned long long)n,
                 (unsigned long long)c->inputs[SB_RANGECODER_PAYLOAD].length);
        return false;
    }
    if (offsets != sb_ref_rangecoder_segments(n, c->parameters[SB_RANGECODER_SEGMENT])) {
        snprintf(why, size, "%llu offsets, but %llu segments", (unsigned long long)offsets,
                 (unsigned long long)sb_ref_rangecoder_segments(n, c->parameters[SB_RANGECODER_SEGMENT]));
        return false;
    }
    capacity[SB_RANGECODER_RANKS] = n;
    return true;
}

/* Flips a bit of the payload, changes an offset, or cuts the payload: `draw` selects which. */
static bool corrupt(sb_case *c, uint64_t draw)
{
    sb_array *payload = &c->inputs[SB_RANGECODER_PAYLOAD], *offset = &c->inputs[SB_RANGECODER_OFFSET];
    uint64_t index = draw / 4 % 65536;

    if (payload->length == 0)
        return true;
    if (draw % 4 == 0)
        return sb_array_resize(payload, payload->length - 1 - index % 4 % payload->length);
    if (draw % 4 == 1)
        ((uint64_t *)offset->data)[index % offset->length]++;
    else
        ((uint8_t *)payload->data)[index % payload->length] ^= (uint8_t)(1 << draw / 4 / 65536 % 8);
    return true;
}

/* Arbitrary arrays hardly ever fit together. If they do not, the payload is taken as ranks, and the case becomes the
 * code of these ranks. The last offset decides whether the code is then corrupted, which happens one time in four. */
static bool decode_normalise(sb_case *c)
{
    const sb_array *ranks = &c->inputs[SB_RANGECODER_PAYLOAD], *offsets = &c->inputs[SB_RANGECODER_OFFSET];
    uint64_t draw = offsets->length > 0 ? ((const uint64_t *)offsets->data)[offsets->length - 1] : 0;
    uint64_t capacity[SB_MAX_ARRAYS], segment = c->parameters[SB_RANGECODER_SEGMENT], n = ranks->length, bytes, *offset;
    uint8_t *payload;
    char why[128];
    bool done = false;

    if (decode_shape(c, capacity, why, sizeof why))
        return true;
    payload = malloc(n + 1);
    offset = malloc((sb_ref_rangecoder_segments(n, segment) + 1) * sizeof *offset);
    if (payload != NULL && offset != NULL) {
        bytes = sb_ref_rangecoder_encode(ranks->data, n, segment, payload, offset);
        c->parameters[SB_RANGECODER_DECODE_COUNT] = n;
        done = sb_array_set(&c->inputs[SB_RANGECODER_PAYLOAD], payload, bytes) &&
               sb_array_set(&c->inputs[SB_RANGECODER_OFFSET], offset, sb_ref_rangecoder_segments(n, segment)) &&
               (draw % 4 != 1 || corrupt(c, draw / 4));
    }
    free(payload);
    free(offset);
    return done;
}

static void decode(const sb_case *c, sb_result *result)
{
    const sb_array *payload = &c->inputs[SB_RANGECODER_PAYLOAD];

    sb_set_status(result,
                  sb_ref_rangecoder_decode(payload->data, payload->length, c->inputs[SB_RANGECODER_OFFSET].data,
                                           c->parameters[SB_RANGECODER_SEGMENT],
                                           result->outputs[SB_RANGECODER_RANKS].data,
                                           c->parameters[SB_RANGECODER_DECODE_COUNT]),
                  "offsets and payload are not the code of this many ranks");
}

static double decode_cost(const sb_case *c)
{
    return 100.0 * (double)c->parameters[SB_RANGECODER_DECODE_COUNT];
}

static const sb_algorithm rangecoder_encode = {
    .name = "rangecoder.encode",
    .summary = "ranks through an adaptive binary range coder, in segments",
    .parameters = {{"segment", NULL, segments, sizeof segments / sizeof *segments, 65536}},
    .inputs = {{"ranks", SB_U8}},
    .outputs = {{"payload", SB_U8}, {"offset", SB_U64}},
    .shape = encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "rangecoder.decode",
    .invert = invert,
};

static const sb_algorithm rangecoder_decode = {
    .name = "rangecoder.decode",
    .summary = "ranks of an adaptive binary range code",
    .parameters = {{"segment", NULL, segments, sizeof segments / sizeof *segments, 65536},
                   {"count", NULL, counts, sizeof counts / sizeof *counts, 65536}},
    .inputs = {{"payload", SB_U8}, {"offset", SB_U64}},
    .outputs = {{"ranks", SB_U8}},
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .cost = decode_cost,
};

const sb_algorithm *const sb_harness_algorithms_rangecoder[] = {&rangecoder_encode, &rangecoder_decode, NULL};
