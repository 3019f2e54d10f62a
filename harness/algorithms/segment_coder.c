/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of rangecoder and mixcoder share: contract in segment_coder.h.
 */
#include "segment_coder.h"
#include "../../common/case.h"
#include "../../ref/range.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

const uint64_t sb_coder_counts[SB_CODER_COUNTS] = {0, 1, 4, 5, 8, 31, 256, 257, 4096, 65536};

bool sb_coder_encode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_RANGECODER_RANKS].length;

    (void)why;
    (void)size;
    capacity[SB_RANGECODER_PAYLOAD] = n;
    capacity[SB_RANGECODER_OFFSET] = sb_ref_range_segments(n, c->parameters[SB_RANGECODER_SEGMENT]);
    return true;
}

void sb_coder_encode(const sb_case *c, sb_result *result, sb_coder_encode_segments *encode)
{
    sb_array *payload = &result->outputs[SB_RANGECODER_PAYLOAD];

    payload->length =
        encode(c->inputs[SB_RANGECODER_RANKS].data, c->inputs[SB_RANGECODER_RANKS].length,
               c->parameters[SB_RANGECODER_SEGMENT], payload->data, result->outputs[SB_RANGECODER_OFFSET].data);
}

bool sb_coder_invert(const sb_case *c, const sb_result *result, sb_case *inverse)
{
    inverse->parameters[SB_RANGECODER_DECODE_COUNT] = c->inputs[SB_RANGECODER_RANKS].length;
    return sb_invert_code(c, result, inverse);
}

bool sb_coder_decode_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
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

bool sb_coder_decode_normalise(sb_case *c, sb_coder_encode_segments *encode)
{
    const sb_array *ranks = &c->inputs[SB_RANGECODER_PAYLOAD], *offsets = &c->inputs[SB_RANGECODER_OFFSET];
    uint64_t draw = offsets->length > 0 ? ((const uint64_t *)offsets->data)[offsets->length - 1] : 0;
    uint64_t capacity[SB_MAX_ARRAYS], segment = c->parameters[SB_RANGECODER_SEGMENT], n = ranks->length, bytes, *offset;
    uint8_t *payload;
    char why[128];
    bool done = false;

    if (sb_coder_decode_shape(c, capacity, why, sizeof why))
        return true;
    payload = malloc(n + 1);
    offset = malloc((sb_ref_range_segments(n, segment) + 1) * sizeof *offset);
    if (payload != NULL && offset != NULL) {
        bytes = encode(ranks->data, n, segment, payload, offset);
        c->parameters[SB_RANGECODER_DECODE_COUNT] = n;
        done = sb_array_set(&c->inputs[SB_RANGECODER_PAYLOAD], payload, bytes) &&
               sb_array_set(&c->inputs[SB_RANGECODER_OFFSET], offset, sb_ref_range_segments(n, segment)) &&
               (draw % 4 != 1 || corrupt(c, draw / 4));
    }
    free(payload);
    free(offset);
    return done;
}

void sb_coder_decode(const sb_case *c, sb_result *result, sb_coder_decode_segments *decode)
{
    const sb_array *payload = &c->inputs[SB_RANGECODER_PAYLOAD];

    sb_set_status(result,
                  decode(payload->data, payload->length, c->inputs[SB_RANGECODER_OFFSET].data,
                         c->parameters[SB_RANGECODER_SEGMENT], result->outputs[SB_RANGECODER_RANKS].data,
                         c->parameters[SB_RANGECODER_DECODE_COUNT]),
                  "offsets and payload are not the code of this many ranks");
}
