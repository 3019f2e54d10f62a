/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.reduce.
 */
#include "../../ref/pattern_reduce.h"
#include "../../common/algorithm.h"
#include "pattern_fold.h"
#include <samebits/algorithms.h>

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[SB_REDUCE_VALUE] = 1;
    return sb_fold_shape(c, why, size);
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *items = &c->inputs[SB_REDUCE_ITEMS];

    sb_ref_pattern_reduce((sb_ref_type)c->parameters[SB_REDUCE_TYPE], (sb_ref_op)c->parameters[SB_REDUCE_OP],
                          items->data, items->length, result->outputs[SB_REDUCE_VALUE].data);
}

static bool within(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size)
{
    (void)expected;
    return sb_fold_within(c, &got->outputs[SB_REDUCE_VALUE], c->inputs[SB_REDUCE_ITEMS].length, "value", why, size);
}

/* pattern.reduce: items type[n] -> value type[1]. pattern.scan: items type[n] -> result type[n], total type[1];
 * parameter inclusive is 0 or 1. Pairs of type and op: add min max xor on u32 i32 u64; add on f32 f64; compose on
 * affine, the first item first: f then g is (a_f a_g, a_g b_f + b_g). No items give the operator's identity. Sums of
 * floats may differ within the error bound of ref/sum.h. */
static const sb_algorithm reduce = {
    .name = "pattern.reduce",
    .summary = "all items combined by an associative operator, in order",
    SB_PARAMETERS([SB_REDUCE_TYPE] = SB_WORD("type", sb_type_words_op, SB_U32), [SB_REDUCE_OP] = SB_WORD(
                                                                                    "op", sb_fold_ops, SB_OP_ADD)),
    SB_INPUTS([SB_REDUCE_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_REDUCE_VALUE] = SB_FIELD("value", SB_TYPE_PARAMETER)),
    .normalise = sb_fold_normalise,
    .shape = shape,
    .reference = reference,
    .cost = sb_fold_cost,
    .within = within,
    .reads_all = true,
};

const sb_algorithm *const sb_harness_algorithms_pattern_reduce[] = {&reduce, NULL};
