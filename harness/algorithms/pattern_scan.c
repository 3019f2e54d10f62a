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
    .parameters = {{"type", sb_type_words_op, NULL, 0, SB_U32},
                   {"op", sb_fold_ops, NULL, 0, SB_OP_ADD},
                   {"inclusive", NULL, inclusive, sizeof inclusive / sizeof *inclusive, 0}},
    .inputs = {{"items", SB_TYPE_PARAMETER}},
    .outputs = {{"result", SB_TYPE_PARAMETER}, {"total", SB_TYPE_PARAMETER}},
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = sb_fold_cost,
    .within = within,
};

const sb_algorithm *const sb_harness_algorithms_pattern_scan[] = {&scan, NULL};
