/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.merge/two_ends: contract in ref/pattern_merge.h.
 *
 * Merges from the front and from the back at once. A comparison of keys that are not foreseeable chooses an index, not a
 * branch, so the processor never has to guess; its two chains of dependent loads, one from each end, run at the same time.
 *
 * If the shorter sequence has k keys left, k steps from the front cannot exhaust either sequence, nor can k steps from the
 * back, and together they write 2 k keys, which is not more than there are. So no step has to look for an end. This is
 * repeated until one sequence is nearly exhausted; an ordinary merge does the rest.
 *
 * Merging from both ends: quadsort (I. van den Hoven 2014) does so for sequences of equal length.
 */
#include "order.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>

enum { MIN_STEPS = 8 }; /* below this a round costs more than it saves; not tuned */

/* A sorted sequence: its keys from first to end - 1 are left. */
typedef struct sequence {
    const void *keys;
    const uint32_t *values;
    uint64_t first, end;
} sequence;

/* Where the keys of both go, those from first to end - 1. */
typedef struct target {
    void *keys;
    uint32_t *values;
    uint64_t first, end;
} target;

/* `yes` or `no`, by a mask: a compiler may turn ?: into a branch. */
static inline uint32_t choose(bool condition, uint32_t yes, uint32_t no)
{
    return no ^ ((yes ^ no) & -(uint32_t)condition);
}

#define DEFINE_MERGE(TYPE, WORD)                                                                                       \
    /* Of equal keys that of a comes first, and that of b last. */                                                     \
    static inline __attribute__((always_inline)) void ends_##TYPE(sequence *a, sequence *b, target *t, uint64_t steps, \
                                                                  bool pairs)                                          \
    {                                                                                                                  \
        const WORD *a_keys = a->keys, *b_keys = b->keys;                                                               \
        WORD *keys = t->keys;                                                                                          \
        uint64_t a_first = a->first, b_first = b->first, a_last = a->end - 1, b_last = b->end - 1;                     \
                                                                                                                       \
        for (uint64_t i = 0; i < steps; i++) {                                                                         \
            WORD a_front = a_keys[a_first], b_front = b_keys[b_first], a_back = a_keys[a_last],                        \
                 b_back = b_keys[b_last];                                                                              \
            bool b_is_first = sb_order_##TYPE(b_front) < sb_order_##TYPE(a_front);                                     \
            bool a_is_last = sb_order_##TYPE(b_back) < sb_order_##TYPE(a_back);                                        \
                                                                                                                       \
            keys[t->first + i] = b_is_first ? b_front : a_front;                                                       \
            keys[t->end - 1 - i] = a_is_last ? a_back : b_back;                                                        \
            if (pairs) {                                                                                               \
                t->values[t->first + i] = choose(b_is_first, b->values[b_first], a->values[a_first]);                  \
                t->values[t->end - 1 - i] = choose(a_is_last, a->values[a_last], b->values[b_last]);                   \
            }                                                                                                          \
            b_first += b_is_first;                                                                                     \
            a_first += !b_is_first;                                                                                    \
            a_last -= a_is_last;                                                                                       \
            b_last -= !a_is_last;                                                                                      \
        }                                                                                                              \
        *a = (sequence){a->keys, a->values, a_first, a_last + 1};                                                      \
        *b = (sequence){b->keys, b->values, b_first, b_last + 1};                                                      \
        *t = (target){t->keys, t->values, t->first + steps, t->end - steps};                                           \
    }                                                                                                                  \
                                                                                                                       \
    static inline __attribute__((always_inline)) void merge_##TYPE(sequence a, sequence b, target t, bool pairs)       \
    {                                                                                                                  \
        const WORD *a_keys = a.keys, *b_keys = b.keys;                                                                 \
                                                                                                                       \
        for (;;) {                                                                                                     \
            uint64_t a_left = a.end - a.first, b_left = b.end - b.first, steps = a_left < b_left ? a_left : b_left;    \
                                                                                                                       \
            if (steps < MIN_STEPS)                                                                                     \
                break;                                                                                                 \
            ends_##TYPE(&a, &b, &t, steps, pairs);                                                                     \
        }                                                                                                              \
        while (t.first < t.end) {                                                                                      \
            bool take_b = a.first == a.end ||                                                                          \
                          (b.first < b.end && sb_order_##TYPE(b_keys[b.first]) < sb_order_##TYPE(a_keys[a.first]));    \
                                                                                                                       \
            ((WORD *)t.keys)[t.first] = take_b ? b_keys[b.first] : a_keys[a.first];                                    \
            if (pairs)                                                                                                 \
                t.values[t.first] = take_b ? b.values[b.first] : a.values[a.first];                                    \
            t.first++;                                                                                                 \
            b.first += take_b;                                                                                         \
            a.first += !take_b;                                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void launch_##TYPE(sequence a, sequence b, target t, bool pairs)                                            \
    {                                                                                                                  \
        if (pairs)                                                                                                     \
            merge_##TYPE(a, b, t, true);                                                                               \
        else                                                                                                           \
            merge_##TYPE(a, b, t, false);                                                                              \
    }
DEFINE_MERGE(u32, uint32_t)
DEFINE_MERGE(i32, uint32_t)
DEFINE_MERGE(f32, uint32_t)
DEFINE_MERGE(u64, uint64_t)

static sequence sequence_of(const sb_array *inputs, int keys, int values)
{
    return (sequence){inputs[keys].data, inputs[values].data, 0, inputs[keys].length};
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sequence a = sequence_of(inputs, SB_MERGE_A_KEYS, SB_MERGE_A_VALUES);
    sequence b = sequence_of(inputs, SB_MERGE_B_KEYS, SB_MERGE_B_VALUES);
    target t = {outputs[SB_SORT_KEYS].data, outputs[SB_SORT_VALUES].data, 0, outputs[SB_SORT_KEYS].length};
    bool pairs = parameters[SB_SORT_PAIRS] != 0;

    (void)workspace;
    switch (parameters[SB_SORT_TYPE]) {
    case SB_U32:
        launch_u32(a, b, t, pairs);
        break;
    case SB_I32:
        launch_i32(a, b, t, pairs);
        break;
    case SB_F32:
        launch_f32(a, b, t, pairs);
        break;
    default: /* SB_U64 */
        launch_u64(a, b, t, pairs);
        break;
    }
    return SB_OK;
}

extern const sb_variant sb_cpu_pattern_merge_two_ends[];
const sb_variant sb_cpu_pattern_merge_two_ends[] = {
    {"pattern.merge", "two_ends", "from the front and from the back at once, without branches", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
