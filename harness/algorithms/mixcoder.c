/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of mixcoder.encode and mixcoder.decode. The decoder names no inverse: it accepts stored
 * segments that the encoder would have coded.
 */
#include "../../ref/mixcoder.h"
#include "../../ref/range.h"
#include "segment_coder.h"
#include <samebits/algorithms.h>

/* Each segment begins with models of 314 KiB: cases of many segments would take long. The corpus has those of few bytes. */
static const uint64_t segments[] = {0, 4095, 4096, 4097, 65536, 262144, UINT64_MAX};

static void encode(const sb_case *c, sb_result *result)
{
    sb_coder_encode(c, result, sb_ref_mixcoder_encode);
}

static bool decode_normalise(sb_case *c)
{
    return sb_coder_decode_normalise(c, sb_ref_mixcoder_encode);
}

static void decode(const sb_case *c, sb_result *result)
{
    sb_coder_decode(c, result, sb_ref_mixcoder_decode);
}

/* 100 ns for each byte: about three mixed decisions. 30 us for new models. */
static double cost(const sb_case *c, uint64_t n)
{
    return 100.0 * (double)n + 30e3 * (double)sb_ref_range_segments(n, c->parameters[SB_RANGECODER_SEGMENT]);
}

static double encode_cost(const sb_case *c)
{
    return cost(c, c->inputs[SB_RANGECODER_RANKS].length);
}

static double decode_cost(const sb_case *c)
{
    return cost(c, c->parameters[SB_RANGECODER_DECODE_COUNT]);
}

/* mixcoder.encode: bytes u8[n] -> payload, offset. mixcoder.decode: the inverse. Parameters and arrays are those of
 * rangecoder, with bytes in place of ranks; ref/mixcoder.h lists what is invalid. */
static const sb_algorithm mixcoder_encode = {
    .name = "mixcoder.encode",
    .summary = "runs of bytes through mixed adaptive binary models, in segments",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", segments, 262144)),
    SB_INPUTS([SB_RANGECODER_RANKS] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                         SB_FIELD("offset", SB_U64)),
    .shape = sb_coder_encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "mixcoder.decode",
    .invert = sb_coder_invert,
};

static const sb_algorithm mixcoder_decode = {
    .name = "mixcoder.decode",
    .summary = "bytes of a code of mixed adaptive binary models",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", segments, 262144), [SB_RANGECODER_DECODE_COUNT] =
                                                                                        SB_NUMBER("count",
                                                                                                  sb_coder_counts,
                                                                                                  65536)),
    SB_INPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                        SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_RANGECODER_RANKS] = SB_FIELD("bytes", SB_U8)),
    .normalise = decode_normalise,
    .shape = sb_coder_decode_shape,
    .reference = decode,
    .cost = decode_cost,
};

const sb_algorithm *const sb_harness_algorithms_mixcoder[] = {&mixcoder_encode, &mixcoder_decode, NULL};
