/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of select.kth, select.multi, select.topk and select.rows.
 */
#include "../../ref/key.h"
#include "../../ref/select.h"
#include "code.h"
#include "distribution.h"
#include "../../common/case.h"
#include <math.h>
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const generators[] = {
    "random",      "all-equal",     "few-distinct", "period",    "runs",      "sorted",     "reversed",
    "organ-pipe",  "nearly-sorted", "high-bit",     "special",   "small",     "uniform",    "normal",
    "half-normal", "exponential",   "cauchy",       "clustered", "exponents", "last-digit", NULL};

/* The keys have the seed that a pattern has for the first input. */
static bool generate(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    sb_random seeds = {seed}, random = {sb_random_next(&seeds)};

    return sb_array_resize(&c->inputs[SB_SELECT_KEYS], n) && sb_distribute(&c->inputs[SB_SELECT_KEYS], name, &random);
}

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

/* Turns the bits of keys into words of the same order (ref/key.h), which are equal only if the bits are. */
typedef struct key_map {
    uint64_t always, if_negative; /* bits to flip */
} key_map;

static key_map map_of(uint32_t type)
{
    const uint64_t sign = (uint64_t)1 << (8 * sb_type_size(type) - 1);
    const bool is_float = type == SB_F32 || type == SB_F64;

    return (key_map){is_float || type == SB_I32 ? sign : 0, is_float ? sign - 1 : 0};
}

static uint32_t narrow_word(const sb_array *keys, uint64_t i, key_map map)
{
    uint32_t bits = ((const uint32_t *)keys->data)[i];

    return bits ^ (uint32_t)map.always ^ (-(bits >> 31) & (uint32_t)map.if_negative);
}

static uint64_t wide_word(const sb_array *keys, uint64_t i, key_map map)
{
    uint64_t bits = ((const uint64_t *)keys->data)[i];

    return bits ^ map.always ^ (-(bits >> 63) & map.if_negative);
}

static uint64_t word_of(const sb_array *keys, uint64_t i, key_map map)
{
    return sb_type_size(keys->type) == 4 ? narrow_word(keys, i, map) : wide_word(keys, i, map);
}

/* How many keys are larger than key 0 of `than`, and how many equal it. Simple loops, because 2^32 keys go through them. */
static void count_keys(const sb_array *keys, const sb_array *than, uint64_t *larger, uint64_t *equal)
{
    const key_map map = map_of(keys->type);
    const uint64_t word = word_of(than, 0, map);
    uint64_t above = 0, same = 0;

    if (sb_type_size(keys->type) == 4) {
        for (uint64_t i = 0; i < keys->length; i++) {
            above += narrow_word(keys, i, map) > (uint32_t)word;
            same += narrow_word(keys, i, map) == (uint32_t)word;
        }
    } else {
        for (uint64_t i = 0; i < keys->length; i++) {
            above += wide_word(keys, i, map) > word;
            same += wide_word(keys, i, map) == word;
        }
    }
    *larger = above;
    *equal = same;
}

/* The k-th largest key is the one that fewer than k keys exceed and that at least k keys exceed or equal. Keys that
 * compare equal have equal bits, so only one key satisfies both. */
static bool kth_certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS], *key = &result->outputs[SB_SELECT_KEY];
    uint64_t k = c->parameters[SB_SELECT_K], larger, equal;

    if (key->length != 1) {
        snprintf(why, size, "`key` has %llu elements, not 1", (unsigned long long)key->length);
        return false;
    }
    count_keys(keys, key, &larger, &equal);
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

/* select.kth: keys type[n] -> key type[1], the k-th largest. select.multi: keys, k u64[m] -> key type[m], the k[i]-th
 * largest for each i. select.topk: keys -> key type[k], index u32[k]: the k largest, descending, equal keys by ascending
 * index. type: u32 i32 u64 f32 f64, floats ordered by totalOrder. random_seed is for variants that draw random numbers; the
 * result does not depend on it. Invalid: a k that is not in 1..n; select.topk: n >= 2^32. */
static const sb_algorithm select_kth = {
    .name = "select.kth",
    .summary = "the k-th largest key",
    SB_PARAMETERS([SB_SELECT_TYPE] = SB_WORD("type", sb_type_words_select, SB_U32),
                  [SB_SELECT_K] = SB_RANK("k", ks, 100),
                  [SB_SELECT_RANDOM_SEED] = {.name = "random_seed",
                                             .interesting = seeds,
                                             .interesting_count = sizeof seeds / sizeof *seeds,
                                             .optional = true}),
    SB_INPUTS([SB_SELECT_KEYS] = SB_FIELD("keys", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_SELECT_KEY] = SB_FIELD("key", SB_TYPE_PARAMETER)),
    .shape = kth_shape,
    .reference = kth_reference,
    .cost = cost,
    .certify = kth_certify,
    .generators = generators,
    .generate = generate,
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

static int compare_words(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* The first of the ascending words that is not below `word`. */
static uint64_t lower_bound(const uint64_t *words, uint64_t count, uint64_t word)
{
    uint64_t low = 0;

    while (low < count) {
        uint64_t middle = low + (count - low) / 2;

        if (words[middle] < word)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Each result is right if it would be for its rank alone. The words of the results, sorted, cut the keys: at 2i those that equal
 * word i, at 2i + 1 those that are larger, up to the next word. */
static bool multi_certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS], *key = &result->outputs[SB_SELECT_KEY];
    const uint64_t *k = c->inputs[SB_SELECT_MULTI_K].data;
    const key_map map = map_of(keys->type);
    uint64_t m = c->inputs[SB_SELECT_MULTI_K].length, wrong = 0;
    uint64_t *words = malloc((m + 1) * sizeof *words), *count = calloc(2 * m + 2, sizeof *count);
    bool good = words != NULL && count != NULL && key->length == m;

    snprintf(why, size, "%s", key->length == m ? "no memory to certify" : "there is not a key for each rank");
    for (uint64_t i = 0; good && i < m; i++)
        words[i] = word_of(key, i, map);
    if (good && m > 0)
        qsort(words, m, sizeof *words, compare_words);
    for (uint64_t i = 0; good && i < keys->length; i++) {
        uint64_t word = word_of(keys, i, map), at = lower_bound(words, m, word);

        if (at < m && words[at] == word)
            count[2 * at]++;
        else if (at > 0)
            count[2 * at - 1]++; /* above a word, so above the last of those that equal it */
    }
    for (uint64_t i = 2 * m; good && i > 0; i--)
        count[i - 1] += count[i];
    for (; good && wrong < m; wrong++) {
        uint64_t word = word_of(key, wrong, map), at = lower_bound(words, m, word);

        /* Keys that equal it are counted at the first of equal words. */
        good = k[wrong] > count[2 * at + 1] && k[wrong] <= count[2 * at];
        if (!good)
            snprintf(why, size, "key[%llu]: %llu keys are larger and %llu are equal; k = %llu",
                     (unsigned long long)wrong, (unsigned long long)count[2 * at + 1],
                     (unsigned long long)(count[2 * at] - count[2 * at + 1]), (unsigned long long)k[wrong]);
    }
    if (good)
        why[0] = '\0';
    free(words);
    free(count);
    return good;
}

static const sb_algorithm select_multi = {
    .name = "select.multi",
    .summary = "the k-th largest key for each of many k",
    SB_PARAMETERS([SB_SELECT_TYPE] = SB_WORD("type", sb_type_words_select, SB_U32)),
    SB_INPUTS([SB_SELECT_KEYS] = SB_FIELD("keys", SB_TYPE_PARAMETER), [SB_SELECT_MULTI_K] = {.name = "k",
                                                                                             .type = SB_U64,
                                                                                             .rank = true}),
    SB_OUTPUTS([SB_SELECT_KEY] = SB_FIELD("key", SB_TYPE_PARAMETER)),
    .shape = multi_shape,
    .reference = multi_reference,
    .cost = cost,
    .certify = multi_certify,
    .generators = generators,
    .generate = generate,
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

/* In the order of descending keys and ascending indices no two keys are equal. So the k largest of n keys, 0 < k <= n, are right if
 * each is before the next, and exactly k keys are not after the last. */
static bool certify_largest(sb_ref_type type, const char *keys, uint64_t n, uint64_t k, const char *key,
                            const uint32_t *index, char *why, size_t size)
{
    size_t bytes = sb_ref_type_size(type);
    uint64_t after = 0;

    for (uint64_t i = 0; i < k; i++)
        if (index[i] >= n || memcmp(key + i * bytes, keys + index[i] * bytes, bytes) != 0 ||
            (i > 0 && !precedes(type, keys, index[i - 1], index[i]))) {
            snprintf(why, size, "key[%llu] or index[%llu] is wrong", (unsigned long long)i, (unsigned long long)i);
            return false;
        }
    for (uint64_t i = 0; i < n; i++)
        after += precedes(type, keys, index[k - 1], i);
    if (after == n - k)
        return true;
    snprintf(why, size, "%llu keys, not n - k, come after the last one", (unsigned long long)after);
    return false;
}

static bool topk_certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    const sb_array *keys = &c->inputs[SB_SELECT_KEYS], *key = &result->outputs[SB_SELECT_KEY];
    const sb_array *index = &result->outputs[SB_SELECT_INDEX];
    uint64_t k = c->parameters[SB_SELECT_K];

    if (k == 0 || k > keys->length || key->length != k || index->length != k) {
        snprintf(why, size, "there are not k keys and k indices");
        return false;
    }
    return certify_largest((sb_ref_type)c->parameters[SB_SELECT_TYPE], keys->data, keys->length, k, key->data,
                           index->data, why, size);
}

static const sb_algorithm select_topk = {
    .name = "select.topk",
    .summary = "the k largest keys, descending, and their indices",
    SB_PARAMETERS([SB_SELECT_TYPE] = SB_WORD("type", sb_type_words_select, SB_U32), [SB_SELECT_K] =
                                                                                        SB_RANK("k", ks, 100)),
    SB_INPUTS([SB_SELECT_KEYS] = SB_FIELD("keys", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_SELECT_KEY] = SB_FIELD("key", SB_TYPE_PARAMETER), [SB_SELECT_INDEX] = SB_FIELD("index", SB_U32)),
    .shape = topk_shape,
    .reference = topk_reference,
    .cost = cost,
    .certify = topk_certify,
    .generators = generators,
    .generate = generate,
};

/* ---- select.rows ---- */

/* k is brought into range in about half of the cases in which it is not. */
static bool rows_normalise(sb_case *c)
{
    uint64_t *k = &c->parameters[SB_ROWS_K];

    if (*k > c->parameters[SB_ROWS_COLUMNS] && *k % 2 == 0)
        *k = c->parameters[SB_ROWS_COLUMNS];
    return true;
}

static void rows_reference(const sb_case *c, sb_result *result)
{
    const uint64_t *p = c->parameters;

    sb_set_status(result,
                  sb_ref_select_rows((sb_ref_type)p[SB_ROWS_TYPE], c->inputs[SB_SELECT_KEYS].data, p[SB_ROWS_ROWS],
                                     p[SB_ROWS_COLUMNS], p[SB_ROWS_K], result->outputs[SB_SELECT_KEY].data,
                                     result->outputs[SB_SELECT_INDEX].data),
                  "k is above columns, or columns is 2^32 or more");
}

static bool rows_certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    sb_ref_type type = (sb_ref_type)c->parameters[SB_ROWS_TYPE];
    uint64_t columns = c->parameters[SB_ROWS_COLUMNS], k = c->parameters[SB_ROWS_K], bytes = sb_ref_type_size(type);
    const char *keys = c->inputs[SB_SELECT_KEYS].data, *key = result->outputs[SB_SELECT_KEY].data;
    const uint32_t *index = result->outputs[SB_SELECT_INDEX].data;
    char of_row[128];

    if (k > columns) {
        snprintf(why, size, "k is above columns");
        return false;
    }
    for (uint64_t row = 0; row < c->parameters[SB_ROWS_ROWS]; row++)
        if (!certify_largest(type, keys + row * columns * bytes, columns, k, key + row * k * bytes, index + row * k,
                             of_row, sizeof of_row)) {
            snprintf(why, size, "row %llu: %s", (unsigned long long)row, of_row);
            return false;
        }
    return true;
}

static bool rows_generate(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    (void)n; /* of the longest array */
    return generate(c, name, c->parameters[SB_ROWS_ROWS] * c->parameters[SB_ROWS_COLUMNS], seed);
}

/* select.rows: keys type[rows columns] -> key type[rows k], index u32[rows k]: select.topk of each row, where an index counts from
 * the start of the row. type: u32 i32 f32. k is 1 to 2048. Invalid: k > columns; columns >= 2^32. */
static const sb_algorithm select_rows = {
    .name = "select.rows",
    .summary = "the k largest keys of each row, descending, and their columns",
    SB_PARAMETERS([SB_ROWS_TYPE] = {.name = "type", SB_TYPES(1 << SB_U32 | 1 << SB_I32 | 1 << SB_F32)},
                  [SB_ROWS_ROWS] = {.name = "rows", .dimension = true, .typical = 64},
                  [SB_ROWS_COLUMNS] = {.name = "columns",
                                       .dimension = true,
                                       .typical = 16384,
                                       SB_VALUES(255, 256, 257, 4096, 4097),
                                       .min = 1},
                  [SB_ROWS_K] = {.name = "k",
                                 .dimension = true,
                                 .typical = 64,
                                 SB_VALUES(1, 2, 31, 32, 33, 100, 256),
                                 .min = 1,
                                 .max = 2048}),
    SB_INPUTS([SB_SELECT_KEYS] = {.name = "keys", .type = SB_TYPE_PARAMETER, .shape = "rows columns"}),
    SB_OUTPUTS([SB_SELECT_KEY] = {.name = "key", .type = SB_TYPE_PARAMETER, .shape = "rows k"}, [SB_SELECT_INDEX] =
                                                                                                    {.name = "index",
                                                                                                     .type = SB_U32,
                                                                                                     .shape =
                                                                                                         "rows k"}),
    .normalise = rows_normalise,
    .reference = rows_reference,
    .cost = cost,
    .certify = rows_certify,
    .generators = generators,
    .generate = rows_generate,
};

const sb_algorithm *const sb_harness_algorithms_select[] = {&select_kth, &select_multi, &select_topk, &select_rows,
                                                            NULL};
