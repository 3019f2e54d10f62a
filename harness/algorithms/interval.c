/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of interval.expand, interval.gather, interval.scatter and interval.move.
 */
#include "../../ref/interval.h"
#include "../../common/case.h"
#include "code.h"
#include "segments.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static const sb_array *items_of(const sb_case *c)
{
    return &c->inputs[SB_INTERVAL_ITEMS];
}

static const sb_array *offset_of(const sb_case *c)
{
    return &c->inputs[SB_INTERVAL_OFFSET];
}

static size_t size_of(const sb_case *c)
{
    return sb_type_size(items_of(c)->type);
}

/* Are these segments, and no more elements than a case may make? */
static bool output_fits(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t limit = sb_max_decoded(items_of(c)->length + offset_of(c)->length);

    if (!sb_segments_shape(offset_of(c), why, size))
        return false;
    capacity[SB_INTERVAL_OUT] = sb_segments_items(offset_of(c));
    if (capacity[SB_INTERVAL_OUT] <= limit)
        return true;
    snprintf(why, size, "more elements than %llu", (unsigned long long)limit);
    return false;
}

/* 25 ns for each segment, which waits for a random address, and 6 ns for each element. */
static double cost(const sb_case *c)
{
    return 25.0 * (double)offset_of(c)->length + 6.0 * (double)sb_segments_items(offset_of(c));
}

/* expand */

static bool expand_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    if (!output_fits(c, capacity, why, size))
        return false;
    if (items_of(c)->length == sb_segments_count(offset_of(c)))
        return true;
    snprintf(why, size, "there are %llu segments and %llu items", (unsigned long long)sb_segments_count(offset_of(c)),
             (unsigned long long)items_of(c)->length);
    return false;
}

/* As many elements as there were items. */
static bool expand_normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    return expand_shape(c, capacity, why, sizeof why) ||
           (sb_segments_normalise(&c->inputs[SB_INTERVAL_OFFSET], items_of(c)->length) &&
            sb_array_resize(&c->inputs[SB_INTERVAL_ITEMS], sb_segments_count(offset_of(c))));
}

static void expand(const sb_case *c, sb_result *result)
{
    sb_ref_interval_expand(size_of(c), items_of(c)->data, offset_of(c)->data, sb_segments_count(offset_of(c)),
                           result->outputs[SB_INTERVAL_OUT].data);
}

/* What gather and move read */

static bool sources_fit(const sb_case *c, const sb_array *source, char *why, size_t size)
{
    return sb_segments_within(offset_of(c), source, items_of(c)->length, "source", why, size);
}

/* Brings every interval that is read into the items. No segment is longer than these. */
static bool make_sources(sb_case *c, sb_array *source)
{
    const uint64_t *offset = offset_of(c)->data;
    uint64_t *at;

    if (!sb_array_resize(source, sb_segments_count(offset_of(c))))
        return false;
    at = source->data;
    for (uint64_t s = 0; s < source->length; s++)
        at[s] %= items_of(c)->length - (offset[s + 1] - offset[s]) + 1;
    return true;
}

/* gather */

static bool gather_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    return output_fits(c, capacity, why, size) && sources_fit(c, &c->inputs[SB_GATHER_SOURCE], why, size);
}

static bool gather_normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    return gather_shape(c, capacity, why, sizeof why) ||
           (sb_segments_normalise(&c->inputs[SB_INTERVAL_OFFSET], items_of(c)->length) &&
            make_sources(c, &c->inputs[SB_GATHER_SOURCE]));
}

static void gather(const sb_case *c, sb_result *result)
{
    sb_ref_interval_gather(size_of(c), items_of(c)->data, offset_of(c)->data, sb_segments_count(offset_of(c)),
                           c->inputs[SB_GATHER_SOURCE].data, result->outputs[SB_INTERVAL_OUT].data);
}

/* scatter */

static bool scatter_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[SB_INTERVAL_OUT] = items_of(c)->length;
    return sb_segments_fit(offset_of(c), items_of(c)->length, "items", why, size) &&
           sb_segments_tiled(offset_of(c), &c->inputs[SB_SCATTER_TARGET], "target", why, size);
}

static bool scatter_normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    return scatter_shape(c, capacity, why, sizeof why) ||
           (sb_segments_normalise(&c->inputs[SB_INTERVAL_OFFSET], items_of(c)->length) &&
            sb_array_resize(&c->inputs[SB_INTERVAL_ITEMS], sb_segments_items(offset_of(c))) &&
            sb_segments_tile(offset_of(c), &c->inputs[SB_SCATTER_TARGET]));
}

static void scatter(const sb_case *c, sb_result *result)
{
    sb_ref_interval_scatter(size_of(c), items_of(c)->data, offset_of(c)->data, sb_segments_count(offset_of(c)),
                            c->inputs[SB_SCATTER_TARGET].data, result->outputs[SB_INTERVAL_OUT].data);
}

/* move */

static bool move_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    return output_fits(c, capacity, why, size) && sources_fit(c, &c->inputs[SB_MOVE_SOURCE], why, size) &&
           sb_segments_tiled(offset_of(c), &c->inputs[SB_MOVE_TARGET], "target", why, size);
}

static bool move_normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    return move_shape(c, capacity, why, sizeof why) ||
           (sb_segments_normalise(&c->inputs[SB_INTERVAL_OFFSET], items_of(c)->length) &&
            make_sources(c, &c->inputs[SB_MOVE_SOURCE]) && sb_segments_tile(offset_of(c), &c->inputs[SB_MOVE_TARGET]));
}

static void move(const sb_case *c, sb_result *result)
{
    sb_ref_interval_move(size_of(c), items_of(c)->data, offset_of(c)->data, sb_segments_count(offset_of(c)),
                         c->inputs[SB_MOVE_SOURCE].data, c->inputs[SB_MOVE_TARGET].data,
                         result->outputs[SB_INTERVAL_OUT].data);
}

/* interval.*: one interval for each segment of `offset`, n elements in all. type: u8 u32 u64. Every input is valid.
 * interval.expand: items type[segments], offset -> expanded type[n]: element i is the item of its segment.
 * interval.gather: items type[m], offset, source u64[segments] -> gathered type[n]: segment s is read from source[s] on. The
 * intervals read may overlap, and end at m or before.
 * interval.scatter: items type[n], offset, target u64[segments] -> scattered type[n]: segment s is written from target[s]
 * on. The intervals written cover the output: each element is written once.
 * interval.move: items type[m], offset, source, target -> moved type[n]: segment s is copied from source[s] to target[s]. */
static const sb_algorithm interval_expand = {
    .name = "interval.expand",
    .summary = "the item of each segment, once for each element of the segment",
    SB_PARAMETERS([SB_INTERVAL_TYPE] = SB_WORD("type", sb_type_words_copy, SB_U32)),
    SB_INPUTS([SB_INTERVAL_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER), [SB_INTERVAL_OFFSET] =
                                                                              SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_INTERVAL_OUT] = SB_FIELD("expanded", SB_TYPE_PARAMETER)),
    .normalise = expand_normalise,
    .shape = expand_shape,
    .reference = expand,
    .cost = cost,
};

static const sb_algorithm interval_gather = {
    .name = "interval.gather",
    .summary = "segments, each read from a given interval of the items",
    SB_PARAMETERS([SB_INTERVAL_TYPE] = SB_WORD("type", sb_type_words_copy, SB_U32)),
    SB_INPUTS([SB_INTERVAL_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER),
              [SB_INTERVAL_OFFSET] = SB_FIELD("offset", SB_U64), [SB_GATHER_SOURCE] = SB_FIELD("source", SB_U64)),
    SB_OUTPUTS([SB_INTERVAL_OUT] = SB_FIELD("gathered", SB_TYPE_PARAMETER)),
    .normalise = gather_normalise,
    .shape = gather_shape,
    .reference = gather,
    .cost = cost,
};

static const sb_algorithm interval_scatter = {
    .name = "interval.scatter",
    .summary = "segments, each written to a given interval of the result",
    SB_PARAMETERS([SB_INTERVAL_TYPE] = SB_WORD("type", sb_type_words_copy, SB_U32)),
    SB_INPUTS([SB_INTERVAL_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER),
              [SB_INTERVAL_OFFSET] = SB_FIELD("offset", SB_U64), [SB_SCATTER_TARGET] = SB_FIELD("target", SB_U64)),
    SB_OUTPUTS([SB_INTERVAL_OUT] = SB_FIELD("scattered", SB_TYPE_PARAMETER)),
    .normalise = scatter_normalise,
    .shape = scatter_shape,
    .reference = scatter,
    .cost = cost,
};

static const sb_algorithm interval_move = {
    .name = "interval.move",
    .summary = "segments, each copied from one given interval to another",
    SB_PARAMETERS([SB_INTERVAL_TYPE] = SB_WORD("type", sb_type_words_copy, SB_U32)),
    SB_INPUTS([SB_INTERVAL_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER),
              [SB_INTERVAL_OFFSET] = SB_FIELD("offset", SB_U64), [SB_MOVE_SOURCE] = SB_FIELD("source", SB_U64),
              [SB_MOVE_TARGET] = SB_FIELD("target", SB_U64)),
    SB_OUTPUTS([SB_INTERVAL_OUT] = SB_FIELD("moved", SB_TYPE_PARAMETER)),
    .normalise = move_normalise,
    .shape = move_shape,
    .reference = move,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_interval[] = {&interval_expand, &interval_gather, &interval_scatter,
                                                              &interval_move, NULL};
