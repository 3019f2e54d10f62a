/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of rle0 and rle0x. The decoders have no inverse: they accept runs side by side, which no encoder writes.
 */
#include "../../ref/rle.h"
#include "../../core/algorithm.h"
#include "../../core/case.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static bool encoded_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    capacity[SB_RLE_OUT] = 2 * c->inputs[SB_RLE_IN].length;
    return true;
}

static void rle0_encode(const sb_case *c, sb_result *result)
{
    result->outputs[SB_RLE_OUT].length =
        sb_ref_rle0_encode(c->inputs[SB_RLE_IN].data, c->inputs[SB_RLE_IN].length, result->outputs[SB_RLE_OUT].data);
}

static void rle0x_encode(const sb_case *c, sb_result *result)
{
    result->outputs[SB_RLE_OUT].length =
        sb_ref_rle0x_encode(c->inputs[SB_RLE_IN].data, c->inputs[SB_RLE_IN].length, result->outputs[SB_RLE_OUT].data);
}

static bool invert(const sb_case *c, const sb_result *result, sb_case *inverse)
{
    (void)c;
    return sb_array_set(&inverse->inputs[SB_RLE_IN], result->outputs[SB_RLE_OUT].data,
                        result->outputs[SB_RLE_OUT].length);
}

/* The bytes that stand before a fault, or all: a count may stand for any number of them, so they are counted. Behind a
 * fault there is room for more: who misses it is to show that, and not to be stopped by the room. */
enum { BEHIND_FAULT = 1 << 14 };

static uint64_t decoded_room(sb_ref_status status, uint64_t length)
{
    return status == SB_REF_OK ? length : length + BEHIND_FAULT;
}

static bool rle0_decoded_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t length;
    sb_ref_status status = sb_ref_rle0_decode(c->inputs[SB_RLE_IN].data, c->inputs[SB_RLE_IN].length, NULL, &length);

    (void)why;
    (void)size;
    capacity[SB_RLE_OUT] = decoded_room(status, length);
    return true;
}

static bool rle0x_decoded_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t length;
    sb_ref_status status = sb_ref_rle0x_decode(c->inputs[SB_RLE_IN].data, c->inputs[SB_RLE_IN].length, NULL, &length);

    (void)why;
    (void)size;
    capacity[SB_RLE_OUT] = decoded_room(status, length);
    return true;
}

static void set_status(sb_result *result, sb_ref_status status)
{
    if (status != SB_REF_OK) {
        result->status = SB_INVALID;
        snprintf(result->message, sizeof result->message, "a run of no zeros, or a run that the end of the input cuts");
    }
}

static void rle0_decode(const sb_case *c, sb_result *result)
{
    sb_array *out = &result->outputs[SB_RLE_OUT];

    set_status(result,
               sb_ref_rle0_decode(c->inputs[SB_RLE_IN].data, c->inputs[SB_RLE_IN].length, out->data, &out->length));
}

static void rle0x_decode(const sb_case *c, sb_result *result)
{
    sb_array *out = &result->outputs[SB_RLE_OUT];

    set_status(result,
               sb_ref_rle0x_decode(c->inputs[SB_RLE_IN].data, c->inputs[SB_RLE_IN].length, out->data, &out->length));
}

static const sb_algorithm encode0 = {
    .name = "rle0.encode",
    .summary = "runs of zeros as pairs 0, count",
    .inputs = {{"bytes", SB_U8}},
    .outputs = {{"code", SB_U8}},
    .shape = encoded_shape,
    .reference = rle0_encode,
    .inverse = "rle0.decode",
    .invert = invert,
};

static const sb_algorithm decode0 = {
    .name = "rle0.decode",
    .summary = "bytes of pairs 0, count",
    .inputs = {{"code", SB_U8}},
    .outputs = {{"bytes", SB_U8}},
    .shape = rle0_decoded_shape,
    .reference = rle0_decode,
};

static const sb_algorithm encode0x = {
    .name = "rle0x.encode",
    .summary = "runs of zeros as 0 and a count in as many bytes as it takes",
    .inputs = {{"bytes", SB_U8}},
    .outputs = {{"code", SB_U8}},
    .shape = encoded_shape,
    .reference = rle0x_encode,
    .inverse = "rle0x.decode",
    .invert = invert,
};

static const sb_algorithm decode0x = {
    .name = "rle0x.decode",
    .summary = "bytes of runs with a count in as many bytes as it takes",
    .inputs = {{"code", SB_U8}},
    .outputs = {{"bytes", SB_U8}},
    .shape = rle0x_decoded_shape,
    .reference = rle0x_decode,
};

const sb_algorithm *const sb_harness_algorithms_rle[] = {&encode0, &decode0, &encode0x, &decode0x, NULL};
