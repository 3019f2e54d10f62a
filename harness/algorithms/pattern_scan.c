/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.scan.
 */
#include "../../ref/pattern_scan.h"
#include "../../common/algorithm.h"
#include "pattern_fold.h"
#include <samebits/algorithms.h>
#include <stdio.h>

static const uint64_t inclusive[] = {0, 1};

static bool normalise(sb_case *c)
{
    c->parameters[SB_SCAN_INCLUSIVE] %= 2;
    return sb_fold_normalise(c);
}

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[SB_SCAN_RESULT] = c->inputs[SB_SCAN_ITEMS].length;
    capacity[SB_SCAN_TOTAL] = 1;
    if (c->parameters[SB_SCAN_INCLUSIVE] > 1) {
        snprintf(why, size, "inclusive is neither 0 nor 1");
        return false;
    }
    return sb_fold_shape(c, why, size);
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *items = &c->inputs[SB_SCAN_ITEMS];

    sb_ref_pattern_scan((sb_ref_type)c->parameters[SB_SCAN_TYPE], (sb_ref_op)c->parameters[SB_SCAN_OP],
                        c->parameters[SB_SCAN_INCLUSIVE] != 0, items->data, items->length,
                        result->outputs[SB_SCAN_RESULT].data, result->outputs[SB_SCAN_TOTAL].data);
}

static bool within(const sb_case *c, const sb_result *expected, const sb_result *got, char *why, size_t size)
{
    (void)expected;
    return sb_fold_within(c, &got->outputs[SB_SCAN_RESULT], c->parameters[SB_SCAN_INCLUSIVE], "result", why, size) &&
           sb_fold_within(c, &got->outputs[SB_SCAN_TOTAL], c->inputs[SB_SCAN_ITEMS].length, "total", why, size);
}

static const sb_algorithm scan = {
    .name = "pattern.scan",
    .summary = "all prefixes combined by an associative operator, and the total",
    SB_PARAMETERS([SB_SCAN_TYPE] = SB_WORD("type", sb_type_words_op, SB_U32),
                  [SB_SCAN_OP] = SB_WORD("op", sb_fold_ops, SB_OP_ADD),
                  [SB_SCAN_INCLUSIVE] = SB_NUMBER("inclusive", inclusive, 0)),
    SB_INPUTS([SB_SCAN_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_SCAN_RESULT] = SB_FIELD("result", SB_TYPE_PARAMETER), [SB_SCAN_TOTAL] =
                                                                             SB_FIELD("total", SB_TYPE_PARAMETER)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = sb_fold_cost,
    .within = within,
    .reads_all = true,
};

const sb_algorithm *const sb_harness_algorithms_pattern_scan[] = {&scan, NULL};
