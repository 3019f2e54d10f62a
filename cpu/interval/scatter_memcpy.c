/* SPDX-License-Identifier: BSD-2-Clause
 *
 * interval.scatter/memcpy: contract in ref/interval.h.
 *
 * One memcpy for each segment, to where it starts in the result (copy.h).
 */
#include "copy.h"

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    sb_copy_intervals(parameters[SB_INTERVAL_TYPE], inputs[SB_INTERVAL_ITEMS].data, &inputs[SB_INTERVAL_OFFSET], NULL,
                      inputs[SB_SCATTER_TARGET].data, outputs[SB_INTERVAL_OUT].data);
    return SB_OK;
}

extern const sb_variant sb_cpu_interval_scatter_memcpy[];
const sb_variant sb_cpu_interval_scatter_memcpy[] = {
    {"interval.scatter", "memcpy", "one memcpy for each segment", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
