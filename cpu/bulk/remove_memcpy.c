/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bulk.remove/memcpy: contract in ref/bulk.h.
 *
 * The items between two removed ones are copied with one call of memcpy. Each index is checked before the items in front of it
 * are copied, so nothing is written out of bounds when indices are invalid.
 */
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <string.h>

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const char *items = inputs[SB_BULK_ITEMS].data;
    const uint32_t *index = inputs[SB_BULK_INDEX].data;
    uint64_t m = inputs[SB_BULK_ITEMS].length, k = inputs[SB_BULK_INDEX].length, first = 0;
    uint64_t type = parameters[SB_BULK_TYPE], size = type == SB_U8 ? 1 : type == SB_U32 ? 4 : 8;
    char *out = outputs[SB_BULK_OUT].data;

    (void)workspace;
    if (k > m)
        return SB_INVALID;
    for (uint64_t j = 0; j < k; j++) {
        /* `first` is the index behind the one before. At most m - k items may be copied. */
        if (index[j] < first || index[j] >= m - (k - 1 - j))
            return SB_INVALID;
        if (index[j] > first)
            memcpy(out + (first - j) * size, items + first * size, (index[j] - first) * size);
        first = (uint64_t)index[j] + 1;
    }
    if (first < m)
        memcpy(out + (first - k) * size, items + first * size, (m - first) * size);
    return SB_OK;
}

extern const sb_variant sb_cpu_bulk_remove_memcpy[];
const sb_variant sb_cpu_bulk_remove_memcpy[] = {
    {"bulk.remove", "memcpy", "one memcpy for the items between two removed ones", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
