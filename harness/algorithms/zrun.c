/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of zrun.encode and zrun.decode.
 */
#include "../../ref/zrun.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static bool encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    capacity[SB_ZRUN_OUT] = c->inputs[SB_ZRUN_IN].length;
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    const sb_array *in = &c->inputs[SB_ZRUN_IN];
    sb_array *out = &result->outputs[SB_ZRUN_OUT];

    sb_set_status(result, sb_ref_zrun_encode(in->data, in->length, out->data, &out->length), "2^32 ranks or more");
}

/* 32 symbols can stand for 2^32 ranks, so the reference counts them first. */
static sb_ref_status count_ranks(const sb_case *c, uint64_t *total)
{
    const sb_array *in = &c->inputs[SB_ZRUN_IN];

    return sb_ref_zrun_decode(in->data, in->length, NULL, total);
}

/* Too many ranks for the memory of a case, before the first fault or in all. */
static bool too_many(const sb_case *c, uint64_t total)
{
    return total > sb_max_decoded(c->inputs[SB_ZRUN_IN].length);
}

/* Invalid symbols that begin with too many ranks are a case, with less memory than these take. */
static bool decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t total;
    sb_ref_status status = count_ranks(c, &total);

    if (status == SB_REF_OK && too_many(c, total)) {
        snprintf(why, size, "%llu ranks are too many for a case of %llu symbols", (unsigned long long)total,
                 (unsigned long long)c->inputs[SB_ZRUN_IN].length);
        return false;
    }
    capacity[SB_ZRUN_OUT] = sb_decoder_capacity(status, too_many(c, total) ? 0 : total);
    return true;
}

/* If the runs are too long, every eighth symbol becomes a rank: then no eight symbols stand for more than 256 ranks. */
static bool decode_normalise(sb_case *c)
{
    uint16_t *symbols = c->inputs[SB_ZRUN_IN].data;
    uint64_t total;

    count_ranks(c, &total);
    if (too_many(c, total))
        for (uint64_t i = 7; i < c->inputs[SB_ZRUN_IN].length; i += 8)
            symbols[i] |= 2;
    return true;
}

static void decode(const sb_case *c, sb_result *result)
{
    const sb_array *in = &c->inputs[SB_ZRUN_IN];
    sb_array *out = &result->outputs[SB_ZRUN_OUT];
    uint64_t total;

    count_ranks(c, &total);
    sb_set_status(result, sb_ref_zrun_decode(in->data, in->length, too_many(c, total) ? NULL : out->data, &out->length),
                  "a symbol above 256, or symbols for 2^32 ranks or more");
}

/* zrun.encode: ranks u8[n] -> symbols u16, length in the result, at most n. Invalid: n >= 2^32.
 * zrun.decode: symbols u16[n] -> ranks u8, length in the result. Invalid: a symbol above 256; 2^32 ranks or more. */
static const sb_algorithm zrun_encode = {
    .name = "zrun.encode",
    .summary = "runs of zeros in bijective base 2, among ranks",
    SB_INPUTS([SB_ZRUN_IN] = SB_FIELD("ranks", SB_U8)),
    SB_OUTPUTS([SB_ZRUN_OUT] = SB_FIELD("symbols", SB_U16)),
    .shape = encode_shape,
    .reference = encode,
    .inverse = "zrun.decode",
    .invert = sb_invert_code,
};

static const sb_algorithm zrun_decode = {
    .name = "zrun.decode",
    .summary = "ranks of symbols with runs of zeros in bijective base 2",
    SB_INPUTS([SB_ZRUN_IN] = SB_FIELD("symbols", SB_U16)),
    SB_OUTPUTS([SB_ZRUN_OUT] = SB_FIELD("ranks", SB_U8)),
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .inverse = "zrun.encode",
    .invert = sb_invert_code,
};

const sb_algorithm *const sb_harness_algorithms_zrun[] = {&zrun_encode, &zrun_decode, NULL};
