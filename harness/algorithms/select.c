/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of select.kth, select.multi and select.topk.
 */
#include "../../ref/key.h"
#include "../../ref/select.h"
#include "code.h"
#include <math.h>
#include <samebits/algorithms.h>
#include <stdio.h>
#include <string.h>

static const uint64_t ks[] = {0, 1, 2, 3, 31, 32, 33, 100, 255, 256, 257};

static bool kth_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)c;
    (void)why;
    (void)size;
    capacity[SB_SELECT_KEY] = 1;
    return true;
}

static void kth_reference(const sb_case *c, sb_result *result)
{
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS];
    uint64_t k = c->parameters[SB_SELECT_K];
    char invalid[64];

    snprintf(invalid, sizeof invalid, "k = %llu is not in 1..%llu", (unsigned long long)k,
             (unsigned long long)keys->length);
    sb_set_status(result,
                  sb_ref_select_kth((sb_ref_type)c->parameters[SB_SELECT_TYPE], keys->data, keys->length, k,
                                    result->outputs[SB_SELECT_KEY].data),
                  invalid);
}

/* The k-th largest key is the one that fewer than k keys exceed and that at least k keys exceed or equal. Keys that
 * compare equal have equal bits, so only one key satisfies both. */
static bool kth_certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    sb_ref_type type = (sb_ref_type)c->parameters[SB_SELECT_TYPE];
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS], *key = &result->outputs[SB_SELECT_KEY];
    uint64_t k = c->parameters[SB_SELECT_K], larger = 0, equal = 0;

    if (key->length != 1) {
        snprintf(why, size, "`key` has %llu elements, not 1", (unsigned long long)key->length);
        return false;
    }
    for (uint64_t i = 0; i < keys->length; i++) {
        bool is_larger = sb_ref_key_less(type, key->data, 0, keys->data, i);

        larger += is_larger;
        equal += !is_larger && !sb_ref_key_less(type, keys->data, i, key->data, 0);
    }
    if (larger < k && larger + equal >= k)
        return true;
    snprintf(why, size, "%llu keys are larger than the result and %llu are equal to it; k = %llu",
             (unsigned long long)larger, (unsigned long long)equal, (unsigned long long)k);
    return false;
}

/* 8 ns for each key in each of log2(n) merges. */
static double cost(const sb_case *c)
{
    double n = (double)c->inputs[SB_SELECT_KEYS].length;

    return 8 * n * log2(n + 2);
}

static const uint64_t seeds[] = {0, 1, UINT64_MAX};

static const sb_algorithm select_kth = {
    .name = "select.kth",
    .summary = "the k-th largest key",
    .parameters = {{"type", sb_type_words_select, NULL, 0, SB_U32},
                   {"k", NULL, ks, sizeof ks / sizeof *ks, 100},
                   {"random_seed", NULL, seeds, sizeof seeds / sizeof *seeds, 0}},
    .inputs = {{"keys", SB_TYPE_PARAMETER}},
    .outputs = {{"key", SB_TYPE_PARAMETER}},
    .shape = kth_shape,
    .reference = kth_reference,
    .cost = cost,
    .certify = kth_certify,
};

/* ---- select.multi ---- */

static bool multi_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    capacity[SB_SELECT_KEY] = c->inputs[SB_SELECT_MULTI_K].length;
    return true;
}

static void multi_reference(const sb_case *c, sb_result *result)
{
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS], *k = &c->inputs[SB_SELECT_MULTI_K];

    sb_set_status(result,
                  sb_ref_select_multi((sb_ref_type)c->parameters[SB_SELECT_TYPE], keys->data, keys->length, k->data,
                                      k->length, result->outputs[SB_SELECT_KEY].data),
                  "a rank is not in 1..n");
}

static const sb_algorithm select_multi = {
    .name = "select.multi",
    .summary = "the k-th largest key for each of many k",
    .parameters = {{"type", sb_type_words_select, NULL, 0, SB_U32}},
    .inputs = {{"keys", SB_TYPE_PARAMETER}, {"k", SB_U64}},
    .outputs = {{"key", SB_TYPE_PARAMETER}},
    .shape = multi_shape,
    .reference = multi_reference,
    .cost = cost,
};

/* ---- select.topk ---- */

static bool topk_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_SELECT_KEYS].length, k = c->parameters[SB_SELECT_K];

    (void)why;
    (void)size;
    capacity[SB_SELECT_KEY] = capacity[SB_SELECT_INDEX] = k < n ? k : n;
    return true;
}

static void topk_reference(const sb_case *c, sb_result *result)
{
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS];

    sb_set_status(result,
                  sb_ref_select_topk((sb_ref_type)c->parameters[SB_SELECT_TYPE], keys->data, keys->length,
                                     c->parameters[SB_SELECT_K], result->outputs[SB_SELECT_KEY].data,
                                     result->outputs[SB_SELECT_INDEX].data),
                  "k is not in 1..n, or n is 2^32 or more");
}

/* Is key i before key j in descending order? */
static bool precedes(sb_ref_type type, const void *keys, uint64_t i, uint64_t j)
{
    return sb_ref_key_less(type, keys, j, keys, i) || (!sb_ref_key_less(type, keys, i, keys, j) && i < j);
}

/* In the order of descending keys and ascending indices no two keys are equal. So the k largest are right if each is
 * before the next, and exactly k keys are not after the last. */
static bool topk_certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    sb_ref_type type = (sb_ref_type)c->parameters[SB_SELECT_TYPE];
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS], *key = &result->outputs[SB_SELECT_KEY];
    const sb_array *indices = &result->outputs[SB_SELECT_INDEX];
    const uint32_t *index = indices->data;
    uint64_t k = c->parameters[SB_SELECT_K], n = keys->length, after = 0;
    size_t bytes = sb_ref_type_size(type);

    if (k == 0 || k > n || key->length != k || indices->length != k) {
        snprintf(why, size, "there are not k keys and k indices");
        return false;
    }
    for (uint64_t i = 0; i < k; i++)
        if (index[i] >= n || memcmp((char *)key->data + i * bytes, (char *)keys->data + index[i] * bytes, bytes) != 0 ||
            (i > 0 && !precedes(type, keys->data, index[i - 1], index[i]))) {
            snprintf(why, size, "key[%llu] or index[%llu] is wrong", (unsigned long long)i, (unsigned long long)i);
            return false;
        }
    for (uint64_t i = 0; i < n; i++)
        after += precedes(type, keys->data, index[k - 1], i);
    if (after == n - k)
        return true;
    snprintf(why, size, "%llu keys, not n - k, come after the last one", (unsigned long long)after);
    return false;
}

static const sb_algorithm select_topk = {
    .name = "select.topk",
    .summary = "the k largest keys, descending, and their indices",
    .parameters = {{"type", sb_type_words_select, NULL, 0, SB_U32}, {"k", NULL, ks, sizeof ks / sizeof *ks, 100}},
    .inputs = {{"keys", SB_TYPE_PARAMETER}},
    .outputs = {{"key", SB_TYPE_PARAMETER}, {"index", SB_U32}},
    .shape = topk_shape,
    .reference = topk_reference,
    .cost = cost,
    .certify = topk_certify,
};

const sb_algorithm *const sb_harness_algorithms_select[] = {&select_kth, &select_multi, &select_topk, NULL};
