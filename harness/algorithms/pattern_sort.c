/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.sort.
 */
#include "../../ref/pattern_sort.h"
#include "../../common/case.h"
#include "code.h"
#include <math.h>
#include <samebits/algorithms.h>
#include <stdio.h>

static const uint64_t pairs[] = {0, 1};

static uint64_t value_count(const sb_case *c)
{
    return c->parameters[SB_SORT_PAIRS] != 0 ? c->inputs[SB_SORT_KEYS].length : 0;
}

static bool normalise(sb_case *c)
{
    c->parameters[SB_SORT_PAIRS] %= 2;
    return sb_array_resize(&c->inputs[SB_SORT_VALUES], value_count(c));
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[SB_SORT_KEYS] = c->inputs[SB_SORT_KEYS].length;
    capacity[SB_SORT_VALUES] = c->inputs[SB_SORT_VALUES].length;
    if (c->parameters[SB_SORT_PAIRS] > 1) {
        snprintf(why, size, "pairs is neither 0 nor 1");
        return false;
    }
    if (c->inputs[SB_SORT_VALUES].length != value_count(c)) {
        snprintf(why, size, "there are %llu values, not %llu", (unsigned long long)c->inputs[SB_SORT_VALUES].length,
                 (unsigned long long)value_count(c));
        return false;
    }
    return true;
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *keys = &c->inputs[SB_SORT_KEYS], *values = &c->inputs[SB_SORT_VALUES];

    sb_set_status(result,
                  sb_ref_pattern_sort((sb_ref_type)c->parameters[SB_SORT_TYPE], keys->data,
                                      values->length != 0 ? values->data : NULL, keys->length,
                                      result->outputs[SB_SORT_KEYS].data, result->outputs[SB_SORT_VALUES].data),
                  "any keys are valid");
}

/* 8 ns for each key in each of log2(n) merges. */
static double cost(const sb_case *c)
{
    double n = (double)c->inputs[SB_SORT_KEYS].length;

    return 8 * n * log2(n + 2);
}

/* pattern.sort: keys type[n], values u32[pairs ? n : 0] -> the same arrays in ascending order of keys, stable. type: u32 i32
 * u64 f32; parameter pairs is 0 or 1. */
static const sb_algorithm sort = {
    .name = "pattern.sort",
    .summary = "keys in ascending order, stable, with or without values",
    SB_PARAMETERS([SB_SORT_TYPE] = SB_WORD("type", sb_type_words_sort, SB_U32), [SB_SORT_PAIRS] =
                                                                                    SB_NUMBER("pairs", pairs, 0)),
    SB_INPUTS([SB_SORT_KEYS] = SB_FIELD("keys", SB_TYPE_PARAMETER), [SB_SORT_VALUES] = SB_FIELD("values", SB_U32)),
    SB_OUTPUTS([SB_SORT_KEYS] = SB_FIELD("sorted_keys", SB_TYPE_PARAMETER), [SB_SORT_VALUES] =
                                                                                SB_FIELD("sorted_values", SB_U32)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
    .reads_all = true,
};

const sb_algorithm *const sb_harness_algorithms_pattern_sort[] = {&sort, NULL};
