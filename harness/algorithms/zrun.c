/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of zrun.encode and zrun.decode.
 */
#include "../../ref/zrun.h"
#include "../../core/algorithm.h"
#include "../../core/case.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static void set_status(sb_result *result, sb_ref_status status, const char *why)
{
    if (status != SB_REF_OK) {
        result->status = SB_INVALID;
        snprintf(result->message, sizeof result->message, "%s", why);
    }
}

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

    set_status(result, sb_ref_zrun_encode(in->data, in->length, out->data, &out->length), "2^32 ranks or more");
}

/* Both directions: the one's output is the other's input. */
static bool invert(const sb_case *c, const sb_result *result, sb_case *inverse)
{
    (void)c;
    return sb_array_set(&inverse->inputs[SB_ZRUN_IN], result->outputs[SB_ZRUN_OUT].data,
                        result->outputs[SB_ZRUN_OUT].length);
}

/* 32 symbols can stand for 2^32 ranks. A case has at most this many for each symbol, and besides. */
enum { MOST_OF_A_SYMBOL = 256, MOST_BESIDES = 1 << 24, BEHIND_FAULT = 1 << 14 };

static uint64_t most(uint64_t symbols)
{
    return MOST_OF_A_SYMBOL * symbols + MOST_BESIDES;
}

/* The ranks that stand before a fault, or all. Behind a fault there is room for more: who misses it is to show that,
 * and not to be stopped by the room. */
static bool decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *in = &c->inputs[SB_ZRUN_IN];
    uint64_t total;
    sb_ref_status status = sb_ref_zrun_decode(in->data, in->length, NULL, &total);

    if (total > most(in->length)) {
        snprintf(why, size, "%llu ranks, which is much for %llu symbols", (unsigned long long)total,
                 (unsigned long long)in->length);
        return false;
    }
    capacity[SB_ZRUN_OUT] = status == SB_REF_OK ? total : total + BEHIND_FAULT;
    return true;
}

/* Runs that are too long lose every eighth digit to a rank: then no eight symbols stand for more than 256 ranks. */
static bool decode_normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    uint16_t *symbols = c->inputs[SB_ZRUN_IN].data;
    char why[128];

    if (!decode_shape(c, capacity, why, sizeof why))
        for (uint64_t i = 7; i < c->inputs[SB_ZRUN_IN].length; i += 8)
            symbols[i] |= 2;
    return true;
}

static void decode(const sb_case *c, sb_result *result)
{
    const sb_array *in = &c->inputs[SB_ZRUN_IN];
    sb_array *out = &result->outputs[SB_ZRUN_OUT];

    set_status(result, sb_ref_zrun_decode(in->data, in->length, out->data, &out->length),
               "a symbol over 256, or symbols for 2^32 ranks or more");
}

static const sb_algorithm zrun_encode = {
    .name = "zrun.encode",
    .summary = "runs of zeros in bijective base 2, among ranks",
    .inputs = {{"ranks", SB_U8}},
    .outputs = {{"symbols", SB_U16}},
    .shape = encode_shape,
    .reference = encode,
    .inverse = "zrun.decode",
    .invert = invert,
};

static const sb_algorithm zrun_decode = {
    .name = "zrun.decode",
    .summary = "ranks of symbols with runs of zeros in bijective base 2",
    .inputs = {{"symbols", SB_U16}},
    .outputs = {{"ranks", SB_U8}},
    .normalise = decode_normalise,
    .shape = decode_shape,
    .reference = decode,
    .inverse = "zrun.encode",
    .invert = invert,
};

const sb_algorithm *const sb_harness_algorithms_zrun[] = {&zrun_encode, &zrun_decode, NULL};
