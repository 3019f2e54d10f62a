/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Generators: contract in generate.h, every pattern in docs/FORMAT.md. The hashes of generated cases pin what that page
 * specifies, so a change here is a change of the format.
 */
#include "generate.h"
#include "../common/number.h"
#include "../common/shape.h"
#include "subset.h"
#include "values.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- elements ---- */

static unsigned width_of(const sb_array *array)
{
    return 8 * (unsigned)sb_type_size(array->type);
}

/* Puts the low bits into element i; a of an affine map is made odd. */
static void put_bits(sb_array *array, uint64_t i, uint64_t bits)
{
    size_t size = sb_type_size(array->type);

    if (array->type == SB_AFFINE)
        bits |= 1;
    memcpy((uint8_t *)array->data + i * size, &bits, size);
}

static uint64_t get_bits(const sb_array *array, uint64_t i)
{
    size_t size = sb_type_size(array->type);
    uint64_t bits = 0;

    memcpy(&bits, (const uint8_t *)array->data + i * size, size);
    return bits;
}

/* Puts a number into element i: modulo 2^width, as a float, or as the affine map (2*number + 1, number). */
static void put_number(sb_array *array, uint64_t i, int64_t number)
{
    if (sb_type_kind(array->type) == SB_KIND_FLOAT)
        sb_number_set(array, i, (double)number);
    else if (array->type == SB_AFFINE)
        ((sb_affine *)array->data)[i] = (sb_affine){2 * (uint32_t)number + 1, (uint32_t)number};
    else
        put_bits(array, i, (uint64_t)number);
}

/* The bits of a symbol. One time in four they are extreme, because kernels fail there more often. */
static uint64_t draw_symbol(const sb_array *array, sb_random *random)
{
    const uint64_t top = (uint64_t)1 << (width_of(array) - 1);
    const uint64_t extremes[] = {0, UINT64_MAX, 1, top};
    uint64_t bits;

    if (sb_random_below(random, 4) == 0)
        bits = extremes[sb_random_below(random, 4)];
    else
        bits = sb_random_next(random);
    return (bits & (top | (top - 1))) | (array->type == SB_AFFINE);
}

enum { MAX_SYMBOLS = 17 };

/* Adjacent symbols differ. */
static void draw_symbols(const sb_array *array, sb_random *random, uint64_t *symbols, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        do
            symbols[i] = draw_symbol(array, random);
        while (i > 0 && symbols[i] == symbols[i - 1]);
}

/* ---- patterns: each fills a whole array ---- */

static void make_random(sb_array *array, sb_random *random)
{
    for (uint64_t i = 0; i < array->length; i++)
        put_bits(array, i, sb_random_next(random));
}

static void make_all_equal(sb_array *array, sb_random *random)
{
    uint64_t symbol = draw_symbol(array, random);

    for (uint64_t i = 0; i < array->length; i++)
        put_bits(array, i, symbol);
}

static void make_few_distinct(sb_array *array, sb_random *random)
{
    uint64_t symbols[MAX_SYMBOLS], count = 2 + sb_random_below(random, 3);

    draw_symbols(array, random, symbols, count);
    for (uint64_t i = 0; i < array->length; i++)
        put_bits(array, i, symbols[sb_random_below(random, count)]);
}

static void make_period(sb_array *array, sb_random *random)
{
    uint64_t symbols[MAX_SYMBOLS], period = 2 + sb_random_below(random, 16);

    draw_symbols(array, random, symbols, period);
    for (uint64_t i = 0; i < array->length; i++)
        put_bits(array, i, symbols[i % period]);
}

/* a, ab, aba, abaab, ...: each word is the one before it followed by the one before that. */
static void make_fibonacci(sb_array *array, sb_random *random)
{
    uint64_t symbols[2], length = 2, before = 1;

    draw_symbols(array, random, symbols, 2);
    for (uint64_t i = 0; i < array->length; i++) {
        if (i == length + before) {
            length += before;
            before = length - before;
        }
        put_bits(array, i, i < 2 ? symbols[i] : get_bits(array, i - length));
    }
}

static void make_thue_morse(sb_array *array, sb_random *random)
{
    uint64_t symbols[2];

    draw_symbols(array, random, symbols, 2);
    for (uint64_t i = 0; i < array->length; i++)
        put_bits(array, i, symbols[__builtin_parityll(i)]);
}

/* The start of the lexicographically smallest de Bruijn sequence that is long enough: the Lyndon words whose length divides
 * the order, in lexicographic order (Fredricksen and Maiorana 1978), each made from the one before by Duval's algorithm. */
static void make_de_bruijn(sb_array *array, sb_random *random)
{
    uint64_t symbols[MAX_SYMBOLS], count = 2 + sb_random_below(random, 3), words = count;
    unsigned order = 1, length = 1;
    uint8_t word[64] = {0};

    draw_symbols(array, random, symbols, count);
    for (; words < array->length; words *= count)
        order++;
    for (uint64_t i = 0; i < array->length && length > 0;) {
        for (unsigned k = 0; order % length == 0 && k < length && i < array->length; k++)
            put_bits(array, i++, symbols[word[k]]);
        for (unsigned k = length; k < order; k++)
            word[k] = word[k - length];
        for (length = order; length > 0 && word[length - 1] == count - 1;)
            length--;
        if (length > 0)
            word[length - 1]++;
    }
}

/* Lengths of runs: short ones, around 255, the longest that a count of one byte can say, and around twice that. */
static uint64_t draw_run(sb_random *random)
{
    static const uint64_t lengths[] = {1, 2, 3, 254, 255, 256, 257, 510, 511, 512};

    return lengths[sb_random_below(random, sizeof lengths / sizeof *lengths)];
}

static void make_runs(sb_array *array, sb_random *random)
{
    uint64_t symbols[3];

    draw_symbols(array, random, symbols, 3);
    for (uint64_t i = 0; i < array->length;) {
        uint64_t symbol = symbols[sb_random_below(random, 3)];

        for (uint64_t left = draw_run(random); left > 0 && i < array->length; left--)
            put_bits(array, i++, symbol);
    }
}

static void make_zero_runs(sb_array *array, sb_random *random)
{
    for (uint64_t i = 0; i < array->length;) {
        for (uint64_t left = draw_run(random); left > 0 && i < array->length; left--)
            put_bits(array, i++, 0);
        for (uint64_t left = 1 + sb_random_below(random, 3); left > 0 && i < array->length; left--)
            put_bits(array, i++, sb_random_next(random));
    }
}

/* Maps keys to unsigned integers of the same order, and back. */
static uint64_t to_order(uint32_t type, uint64_t bits)
{
    uint64_t sign = (uint64_t)1 << (8 * sb_type_size(type) - 1);

    if (sb_type_kind(type) == SB_KIND_SIGNED)
        return bits ^ sign;
    if (sb_type_kind(type) == SB_KIND_FLOAT)
        return bits & sign ? ~bits & (sign | (sign - 1)) : bits | sign;
    return bits;
}

static uint64_t from_order(uint32_t type, uint64_t order)
{
    uint64_t sign = (uint64_t)1 << (8 * sb_type_size(type) - 1);

    if (sb_type_kind(type) == SB_KIND_SIGNED)
        return order ^ sign;
    if (sb_type_kind(type) == SB_KIND_FLOAT)
        return order & sign ? order & ~sign : ~order & (sign | (sign - 1));
    return order;
}

static int compare_orders(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* Half of the cases have arbitrary elements, the others numbers that each occur about four times. */
static bool make_ordered(sb_array *array, sb_random *random, bool descending)
{
    uint64_t n = array->length, *orders = malloc((n + 1) * sizeof *orders);
    bool repeated = sb_random_below(random, 2) == 1;

    if (orders == NULL)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (repeated)
            put_number(array, i, (int64_t)sb_random_below(random, n / 4 + 1));
        else
            put_bits(array, i, sb_random_next(random));
        orders[i] = to_order(array->type, get_bits(array, i));
    }
    qsort(orders, n, sizeof *orders, compare_orders);
    for (uint64_t i = 0; i < n; i++)
        put_bits(array, i, from_order(array->type, orders[descending ? n - 1 - i : i]));
    free(orders);
    return true;
}

static void make_organ_pipe(sb_array *array, sb_random *random)
{
    uint64_t n = array->length;

    (void)random;
    for (uint64_t i = 0; i < n; i++)
        put_number(array, i, (int64_t)(i < n / 2 ? i : n - 1 - i));
}

static void make_nearly_sorted(sb_array *array, sb_random *random)
{
    uint64_t n = array->length;

    for (uint64_t i = 0; i < n; i++)
        put_number(array, i, (int64_t)i);
    for (uint64_t swaps = n / 32 + (n > 0); swaps > 0; swaps--) {
        uint64_t i = sb_random_below(random, n), j = sb_random_below(random, n), bits = get_bits(array, i);

        put_bits(array, i, get_bits(array, j));
        put_bits(array, j, bits);
    }
}

static void make_sawtooth(sb_array *array, sb_random *random)
{
    uint64_t start = sb_random_below(random, 256);

    for (uint64_t i = 0; i < array->length; i++)
        put_number(array, i, (int64_t)((start + i) % 256));
}

/* Around the values where signed and unsigned order differ, where 64-bit numbers exceed 32 bits, and around 0. */
static void make_high_bit(sb_array *array, sb_random *random)
{
    const uint64_t top = (uint64_t)1 << (width_of(array) - 1);
    const uint64_t bases[] = {top, top, width_of(array) == 64 ? (uint64_t)1 << 31 : top, 0};

    for (uint64_t i = 0; i < array->length; i++) {
        uint64_t base = bases[sb_random_below(random, 4)];

        put_bits(array, i, base - 4 + sb_random_below(random, 9));
    }
}

/* Magnitudes of the floats of a width: 0, the smallest and the largest subnormal, the smallest normal, 1, the largest,
 * infinity, the first signalling, the first quiet and the last NaN. Narrower elements get the ends of their range. */
static uint64_t special_magnitude(unsigned width, uint64_t index)
{
    static const uint64_t f32[] = {0,          1,          0x007fffff, 0x00800000, 0x3f800000,
                                   0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
    static const uint64_t f64[] = {0,
                                   1,
                                   0x000fffffffffffff,
                                   0x0010000000000000,
                                   0x3ff0000000000000,
                                   0x7fefffffffffffff,
                                   0x7ff0000000000000,
                                   0x7ff0000000000001,
                                   0x7ff8000000000000,
                                   0x7fffffffffffffff};

    if (width == 64)
        return f64[index];
    return width == 32 ? f32[index] : index % 2 * (((uint64_t)1 << (width - 1)) - 1);
}

static void make_special(sb_array *array, sb_random *random)
{
    unsigned width = width_of(array);

    for (uint64_t i = 0; i < array->length; i++) {
        uint64_t draw = sb_random_below(random, 27);

        if (draw < 20)
            put_bits(array, i, special_magnitude(width, draw / 2) | draw % 2 << (width - 1));
        else
            put_bits(array, i, sb_random_next(random));
    }
}

/* Small enough that sums of up to 2^21 of them are exact in f32: magnitudes of at max 8 = 2^3, and 24 bits. */
static void make_small(sb_array *array, sb_random *random)
{
    bool has_sign = sb_type_kind(array->type) == SB_KIND_SIGNED || sb_type_kind(array->type) == SB_KIND_FLOAT;

    for (uint64_t i = 0; i < array->length; i++)
        put_number(array, i, (int64_t)sb_random_below(random, 17) - (has_sign ? 8 : 0));
}

/* Each letter is one of eight successors of the letter before it or, one time in eight, any letter. The bitwise and of two
 * draws makes the first letters the frequent ones. */
static void make_text(sb_array *array, sb_random *random)
{
    static const char letters[] = " etaoinshrdlcumwfgypbvkjxqz,.-'\n";
    uint8_t successors[32][8];
    unsigned letter = 0;

    for (unsigned i = 0; i < 256; i++) {
        uint64_t draw = sb_random_next(random);

        successors[i / 8][i % 8] = (uint8_t)(draw & draw >> 8 & 31);
    }
    for (uint64_t i = 0; i < array->length; i++) {
        uint64_t draw = sb_random_next(random);

        letter = (draw >> 3 & 7) == 0 ? draw >> 8 & draw >> 16 & 31 : successors[letter][draw & 7];
        put_number(array, i, letters[letter]);
    }
}

/* As files are: mostly different bytes, in which some stretches come again. */
static void make_copies(sb_array *array, sb_random *random)
{
    for (uint64_t i = 0; i < array->length;) {
        bool copies = sb_random_below(random, 16) == 0 && i > 0;
        uint64_t left = 1 + sb_random_below(random, (uint64_t)2 << sb_random_below(random, 10));
        uint64_t from = copies ? sb_random_below(random, i) : 0;

        for (; left > 0 && i < array->length; left--)
            put_bits(array, i++, copies ? get_bits(array, from++) : sb_random_next(random));
    }
}

static const struct {
    const char *name;
    void (*make)(sb_array *array, sb_random *random);
} patterns[] = {
    {"random", make_random},
    {"all-equal", make_all_equal},
    {"few-distinct", make_few_distinct},
    {"period", make_period},
    {"fibonacci", make_fibonacci},
    {"thue-morse", make_thue_morse},
    {"de-bruijn", make_de_bruijn},
    {"runs", make_runs},
    {"zero-runs", make_zero_runs},
    {"organ-pipe", make_organ_pipe},
    {"nearly-sorted", make_nearly_sorted},
    {"sawtooth", make_sawtooth},
    {"high-bit", make_high_bit},
    {"special", make_special},
    {"small", make_small},
    {"text", make_text},
    {"copies", make_copies},
};

static bool is_pattern(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(patterns[i].name, name) == 0)
            return true;
    return strcmp(name, "sorted") == 0 || strcmp(name, "reversed") == 0;
}

static bool make_pattern(const char *name, sb_array *array, sb_random *random)
{
    if (strcmp(name, "sorted") == 0 || strcmp(name, "reversed") == 0)
        return make_ordered(array, random, name[0] == 'r');
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(patterns[i].name, name) == 0) {
            patterns[i].make(array, random);
            return true;
        }
    return false;
}

/* ---- cases ---- */

/* Do the parameters alone say how long every input is? */
static bool has_shapes(const sb_algorithm *algorithm)
{
    for (size_t i = 0; i < algorithm->input_count; i++)
        if (algorithm->inputs[i].shape == NULL)
            return false;
    return true;
}

static bool may_hold_floats(const sb_algorithm *algorithm, const sb_field *field)
{
    const char *const *words = NULL;
    bool may = sb_type_kind(field->type) == SB_KIND_FLOAT;

    if (field->type == SB_TYPE_PARAMETER)
        words = algorithm->parameters[sb_parameter_index(algorithm, "type")].words;
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        may |= words[i][0] != '\0' && sb_type_kind(sb_type_find(words[i])) == SB_KIND_FLOAT;
    return may;
}

/* Is an output bounded as a sum of products is? */
static bool adds_products(const sb_algorithm *algorithm)
{
    bool adds = false;

    for (size_t i = 0; i < algorithm->output_count; i++)
        adds |= algorithm->outputs[i].tolerance.judging == SB_GAMMA;
    return adds;
}

const char *const *sb_generators(const sb_algorithm *algorithm)
{
    static const char *const bytes[] = {"random",     "all-equal", "few-distinct", "period",    "fibonacci",
                                        "thue-morse", "de-bruijn", "runs",         "zero-runs", "sorted",
                                        "reversed",   "sawtooth",  "text",         "copies",    NULL};
    static const char *const keys[] = {"random",   "all-equal",  "few-distinct",  "period",   "runs",    "sorted",
                                       "reversed", "organ-pipe", "nearly-sorted", "high-bit", "special", "small",
                                       NULL};

    if (algorithm->generators != NULL)
        return algorithm->generators;
    for (size_t i = 0; i < algorithm->input_count && has_shapes(algorithm); i++)
        if (may_hold_floats(algorithm, &algorithm->inputs[i]))
            return adds_products(algorithm) ? sb_sum_value_names : sb_value_names;
    return has_shapes(algorithm) ? keys : algorithm->inputs[0].type == SB_U8 ? bytes : keys;
}

static bool suits(const sb_algorithm *algorithm, const char *name)
{
    const char *const *names = sb_generators(algorithm);

    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool sb_has_name(const sb_algorithm *algorithm, const char *name)
{
    bool has = sb_parameter_index(algorithm, name) >= 0;

    for (size_t i = 0; i < algorithm->input_count; i++)
        has |= strcmp(algorithm->inputs[i].name, name) == 0;
    for (size_t i = 0; i < algorithm->output_count; i++)
        has |= strcmp(algorithm->outputs[i].name, name) == 0;
    return has;
}

const char *sb_count_word(const sb_algorithm *algorithm)
{
    return sb_has_name(algorithm, "n") ? "items" : "n";
}

/* Sets the reason of the case to the items that make it again: gen=fibonacci n=1000 seed=7 chunk=31 hash=... */
static bool set_recipe(sb_case *c, const char *name, uint64_t n, uint64_t seed, const uint64_t *parameters)
{
    const sb_parameter *table = c->algorithm->parameters;
    char text[128 * (SB_MAX_PARAMETERS + 2)] = "";
    size_t used = 0;

    for (size_t i = 0; i < c->algorithm->parameter_count && used < sizeof text; i++)
        if (table[i].words != NULL)
            used += (size_t)snprintf(text + used, sizeof text - used, " %s=%s", table[i].name,
                                     table[i].words[parameters[i]]);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, " %s=%" PRIu64, table[i].name, parameters[i]);
    return sb_case_set_why(c, "gen=%s %s=%" PRIu64 " seed=%" PRIu64 "%s hash=%016" PRIx64, name,
                           sb_count_word(c->algorithm), n, seed, text, sb_case_hash(c));
}

/* Sets the parameters. Words that the algorithm does not allow together become an allowed combination; numbers stay. */
static bool set_parameters(sb_case *c, const uint64_t *parameters)
{
    size_t count = c->algorithm->parameter_count;

    memcpy(c->parameters, parameters, count * sizeof *parameters);
    if (!sb_case_normalise(c))
        return false;
    for (size_t i = 0; i < count; i++)
        if (c->algorithm->parameters[i].words == NULL)
            c->parameters[i] = parameters[i];
    return true;
}

/* Ranks among n keys: up to 300 of them, one time in 16 with up to three that are out of range, one time in four with the
 * first and the last. */
static bool make_ranks(sb_array *array, uint64_t n, sb_random *random)
{
    uint64_t count = sb_random_below(random, (n < 300 ? n : 300) + 2);
    uint64_t *k;

    if (!sb_array_resize(array, count))
        return false;
    k = array->data;
    for (uint64_t i = 0; i < count; i++)
        k[i] = 1 + (n > 0 ? sb_random_below(random, n) : 0);
    if (count > 0 && sb_random_below(random, 16) == 0) {
        for (uint64_t wrong = 1 + sb_random_below(random, 3); wrong > 0; wrong--) {
            uint64_t i = sb_random_below(random, count);

            k[i] = sb_random_below(random, 2) * (n + 1);
        }
    }
    if (count > 0 && n > 0 && sb_random_below(random, 4) == 0) {
        k[sb_random_below(random, count)] = 1;
        k[sb_random_below(random, count)] = n;
    }
    return true;
}

/* The number of an input of floats that the seed chooses. */
static size_t choose_input(const sb_case *c, uint64_t seed)
{
    size_t floats[SB_MAX_ARRAYS] = {0}, count = 0;

    for (size_t i = 0; i < c->algorithm->input_count; i++)
        if (sb_type_kind(sb_field_type(c, &c->algorithm->inputs[i])) == SB_KIND_FLOAT)
            floats[count++] = i;
    return count > 0 ? floats[seed % count] : 0;
}

/* Each input gets its length from its shape, and is filled with floats of a distribution, or by a pattern. */
static bool fill_shapes(sb_case *c, const char *name, uint64_t seed)
{
    sb_random seeds = {seed};

    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        sb_random random = {sb_random_next(&seeds)};
        const char *shape = c->algorithm->inputs[i].shape, *below = c->algorithm->inputs[i].below;
        uint64_t extents[SB_MAX_RANK], length, bound = 0;
        int rank = sb_shape_extents(c->algorithm, shape, c->parameters, extents);

        if (!sb_shape_length(c->algorithm, shape, c->parameters, &length) || !sb_array_resize(&c->inputs[i], length))
            return false;
        if (below != NULL && !sb_shape_length(c->algorithm, below, c->parameters, &bound))
            return false;
        if (sb_is_values(name))
            sb_make_values(name, &c->inputs[i], rank > 0 ? extents[rank - 1] : 1, bound, i == choose_input(c, seed),
                           &random);
        else if (!make_pattern(name, &c->inputs[i], &random))
            return false;
    }
    return true;
}

static bool fill_inputs(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    sb_random seeds = {seed};
    bool pattern = is_pattern(name);

    if (has_shapes(c->algorithm) && (pattern || c->algorithm->generate == NULL))
        return fill_shapes(c, name, seed);
    if (!pattern && !c->algorithm->generate(c, name, n, seed))
        return false;
    for (size_t i = 0; i < c->algorithm->input_count; i++) {
        sb_random random = {sb_random_next(&seeds)};

        if (c->algorithm->inputs[i].rank) {
            if (!make_ranks(&c->inputs[i], n, &random))
                return false;
            continue;
        }
        uint64_t extra = n > 0 ? c->algorithm->inputs[i].extra : 0;

        if (pattern && (!sb_array_resize(&c->inputs[i], n + extra) || !make_pattern(name, &c->inputs[i], &random)))
            return false;
    }
    return true;
}

bool sb_generate(sb_case *c, const sb_algorithm *algorithm, const char *name, uint64_t n, uint64_t seed,
                 const uint64_t *parameters)
{
    uint64_t given[SB_MAX_PARAMETERS];
    sb_case made;
    bool good;

    if (!suits(algorithm, name))
        return false;
    sb_case_init(&made, algorithm);
    good = set_parameters(&made, parameters);
    memcpy(given, made.parameters, sizeof given);
    good = good && fill_inputs(&made, name, n, seed) && sb_case_normalise(&made) &&
           sb_case_set_id(&made, "%s-%" PRIu64 "-%" PRIu64, name, n, seed) && set_recipe(&made, name, n, seed, given);
    if (good)
        *c = made;
    else
        sb_case_free(&made);
    return good;
}

/* ---- what verify draws ---- */

/* floor(log2(value)), and 0 for 0. */
static uint64_t log2_of(uint64_t value)
{
    return value == 0 ? 0 : 63 - (uint64_t)__builtin_clzll(value);
}

/* A multiple of `tile`, or one less or more. */
static uint64_t draw_near(sb_random *random, uint64_t tile, uint64_t max)
{
    return (1 + sb_random_below(random, max / tile + 1)) * tile - 1 + sb_random_below(random, 3);
}

/* Half of the sizes are around powers of two, a quarter around multiples of the tiles that kernels use, a quarter anything. */
static uint64_t draw_size(sb_random *random, uint64_t max)
{
    static const uint64_t tiles[] = {32, 128, 256, 512, 1024, 1920, 2048, 2816, 3840, 4096};
    uint64_t n, power;

    switch (sb_random_below(random, 4)) {
    case 0:
    case 1:
        n = ((uint64_t)1 << sb_random_below(random, log2_of(max) + 1)) - 1 + sb_random_below(random, 3);
        break;
    case 2:
        n = draw_near(random, tiles[sb_random_below(random, sizeof tiles / sizeof *tiles)], max);
        break;
    default:
        power = (uint64_t)1 << sb_random_below(random, log2_of(max) + 1);
        n = power + sb_random_below(random, power);
    }
    return n <= max ? n : sb_random_below(random, max + 1);
}

static uint64_t draw_word(const sb_parameter *parameter, sb_random *random)
{
    uint64_t allowed = 0, value = 0, skip;

    for (uint64_t i = 0; parameter->words[i] != NULL; i++)
        allowed += parameter->words[i][0] != '\0';
    for (skip = sb_random_below(random, allowed); parameter->words[value][0] == '\0' || skip > 0; value++)
        skip -= parameter->words[value][0] != '\0';
    return value;
}

/* Elements of the longest array. UINT64_MAX: too many. */
static uint64_t longest(const sb_algorithm *algorithm, const uint64_t *parameters)
{
    uint64_t most = 0, length;

    for (size_t i = 0; i < algorithm->input_count + algorithm->output_count; i++) {
        const sb_field *field =
            i < algorithm->input_count ? &algorithm->inputs[i] : &algorithm->outputs[i - algorithm->input_count];

        if (field->shape == NULL)
            continue;
        if (!sb_shape_length(algorithm, field->shape, parameters, &length))
            return UINT64_MAX;
        most = length > most ? length : most;
    }
    return most;
}

static uint64_t clamp(const sb_parameter *dimension, uint64_t value)
{
    if (dimension->max != 0 && value > dimension->max)
        value = dimension->max;
    return value < dimension->min ? dimension->min : value;
}

/* Makes dimensions smaller until no array has more than `max` elements; the one at `keep` comes last. */
static void fit_dimensions(const sb_algorithm *algorithm, uint64_t *parameters, size_t keep, uint64_t max,
                           sb_random *random)
{
    for (uint64_t length = longest(algorithm, parameters); length > max; length = longest(algorithm, parameters)) {
        size_t at = keep;
        uint64_t largest = 0;

        for (size_t i = 0; i < algorithm->parameter_count; i++) {
            const sb_parameter *p = &algorithm->parameters[i];

            if (p->dimension && i != keep && parameters[i] > (p->min > 0 ? p->min : 1) && parameters[i] > largest) {
                at = i;
                largest = parameters[i];
            }
        }
        uint64_t old = parameters[at];
        uint64_t smaller = clamp(&algorithm->parameters[at],
                                 at == keep ? old - old / 8 - (old > 1) : 1 + sb_random_below(random, old - 1));
        if (smaller >= old)
            return; /* the contract's own minimum */
        parameters[at] = smaller;
    }
}

/* One of the contract's interesting values, or one around warps, tiles and blocks, or a prime. */
static uint64_t draw_extent(const sb_parameter *dimension, sb_random *random)
{
    static const uint64_t extents[] = {1,   2,    3,    5,    7,    13,   15,   16,   17,   31,   32,   33,   61,
                                       63,  64,   65,   127,  128,  129,  251,  255,  256,  257,  509,  511,  512,
                                       513, 1021, 1023, 1024, 1025, 2039, 2047, 2048, 2049, 4093, 4095, 4096, 4097};

    if (dimension->interesting_count > 0 && sb_random_below(random, 2) == 0)
        return dimension->interesting[sb_random_below(random, dimension->interesting_count)];
    return extents[sb_random_below(random, sizeof extents / sizeof *extents)];
}

uint64_t sb_count_dimensions(const sb_algorithm *algorithm)
{
    uint64_t count = 0;

    for (size_t i = 0; i < algorithm->parameter_count; i++)
        count += algorithm->parameters[i].dimension;
    return count;
}

/* The ways to draw dimensions take turns in rounds of four cases, because callers use every fourth for one size. `keep`: the
 * dimension that stays as large as it is drawn, if one can. */
static void draw_dimensions(const sb_algorithm *algorithm, uint64_t index, uint64_t max, sb_random *random,
                            uint64_t *parameters)
{
    enum { SMALL = 12, WAYS = 4 };
    uint64_t way = index / 4 % WAYS, count = sb_count_dimensions(algorithm), chosen, zero = sb_random_below(random, 16);
    size_t keep = 0, number = 0;

    if (count == 0)
        return;
    chosen = (index + index / (4 * WAYS)) % count;
    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        const sb_parameter *p = &algorithm->parameters[i];
        uint64_t drawn;

        if (!p->dimension)
            continue;
        if (number == chosen)
            keep = i;
        if (index < SMALL) /* all 0, all 1, each one 0 in turn, and up to 4 */
            drawn = index < 2 ? index : index - 2 == number ? 0 : 1 + sb_random_below(random, 4);
        else if (way == 2) /* one large, the others 1 or 2 */
            drawn = number == chosen ? max / 2 + sb_random_below(random, max / 2 + 1) : 1 + sb_random_below(random, 2);
        else if (way == 3)
            drawn = draw_size(random, max);
        else
            drawn = number == chosen && zero == 0 ? 0 : draw_extent(p, random);
        parameters[i] = clamp(p, drawn);
        number++;
    }
    fit_dimensions(algorithm, parameters, keep, max, random);
}

static uint64_t draw_parameter(const sb_parameter *parameter, uint64_t n, sb_random *random)
{
    const uint64_t k_edges[] = {1, n, 0, n + 1};
    uint64_t draw;

    if (parameter->words != NULL && parameter->interesting == NULL)
        return draw_word(parameter, random);
    draw = sb_random_below(random, 32);
    if (parameter->optional)
        return sb_random_next(random);
    if (parameter->rank)
        return draw < 4 ? k_edges[draw] : 1 + sb_random_below(random, n > 0 ? n : 1);
    if (parameter->interesting != NULL && (draw < 22 || parameter->words != NULL))
        return parameter->interesting[sb_random_below(random, parameter->interesting_count)];
    if (draw < 28)
        return sb_random_below(random, 64);
    return n + sb_random_below(random, 3) - (n > 0);
}

/* One time in four the size is set near a multiple of a parameter such as the chunk length. */
static uint64_t fit_size(const sb_algorithm *algorithm, const uint64_t *parameters, uint64_t n, uint64_t max,
                         sb_random *random)
{
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        if (algorithm->parameters[i].words == NULL && !algorithm->parameters[i].rank &&
            !algorithm->parameters[i].optional && parameters[i] > 1 && parameters[i] <= max &&
            sb_random_below(random, 4) == 0) {
            n = draw_near(random, parameters[i], max);
            n = n <= max ? n : sb_random_below(random, max + 1);
        }
    return n;
}

/* Of several dimensions each gets less than a whole array has, so arrays may have so many times the elements. Not tuned. */
enum { SHAPE_TIMES = 2 };

/* The dimension of this number has this extent, the others one below 4, as far as arrays do not become much longer. */
static void set_extent(const sb_algorithm *algorithm, uint64_t dimension, uint64_t extent, sb_random *random,
                       uint64_t *parameters)
{
    uint64_t number = 0;
    size_t keep = 0;

    for (size_t i = 0; i < algorithm->parameter_count; i++) {
        if (!algorithm->parameters[i].dimension)
            continue;
        if (number == dimension)
            keep = i;
        parameters[i] =
            clamp(&algorithm->parameters[i], number++ == dimension ? extent : 1 + sb_random_below(random, 3));
    }
    fit_dimensions(algorithm, parameters, keep, SHAPE_TIMES * extent, random);
}

/* Steps from row to row: often without a gap, else with one of a few elements, or up to where the next 8, 32 or 64 begin. */
static void draw_steps(const sb_algorithm *algorithm, sb_random *random, uint64_t *parameters)
{
    static const uint64_t gaps[] = {0, 0, 1, 3, 7}, multiples[] = {8, 32, 64};
    const size_t count = sizeof gaps / sizeof *gaps;
    bool drawn[SB_MAX_PARAMETERS] = {false};

    for (size_t i = 0; i < algorithm->input_count + algorithm->output_count; i++) {
        const sb_field *field =
            i < algorithm->input_count ? &algorithm->inputs[i] : &algorithm->outputs[i - algorithm->input_count];
        uint64_t row, choice;
        int at;

        if (field->leading == NULL)
            continue;
        at = sb_parameter_index(algorithm, field->leading);
        row = sb_row_of(algorithm, field, parameters);
        if (drawn[at] && parameters[at] >= row)
            continue;
        choice = sb_random_below(random, count + sizeof multiples / sizeof *multiples);
        parameters[at] = choice < count ? row + gaps[choice]
                                        : (row + multiples[choice - count] - 1) / multiples[choice - count] *
                                              multiples[choice - count];
        drawn[at] = true;
    }
}

/* Settings first; then the other dimensions are made smaller until arrays have at most `max` elements, if that can be. */
static void force(const sb_list *settings, const sb_algorithm *algorithm, uint64_t max, sb_random *random,
                  uint64_t *parameters)
{
    int first = sb_subset_force(settings, algorithm, random, parameters);

    if (first < 0 || max == UINT64_MAX)
        return;
    fit_dimensions(algorithm, parameters, (size_t)first, max, random);
    sb_subset_force(settings, algorithm, random, parameters);
}

/* The seed of a case: short, for people, where the seed of the run is. Behind a secret one it is long, or a candidate could try all of them,
 * and be right on the inputs of this generator alone. */
static uint64_t case_seed(sb_random *random, uint64_t seed)
{
    return sb_random_next(random) >> (seed > UINT32_MAX ? 0 : 40);
}

/* The generator of case `index`. All take turns. Each round is shifted by one, because callers use every fourth case for one size. Of sums of
 * products every third case is exact, at every size: any other bound admits as much as the terms may round. */
static const char *nth_generator(const sb_algorithm *algorithm, uint64_t seed, uint64_t index)
{
    static const char *const exact[] = {"exact", "wide", "signs"};
    const char *const *names = sb_generators(algorithm);
    uint64_t count = 0;

    while (names[count] != NULL)
        count++;
    return names == sb_sum_value_names && index % 3 == 2 ? exact[index / 3 % 3]
                                                         : names[(index + index / count + seed) % count];
}

bool sb_generate_nth(sb_case *c, const sb_algorithm *algorithm, uint64_t seed, uint64_t index, uint64_t max_items,
                     const sb_list *settings)
{
    /* The first TINY cases have 0 to 4 elements, so that the smallest sizes are always run. From there the largest size
     * begins at 64 and doubles after every DOUBLING cases. Not tuned. */
    enum { TINY = 12, DOUBLING = 3 };
    sb_random seeds = {seed}, random = {sb_random_next(&seeds) ^ (index + 1) * 0xd1342543de82ef95u};
    uint64_t parameters[SB_MAX_PARAMETERS] = {0}, max = max_items, n;

    if (index >= TINY && (index - TINY) / DOUBLING < 58 && (uint64_t)64 << (index - TINY) / DOUBLING < max)
        max = (uint64_t)64 << (index - TINY) / DOUBLING;
    n = index < TINY ? index * 5 / TINY : draw_size(&random, max);
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        parameters[i] = draw_parameter(&algorithm->parameters[i], n, &random);
    if (has_shapes(algorithm)) {
        draw_dimensions(algorithm, index, SHAPE_TIMES * max, &random, parameters);
        force(settings, algorithm, SHAPE_TIMES * max, &random, parameters);
        draw_steps(algorithm, &random, parameters);
        n = longest(algorithm, parameters);
    } else if (index >= TINY)
        n = fit_size(algorithm, parameters, n, max, &random);
    force(settings, algorithm, UINT64_MAX, &random, parameters);
    return sb_generate(c, algorithm, nth_generator(algorithm, seed, index), n, case_seed(&random, seed), parameters);
}

/* The wish, if it is a generator of the algorithm; else, where an exact one is wanted, that one, if there is one; else one by turns. */
static const char *sized_generator(const sb_algorithm *algorithm, uint64_t turn, const sb_wish *wish)
{
    const char *const *names = sb_generators(algorithm);
    uint64_t count = 0;

    if (wish->generator != NULL && suits(algorithm, wish->generator))
        return wish->generator;
    if (wish->exact && suits(algorithm, "exact"))
        return "exact";
    while (names[count] != NULL)
        count++;
    return names[turn % count];
}

bool sb_generate_sized(sb_case *c, const sb_algorithm *algorithm, uint64_t seed, uint64_t index, uint64_t n,
                       const sb_wish *wish, const sb_list *settings)
{
    const char *name = sized_generator(algorithm, index + seed, wish);
    sb_random seeds = {seed}, random = {sb_random_next(&seeds) ^ (index + 1) * 0xd1342543de82ef95u};
    uint64_t parameters[SB_MAX_PARAMETERS] = {0};

    for (size_t i = 0; i < algorithm->parameter_count; i++)
        parameters[i] = draw_parameter(&algorithm->parameters[i], n, &random);
    if (wish->type != 0 && sb_parameter_index(algorithm, "type") >= 0)
        parameters[sb_parameter_index(algorithm, "type")] = wish->type;
    if (has_shapes(algorithm)) {
        if (sb_count_dimensions(algorithm) > 0)
            set_extent(algorithm, index % sb_count_dimensions(algorithm), n, &random, parameters);
        force(settings, algorithm, n, &random, parameters);
        draw_steps(algorithm, &random, parameters);
        n = longest(algorithm, parameters);
    }
    force(settings, algorithm, UINT64_MAX, &random, parameters);
    return sb_generate(c, algorithm, name, n, case_seed(&random, seed), parameters);
}

bool sb_generate_twin(sb_case *twin, const sb_case *c, uint64_t seed)
{
    enum { ATTEMPTS = 4 };
    const sb_algorithm *algorithm = c->algorithm;
    const char *const *names = sb_generators(algorithm);
    uint64_t n = has_shapes(algorithm) ? longest(algorithm, c->parameters) : c->inputs[0].length, count = 0;
    sb_random random = {seed};

    while (names[count] != NULL)
        count++;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool alike = true, differs = false;

        if (!sb_generate(twin, algorithm, names[sb_random_below(&random, count)], n, case_seed(&random, seed),
                         c->parameters))
            return false;
        for (size_t i = 0; i < algorithm->parameter_count; i++)
            alike &= twin->parameters[i] == c->parameters[i];
        for (size_t i = 0; i < algorithm->input_count; i++) {
            const sb_array *a = &twin->inputs[i], *b = &c->inputs[i];

            alike &= a->length == b->length && a->type == b->type;
            differs |= alike && a->length > 0 && memcmp(a->data, b->data, sb_array_bytes(a)) != 0;
        }
        if (alike && differs)
            return true;
        sb_case_free(twin);
    }
    return false;
}
