/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.join.
 */
#include "../../ref/pattern_join.h"
#include "../../common/case.h"
#include "keys.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static uint64_t count_pairs(const sb_case *c)
{
    const sb_array *a = &c->inputs[SB_JOIN_A_KEYS], *b = &c->inputs[SB_JOIN_B_KEYS];

    return sb_ref_pattern_join((sb_ref_type)c->parameters[SB_JOIN_TYPE], a->data, a->length, b->data, b->length, NULL,
                               NULL);
}

/* m equal keys on both sides make m * m pairs. A case may have so many pairs that it takes the memory and the time of a few
 * times its keys, and 64 by 64 equal keys in any case. */
static uint64_t max_pairs(const sb_case *c)
{
    return 16 * (c->inputs[SB_JOIN_A_KEYS].length + c->inputs[SB_JOIN_B_KEYS].length) + 4096;
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *a = &c->inputs[SB_JOIN_A_KEYS], *b = &c->inputs[SB_JOIN_B_KEYS];
    uint64_t pairs;

    if (a->length > UINT32_MAX || b->length > UINT32_MAX) {
        snprintf(why, size, "2^32 keys, or more");
        return false;
    }
    if (!sb_keys_ascend(a, "a_keys", why, size) || !sb_keys_ascend(b, "b_keys", why, size))
        return false;
    pairs = count_pairs(c);
    if (pairs > max_pairs(c)) {
        snprintf(why, size, "%llu pairs are more than %llu", (unsigned long long)pairs,
                 (unsigned long long)max_pairs(c));
        return false;
    }
    capacity[SB_JOIN_A_INDEX] = capacity[SB_JOIN_B_INDEX] = pairs + pairs / 16 + 1; /* so it does not tell the result */
    return true;
}

/* Halves b until the pairs are few enough. */
static bool normalise(sb_case *c)
{
    sb_array *b = &c->inputs[SB_JOIN_B_KEYS];
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    if (shape(c, capacity, why, sizeof why))
        return true;
    if (!sb_keys_make_common(&c->inputs[SB_JOIN_A_KEYS], b))
        return false;
    while (count_pairs(c) > max_pairs(c))
        if (!sb_array_resize(b, b->length / 2))
            return false;
    return true;
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *a = &c->inputs[SB_JOIN_A_KEYS], *b = &c->inputs[SB_JOIN_B_KEYS];
    sb_array *out = result->outputs;

    out[SB_JOIN_A_INDEX].length = out[SB_JOIN_B_INDEX].length =
        sb_ref_pattern_join((sb_ref_type)c->parameters[SB_JOIN_TYPE], a->data, a->length, b->data, b->length,
                            out[SB_JOIN_A_INDEX].data, out[SB_JOIN_B_INDEX].data);
}

/* 12 ns for each key: b is walked through twice. */
static double cost(const sb_case *c)
{
    return 12.0 * (double)(c->inputs[SB_JOIN_A_KEYS].length + c->inputs[SB_JOIN_B_KEYS].length);
}

/* pattern.join: a_keys type[m], b_keys type[n], both ascending -> a_index u32[c], b_index u32[c], both lengths in the result:
 * the indices of all pairs of equal keys, ordered by a_index, then by b_index. type: u32 i32 u64 f32. Every input is valid.
 */
static const sb_algorithm join = {
    .name = "pattern.join",
    .summary = "inner join: the indices of all pairs of equal keys of two sorted arrays",
    SB_PARAMETERS([SB_JOIN_TYPE] = SB_WORD("type", sb_type_words_sort, SB_U32)),
    SB_INPUTS([SB_JOIN_A_KEYS] = SB_FIELD("a_keys", SB_TYPE_PARAMETER), [SB_JOIN_B_KEYS] =
                                                                            SB_FIELD("b_keys", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_JOIN_A_INDEX] = SB_FIELD("a_index", SB_U32), [SB_JOIN_B_INDEX] = SB_FIELD("b_index", SB_U32)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_pattern_join[] = {&join, NULL};
