/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The k-th largest keys, and the k largest ones, of a sorted copy: contract in select.h.
 */
#include "select.h"
#include "pattern_sort.h"
#include <stdlib.h>
#include <string.h>

static void *allocate(uint64_t n, size_t size)
{
    return n <= SIZE_MAX / size ? malloc(n > 0 ? n * size : 1) : NULL;
}

sb_ref_status sb_ref_select_multi(sb_ref_type type, const void *keys, uint64_t n, const uint64_t *k, uint64_t m,
                                  void *key)
{
    size_t size = sb_ref_type_size(type);
    sb_ref_status status;
    char *sorted;

    for (uint64_t i = 0; i < m; i++)
        if (k[i] == 0 || k[i] > n)
            return SB_REF_INVALID;
    sorted = allocate(n, size);
    if (sorted == NULL)
        return SB_REF_NO_MEMORY;
    status = sb_ref_pattern_sort(type, keys, NULL, n, sorted, NULL);
    for (uint64_t i = 0; i < m && status == SB_REF_OK; i++)
        memcpy((char *)key + i * size, sorted + (n - k[i]) * size, size);
    free(sorted);
    return status;
}

sb_ref_status sb_ref_select_kth(sb_ref_type type, const void *keys, uint64_t n, uint64_t k, void *key)
{
    return sb_ref_select_multi(type, keys, n, &k, 1, key);
}

/* The keys are sorted from the last to the first. Among equal keys the lower index then comes later, and so earlier in
 * descending order. */
sb_ref_status sb_ref_select_topk(sb_ref_type type, const void *keys, uint64_t n, uint64_t k, void *key, uint32_t *index)
{
    size_t size = sb_ref_type_size(type);
    sb_ref_status status = SB_REF_NO_MEMORY;
    char *backward, *sorted;
    uint32_t *from, *sorted_from;

    if (k == 0 || k > n || n > UINT32_MAX)
        return SB_REF_INVALID;
    backward = allocate(n, size);
    sorted = allocate(n, size);
    from = allocate(n, sizeof *from);
    sorted_from = allocate(n, sizeof *sorted_from);
    if (backward != NULL && sorted != NULL && from != NULL && sorted_from != NULL) {
        for (uint64_t i = 0; i < n; i++) {
            from[i] = (uint32_t)(n - 1 - i);
            memcpy(backward + i * size, (const char *)keys + from[i] * size, size);
        }
        status = sb_ref_pattern_sort(type, backward, from, n, sorted, sorted_from);
    }
    for (uint64_t i = 0; i < k && status == SB_REF_OK; i++) {
        memcpy((char *)key + i * size, sorted + (n - 1 - i) * size, size);
        index[i] = sorted_from[n - 1 - i];
    }
    free(backward);
    free(sorted);
    free(from);
    free(sorted_from);
    return status;
}

sb_ref_status sb_ref_select_rows(sb_ref_type type, const void *keys, uint64_t rows, uint64_t columns, uint64_t k,
                                 void *key, uint32_t *index)
{
    size_t size = sb_ref_type_size(type);
    sb_ref_status status = k == 0 || k > columns || columns > UINT32_MAX ? SB_REF_INVALID : SB_REF_OK;

    for (uint64_t row = 0; row < rows && status == SB_REF_OK; row++)
        status = sb_ref_select_topk(type, (const char *)keys + row * columns * size, columns, k,
                                    (char *)key + row * k * size, index + row * k);
    return status;
}
