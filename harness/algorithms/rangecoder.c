/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of rangecoder.encode and rangecoder.decode. The decoder names no inverse: it accepts stored
 * segments that the encoder would have coded.
 */
#include "../../ref/rangecoder.h"
#include "segment_coder.h"
#include <samebits/algorithms.h>

static const uint64_t segments[] = {0, 1, 5, 8, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, UINT64_MAX};

static void encode(const sb_case *c, sb_result *result)
{
    sb_coder_encode(c, result, sb_ref_rangecoder_encode);
}

static bool decode_normalise(sb_case *c)
{
    return sb_coder_decode_normalise(c, sb_ref_rangecoder_encode);
}

static void decode(const sb_case *c, sb_result *result)
{
    sb_coder_decode(c, result, sb_ref_rangecoder_decode);
}

/* 100 ns for each rank: up to eleven binary decisions. */
static double encode_cost(const sb_case *c)
{
    return 100.0 * (double)c->inputs[SB_RANGECODER_RANKS].length;
}

static double decode_cost(const sb_case *c)
{
    return 100.0 * (double)c->parameters[SB_RANGECODER_DECODE_COUNT];
}

/* rangecoder.encode: ranks u8[n] -> payload u8 (length in the result, at most n), offset u64[segments]: the byte at
 * which each segment starts. Every input is valid. rangecoder.decode: the two outputs of encode -> ranks u8[count].
 * Invalid: offsets that are not ascending, or exceed the payload; a segment that is not a code of its ranks
 * (ref/rangecoder.h lists all). */
static const sb_algorithm rangecoder_encode = {
    .name = "rangecoder.encode",
    .summary = "ranks through an adaptive binary range coder, in segments",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", segments, 65536)),
    SB_INPUTS([SB_RANGECODER_RANKS] = SB_FIELD("ranks", SB_U8)),
    SB_OUTPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                         SB_FIELD("offset", SB_U64)),
    .shape = sb_coder_encode_shape,
    .reference = encode,
    .cost = encode_cost,
    .inverse = "rangecoder.decode",
    .invert = sb_coder_invert,
};

static const sb_algorithm rangecoder_decode = {
    .name = "rangecoder.decode",
    .summary = "ranks of an adaptive binary range code",
    SB_PARAMETERS([SB_RANGECODER_SEGMENT] = SB_NUMBER("segment", segments, 65536), [SB_RANGECODER_DECODE_COUNT] =
                                                                                       SB_NUMBER("count",
                                                                                                 sb_coder_counts,
                                                                                                 65536)),
    SB_INPUTS([SB_RANGECODER_PAYLOAD] = SB_FIELD("payload", SB_U8), [SB_RANGECODER_OFFSET] =
                                                                        SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_RANGECODER_RANKS] = SB_FIELD("ranks", SB_U8)),
    .normalise = decode_normalise,
    .shape = sb_coder_decode_shape,
    .reference = decode,
    .cost = decode_cost,
};

const sb_algorithm *const sb_harness_algorithms_rangecoder[] = {&rangecoder_encode, &rangecoder_decode, NULL};
