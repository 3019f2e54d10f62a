/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.segsort.
 */
#include "../../ref/pattern_segsort.h"
#include "../../common/case.h"
#include "code.h"
#include "segments.h"
#include <math.h>
#include <samebits/algorithms.h>
#include <stdio.h>

static const char *const modes[] = {
    [SB_SEGSORT_MODE_KEYS] = "keys", [SB_SEGSORT_MODE_PAIRS] = "pairs", [SB_SEGSORT_MODE_INDICES] = "indices", NULL};

static uint64_t value_count(const sb_case *c)
{
    return c->parameters[SB_SEGSORT_MODE] == SB_SEGSORT_MODE_PAIRS ? c->inputs[SB_SEGSORT_KEYS].length : 0;
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_SEGSORT_KEYS].length, values = c->inputs[SB_SEGSORT_VALUES].length;

    capacity[SB_SEGSORT_KEYS] = n;
    capacity[SB_SEGSORT_VALUES] = c->parameters[SB_SEGSORT_MODE] != SB_SEGSORT_MODE_KEYS ? n : 0;
    if (values != value_count(c)) {
        snprintf(why, size, "there are %llu values, not %llu", (unsigned long long)values,
                 (unsigned long long)value_count(c));
        return false;
    }
    return sb_segments_fit(&c->inputs[SB_SEGSORT_OFFSET], n, "keys", why, size);
}

static bool normalise(sb_case *c)
{
    sb_array *keys = &c->inputs[SB_SEGSORT_KEYS], *offset = &c->inputs[SB_SEGSORT_OFFSET];
    char why[128];

    return (sb_segments_fit(offset, keys->length, "keys", why, sizeof why) ||
            (sb_segments_normalise(offset, keys->length) && sb_array_resize(keys, sb_segments_items(offset)))) &&
           sb_array_resize(&c->inputs[SB_SEGSORT_VALUES], value_count(c));
}

static void reference(const sb_case *c, sb_result *result)
{
    sb_ref_type type = (sb_ref_type)c->parameters[SB_SEGSORT_TYPE];
    const sb_array *values = &c->inputs[SB_SEGSORT_VALUES], *offset = &c->inputs[SB_SEGSORT_OFFSET];
    const void *keys = c->inputs[SB_SEGSORT_KEYS].data;
    void *sorted_keys = result->outputs[SB_SEGSORT_KEYS].data;
    uint32_t *sorted_values = result->outputs[SB_SEGSORT_VALUES].data;
    sb_ref_status status;

    if (c->parameters[SB_SEGSORT_MODE] == SB_SEGSORT_MODE_INDICES)
        status = sb_ref_pattern_segsort_indices(type, keys, offset->data, sb_segments_count(offset), sorted_keys,
                                                sorted_values);
    else
        status = sb_ref_pattern_segsort(type, keys, values->length != 0 ? values->data : NULL, offset->data,
                                        sb_segments_count(offset), sorted_keys, sorted_values);
    sb_set_status(result, status, "any keys are valid");
}

/* 40 ns for each segment, which allocates memory, and 12 ns for each key in each of the merges of a segment of the average
 * length. */
static double cost(const sb_case *c)
{
    double n = (double)c->inputs[SB_SEGSORT_KEYS].length, offsets = (double)c->inputs[SB_SEGSORT_OFFSET].length;

    return 40 * offsets + 12 * n * log2(n / offsets + 1);
}

/* pattern.segsort: keys type[n], values u32[mode is pairs ? n : 0], offset -> sorted_keys type[n], sorted_values
 * u32[mode is keys ? 0 : n]: each segment in ascending order of keys, stable. Mode indices gives the index that each key
 * had in `keys`. type: u32 i32 u64 f32. Every input is valid. */
static const sb_algorithm segsort = {
    .name = "pattern.segsort",
    .summary = "the keys of each segment in ascending order, stable, with values, with indices, or alone",
    SB_PARAMETERS([SB_SEGSORT_TYPE] = SB_WORD("type", sb_type_words_sort, SB_U32), [SB_SEGSORT_MODE] =
                                                                                       SB_WORD("mode", modes,
                                                                                               SB_SEGSORT_MODE_KEYS)),
    SB_INPUTS([SB_SEGSORT_KEYS] = SB_FIELD("keys", SB_TYPE_PARAMETER), [SB_SEGSORT_VALUES] = SB_FIELD("values", SB_U32),
              [SB_SEGSORT_OFFSET] = SB_FIELD("offset", SB_U64)),
    SB_OUTPUTS([SB_SEGSORT_KEYS] = SB_FIELD("sorted_keys", SB_TYPE_PARAMETER), [SB_SEGSORT_VALUES] =
                                                                                   SB_FIELD("sorted_values", SB_U32)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_pattern_segsort[] = {&segsort, NULL};
