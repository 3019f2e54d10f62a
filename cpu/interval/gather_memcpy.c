/* SPDX-License-Identifier: BSD-2-Clause
 *
 * interval.gather/memcpy: contract in ref/interval.h.
 *
 * One memcpy for each segment, from where it starts in the items (copy.h).
 */
#include "copy.h"

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    sb_copy_intervals(parameters[SB_INTERVAL_TYPE], inputs[SB_INTERVAL_ITEMS].data, &inputs[SB_INTERVAL_OFFSET],
                      inputs[SB_GATHER_SOURCE].data, NULL, outputs[SB_INTERVAL_OUT].data);
    return SB_OK;
}

extern const sb_variant sb_cpu_interval_gather_memcpy[];
const sb_variant sb_cpu_interval_gather_memcpy[] = {
    {"interval.gather", "memcpy", "one memcpy for each segment", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
