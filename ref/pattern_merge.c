/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Merging by taking the smaller of the two next keys: contract in pattern_merge.h.
 */
#include "pattern_merge.h"
#include "key.h"
#include <string.h>

/* Copies key (and value) number `from` of one array to number `to` of another. */
static void take(sb_ref_type type, const void *keys, const uint32_t *values, uint64_t from, void *to_keys,
                 uint32_t *to_values, uint64_t to)
{
    size_t size = sb_ref_type_size(type);

    memcpy((char *)to_keys + to * size, (const char *)keys + from * size, size);
    if (values != NULL)
        to_values[to] = values[from];
}

void sb_ref_pattern_merge(sb_ref_type type, const void *a_keys, const uint32_t *a_values, uint64_t a_count,
                          const void *b_keys, const uint32_t *b_values, uint64_t b_count, void *keys, uint32_t *values)
{
    uint64_t a = 0, b = 0;

    while (a < a_count || b < b_count) {
        if (b == b_count || (a < a_count && !sb_ref_key_less(type, b_keys, b, a_keys, a))) {
            take(type, a_keys, a_values, a, keys, values, a + b);
            a++;
        } else {
            take(type, b_keys, b_values, b, keys, values, a + b);
            b++;
        }
    }
}
