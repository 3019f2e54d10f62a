/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.workcreate.
 */
#include "../../ref/pattern_workcreate.h"
#include "../../common/case.h"
#include "segments.h"
#include <samebits/algorithms.h>

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_WORKCREATE_MADE].length;

    capacity[SB_WORKCREATE_SEGMENT] = capacity[SB_WORKCREATE_RANK] = n;
    capacity[SB_WORKCREATE_CREATED] = n + 1;
    return sb_segments_fit(&c->inputs[SB_WORKCREATE_OFFSET], n, "made", why, size);
}

/* Arbitrary numbers are hardly ever 0. A third of the items shall make nothing, the others a few new items. */
static bool normalise(sb_case *c)
{
    sb_array *offset = &c->inputs[SB_WORKCREATE_OFFSET], *made = &c->inputs[SB_WORKCREATE_MADE];
    char why[128];
    uint32_t *number;

    if (sb_segments_fit(offset, made->length, "made", why, sizeof why))
        return true;
    if (!sb_segments_normalise(offset, made->length) || !sb_array_resize(made, sb_segments_items(offset)))
        return false;
    number = made->data;
    for (uint64_t i = 0; i < made->length; i++)
        number[i] = number[i] % 3 == 0 ? 0 : number[i] >> 28;
    return true;
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *offset = &c->inputs[SB_WORKCREATE_OFFSET];
    sb_array *out = result->outputs;
    uint64_t count = sb_ref_pattern_workcreate(offset->data, sb_segments_count(offset),
                                               c->inputs[SB_WORKCREATE_MADE].data, out[SB_WORKCREATE_SEGMENT].data,
                                               out[SB_WORKCREATE_RANK].data, out[SB_WORKCREATE_CREATED].data);

    out[SB_WORKCREATE_SEGMENT].length = out[SB_WORKCREATE_RANK].length = count;
    out[SB_WORKCREATE_CREATED].length = count + 1;
}

/* 6 ns for each segment and for each item. */
static double cost(const sb_case *c)
{
    return 6.0 * (double)(c->inputs[SB_WORKCREATE_OFFSET].length + c->inputs[SB_WORKCREATE_MADE].length);
}

/* pattern.workcreate: offset, made u32[n] -> segment u32[c], rank u32[c], created u64[c + 1]; all three lengths in the
 * result. Item i makes made[i] new items. Each item that makes some becomes a segment of the new items, in order: `segment`
 * and `rank` say which item it was, as pattern.lbs does, and created holds the offsets of the new segments. Every input is
 * valid. */
static const sb_algorithm workcreate = {
    .name = "pattern.workcreate",
    .summary = "the segments of new work that the items of segments make",
    SB_INPUTS([SB_WORKCREATE_OFFSET] = SB_FIELD("offset", SB_U64), [SB_WORKCREATE_MADE] = SB_FIELD("made", SB_U32)),
    SB_OUTPUTS([SB_WORKCREATE_SEGMENT] = SB_FIELD("segment", SB_U32), [SB_WORKCREATE_RANK] = SB_FIELD("rank", SB_U32),
               [SB_WORKCREATE_CREATED] = SB_FIELD("created", SB_U64)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_pattern_workcreate[] = {&workcreate, NULL};
