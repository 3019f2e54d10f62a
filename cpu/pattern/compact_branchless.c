/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.compact/branchless: contract in ref/pattern_compact.h.
 *
 * Every item is written behind those kept so far, and the count grows by 1 if the predicate keeps it, and else by 0. So an
 * item that is not kept is overwritten by the next one, and the processor has no branch to guess. No write is out of bounds:
 * before item i at most i items are kept, and the output has space for all.
 */
#include "order.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>

#define DEFINE_COMPACT(TYPE, WORD)                                                                                     \
    static uint64_t less_##TYPE(const WORD *items, uint64_t n, WORD limit, WORD *kept)                                 \
    {                                                                                                                  \
        uint64_t count = 0;                                                                                            \
                                                                                                                       \
        for (uint64_t i = 0; i < n; i++) {                                                                             \
            kept[count] = items[i];                                                                                    \
            count += sb_order_##TYPE(items[i]) < sb_order_##TYPE(limit);                                               \
        }                                                                                                              \
        return count;                                                                                                  \
    }
DEFINE_COMPACT(u32, uint32_t)
DEFINE_COMPACT(i32, uint32_t)
DEFINE_COMPACT(f32, uint32_t)
DEFINE_COMPACT(u64, uint64_t)

/* The predicates that look at bits only. */
#define DEFINE_BITS(WIDTH)                                                                                             \
    static uint64_t odd_##WIDTH(const uint##WIDTH##_t *items, uint64_t n, uint##WIDTH##_t *kept)                       \
    {                                                                                                                  \
        uint64_t count = 0;                                                                                            \
                                                                                                                       \
        for (uint64_t i = 0; i < n; i++) {                                                                             \
            kept[count] = items[i];                                                                                    \
            count += items[i] & 1;                                                                                     \
        }                                                                                                              \
        return count;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    static uint64_t unique_##WIDTH(const uint##WIDTH##_t *items, uint64_t n, uint##WIDTH##_t *kept)                    \
    {                                                                                                                  \
        uint64_t count = n > 0;                                                                                        \
                                                                                                                       \
        if (n > 0)                                                                                                     \
            kept[0] = items[0];                                                                                        \
        for (uint64_t i = 1; i < n; i++) {                                                                             \
            kept[count] = items[i];                                                                                    \
            count += items[i] != items[i - 1];                                                                         \
        }                                                                                                              \
        return count;                                                                                                  \
    }
DEFINE_BITS(32)
DEFINE_BITS(64)

static uint64_t keep_less(const uint64_t *parameters, const sb_array *items, void *kept)
{
    uint64_t limit = parameters[SB_COMPACT_LIMIT];

    switch (parameters[SB_COMPACT_TYPE]) {
    case SB_U32:
        return less_u32(items->data, items->length, (uint32_t)limit, kept);
    case SB_I32:
        return less_i32(items->data, items->length, (uint32_t)limit, kept);
    case SB_F32:
        return less_f32(items->data, items->length, (uint32_t)limit, kept);
    default: /* SB_U64 */
        return less_u64(items->data, items->length, limit, kept);
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const sb_array *items = &inputs[SB_COMPACT_ITEMS];
    void *kept = outputs[SB_COMPACT_KEPT].data;
    uint64_t *count = &outputs[SB_COMPACT_KEPT].length, n = items->length;
    bool wide = parameters[SB_COMPACT_TYPE] == SB_U64;

    (void)workspace;
    if (parameters[SB_COMPACT_KEEP] == SB_KEEP_LESS)
        *count = keep_less(parameters, items, kept);
    else if (parameters[SB_COMPACT_KEEP] == SB_KEEP_ODD)
        *count = wide ? odd_64(items->data, n, kept) : odd_32(items->data, n, kept);
    else
        *count = wide ? unique_64(items->data, n, kept) : unique_32(items->data, n, kept);
    return SB_OK;
}

extern const sb_variant sb_cpu_pattern_compact_branchless[];
const sb_variant sb_cpu_pattern_compact_branchless[] = {
    {"pattern.compact", "branchless", "writes every item, and counts those that are kept", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
