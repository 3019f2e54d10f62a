/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.merge.
 */
#include "../../ref/pattern_merge.h"
#include "../../common/case.h"
#include "keys.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static const uint64_t pairs[] = {0, 1};
/* The inputs that hold keys; the values of each follow it. */
static const int sequences[] = {SB_MERGE_A_KEYS, SB_MERGE_B_KEYS};

_Static_assert(SB_MERGE_A_VALUES == SB_MERGE_A_KEYS + 1 && SB_MERGE_B_VALUES == SB_MERGE_B_KEYS + 1,
               "the values of a sequence follow its keys");

static sb_ref_type type_of(const sb_case *c)
{
    return (sb_ref_type)c->parameters[SB_SORT_TYPE];
}

static uint64_t value_count(const sb_case *c, int keys)
{
    return c->parameters[SB_SORT_PAIRS] != 0 ? c->inputs[keys].length : 0;
}

/* The references take NULL for a sequence without values. */
static uint32_t *values_of(const sb_array *array)
{
    return array->length != 0 ? array->data : NULL;
}

static bool normalise(sb_case *c)
{
    c->parameters[SB_SORT_PAIRS] %= 2;
    for (int i = 0; i < 2; i++)
        if (!sb_array_resize(&c->inputs[sequences[i] + 1], value_count(c, sequences[i])) ||
            !sb_keys_sort(&c->inputs[sequences[i]], &c->inputs[sequences[i] + 1]))
            return false;
    return true;
}

static bool sequence_shape(const sb_case *c, int at, char *why, size_t size)
{
    const sb_array *keys = &c->inputs[at], *values = &c->inputs[at + 1];
    const char *name = at == SB_MERGE_A_KEYS ? "a" : "b";

    if (values->length != value_count(c, at)) {
        snprintf(why, size, "there are %llu values in %s, not %llu", (unsigned long long)values->length, name,
                 (unsigned long long)value_count(c, at));
        return false;
    }
    return sb_keys_ascend(keys, name, why, size);
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[SB_SORT_KEYS] = c->inputs[SB_MERGE_A_KEYS].length + c->inputs[SB_MERGE_B_KEYS].length;
    capacity[SB_SORT_VALUES] = c->inputs[SB_MERGE_A_VALUES].length + c->inputs[SB_MERGE_B_VALUES].length;
    if (c->parameters[SB_SORT_PAIRS] > 1) {
        snprintf(why, size, "pairs is neither 0 nor 1");
        return false;
    }
    return sequence_shape(c, SB_MERGE_A_KEYS, why, size) && sequence_shape(c, SB_MERGE_B_KEYS, why, size);
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *in = c->inputs;

    sb_ref_pattern_merge(type_of(c), in[SB_MERGE_A_KEYS].data, values_of(&in[SB_MERGE_A_VALUES]),
                         in[SB_MERGE_A_KEYS].length, in[SB_MERGE_B_KEYS].data, values_of(&in[SB_MERGE_B_VALUES]),
                         in[SB_MERGE_B_KEYS].length, result->outputs[SB_SORT_KEYS].data,
                         values_of(&result->outputs[SB_SORT_VALUES]));
}

static double cost(const sb_case *c)
{
    return 10.0 * (double)(c->inputs[SB_MERGE_A_KEYS].length + c->inputs[SB_MERGE_B_KEYS].length);
}

/* pattern.merge: two sorted sequences a and b, each keys and values as of pattern.sort -> one; equal keys of a before those
 * of b. */
static const sb_algorithm merge = {
    .name = "pattern.merge",
    .summary = "two sorted sequences become one, stable, with or without values",
    SB_PARAMETERS([SB_SORT_TYPE] = SB_WORD("type", sb_type_words_sort, SB_U32), [SB_SORT_PAIRS] =
                                                                                    SB_NUMBER("pairs", pairs, 0)),
    SB_INPUTS(
        [SB_MERGE_A_KEYS] = SB_FIELD("a_keys", SB_TYPE_PARAMETER), [SB_MERGE_A_VALUES] = SB_FIELD("a_values", SB_U32),
        [SB_MERGE_B_KEYS] = SB_FIELD("b_keys", SB_TYPE_PARAMETER), [SB_MERGE_B_VALUES] = SB_FIELD("b_values", SB_U32)),
    SB_OUTPUTS([SB_SORT_KEYS] = SB_FIELD("merged_keys", SB_TYPE_PARAMETER), [SB_SORT_VALUES] =
                                                                                SB_FIELD("merged_values", SB_U32)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_pattern_merge[] = {&merge, NULL};
