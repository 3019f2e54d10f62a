/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptor of select.kth.
 */
#include "../../ref/key.h"
#include "../../ref/select.h"
#include "code.h"
#include <math.h>
#include <samebits/algorithms.h>
#include <stdio.h>

static const uint64_t ks[] = {0, 1, 2, 3, 31, 32, 33, 100, 255, 256, 257};

static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)c;
    (void)why;
    (void)size;
    capacity[SB_SELECT_KEY] = 1;
    return true;
}

static void reference(const sb_case *c, sb_result *result)
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
static bool certify(const sb_case *c, const sb_result *result, char *why, size_t size)
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

static const sb_algorithm select_kth = {
    .name = "select.kth",
    .summary = "the k-th largest key",
    .parameters = {{"type", sb_type_words_select, NULL, 0, SB_U32}, {"k", NULL, ks, sizeof ks / sizeof *ks, 100}},
    .inputs = {{"keys", SB_TYPE_PARAMETER}},
    .outputs = {{"key", SB_TYPE_PARAMETER}},
    .shape = shape,
    .reference = reference,
    .cost = cost,
    .certify = certify,
};

const sb_algorithm *const sb_harness_algorithms_select[] = {&select_kth, NULL};
