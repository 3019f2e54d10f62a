/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of bwt.forward and bwt.inverse. bwt.inverse names no inverse: most values of `last` are not the transform
 * of any text, so bwt.forward cannot give them back.
 */
#include "../../ref/bwt.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t block_sizes[] = {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, UINT64_MAX};

static uint64_t block_length(uint64_t n, uint64_t block, uint64_t first)
{
    return block == 0 || n - first < block ? n - first : block;
}

static const char *const BAD_PRIMARY = "a primary is not below the length of its block";

static bool forward_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_BWT_FORWARD_TEXT].length;

    (void)why;
    (void)size;
    capacity[SB_BWT_FORWARD_LAST] = n;
    capacity[SB_BWT_FORWARD_PRIMARY] = sb_ref_bwt_blocks(n, c->parameters[SB_BWT_BLOCK]);
    return true;
}

static void forward(const sb_case *c, sb_result *result)
{
    const sb_array *text = &c->inputs[SB_BWT_FORWARD_TEXT];

    sb_set_status(result,
                  sb_ref_bwt_forward(text->data, text->length, c->parameters[SB_BWT_BLOCK],
                                     result->outputs[SB_BWT_FORWARD_LAST].data,
                                     result->outputs[SB_BWT_FORWARD_PRIMARY].data),
                  BAD_PRIMARY);
}

/* border[i] is the length of the longest proper prefix of text[0..i] that is also its suffix: the failure function of
 * Knuth, Morris and Pratt (1977). */
static void find_borders(const uint8_t *text, uint64_t n, uint64_t *border)
{
    border[0] = 0;
    for (uint64_t i = 1; i < n; i++) {
        uint64_t k = border[i - 1];

        while (k > 0 && text[i] != text[k])
            k = border[k - 1];
        border[i] = k + (text[i] == text[k]);
    }
}

/* The longest string that starts at `from` and occurs again later in the text: the longest border of any prefix of
 * text[from..n-1]. */
static uint64_t longest_repeat(const uint8_t *text, uint64_t n, uint64_t from, uint64_t *border)
{
    uint64_t longest = 0;

    find_borders(text + from, n - from, border);
    for (uint64_t i = 0; i < n - from; i++)
        if (border[i] > longest)
            longest = border[i];
    return longest;
}

static uint64_t longest_run(const uint8_t *text, uint64_t n)
{
    uint64_t longest = 0, run = 0;

    for (uint64_t i = 0; i < n; i++) {
        run = i > 0 && text[i] == text[i - 1] ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

/* Estimates the time of qsort with memcmp. A comparison reads as many bytes as two neighbouring rows agree in. A repeat
 * of r bytes holds r of the n positions, and rotations that start there agree with another one for about r bytes, so
 * the average comparison reads r * r / n bytes. The longest repeat is estimated from the longest run and from the
 * repeats that start at four positions of the block. */
static double block_cost(const uint8_t *text, uint64_t n, uint64_t *border)
{
    const double call = 12, per_byte = 0.01; /* ns of one comparison: fixed, and per byte read; measured */
    uint64_t repeat = longest_run(text, n);
    int depth = 0; /* comparisons per row: log2 n, rounded up */

    for (uint64_t from = 0; from < n; from += n / 4 + 1) {
        uint64_t here = longest_repeat(text, n, from, border);

        if (here > repeat)
            repeat = here;
    }
    while (n >> depth != 0)
        depth++;
    return (double)n * depth * (call + per_byte * (double)repeat * (double)repeat / (double)n);
}

static double forward_cost(const sb_case *c)
{
    const uint8_t *text = c->inputs[SB_BWT_FORWARD_TEXT].data;
    uint64_t n = c->inputs[SB_BWT_FORWARD_TEXT].length;
    uint64_t block = c->parameters[SB_BWT_BLOCK];
    uint64_t *border = calloc(block_length(n, block, 0) + 1, sizeof *border);
    double cost = 0;

    if (border == NULL)
        return (double)n * (double)n; /* the reference would not fit into memory either */
    for (uint64_t first = 0, length; first < n; first += length) {
        length = block_length(n, block, first);
        cost += block_cost(text + first, length, border);
    }
    free(border);
    return cost;
}

/* Does the LF-mapping, followed from `primary`, spell `root` backwards and visit every row? The map is a permutation,
 * so a walk visits every row unless it returns to `primary` early. A map of one cycle belongs to the transform of a
 * primitive text. All rotations of that text have the same `last`; starting at `primary` selects the one whose rotation
 * 0 is that row. */
static bool walk_spells(const uint8_t *last, const uint64_t *map, uint64_t n, uint64_t primary, const uint8_t *root)
{
    uint64_t row = primary;

    for (uint64_t i = n; i-- > 0;) {
        if (last[row] != root[i])
            return false;
        row = map[row];
        if (i > 0 && row == primary)
            return false;
    }
    return true;
}

/* The block is root^times with a primitive root. Its rows form groups of `times` equal rotations, ordered by start, so
 * rotation 0 is the first of its group. One row of each group gives the table of the root. `map` and `column` are
 * scratch arrays with as many elements as the block. Returns what is wrong, or NULL. */
static const char *certify_block(const uint8_t *text, uint64_t n, const uint8_t *last, uint64_t primary, uint64_t *map,
                                 uint8_t *column)
{
    uint64_t period, times;

    find_borders(text, n, map);
    period = n - map[n - 1];
    times = n % period == 0 ? n / period : 1;
    if (primary >= n)
        return "primary is not below the length of the block";
    if (primary % times != 0)
        return "primary is not the first of the equal rows";
    for (uint64_t i = 0; i < n; i++)
        if (last[i] != last[i - i % times])
            return "equal rows have different last bytes";
    for (uint64_t i = 0; i < n / times; i++)
        column[i] = last[i * times];
    sb_ref_bwt_lf_mapping(column, n / times, map);
    if (!walk_spells(column, map, n / times, primary / times, text))
        return "last and primary do not give the text in one walk through all rows";
    return NULL;
}

static bool certify_blocks(const sb_case *c, const sb_result *result, uint64_t *map, uint8_t *column, char *why,
                           size_t size)
{
    const uint8_t *text = c->inputs[SB_BWT_FORWARD_TEXT].data;
    const uint8_t *last = result->outputs[SB_BWT_FORWARD_LAST].data;
    const uint64_t *primary = result->outputs[SB_BWT_FORWARD_PRIMARY].data;
    uint64_t n = c->inputs[SB_BWT_FORWARD_TEXT].length;
    uint64_t index = 0;

    for (uint64_t first = 0, length; first < n; first += length, index++) {
        const char *fault;

        length = block_length(n, c->parameters[SB_BWT_BLOCK], first);
        fault = certify_block(text + first, length, last + first, primary[index], map, column);
        if (fault != NULL) {
            snprintf(why, size, "block %llu: %s", (unsigned long long)index, fault);
            return false;
        }
    }
    return true;
}

static bool certify(const sb_case *c, const sb_result *result, char *why, size_t size)
{
    uint64_t n = c->inputs[SB_BWT_FORWARD_TEXT].length;
    uint64_t block = c->parameters[SB_BWT_BLOCK];
    uint64_t *map;
    uint8_t *column;
    bool right = false;

    if (result->outputs[SB_BWT_FORWARD_LAST].length != n ||
        result->outputs[SB_BWT_FORWARD_PRIMARY].length != sb_ref_bwt_blocks(n, block)) {
        snprintf(why, size, "last or primary has the wrong length");
        return false;
    }
    map = calloc(block_length(n, block, 0) + 1, sizeof *map);
    column = calloc(block_length(n, block, 0) + 1, 1);
    if (map == NULL || column == NULL)
        snprintf(why, size, "out of memory for the certificate");
    else
        right = certify_blocks(c, result, map, column, why, size);
    free(map);
    free(column);
    return right;
}

/* Makes as many primaries as there are blocks, and reduces each modulo the length of its block. A primary equal to that
 * length stays: it is the smallest invalid one. */
static bool inverse_normalise(sb_case *c)
{
    sb_array *array = &c->inputs[SB_BWT_INVERSE_PRIMARY];
    uint64_t n = c->inputs[SB_BWT_INVERSE_LAST].length;
    uint64_t block = c->parameters[SB_BWT_BLOCK];
    uint64_t blocks = sb_ref_bwt_blocks(n, block);
    uint64_t *primary;

    if (array->length == blocks || (n == 0 && array->length == 1))
        return true;
    if (!sb_array_resize(array, blocks))
        return false;
    primary = array->data;
    for (uint64_t i = 0; i < blocks; i++) {
        uint64_t length = block_length(n, block, i * block);

        if (primary[i] > length)
            primary[i] %= length;
    }
    return true;
}

static bool inverse_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t n = c->inputs[SB_BWT_INVERSE_LAST].length;
    uint64_t given = c->inputs[SB_BWT_INVERSE_PRIMARY].length;
    uint64_t blocks = sb_ref_bwt_blocks(n, c->parameters[SB_BWT_BLOCK]);

    capacity[SB_BWT_INVERSE_TEXT] = n;
    if (given == blocks || (n == 0 && given == 1))
        return true;
    snprintf(why, size, "%llu primaries for %llu blocks", (unsigned long long)given, (unsigned long long)blocks);
    return false;
}

static void inverse(const sb_case *c, sb_result *result)
{
    const sb_array *last = &c->inputs[SB_BWT_INVERSE_LAST], *primary = &c->inputs[SB_BWT_INVERSE_PRIMARY];

    sb_set_status(result,
                  sb_ref_bwt_inverse(last->data, last->length, primary->data, primary->length,
                                     c->parameters[SB_BWT_BLOCK], result->outputs[SB_BWT_INVERSE_TEXT].data),
                  BAD_PRIMARY);
}

/* 20 ns for each step: one cache miss in a large block. */
static double inverse_cost(const sb_case *c)
{
    return 20.0 * (double)c->inputs[SB_BWT_INVERSE_LAST].length;
}

/* bwt.forward: text u8[n] -> last u8[n], primary u64[blocks]. Every input is valid. */
static const sb_algorithm bwt_forward = {
    .name = "bwt.forward",
    .summary = "Burrows-Wheeler transform of whole rotations",
    SB_PARAMETERS([SB_BWT_BLOCK] = SB_NUMBER("block", block_sizes, 1 << 20)),
    SB_INPUTS([SB_BWT_FORWARD_TEXT] = SB_FIELD("text", SB_U8)),
    SB_OUTPUTS([SB_BWT_FORWARD_LAST] = SB_FIELD("last", SB_U8), [SB_BWT_FORWARD_PRIMARY] = SB_FIELD("primary", SB_U64)),
    .shape = forward_shape,
    .reference = forward,
    .cost = forward_cost,
    .inverse = "bwt.inverse",
    .invert = sb_invert_code,
    .certify = certify,
};

/* bwt.inverse: last u8[n], primary u64[blocks] -> text u8[n]. Invalid: a primary that is not below the length of its
 * block. With n = 0, primary has length 0, or length 1 with the value 0. */
static const sb_algorithm bwt_inverse = {
    .name = "bwt.inverse",
    .summary = "the text of a Burrows-Wheeler transform",
    SB_PARAMETERS([SB_BWT_BLOCK] = SB_NUMBER("block", block_sizes, 1 << 20)),
    SB_INPUTS(/* More primaries than there can be blocks: only what does not fit the case is normalised. */
              [SB_BWT_INVERSE_LAST] = SB_FIELD("last", SB_U8), [SB_BWT_INVERSE_PRIMARY] = {.name = "primary",
                                                                                           .type = SB_U64,
                                                                                           .extra = 1}),
    SB_OUTPUTS([SB_BWT_INVERSE_TEXT] = SB_FIELD("text", SB_U8)),
    .normalise = inverse_normalise,
    .shape = inverse_shape,
    .reference = inverse,
    .cost = inverse_cost,
};

const sb_algorithm *const sb_harness_algorithms_bwt[] = {&bwt_forward, &bwt_inverse, NULL};
