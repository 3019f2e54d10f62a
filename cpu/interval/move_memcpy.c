/* SPDX-License-Identifier: BSD-2-Clause
 *
 * interval.move/memcpy: contract in ref/interval.h.
 *
 * One memcpy for each segment, from one start to the other (copy.h).
 */
#include "copy.h"

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    sb_copy_intervals(parameters[SB_INTERVAL_TYPE], inputs[SB_INTERVAL_ITEMS].data, &inputs[SB_INTERVAL_OFFSET],
                      inputs[SB_MOVE_SOURCE].data, inputs[SB_MOVE_TARGET].data, outputs[SB_INTERVAL_OUT].data);
    return SB_OK;
}

extern const sb_variant sb_cpu_interval_move_memcpy[];
const sb_variant sb_cpu_interval_move_memcpy[] = {
    {"interval.move", "memcpy", "one memcpy for each segment", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
