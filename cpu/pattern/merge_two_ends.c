/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pattern.merge/two_ends: contract in ref/pattern_merge.h.
 *
 * From the front and from the back at once, without branches: merge.h.
 */
#include "merge.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>

#define DEFINE_LAUNCH(TYPE, WORD)                                                                                      \
    SB_DEFINE_MERGE(TYPE, WORD)                                                                                        \
                                                                                                                       \
    static void launch_##TYPE(sb_sequence a, sb_sequence b, sb_target t, bool pairs)                                   \
    {                                                                                                                  \
        if (pairs)                                                                                                     \
            sb_merge_##TYPE(a, b, t, true);                                                                            \
        else                                                                                                           \
            sb_merge_##TYPE(a, b, t, false);                                                                           \
    }
DEFINE_LAUNCH(u32, uint32_t)
DEFINE_LAUNCH(i32, uint32_t)
DEFINE_LAUNCH(f32, uint32_t)
DEFINE_LAUNCH(u64, uint64_t)

static sb_sequence sequence_of(const sb_array *inputs, int keys, int values)
{
    return (sb_sequence){inputs[keys].data, inputs[values].data, 0, inputs[keys].length};
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    sb_sequence a = sequence_of(inputs, SB_MERGE_A_KEYS, SB_MERGE_A_VALUES);
    sb_sequence b = sequence_of(inputs, SB_MERGE_B_KEYS, SB_MERGE_B_VALUES);
    sb_target t = {outputs[SB_SORT_KEYS].data, outputs[SB_SORT_VALUES].data, 0, outputs[SB_SORT_KEYS].length};
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
