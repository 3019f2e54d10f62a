/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.segreduce. Each segment is judged on its own, as pattern.reduce judges its items.
 */
#include "../../ref/pattern_segreduce.h"
#include "../../common/case.h"
#include "pattern_fold.h"
#include "segments.h"
#include <samebits/algorithms.h>
#include <string.h>

/* The items of a segment, in place. */
static sb_array items_of(const sb_case *c, uint64_t s)
{
    const sb_array *items = &c->inputs[SB_SEGREDUCE_ITEMS];
    const uint64_t *offset = c->inputs[SB_SEGREDUCE_OFFSET].data;
    sb_array segment = {.type = items->type, .length = offset[s + 1] - offset[s]};

    if (segment.length > 0)
        segment.data = (char *)items->data + offset[s] * sb_type_size(items->type);
    return segment;
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *offset = &c->inputs[SB_SEGREDUCE_OFFSET];

    if (!sb_fold_has_operator(c, why, size) ||
        !sb_segments_fit(offset, c->inputs[SB_SEGREDUCE_ITEMS].length, "items", why, size))
        return false;
    capacity[SB_SEGREDUCE_VALUE] = sb_segments_count(offset);
    for (uint64_t s = 0; s < sb_segments_count(offset); s++) {
        sb_array items = items_of(c, s);

        if (!sb_fold_items_fit(&items, why, size))
            return false;
    }
    return true;
}

static bool normalise(sb_case *c)
{
    sb_array *items = &c->inputs[SB_SEGREDUCE_ITEMS], *offset = &c->inputs[SB_SEGREDUCE_OFFSET];
    char why[128];

    sb_fold_make_operator(c);
    if (!sb_segments_fit(offset, items->length, "items", why, sizeof why) &&
        (!sb_segments_normalise(offset, items->length) || !sb_array_resize(items, sb_segments_items(offset))))
        return false;
    for (uint64_t s = 0; s < sb_segments_count(offset); s++) {
        sb_array segment = items_of(c, s);

        sb_fold_make_items(&segment);
    }
    return true;
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *offset = &c->inputs[SB_SEGREDUCE_OFFSET];

    sb_ref_pattern_segreduce((sb_ref_type)c->parameters[SB_SEGREDUCE_TYPE], (sb_ref_op)c->parameters[SB_SEGREDUCE_OP],
                             c->inputs[SB_SEGREDUCE_ITEMS].data, offset->data, sb_segments_count(offset),
                             result->outputs[SB_SEGREDUCE_VALUE].data);
}

static bool within(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size)
{
    const sb_array *right = &expected->outputs[SB_SEGREDUCE_VALUE], *values = &got->outputs[SB_SEGREDUCE_VALUE];
    size_t bytes = sb_type_size(values->type);

    for (uint64_t s = 0; s < values->length; s++) {
        sb_array items = items_of(c, s);

        if (memcmp((char *)right->data + s * bytes, (char *)values->data + s * bytes, bytes) != 0 &&
            !sb_fold_sum_within(&items, values, s, "value", why, size))
            return false;
    }
    return true;
}

/* 10 ns for each segment and for each item. */
static double cost(const sb_case *c)
{
    return 10.0 * (double)c->inputs[SB_SEGREDUCE_OFFSET].length + sb_fold_cost(c);
}

/* pattern.segreduce: items type[n], offset -> value type[segments]: each segment reduced as by pattern.reduce, whose pairs
 * of type and op these are. An empty segment gives the identity. Every input is valid. */
static const sb_algorithm segreduce = {
    .name = "pattern.segreduce",
    .summary = "the items of each segment combined by an associative operator, in order",
    SB_PARAMETERS([SB_SEGREDUCE_TYPE] = SB_WORD("type", sb_type_words_op, SB_U32), [SB_SEGREDUCE_OP] = SB_WORD(
                                                                                       "op", sb_fold_ops, SB_OP_ADD)),
    SB_INPUTS([SB_SEGREDUCE_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER), [SB_SEGREDUCE_OFFSET] =
                                                                               SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_SEGREDUCE_VALUE] = SB_FIELD("value", SB_TYPE_PARAMETER)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
    .within = within,
};

const sb_algorithm *const sb_harness_algorithms_pattern_segreduce[] = {&segreduce, NULL};
