/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.sort/radix: contract in ref/pattern_sort.h.
 *
 * A radix sort from the least significant byte (H. Seward 1954). One pass over the keys counts the values of every byte.
 * Then each byte moves all keys, stably, to where the counts say; the keys go to and fro between the output and the
 * workspace. A byte that all keys have in common needs no pass. Keys are read as unsigned integers of the same order
 * (order.h) where a byte is taken from them, and are moved as they are.
 */
#include "order.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <string.h>

enum {
    BITS = 8, /* of a digit: 256 targets, of which a core's caches hold the lines; with 11 bits there are 2048 */
    DIGITS = 1 << BITS
};

/* The numbers of keys become the index of the first key with each digit. False: all keys have one digit in common. */
static bool make_starts(uint64_t count[DIGITS], uint64_t n)
{
    uint64_t start = 0;

    for (unsigned digit = 0; digit < DIGITS; digit++) {
        uint64_t keys = count[digit];

        if (keys == n)
            return false;
        count[digit] = start;
        start += keys;
    }
    return true;
}

#define DEFINE_SORT(TYPE, WORD)                                                                                        \
    static void move_##TYPE(const WORD *keys, const uint32_t *values, uint64_t n, unsigned shift,                      \
                            uint64_t start[DIGITS], WORD *to, uint32_t *to_values)                                     \
    {                                                                                                                  \
        for (uint64_t i = 0; i < n; i++) {                                                                             \
            uint64_t at = start[sb_order_##TYPE(keys[i]) >> shift & (DIGITS - 1)]++;                                   \
                                                                                                                       \
            to[at] = keys[i];                                                                                          \
            if (values != NULL)                                                                                        \
                to_values[at] = values[i];                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void sort_##TYPE(const WORD *keys, const uint32_t *values, uint64_t n, WORD *sorted[2],                     \
                            uint32_t *sorted_values[2])                                                                \
    {                                                                                                                  \
        uint64_t count[sizeof(WORD)][DIGITS] = {{0}};                                                                  \
        bool moves[sizeof(WORD)];                                                                                      \
        unsigned passes = 0;                                                                                           \
                                                                                                                       \
        for (uint64_t i = 0; i < n; i++)                                                                               \
            for (unsigned d = 0; d < sizeof(WORD); d++)                                                                \
                count[d][sb_order_##TYPE(keys[i]) >> BITS * d & (DIGITS - 1)]++;                                       \
        for (unsigned d = 0; d < sizeof(WORD); d++)                                                                    \
            passes += moves[d] = make_starts(count[d], n);                                                             \
        if (passes == 0) {                                                                                             \
            memcpy(sorted[0], keys, n * sizeof *keys);                                                                 \
            if (values != NULL)                                                                                        \
                memcpy(sorted_values[0], values, n * sizeof *values);                                                  \
        }                                                                                                              \
        for (unsigned d = 0; d < sizeof(WORD); d++) {                                                                  \
            if (!moves[d])                                                                                             \
                continue;                                                                                              \
            passes--; /* after the last one the keys are in sorted[0] */                                               \
            move_##TYPE(keys, values, n, BITS *d, count[d], sorted[passes % 2], sorted_values[passes % 2]);            \
            keys = sorted[passes % 2];                                                                                 \
            values = values != NULL ? sorted_values[passes % 2] : NULL;                                                \
        }                                                                                                              \
    }
DEFINE_SORT(u32, uint32_t)
DEFINE_SORT(i32, uint32_t)
DEFINE_SORT(f32, uint32_t)
DEFINE_SORT(u64, uint64_t)

static uint64_t workspace_size(const uint64_t *parameters, const sb_array *inputs)
{
    uint64_t key = parameters[SB_SORT_TYPE] == SB_U64 ? sizeof(uint64_t) : sizeof(uint32_t);

    return inputs[SB_SORT_KEYS].length * key + inputs[SB_SORT_VALUES].length * sizeof(uint32_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const void *keys = inputs[SB_SORT_KEYS].data;
    uint64_t n = inputs[SB_SORT_KEYS].length;
    const uint32_t *values = inputs[SB_SORT_VALUES].length != 0 ? inputs[SB_SORT_VALUES].data : NULL;
    uint32_t *sorted[2] = {outputs[SB_SORT_KEYS].data, workspace};
    uint64_t *sorted_long[2] = {outputs[SB_SORT_KEYS].data, workspace};
    uint32_t *sorted_values[2] = {outputs[SB_SORT_VALUES].data, NULL};

    if (n == 0)
        return SB_OK;
    if (parameters[SB_SORT_TYPE] == SB_U64) {
        sorted_values[1] = (uint32_t *)(sorted_long[1] + n);
        sort_u64(keys, values, n, sorted_long, sorted_values);
        return SB_OK;
    }
    sorted_values[1] = sorted[1] + n;
    if (parameters[SB_SORT_TYPE] == SB_U32)
        sort_u32(keys, values, n, sorted, sorted_values);
    else if (parameters[SB_SORT_TYPE] == SB_I32)
        sort_i32(keys, values, n, sorted, sorted_values);
    else
        sort_f32(keys, values, n, sorted, sorted_values);
    return SB_OK;
}

extern const sb_variant sb_cpu_pattern_sort_radix[];
const sb_variant sb_cpu_pattern_sort_radix[] = {
    {"pattern.sort", "radix", "byte by byte from the least significant one", NULL, workspace_size, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
