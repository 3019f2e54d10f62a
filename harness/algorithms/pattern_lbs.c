/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.lbs.
 */
#include "../../ref/pattern_lbs.h"
#include "code.h"
#include "segments.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *offset = &c->inputs[SB_LBS_OFFSET];

    if (!sb_segments_shape(offset, why, size))
        return false;
    capacity[SB_LBS_SEGMENT] = capacity[SB_LBS_RANK] = sb_segments_items(offset);
    if (sb_segments_items(offset) <= sb_max_decoded(offset->length))
        return true;
    snprintf(why, size, "more items than %llu", (unsigned long long)sb_max_decoded(offset->length));
    return false;
}

static bool normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    if (shape(c, capacity, why, sizeof why))
        return true;
    return sb_segments_normalise(&c->inputs[SB_LBS_OFFSET], c->inputs[SB_LBS_OFFSET].length);
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *offset = &c->inputs[SB_LBS_OFFSET];

    sb_ref_pattern_lbs(offset->data, sb_segments_count(offset), result->outputs[SB_LBS_SEGMENT].data,
                       result->outputs[SB_LBS_RANK].data);
}

/* 7 ns for each segment, 1.5 ns for each item. */
static double cost(const sb_case *c)
{
    const sb_array *offset = &c->inputs[SB_LBS_OFFSET];

    return 7.0 * (double)offset->length + 1.5 * (double)sb_segments_items(offset);
}

/* Segments. offset u64[segments + 1] cuts n items into segments, as row_offset cuts the elements of a matrix: the items of
 * segment s are offset[s] .. offset[s + 1] - 1; offset[0] is 0, the last is n. A segment may be empty. n < 2^32.
 *
 * pattern.lbs: offset -> segment u32[n], rank u32[n]: the segment of each item, and its index in this segment. Every input
 * is valid. */
static const sb_algorithm lbs = {
    .name = "pattern.lbs",
    .summary = "load-balancing search: the segment of each item, and its index there",
    SB_INPUTS([SB_LBS_OFFSET] = SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_LBS_SEGMENT] = SB_FIELD("segment", SB_U32), [SB_LBS_RANK] = SB_FIELD("rank", SB_U32)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_pattern_lbs[] = {&lbs, NULL};
