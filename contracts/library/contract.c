/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions of the header library (docs/PATTERNS.md), whose results are the same bytes whatever the launch: runs of equal keys,
 * partitions, differences, histograms, the largest keys, a sort in descending order, and sequences that are computed. Integers are
 * unsigned and wrap; a word is odd or even where a predicate is wanted. Lengths of most outputs depend on the content, so that `shape` and
 * `reference` are programmed.
 */
#include <samebits/contract.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT, OTHER }; /* parameters; the second one is k, or how many bins or bounds there are */
enum { A, B };         /* arrays */

#define COUNT_PARAMETER                                                                                                \
    [COUNT] = {.name = "count", .dimension = true, .typical = 1000000, SB_VALUES(255, 256, 257, 2047, 2049)}
#define WORDS(name_)                                                                                                   \
    {                                                                                                                  \
        .name = name_, .type = SB_U32, .shape = "count"                                                                \
    }
#define SOME(name_)                                                                                                    \
    {                                                                                                                  \
        .name = name_, .type = SB_U32                                                                                  \
    }

static const uint32_t *in(const sb_case *c, int array)
{
    return c->inputs[array].data;
}

static uint32_t *out(sb_result *result, int array)
{
    return result->outputs[array].data;
}

/* Outputs without a shape have at most `count` elements. */
static bool shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    (void)why;
    (void)size;
    for (size_t i = 0; i < c->algorithm->output_count; i++)
        if (c->algorithm->outputs[i].shape == NULL)
            capacity[i] = c->parameters[COUNT];
    return true;
}

static void cut(sb_result *result, uint64_t a, uint64_t b)
{
    result->outputs[A].length = a;
    result->outputs[B].length = b;
}

/* ---- runs ---- */

static bool begins(const uint32_t *key, uint64_t i)
{
    return i == 0 || key[i] != key[i - 1];
}

static void unique_keys(const sb_case *c, sb_result *result)
{
    const uint32_t *key = in(c, A);
    uint64_t runs = 0;

    for (uint64_t i = 0; i < c->parameters[COUNT]; i++)
        if (begins(key, i))
            out(result, A)[runs++] = key[i];
    result->outputs[A].length = runs;
}

static void unique_by_key(const sb_case *c, sb_result *result)
{
    const uint32_t *key = in(c, A);
    uint64_t runs = 0;

    for (uint64_t i = 0; i < c->parameters[COUNT]; i++)
        if (begins(key, i)) {
            out(result, A)[runs] = key[i];
            out(result, B)[runs++] = in(c, B)[i];
        }
    cut(result, runs, runs);
}

/* The first key of each run, and the sum of the run's items. */
static void sum_runs(const sb_case *c, sb_result *result, const uint32_t *items)
{
    const uint32_t *key = in(c, A);
    uint64_t runs = 0;

    for (uint64_t i = 0; i < c->parameters[COUNT]; i++) {
        if (begins(key, i)) {
            out(result, A)[runs] = key[i];
            out(result, B)[runs++] = 0;
        }
        out(result, B)[runs - 1] += items != NULL ? items[i] : 1;
    }
    cut(result, runs, runs);
}

static void run_length_encode(const sb_case *c, sb_result *result)
{
    sum_runs(c, result, NULL); /* each item is 1 */
}

static void reduce_by_key(const sb_case *c, sb_result *result)
{
    sum_runs(c, result, in(c, B));
}

static void scan_by_key(const sb_case *c, sb_result *result)
{
    const uint32_t *key = in(c, A);

    for (uint64_t i = 0; i < c->parameters[COUNT]; i++)
        out(result, A)[i] = in(c, B)[i] + (begins(key, i) ? 0 : out(result, A)[i - 1]);
}

/* ---- one item, or two adjacent ones ---- */

static void partition(const sb_case *c, sb_result *result)
{
    uint64_t kept = 0, others = 0;

    for (uint64_t i = 0; i < c->parameters[COUNT]; i++)
        if (in(c, A)[i] & 1)
            out(result, A)[kept++] = in(c, A)[i];
        else
            out(result, B)[others++] = in(c, A)[i];
    cut(result, kept, others);
}

static void adjacent_difference(const sb_case *c, sb_result *result)
{
    for (uint64_t i = 0; i < c->parameters[COUNT]; i++)
        out(result, A)[i] = in(c, A)[i] - (i == 0 ? 0 : in(c, A)[i - 1]);
}

/* Of the items at the indices those which are odd, and three times their places. */
static void sequences(const sb_case *c, sb_result *result)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < c->parameters[COUNT]; i++) {
        const uint32_t item = in(c, A)[in(c, B)[i]];

        if (item & 1) {
            out(result, A)[kept] = item;
            out(result, B)[kept++] = 3 * (uint32_t)i;
        }
    }
    cut(result, kept, kept);
}

/* ---- bins ---- */

static void histogram_even(const sb_case *c, sb_result *result)
{
    const uint64_t bins = c->parameters[OTHER], lower = 1u << 10, upper = (uint64_t)3 << 30; /* as in port.cu */

    memset(out(result, A), 0, bins * sizeof(uint32_t));
    for (uint64_t i = 0; i < c->parameters[COUNT]; i++) {
        const uint64_t sample = in(c, A)[i];

        if (sample >= lower && sample < upper)
            out(result, A)[(sample - lower) * bins / (upper - lower)]++;
    }
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static bool sort_bounds(sb_case *c)
{
    qsort(c->inputs[B].data, c->inputs[B].length, sizeof(uint32_t), ascending);
    return true;
}

static bool range_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    capacity[A] = c->parameters[OTHER] - 1;
    for (uint64_t b = 1; b < c->parameters[OTHER]; b++)
        if (in(c, B)[b] < in(c, B)[b - 1]) {
            snprintf(why, size, "bound %llu is less than the one before", (unsigned long long)b);
            return false;
        }
    return true;
}

static void histogram_range(const sb_case *c, sb_result *result)
{
    const uint32_t *bound = in(c, B);
    const uint64_t bins = c->parameters[OTHER] - 1;

    memset(out(result, A), 0, bins * sizeof(uint32_t));
    for (uint64_t i = 0; i < c->parameters[COUNT]; i++) {
        uint64_t low = 0,
                 high = bins + 1; /* bounds before `low` are at most the sample, those from `high` on above it */

        while (low < high) {
            const uint64_t middle = (low + high) / 2;

            if (bound[middle] <= in(c, A)[i])
                low = middle + 1;
            else
                high = middle;
        }
        if (low >= 1 && low <= bins)
            out(result, A)[low - 1]++;
    }
}

/* ---- order ---- */

typedef struct ranked {
    uint32_t key, index;
} ranked;

/* The larger key first, of equal ones the first. */
static int descending(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    return x->key != y->key ? (x->key < y->key) - (x->key > y->key) : (x->index > y->index) - (x->index < y->index);
}

/* The first `some` of the keys in descending order, and their values. */
static void largest(const sb_case *c, sb_result *result, uint64_t some)
{
    const uint64_t count = c->parameters[COUNT];
    ranked *order = malloc((count + 1) * sizeof *order);

    if (order == NULL) {
        result->status = SB_FAILED;
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        order[i] = (ranked){in(c, A)[i], (uint32_t)i};
    qsort(order, count, sizeof *order, descending);
    for (uint64_t i = 0; i < some; i++) {
        out(result, A)[i] = order[i].key;
        out(result, B)[i] = in(c, B)[order[i].index];
    }
    free(order);
    cut(result, some, some);
}

static void sort_descending(const sb_case *c, sb_result *result)
{
    largest(c, result, c->parameters[COUNT]);
}

/* k may be more than there are. */
static void top_k(const sb_case *c, sb_result *result)
{
    largest(c, result, c->parameters[OTHER] < c->parameters[COUNT] ? c->parameters[OTHER] : c->parameters[COUNT]);
}

SB_CONTRACTS(
    {.name = "library.unique",
     .summary = "the first key of each run of equal ones",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("key")),
     SB_OUTPUTS(SOME("run")),
     .shape = shape,
     .reference = unique_keys},
    {.name = "library.unique_by_key",
     .summary = "the first key and value of each run of equal keys",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("key"), WORDS("value")),
     SB_OUTPUTS(SOME("run"), SOME("first")),
     .shape = shape,
     .reference = unique_by_key},
    {.name = "library.run_length_encode",
     .summary = "the key and the length of each run of equal keys",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("key")),
     SB_OUTPUTS(SOME("run"), SOME("length")),
     .shape = shape,
     .reference = run_length_encode},
    {.name = "library.reduce_by_key",
     .summary = "the key and the sum of each run of equal keys",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("key"), WORDS("value")),
     SB_OUTPUTS(SOME("run"), SOME("sum")),
     .shape = shape,
     .reference = reduce_by_key},
    {.name = "library.scan_by_key",
     .summary = "inclusive sums that begin anew at each run of equal keys",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("key"), WORDS("value")),
     SB_OUTPUTS(WORDS("sum")),
     .shape = shape,
     .reference = scan_by_key},
    {.name = "library.partition",
     .summary = "odd items and the others, each in order",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("item")),
     SB_OUTPUTS(SOME("odd"), SOME("even")),
     .shape = shape,
     .reference = partition},
    {.name = "library.adjacent_difference",
     .summary = "each item less the one before",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("item")),
     SB_OUTPUTS(WORDS("difference")),
     .reference = adjacent_difference},
    {.name = "library.sequences",
     .summary = "odd items of a permutation, and three times their places",
     SB_PARAMETERS([COUNT] =
                       {.name = "count", .dimension = true, .typical = 1000000, .min = 1, SB_VALUES(255, 256, 257)}),
     SB_INPUTS(WORDS("item"), {.name = "index", .type = SB_U32, .shape = "count", .below = "count"}),
     SB_OUTPUTS(SOME("odd"), SOME("place")),
     .shape = shape,
     .reference = sequences},
    {.name = "library.histogram_even",
     .summary = "how many samples from 2^10 to 3 * 2^30 are in each of equal bins",
     SB_PARAMETERS(COUNT_PARAMETER, [OTHER] = {.name = "bins",
                                               .dimension = true,
                                               .min = 1,
                                               .typical = 256,
                                               SB_VALUES(256, 1000)}),
     SB_INPUTS(WORDS("sample")),
     SB_OUTPUTS({.name = "counts", .type = SB_U32, .shape = "bins"}),
     .reference = histogram_even},
    {.name = "library.histogram_range",
     .summary = "how many samples are between each two of the given bounds",
     SB_PARAMETERS(
         COUNT_PARAMETER, [OTHER] = {.name = "bounds", .dimension = true, .min = 2, .typical = 257, SB_VALUES(2, 257)}),
     SB_INPUTS(WORDS("sample"), {.name = "bound", .type = SB_U32, .shape = "bounds"}),
     SB_OUTPUTS(SOME("counts")),
     .normalise = sort_bounds,
     .shape = range_shape,
     .reference = histogram_range},
    {.name = "library.sort_descending",
     .summary = "keys from the largest on, equal ones in order, and their values",
     SB_PARAMETERS(COUNT_PARAMETER),
     SB_INPUTS(WORDS("key"), WORDS("value")),
     SB_OUTPUTS(WORDS("sorted"), WORDS("moved")),
     .reference = sort_descending},
    {.name = "library.top_k",
     .summary = "the k largest keys from the largest on, of equal ones the first, and their values",
     SB_PARAMETERS(COUNT_PARAMETER, [OTHER] = {.name = "k", .rank = true, .typical = 100}),
     SB_INPUTS(WORDS("key"), WORDS("value")),
     SB_OUTPUTS(SOME("top"), SOME("moved")),
     .shape = shape,
     .reference = top_k})
