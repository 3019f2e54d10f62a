/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Merges two sorted sequences from the front and from the back at once. A comparison of keys that are not foreseeable
 * chooses an index, not a branch, so the processor never has to guess; its two chains of dependent loads, one from each
 * end, run at the same time.
 *
 * If the shorter sequence has k keys left, k steps from the front cannot exhaust either sequence, nor can k steps from the
 * back, and together they write 2 k keys, which is not more than there are. So no step has to look for an end. This is
 * repeated until one sequence is nearly exhausted; an ordinary merge does the rest.
 *
 * Stable: of equal keys those of a come first. SB_DEFINE_MERGE(TYPE, WORD) defines sb_merge_TYPE for the type of keys whose
 * order is sb_order_TYPE.
 *
 * Merging from both ends: quadsort (I. van den Hoven 2014) does so for sequences of equal length.
 */
#ifndef CPU_PATTERN_MERGE_H
#define CPU_PATTERN_MERGE_H

#include "order.h"
#include <stdbool.h>
#include <stdint.h>

enum { SB_MIN_STEPS = 8 }; /* below this a round costs more than it saves; not tuned */

/* A sorted sequence: its keys from first to end - 1 are left. */
typedef struct sb_sequence {
    const void *keys;
    const uint32_t *values;
    uint64_t first, end;
} sb_sequence;

/* Where the keys of both go, those from first to end - 1. */
typedef struct sb_target {
    void *keys;
    uint32_t *values;
    uint64_t first, end;
} sb_target;

/* `yes` or `no`, by a mask: a compiler may turn ?: into a branch. */
static inline uint32_t sb_choose(bool condition, uint32_t yes, uint32_t no)
{
    return no ^ ((yes ^ no) & -(uint32_t)condition);
}

#define SB_DEFINE_MERGE(TYPE, WORD)                                                                                    \
    /* Of equal keys that of a comes first, and that of b last. */                                                     \
    static inline __attribute__((always_inline)) void sb_merge_ends_##TYPE(sb_sequence *a, sb_sequence *b,             \
                                                                           sb_target *t, uint64_t steps, bool pairs)   \
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
                t->values[t->first + i] = sb_choose(b_is_first, b->values[b_first], a->values[a_first]);               \
                t->values[t->end - 1 - i] = sb_choose(a_is_last, a->values[a_last], b->values[b_last]);                \
            }                                                                                                          \
            b_first += b_is_first;                                                                                     \
            a_first += !b_is_first;                                                                                    \
            a_last -= a_is_last;                                                                                       \
            b_last -= !a_is_last;                                                                                      \
        }                                                                                                              \
        *a = (sb_sequence){a->keys, a->values, a_first, a_last + 1};                                                   \
        *b = (sb_sequence){b->keys, b->values, b_first, b_last + 1};                                                   \
        *t = (sb_target){t->keys, t->values, t->first + steps, t->end - steps};                                        \
    }                                                                                                                  \
                                                                                                                       \
    static inline                                                                                                      \
        __attribute__((always_inline)) void sb_merge_##TYPE(sb_sequence a, sb_sequence b, sb_target t, bool pairs)     \
    {                                                                                                                  \
        const WORD *a_keys = a.keys, *b_keys = b.keys;                                                                 \
                                                                                                                       \
        for (;;) {                                                                                                     \
            uint64_t a_left = a.end - a.first, b_left = b.end - b.first, steps = a_left < b_left ? a_left : b_left;    \
                                                                                                                       \
            if (steps < SB_MIN_STEPS)                                                                                  \
                break;                                                                                                 \
            sb_merge_ends_##TYPE(&a, &b, &t, steps, pairs);                                                            \
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
    }

#endif
