/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of the coders of segments: rangecoder and mixcoder, encode and decode. They have the same parameters and
 * arrays. The decoders name no inverse: they accept stored segments that the encoder would have coded.
 */
#include "../../ref/mixcoder.h"
#include "../../ref/range.h"
#include "../../ref/rangecoder.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t segments[] = {0, 1, 5, 8, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, UINT64_MAX};
/* Each segment of mixcoder begins with models of 314 KiB: cases of many segments would take long. The corpus has those of
 * few bytes. */
static const uint64_t mixcoder_segments[] = {0, 4095, 4096, 4097, 65536, 262144, UINT64_MAX};
static const uint64_t counts[] = {0, 1, 4, 5, 8, 31, 256, 257, 4096, 65536};

static const sb_algorithm mixcoder_encode, mixcoder_decode;

static bool is_mixcoder(const sb_case *c)
{
    return c->algorithm == &mixcoder_encode || c->algorithm == &mixcoder_decode;
}

static uint64_t encode_segments(const sb_case *c, const uint8_t *ranks, uint64_t n, uint8_t *payload, uint64_t *offset)
{
    return (is_mixcoder(c) ? sb_ref_mixcoder_encode
                           : sb_ref_rangecoder_encode)(ranks, n, c->parameters[SB_RANGECODER_SEGMENT], payload, offset);
}

static bool encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_RANGECODER_RANKS].length;

    (void)why;
    (void)size;
    capacity[SB_RANGECODER_PAYLOAD] = n;
    capacity[SB_RANGECODER_OFFSET] = sb_ref_range_segments(n, c->parameters[SB_RANGECODER_SEGMENT]);
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    sb_array *payload = &result->outputs[SB_RANGECODER_PAYLOAD];

    payload->length = encode_segments(c, c->inputs[SB_RANGECODER_RANKS].data, c->inputs[SB_RANGECODER_RANKS].length,
                                      payload->data, result->outputs[SB_RANGECODER_OFFSET].data);
}

/* 100 ns for each rank or byte: up to eleven binary decisions, or three mixed ones. 30 us for new models of mixcoder. */
static double cost(const sb_case *c, uint64_t n)
{
    const double models =
        is_mixcoder(c) ? 30e3 * (double)sb_ref_range_segments(n, c->parameters[SB_RANGECODER_SEGMENT]) : 0;

    return 100.0 * (double)n + models;
}

static double encode_cost(const sb_case *c)
{
    return cost(c, c->inputs[SB_RANGECODER_RANKS].length);
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
    if (offsets != sb_ref_range_segments(n, c->parameters[SB_RANGECODER_SEGMENT])) {
        snprintf(why, size, "%llu offsets, but %llu segments", (unsigned long long)offsets,
                 (unsigned long long)sb_ref_range_segments(n, c->parameters[SB_RANGECODER_SEGMENT]));
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
    offset = malloc((sb_ref_range_segments(n, segment) + 1) * sizeof *offset);
    if (payload != NULL && offset != NULL) {
        bytes = encode_segments(c, ranks->data, n, payload, offset);
        c->parameters[SB_RANGECODER_DECODE_COUNT] = n;
        done = sb_array_set(&c->inputs[SB_RANGECODER_PAYLOAD], payload, bytes) &&
               sb_array_set(&c->inputs[SB_RANGECODER_OFFSET], offset, sb_ref_range_segments(n, segment)) &&
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
                  (is_mixcoder(c) ? sb_ref_mixcoder_decode : sb_ref_rangecoder_decode)(
                      payload->data, payload->length, c->inputs[SB_RANGECODER_OFFSET].data,
                      c->parameters[SB_RANGECODER_SEGMENT], result->outputs[SB_RANGECODER_RANKS].data,
                      c->parameters[SB_RANGECODER_DECODE_COUNT]),
                  "offsets and payload are not the code of this many ranks");
}

static double decode_cost(const sb_case *c)
{
    return cost(c, c->parameters[SB_RANGECODER_DECODE_COUNT]);
}

static const sb_algorithm rangecoder_encode = {
    .name = "rangecoder.encode",
    .summary = "ranks through an adaptive binary range coder, in segments",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", segments, 65536)),
    SB_INPUTS([SB_RANGECODER_RANKS] = SB_FIELD("ranks", SB_U8)),
    SB_OUTPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                         SB_FIELD("offset", SB_U64)),
    .shape = encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "rangecoder.decode",
    .invert = invert,
};

static const sb_algorithm rangecoder_decode = {
    .name = "rangecoder.decode",
    .summary = "ranks of an adaptive binary range code",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", segments, 65536), [SB_RANGECODER_DECODE_COUNT] =
                                                                                       SB_NUMBER("count", counts,
                                                                                                 65536)),
    SB_INPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                        SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_RANGECODER_RANKS] = SB_FIELD("ranks", SB_U8)),
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .cost = decode_cost,
};

static const sb_algorithm mixcoder_encode = {
    .name = "mixcoder.encode",
    .summary = "runs of bytes through mixed adaptive binary models, in segments",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", mixcoder_segments, 262144)),
    SB_INPUTS([SB_RANGECODER_RANKS] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                         SB_FIELD("offset", SB_U64)),
    .shape = encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "mixcoder.decode",
    .invert = invert,
};

static const sb_algorithm mixcoder_decode = {
    .name = "mixcoder.decode",
    .summary = "bytes of a code of mixed adaptive binary models",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", mixcoder_segments, 262144),
                  [SB_RANGECODER_DECODE_COUNT] = SB_NUMBER("count", counts, 65536)),
    SB_INPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                        SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_RANGECODER_RANKS] = SB_FIELD("bytes", SB_U8)),
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .cost = decode_cost,
};

const sb_algorithm *const sb_harness_algorithms_rangecoder[] = {&rangecoder_encode, &rangecoder_decode,
                                                                &mixcoder_encode, &mixcoder_decode, NULL};
