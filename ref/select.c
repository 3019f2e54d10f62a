/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The k-th largest key of a sorted copy: contract in select.h.
 */
#include "select.h"
#include "pattern_sort.h"
#include <stdlib.h>
#include <string.h>

sb_ref_status sb_ref_select_kth(sb_ref_type type, const void *keys, uint64_t n, uint64_t k, void *key)
{
    size_t size = sb_ref_type_size(type);
    sb_ref_status status;
    char *sorted;

    if (k == 0 || k > n)
        return SB_REF_INVALID;
    sorted = n <= SIZE_MAX / size ? malloc(n * size) : NULL;
    if (sorted == NULL)
        return SB_REF_NO_MEMORY;
    status = sb_ref_pattern_sort(type, keys, NULL, n, sorted, NULL);
    if (status == SB_REF_OK)
        memcpy(key, sorted + (n - k) * size, size);
    free(sorted);
    return status;
}
