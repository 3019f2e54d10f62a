/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.segreduce/loop: contract in ref/pattern_segreduce.h.
 *
 * A loop over the items of each segment, compiled for each operator (operators.h).
 */
#include "operators.h"
#include <stddef.h>

#define DEFINE(NAME, TYPE, IDENTITY, EXPRESSION)                                                                       \
    static void reduce_##NAME(const void *items, const uint64_t *offset, uint64_t segments, void *value)               \
    {                                                                                                                  \
        for (uint64_t s = 0; s < segments; s++) {                                                                      \
            TYPE f = IDENTITY;                                                                                         \
                                                                                                                       \
            for (uint64_t i = offset[s]; i < offset[s + 1]; i++) {                                                     \
                TYPE g = ((const TYPE *)items)[i];                                                                     \
                                                                                                                       \
                f = EXPRESSION;                                                                                        \
            }                                                                                                          \
            ((TYPE *)value)[s] = f;                                                                                    \
        }                                                                                                              \
    }
SB_FOR_EACH_OPERATOR(DEFINE)

#define ROW(NAME, TYPE, IDENTITY, EXPRESSION) reduce_##NAME,
static void (*const reduce[])(const void *items, const uint64_t *offset, uint64_t segments,
                              void *value) = {SB_FOR_EACH_OPERATOR(ROW)};

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    unsigned at = sb_operator_index(parameters[SB_SEGREDUCE_TYPE], parameters[SB_SEGREDUCE_OP]);

    (void)workspace;
    reduce[at](inputs[SB_SEGREDUCE_ITEMS].data, inputs[SB_SEGREDUCE_OFFSET].data,
               inputs[SB_SEGREDUCE_OFFSET].length - 1, outputs[SB_SEGREDUCE_VALUE].data);
    return SB_OK;
}

extern const sb_variant sb_cpu_pattern_segreduce_loop[];
const sb_variant sb_cpu_pattern_segreduce_loop[] = {
    {"pattern.segreduce", "loop", "a loop over each segment, compiled for each operator", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
