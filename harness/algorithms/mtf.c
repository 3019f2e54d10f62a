/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of mtf.encode, mtf.decode and mtf.pass.
 */
#include "../../ref/mtf.h"
#include "../../ref/mtf_pass.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* 100 ns for each byte: a search and a move of up to 256 list entries. */
static double list_cost(const sb_case *c)
{
    return 100.0 * (double)c->inputs[SB_MTF_IN].length;
}

/* mtf.encode: bytes u8[n] -> rank u8[n]. mtf.decode: rank u8[n] -> bytes u8[n]. Every input is valid. */
static const sb_algorithm mtf_encode = {
    .name = "mtf.encode",
    .summary = "move-to-front ranks of bytes",
    SB_PARAMETERS([SB_MTF_CHUNK] = SB_NUMBER("chunk", chunks, 4096)),
    SB_INPUTS([SB_MTF_IN] = SB_FIELD("bytes", SB_U8)),
    SB_OUTPUTS([SB_MTF_OUT] = SB_FIELD("rank", SB_U8)),
    .shape = same_length,
    .reference = encode,
    .cost = list_cost,
    .inverse = "mtf.decode",
    .invert = sb_invert_code,
    .reads_all = true,
};

static const sb_algorithm mtf_decode = {
    .name = "mtf.decode",
    .summary = "bytes of move-to-front ranks",
    SB_PARAMETERS([SB_MTF_CHUNK] = SB_NUMBER("chunk", chunks, 4096)),
    SB_INPUTS([SB_MTF_IN] = SB_FIELD("rank", SB_U8)),
    SB_OUTPUTS([SB_MTF_OUT] = SB_FIELD("bytes", SB_U8)),
    .shape = same_length,
    .reference = decode,
    .cost = list_cost,
    .inverse = "mtf.encode",
    .invert = sb_invert_code,
    .reads_all = true,
};

/* mtf.pass */

/* The first pass (base 0) about as often as all others together; the bases from 192 on make last passes (base + depth =
 * 256) with the depths that variants have. */
static const uint64_t bases[] = {0, 8, 16, 32, 64, 192, 224, 240, 248, 0, 0, 0, 0, 0};
static const uint64_t depths[] = {8, 16, 32, 64};

static bool ascending(const sb_array *array)
{
    const uint32_t *position = array->data;

    for (uint64_t i = 1; i < array->length; i++)
        if (position[i] <= position[i - 1])
            return false;
    return true;
}

static bool pass_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_MTF_PASS_SYMBOL].length;

    for (int i = 0; i <= SB_MTF_PASS_EVICTED; i++)
        capacity[i] = n;
    if (c->inputs[SB_MTF_PASS_ENTERING].length != n || c->inputs[SB_MTF_PASS_POSITION].length != n) {
        snprintf(why, size, "symbol, entering and position differ in length");
        return false;
    }
    if (!ascending(&c->inputs[SB_MTF_PASS_POSITION])) {
        snprintf(why, size, "the positions do not ascend strictly");
        return false;
    }
    return true;
}

static sb_ref_mtf_items items_of(sb_array *arrays, int position, int symbol, int entering)
{
    return (sb_ref_mtf_items){.position = arrays[position].data,
                              .symbol = arrays[symbol].data,
                              .entering = arrays[entering].data,
                              .count = arrays[symbol].length};
}

static sb_ref_status run_pass(const sb_case *c, uint64_t base, uint64_t depth, sb_array *outputs)
{
    sb_array inputs[SB_MAX_ARRAYS];
    sb_ref_mtf_items items, next;
    sb_ref_status status;

    memcpy(inputs, c->inputs, sizeof inputs);
    items = items_of(inputs, SB_MTF_PASS_POSITION, SB_MTF_PASS_SYMBOL, SB_MTF_PASS_ENTERING);
    next = items_of(outputs, SB_MTF_PASS_NEXT_POSITION, SB_MTF_PASS_NEXT_SYMBOL, SB_MTF_PASS_EVICTED);
    status = sb_ref_mtf_pass(&items, base, depth, c->parameters[SB_MTF_PASS_CHUNK],
                             outputs[SB_MTF_PASS_PAIR_POSITION].data, outputs[SB_MTF_PASS_RANK].data, &next);
    for (int i = SB_MTF_PASS_NEXT_POSITION; i <= SB_MTF_PASS_EVICTED; i++)
        outputs[i].length = next.count;
    return status;
}

/* Takes the symbols of the case as a text, runs the passes below `base` over it, and makes the items that they hand on
 * the items of the case. */
static bool pass_over(sb_case *c, uint64_t base)
{
    uint64_t n = c->inputs[SB_MTF_PASS_SYMBOL].length;
    sb_result before;
    const uint64_t capacity[SB_MAX_ARRAYS] = {n, n, n, n, n};
    bool done;

    if (base == 0)
        return true;
    if (!sb_result_init(&before, c, capacity))
        return false;
    run_pass(c, 0, base, before.outputs);
    done = sb_array_set(&c->inputs[SB_MTF_PASS_SYMBOL], before.outputs[SB_MTF_PASS_NEXT_SYMBOL].data,
                        before.outputs[SB_MTF_PASS_NEXT_SYMBOL].length) &&
           sb_array_set(&c->inputs[SB_MTF_PASS_ENTERING], before.outputs[SB_MTF_PASS_EVICTED].data,
                        before.outputs[SB_MTF_PASS_EVICTED].length) &&
           sb_array_set(&c->inputs[SB_MTF_PASS_POSITION], before.outputs[SB_MTF_PASS_NEXT_POSITION].data,
                        before.outputs[SB_MTF_PASS_NEXT_POSITION].length);
    sb_result_free(&before);
    return done;
}

/* Makes n ascending positions from 0 on. One time in four there are gaps, of up to 63 before about every fourth
 * position; the old content of the array decides. */
static bool space_out(sb_array *positions, uint64_t n)
{
    uint32_t *position;
    uint64_t last = 0;
    bool gaps;

    if (!sb_array_resize(positions, n))
        return false;
    position = positions->data;
    gaps = n > 0 && position[n - 1] % 4 == 3;
    for (uint64_t i = 0; i < n; i++) {
        last += (i > 0) + (gaps && position[i] % 4 == 0 ? position[i] / 4 % 64 : 0);
        if (last > UINT32_MAX)
            return sb_array_resize(positions, i);
        position[i] = (uint32_t)last;
    }
    return true;
}

static bool resize_items(sb_case *c, uint64_t n)
{
    for (int i = 0; i <= SB_MTF_PASS_POSITION; i++)
        if (!sb_array_resize(&c->inputs[i], n))
            return false;
    return true;
}

/* Arbitrary arrays are hardly ever the items of a pass. If their positions do not ascend, or there are none, the
 * symbols are taken as a text, and the case becomes the pass over what the earlier passes hand on of it. If base +
 * depth exceeds 256, the pass becomes the last one. */
static bool pass_normalise(sb_case *c)
{
    sb_array *symbol = &c->inputs[SB_MTF_PASS_SYMBOL], *entering = &c->inputs[SB_MTF_PASS_ENTERING];
    sb_array *position = &c->inputs[SB_MTF_PASS_POSITION];
    uint64_t *base = &c->parameters[SB_MTF_PASS_BASE], depth = c->parameters[SB_MTF_PASS_DEPTH];

    if (position->length > 0 || symbol->length == 0) {
        uint64_t n = symbol->length < entering->length ? symbol->length : entering->length;

        if (!resize_items(c, position->length < n ? position->length : n))
            return false;
        if (ascending(position))
            return true;
    }
    if (depth > 0 && depth <= 256 && *base > 256 - depth)
        *base = 256 - depth;
    return space_out(position, symbol->length) && resize_items(c, position->length) &&
           sb_array_set(entering, symbol->data, symbol->length) && (*base > 256 || pass_over(c, *base));
}

static void pass(const sb_case *c, sb_result *result)
{
    if (run_pass(c, c->parameters[SB_MTF_PASS_BASE], c->parameters[SB_MTF_PASS_DEPTH], result->outputs) != SB_REF_OK) {
        result->status = SB_INVALID;
        snprintf(result->message, sizeof result->message,
                 "base and depth are out of range, or the last pass does not find a symbol");
    }
}

static double pass_cost(const sb_case *c)
{
    return 100.0 * (double)c->inputs[SB_MTF_PASS_SYMBOL].length;
}

/* mtf.pass: the list positions base .. base + depth - 1 of move-to-front. Inputs: items, symbol u8[n], entering u8[n],
 * position u32[n]. Outputs: pairs, pair_position u32[n] and rank u8[n]; items for the next pass, next_position u32,
 * next_symbol u8, evicted u8, all of one length <= n, length in the result. Invalid: positions that do not ascend
 * strictly; depth 0; base + depth > 256; base + depth = 256 and a symbol that the pass does not find. */
static const sb_algorithm mtf_pass = {
    .name = "mtf.pass",
    .summary = "one pass of move-to-front over the list positions from base",
    SB_PARAMETERS([SB_MTF_PASS_BASE] = SB_NUMBER("base", bases, 0), [SB_MTF_PASS_DEPTH] = SB_NUMBER("depth", depths, 8),
                  [SB_MTF_PASS_CHUNK] = SB_NUMBER("chunk", chunks, 4096)),
    SB_INPUTS([SB_MTF_PASS_SYMBOL] = SB_FIELD("symbol", SB_U8), [SB_MTF_PASS_ENTERING] = SB_FIELD("entering", SB_U8),
              [SB_MTF_PASS_POSITION] = SB_FIELD("position", SB_U32)),
    SB_OUTPUTS([SB_MTF_PASS_PAIR_POSITION] = SB_FIELD("position", SB_U32), [SB_MTF_PASS_RANK] = SB_FIELD("rank", SB_U8),
               [SB_MTF_PASS_NEXT_POSITION] = SB_FIELD("next_position", SB_U32),
               [SB_MTF_PASS_NEXT_SYMBOL] = SB_FIELD("next_symbol", SB_U8),
               [SB_MTF_PASS_EVICTED] = SB_FIELD("evicted", SB_U8)),
    .normalise = pass_normalise,
    .shape = pass_shape,
    .reference = pass,
    .cost = pass_cost,
};

const sb_algorithm *const sb_harness_algorithms_mtf[] = {&mtf_encode, &mtf_decode, &mtf_pass, NULL};
