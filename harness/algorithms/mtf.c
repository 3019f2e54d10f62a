/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of mtf.encode and mtf.decode.
 */
#include "../../ref/mtf.h"
#include "../algorithm.h"
#include "../case.h"
#include <samebits/algorithms.h>

static const uint64_t chunks[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097};

static bool same_length(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    capacity[SB_MTF_OUT] = c->inputs[SB_MTF_IN].length;
    return true;
}

static void encode(const sb_case *c, sb_result *result)
{
    sb_ref_mtf_encode(c->inputs[SB_MTF_IN].data, c->inputs[SB_MTF_IN].length, c->parameters[SB_MTF_CHUNK],
                      result->outputs[SB_MTF_OUT].data);
}

static void decode(const sb_case *c, sb_result *result)
{
    sb_ref_mtf_decode(c->inputs[SB_MTF_IN].data, c->inputs[SB_MTF_IN].length, c->parameters[SB_MTF_CHUNK],
                      result->outputs[SB_MTF_OUT].data);
}

/* A list step costs at most 256 moves. */
static double list_cost(const sb_case *c)
{
    return 100.0 * (double)c->inputs[SB_MTF_IN].length;
}

static bool invert(const sb_case *c, const sb_result *result, sb_case *inverse)
{
    inverse->parameters[SB_MTF_CHUNK] = c->parameters[SB_MTF_CHUNK];
    return sb_array_set(&inverse->inputs[SB_MTF_IN], result->outputs[SB_MTF_OUT].data,
                        result->outputs[SB_MTF_OUT].length);
}

static const sb_algorithm mtf_encode = {
    .name = "mtf.encode",
    .summary = "move-to-front ranks of bytes",
    .parameters = {{"chunk", NULL, chunks, sizeof chunks / sizeof *chunks, 4096}},
    .inputs = {{"bytes", SB_U8}},
    .outputs = {{"rank", SB_U8}},
    .shape = same_length,
    .reference = encode,
    .cost = list_cost,
    .inverse = "mtf.decode",
    .invert = invert,
};

static const sb_algorithm mtf_decode = {
    .name = "mtf.decode",
    .summary = "bytes of move-to-front ranks",
    .parameters = {{"chunk", NULL, chunks, sizeof chunks / sizeof *chunks, 4096}},
    .inputs = {{"rank", SB_U8}},
    .outputs = {{"bytes", SB_U8}},
    .shape = same_length,
    .reference = decode,
    .cost = list_cost,
    .inverse = "mtf.encode",
    .invert = invert,
};

const sb_algorithm *const sb_algorithms_mtf[] = {&mtf_encode, &mtf_decode, NULL};
