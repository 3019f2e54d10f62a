/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of rle0.encode and rle0.decode. The decoder names no inverse: it accepts adjacent runs, which the encoder
 * never writes.
 */
#include "../../ref/rle0.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>

static bool encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    capacity[SB_RLE0_OUT] = 2 * c->inputs[SB_RLE0_IN].length;
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    const sb_array *in = &c->inputs[SB_RLE0_IN];
    sb_array *out = &result->outputs[SB_RLE0_OUT];

    out->length = sb_ref_rle0_encode(in->data, in->length, out->data);
}

/* A count stands for any number of bytes, so the reference counts them first. */
static bool decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *in = &c->inputs[SB_RLE0_IN];
    uint64_t length;
    sb_ref_status status = sb_ref_rle0_decode(in->data, in->length, NULL, &length);

    (void)why;
    (void)size;
    capacity[SB_RLE0_OUT] = sb_decoder_capacity(status, length);
    return true;
}

static void decode(const sb_case *c, sb_result *result)
{
    const sb_array *in = &c->inputs[SB_RLE0_IN];
    sb_array *out = &result->outputs[SB_RLE0_OUT];

    sb_set_status(result, sb_ref_rle0_decode(in->data, in->length, out->data, &out->length),
                  "a run with count 0, or a run cut by the end of the input");
}

/* rle0.encode, rle0x.encode: bytes u8[n] -> code u8, length in the result, at most 2n. Every input is valid.
 * rle0.decode, rle0x.decode: code u8[n] -> bytes u8, length in the result. Invalid: a count of 0; a run cut by the end.
 */
static const sb_algorithm rle0_encode = {
    .name = "rle0.encode",
    .summary = "runs of zeros as pairs 0, count",
    SB_INPUTS([SB_RLE0_IN] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_RLE0_OUT] = SB_FIELD("code", SB_U8)),
    .shape = encode_shape,
    .reference = encode,
    .inverse = "rle0.decode",
    .invert = sb_invert_code,
};

static const sb_algorithm rle0_decode = {
    .name = "rle0.decode",
    .summary = "bytes of pairs 0, count",
    SB_INPUTS([SB_RLE0_IN] = SB_FIELD("code", SB_U8)),
    SB_OUTPUTS([SB_RLE0_OUT] = SB_FIELD("bytes", SB_U8)),
    .shape = decode_shape,
    .reference = decode,
};

const sb_algorithm *const sb_harness_algorithms_rle0[] = {&rle0_encode, &rle0_decode, NULL};
