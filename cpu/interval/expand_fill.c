/* SPDX-License-Identifier: BSD-2-Clause
 *
 * interval.expand/fill: contract in ref/interval.h.
 *
 * A loop for each segment stores its item. For each type there is a loop of its own, so that the compiler makes stores of whole
 * vectors of it.
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>

#define DEFINE_FILL(TYPE)                                                                                              \
    static void fill_##TYPE(const TYPE *items, const uint64_t *offset, uint64_t segments, TYPE *out)                   \
    {                                                                                                                  \
        for (uint64_t s = 0; s < segments; s++) {                                                                      \
            TYPE item = items[s];                                                                                      \
                                                                                                                       \
            for (uint64_t i = offset[s]; i < offset[s + 1]; i++)                                                       \
                out[i] = item;                                                                                         \
        }                                                                                                              \
    }
DEFINE_FILL(uint8_t)
DEFINE_FILL(uint32_t)
DEFINE_FILL(uint64_t)

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const void *items = inputs[SB_INTERVAL_ITEMS].data;
    const uint64_t *offset = inputs[SB_INTERVAL_OFFSET].data, segments = inputs[SB_INTERVAL_OFFSET].length - 1;
    void *out = outputs[SB_INTERVAL_OUT].data;

    (void)workspace;
    if (parameters[SB_INTERVAL_TYPE] == SB_U8)
        fill_uint8_t(items, offset, segments, out);
    else if (parameters[SB_INTERVAL_TYPE] == SB_U32)
        fill_uint32_t(items, offset, segments, out);
    else
        fill_uint64_t(items, offset, segments, out);
    return SB_OK;
}

extern const sb_variant sb_cpu_interval_expand_fill[];
const sb_variant sb_cpu_interval_expand_fill[] = {
    {"interval.expand", "fill", "a loop of stores for each segment", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
