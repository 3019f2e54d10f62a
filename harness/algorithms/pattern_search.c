/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of pattern.search.
 */
#include "../../ref/pattern_search.h"
#include "../../common/case.h"
#include "keys.h"
#include <samebits/algorithms.h>
#include <stdio.h>

_Static_assert((int)SB_REF_BOUND_LOWER == (int)SB_BOUND_LOWER && (int)SB_REF_BOUND_UPPER == (int)SB_BOUND_UPPER,
               "bounds have the same values");

static const char *const bounds[] = {[SB_BOUND_LOWER] = "lower", [SB_BOUND_UPPER] = "upper", NULL};
static const uint64_t match[] = {0, 1};

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    const sb_array *needles = &c->inputs[SB_SEARCH_NEEDLES], *haystack = &c->inputs[SB_SEARCH_HAYSTACK];

    capacity[SB_SEARCH_INDEX] = needles->length;
    capacity[SB_SEARCH_MATCHED] = c->parameters[SB_SEARCH_MATCH] != 0 ? needles->length : 0;
    if (c->parameters[SB_SEARCH_MATCH] > 1) {
        snprintf(why, size, "match is neither 0 nor 1");
        return false;
    }
    if (haystack->length > UINT32_MAX) {
        snprintf(why, size, "2^32 keys in haystack, or more");
        return false;
    }
    return sb_keys_ascend(needles, "needles", why, size) && sb_keys_ascend(haystack, "haystack", why, size);
}

static bool normalise(sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[128];

    if (shape(c, capacity, why, sizeof why))
        return true;
    c->parameters[SB_SEARCH_MATCH] %= 2;
    return sb_keys_make_common(&c->inputs[SB_SEARCH_NEEDLES], &c->inputs[SB_SEARCH_HAYSTACK]);
}

static void reference(const sb_case *c, sb_result *result)
{
    const sb_array *needles = &c->inputs[SB_SEARCH_NEEDLES], *haystack = &c->inputs[SB_SEARCH_HAYSTACK];

    sb_ref_pattern_search((sb_ref_type)c->parameters[SB_SEARCH_TYPE], (sb_ref_bound)c->parameters[SB_SEARCH_BOUND],
                          needles->data, needles->length, haystack->data, haystack->length,
                          result->outputs[SB_SEARCH_INDEX].data,
                          c->parameters[SB_SEARCH_MATCH] != 0 ? result->outputs[SB_SEARCH_MATCHED].data : NULL);
}

/* 12 ns for each key: the haystack is walked through twice. */
static double cost(const sb_case *c)
{
    return 12.0 * (double)(c->inputs[SB_SEARCH_NEEDLES].length + c->inputs[SB_SEARCH_HAYSTACK].length);
}

/* pattern.search: needles type[m], haystack type[n], both ascending, n < 2^32 -> index u32[m], matched u8[match ? m : 0].
 * index: how many keys of the haystack are less than the needle (lower), or not greater (upper). matched: 1 if a key of the
 * haystack is equal to the needle, else 0. type: u32 i32 u64 f32; parameter match is 0 or 1. Every input is valid. */
static const sb_algorithm search = {
    .name = "pattern.search",
    .summary = "the lower or upper bound of each sorted needle in a sorted haystack",
    SB_PARAMETERS([SB_SEARCH_TYPE] = SB_WORD("type", sb_type_words_sort, SB_U32),
                  [SB_SEARCH_BOUND] = SB_WORD("bound", bounds, SB_BOUND_LOWER),
                  [SB_SEARCH_MATCH] = SB_NUMBER("match", match, 0)),
    SB_INPUTS([SB_SEARCH_NEEDLES] = SB_FIELD("needles", SB_TYPE_PARAMETER), [SB_SEARCH_HAYSTACK] = SB_FIELD(
                                                                                "haystack", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_SEARCH_INDEX] = SB_FIELD("index", SB_U32), [SB_SEARCH_MATCHED] = SB_FIELD("matched", SB_U8)),
    .normalise = normalise,
    .shape = shape,
    .reference = reference,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_pattern_search[] = {&search, NULL};
