/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.compact.
 */
#include "../../ref/pattern_compact.h"
#include "../../common/algorithm.h"
#include <samebits/algorithms.h>

_Static_assert((int)SB_REF_KEEP_LESS == (int)SB_KEEP_LESS && (int)SB_REF_KEEP_ODD == (int)SB_KEEP_ODD &&
                   (int)SB_REF_KEEP_UNIQUE == (int)SB_KEEP_UNIQUE,
               "predicates have the same values");

static const char *const keeps[] = {"less", "odd", "unique", NULL};
/* Both ends, the signed middle and 1.0 of a 32-bit type, and the same of a 64-bit type. */
static const uint64_t limits[] = {0, 4, 0x3f800000, 0x80000000, UINT32_MAX, (uint64_t)1 << 63, UINT64_MAX};

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    capacity[SB_COMPACT_KEPT] = c->inputs[SB_COMPACT_ITEMS].length;
    return true;
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *items = &c->inputs[SB_COMPACT_ITEMS];
    sb_array *kept = &result->outputs[SB_COMPACT_KEPT];

    kept->length =
        sb_ref_pattern_compact((sb_ref_type)c->parameters[SB_COMPACT_TYPE], (sb_ref_keep)c->parameters[SB_COMPACT_KEEP],
                               c->parameters[SB_COMPACT_LIMIT], items->data, items->length, kept->data);
}

/* 18 ns for each item: no branch predicts which ones are kept. */
static double cost(const sb_case *c)
{
    return 18.0 * (double)c->inputs[SB_COMPACT_ITEMS].length;
}

static const sb_algorithm compact = {
    .name = "pattern.compact",
    .summary = "the items that a predicate keeps, in their order",
    .parameters = {{"type", sb_type_words_sort, NULL, 0, SB_U32},
                   {"keep", keeps, NULL, 0, SB_KEEP_LESS},
                   {"limit", NULL, limits, sizeof limits / sizeof *limits, 0x80000000}},
    .inputs = {{"items", SB_TYPE_PARAMETER}},
    .outputs = {{"kept", SB_TYPE_PARAMETER}},
    .shape = shape,
    .reference = reference,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_pattern_compact[] = {&compact, NULL};
