/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Ascending keys of cases: contract in keys.h.
 */
#include "keys.h"
#include "../../common/case.h"
#include "../../ref/key.h"
#include "../../ref/pattern_sort.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sb_keys_ascend(const sb_array *keys, const char *name, char *why, size_t size)
{
    for (uint64_t i = 1; i < keys->length; i++) {
        if (sb_ref_key_less((sb_ref_type)keys->type, keys->data, i, keys->data, i - 1)) {
            snprintf(why, size, "%s is not ascending at %llu", name, (unsigned long long)i);
            return false;
        }
    }
    return true;
}

bool sb_keys_sort(sb_array *keys, sb_array *values)
{
    bool has_values = values != NULL && values->length != 0;
    void *sorted = malloc(sb_array_bytes(keys) + 1);
    uint32_t *sorted_values = has_values ? malloc(sb_array_bytes(values)) : NULL;
    bool done = sorted != NULL && (!has_values || sorted_values != NULL) &&
                sb_ref_pattern_sort((sb_ref_type)keys->type, keys->data, has_values ? values->data : NULL, keys->length,
                                    sorted, sorted_values) == SB_REF_OK &&
                sb_array_set(keys, sorted, keys->length) &&
                (!has_values || sb_array_set(values, sorted_values, values->length));

    free(sorted);
    free(sorted_values);
    return done;
}

bool sb_keys_make_common(sb_array *a, sb_array *b)
{
    size_t size = sb_type_size(a->type);

    if (a->length > 0 && *(const uint8_t *)a->data % 2 == 1)
        for (uint64_t i = 0; i < a->length && i < b->length; i += 2)
            memcpy((char *)b->data + i * size, (const char *)a->data + i * size, size);
    return sb_keys_sort(a, NULL) && sb_keys_sort(b, NULL);
}
