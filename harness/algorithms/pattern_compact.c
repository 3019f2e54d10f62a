/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.compact.
 */
#include "../../ref/pattern_compact.h"
#include "../../common/algorithm.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)SB_REF_KEEP_LESS == (int)SB_KEEP_LESS && (int)SB_REF_KEEP_ODD == (int)SB_KEEP_ODD &&
                   (int)SB_REF_KEEP_UNIQUE == (int)SB_KEEP_UNIQUE,
               "predicates have the same values");

static const char *const keeps[] = {[SB_KEEP_LESS] = "less", [SB_KEEP_ODD] = "odd", [SB_KEEP_UNIQUE] = "unique", NULL};
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

/* One walk through both arrays: the items that are kept stand in the result, in this order, and nothing stands behind them.
 * This takes as long as the reference, but no memory for another result: 2^32 items are then judged. */
static bool certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    const sb_array *items = &c->inputs[SB_COMPACT_ITEMS], *kept = &result->outputs[SB_COMPACT_KEPT];
    size_t bytes = sb_type_size(items->type);
    uint64_t count = 0;

    for (uint64_t i = 0; i < items->length; i++) {
        if (!sb_ref_pattern_compact_keeps((sb_ref_type)c->parameters[SB_COMPACT_TYPE],
                                          (sb_ref_keep)c->parameters[SB_COMPACT_KEEP], c->parameters[SB_COMPACT_LIMIT],
                                          items->data, i))
            continue;
        if (count == kept->length ||
            memcmp((char *)items->data + i * bytes, (char *)kept->data + count * bytes, bytes) != 0) {
            snprintf(why, size, "items[%llu] is not kept[%llu]", (unsigned long long)i, (unsigned long long)count);
            return false;
        }
        count++;
    }
    if (count == kept->length)
        return true;
    snprintf(why, size, "%llu items are kept, not %llu", (unsigned long long)count, (unsigned long long)kept->length);
    return false;
}

/* 18 ns for each item: no branch predicts which ones are kept. */
static double cost(const sb_case *c)
{
    return 18.0 * (double)c->inputs[SB_COMPACT_ITEMS].length;
}

/* pattern.compact: items type[n] -> kept type[c], length in the result: the items that the predicate `keep` is true for, in
 * their order. less: the item is less than the key whose bits are `limit` (for types of 32 bits its low 32 bits). odd: the
 * lowest bit of the item is 1. unique: it is the first item, or its bits differ from those of the item before it.
 * type: u32 i32 u64 f32. Every input is valid. */
static const sb_algorithm compact = {
    .name = "pattern.compact",
    .summary = "the items that a predicate keeps, in their order",
    SB_PARAMETERS([SB_COMPACT_TYPE] = SB_WORD("type", sb_type_words_sort, SB_U32),
                  [SB_COMPACT_KEEP] = SB_WORD("keep", keeps, SB_KEEP_LESS),
                  [SB_COMPACT_LIMIT] = SB_NUMBER("limit", limits, 0x80000000)),
    SB_INPUTS([SB_COMPACT_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_COMPACT_KEPT] = SB_FIELD("kept", SB_TYPE_PARAMETER)),
    .shape = shape,
    .reference = reference,
    .cost = cost,
    .certify = certify,
};

const sb_algorithm *const sb_harness_algorithms_pattern_compact[] = {&compact, NULL};
