/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.search/galloping: contract in ref/pattern_search.h.
 *
 * The bounds of ascending needles ascend, so the search for each goes on from the bound of the one before: it looks 1, 2, 4, ...
 * keys ahead until it has passed the bound, and then searches by halves in between. If the next bound is d keys ahead, this takes
 * about 2 log2(d) comparisons. So few needles in a long haystack are found without reading all of it, and as many needles as keys
 * take a constant number each.
 *
 * Source: J. Bentley and A. Yao, "An almost optimal algorithm for unbounded searching", 1976.
 */
#include "order.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <stddef.h>

#define DEFINE_SEARCH(TYPE, WORD)                                                                                      \
    /* Is haystack[at] in front of the bound of the needle? */                                                         \
    static inline bool before_##TYPE(const WORD *haystack, uint64_t at, WORD needle, bool upper)                       \
    {                                                                                                                  \
        WORD key = sb_order_##TYPE(haystack[at]), bound = sb_order_##TYPE(needle);                                     \
                                                                                                                       \
        return upper ? key <= bound : key < bound;                                                                     \
    }                                                                                                                  \
                                                                                                                       \
    static void search_##TYPE(const WORD *needles, uint64_t m, const WORD *haystack, uint64_t n, bool upper,           \
                              uint32_t *index, uint8_t *matched)                                                       \
    {                                                                                                                  \
        uint64_t low = 0; /* all keys in front of it are in front of the bound */                                      \
                                                                                                                       \
        for (uint64_t i = 0; i < m; i++) {                                                                             \
            uint64_t step = 1, high;                                                                                   \
                                                                                                                       \
            while (step <= n - low && before_##TYPE(haystack, low + step - 1, needles[i], upper)) {                    \
                low += step;                                                                                           \
                step *= 2;                                                                                             \
            }                                                                                                          \
            high = step <= n - low ? low + step - 1 : n;                                                               \
            while (low < high) {                                                                                       \
                uint64_t middle = low + (high - low) / 2;                                                              \
                                                                                                                       \
                if (before_##TYPE(haystack, middle, needles[i], upper))                                                \
                    low = middle + 1;                                                                                  \
                else                                                                                                   \
                    high = middle;                                                                                     \
            }                                                                                                          \
            index[i] = (uint32_t)low;                                                                                  \
            if (matched != NULL)                                                                                       \
                matched[i] =                                                                                           \
                    upper ? low > 0 && haystack[low - 1] == needles[i] : low < n && haystack[low] == needles[i];       \
        }                                                                                                              \
    }
DEFINE_SEARCH(u32, uint32_t)
DEFINE_SEARCH(i32, uint32_t)
DEFINE_SEARCH(f32, uint32_t)
DEFINE_SEARCH(u64, uint64_t)

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const void *needles = inputs[SB_SEARCH_NEEDLES].data, *haystack = inputs[SB_SEARCH_HAYSTACK].data;
    uint64_t m = inputs[SB_SEARCH_NEEDLES].length, n = inputs[SB_SEARCH_HAYSTACK].length;
    uint32_t *index = outputs[SB_SEARCH_INDEX].data;
    uint8_t *matched = parameters[SB_SEARCH_MATCH] != 0 ? outputs[SB_SEARCH_MATCHED].data : NULL;
    bool upper = parameters[SB_SEARCH_BOUND] == SB_BOUND_UPPER;

    (void)workspace;
    switch (parameters[SB_SEARCH_TYPE]) {
    case SB_U32:
        search_u32(needles, m, haystack, n, upper, index, matched);
        break;
    case SB_I32:
        search_i32(needles, m, haystack, n, upper, index, matched);
        break;
    case SB_F32:
        search_f32(needles, m, haystack, n, upper, index, matched);
        break;
    default: /* SB_U64 */
        search_u64(needles, m, haystack, n, upper, index, matched);
        break;
    }
    return SB_OK;
}

extern const sb_variant sb_cpu_pattern_search_galloping[];
const sb_variant sb_cpu_pattern_search_galloping[] = {
    {"pattern.search", "galloping", "steps that double, from the bound of the needle before", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
