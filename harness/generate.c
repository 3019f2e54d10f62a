/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Generators: contract in generate.h, every pattern in docs/FORMAT.md.
 */
#include "generate.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t sb_random_next(sb_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t sb_random_below(sb_random *random, uint64_t bound)
{
    uint64_t reject = -bound % bound, value;

    do
        value = sb_random_next(random);
    while (value < reject);
    return value % bound;
}

/* ---- bytes ---- */

static void bytes_random(uint8_t *b, uint64_t n, sb_random *r)
{
    for (uint64_t i = 0; i < n; i++)
        b[i] = (uint8_t)sb_random_next(r);
}

static void bytes_equal(uint8_t *b, uint64_t n, sb_random *r)
{
    static const uint8_t values[] = {0, 'a', 255};
    uint8_t value = values[sb_random_below(r, 3)];

    for (uint64_t i = 0; i < n; i++)
        b[i] = value;
}

static void bytes_period(uint8_t *b, uint64_t n, sb_random *r)
{
    uint64_t period = 2 + sb_random_below(r, 16);

    for (uint64_t i = 0; i < n; i++)
        b[i] = i < period ? (uint8_t)('a' + sb_random_below(r, 3)) : b[i - period];
}

static void bytes_fibonacci(uint8_t *b, uint64_t n, sb_random *r)
{
    uint64_t shorter = 1, length = 2;

    (void)r;
    for (uint64_t i = 0; i < n; i++) {
        if (i >= 2 && i == length + shorter) {
            uint64_t longer = length + shorter;

            shorter = length;
            length = longer;
        }
        b[i] = i == 0 ? 'a' : i == 1 ? 'b' : b[i - length];
    }
}

static void bytes_thue_morse(uint8_t *b, uint64_t n, sb_random *r)
{
    (void)r;
    for (uint64_t i = 0; i < n; i++)
        b[i] = (uint8_t)('a' + __builtin_parityll(i));
}

/* A de Bruijn-like sequence over two letters: a 16-bit shift register with feedback 16, 15, 13, 4 and every state but 0. */
static void bytes_de_bruijn(uint8_t *b, uint64_t n, sb_random *r)
{
    uint32_t state = 1 + (uint32_t)sb_random_below(r, 65535);

    for (uint64_t i = 0; i < n; i++) {
        b[i] = (uint8_t)('a' + (state & 1));
        state = state >> 1 | ((state ^ state >> 1 ^ state >> 3 ^ state >> 12) & 1) << 15;
    }
}

static uint64_t run_length(sb_random *r)
{
    static const uint64_t lengths[] = {1, 2, 3, 31, 32, 33, 254, 255, 256, 257, 510, 511, 512};

    return lengths[sb_random_below(r, sizeof lengths / sizeof *lengths)];
}

static void bytes_runs(uint8_t *b, uint64_t n, sb_random *r)
{
    for (uint64_t i = 0; i < n;) {
        uint64_t end = i + run_length(r);
        uint8_t value = (uint8_t)sb_random_below(r, 4);

        for (; i < end && i < n; i++)
            b[i] = value;
    }
}

static void bytes_zero_runs(uint8_t *b, uint64_t n, sb_random *r)
{
    for (uint64_t i = 0; i < n;) {
        uint64_t end = i + run_length(r);

        for (; i < end && i < n; i++)
            b[i] = 0;
        for (end = i + sb_random_below(r, 4); i < end && i < n; i++)
            b[i] = (uint8_t)(1 + sb_random_below(r, 255));
    }
}

static void bytes_few(uint8_t *b, uint64_t n, sb_random *r)
{
    uint64_t distinct = 2 + sb_random_below(r, 3);

    for (uint64_t i = 0; i < n; i++)
        b[i] = (uint8_t)(sb_random_below(r, distinct) * 85);
}

static void bytes_sorted(uint8_t *b, uint64_t n, sb_random *r)
{
    (void)r;
    for (uint64_t i = 0; i < n; i++)
        b[i] = (uint8_t)(n > 1 ? i * 255 / (n - 1) : 0);
}

static void bytes_reversed(uint8_t *b, uint64_t n, sb_random *r)
{
    (void)r;
    for (uint64_t i = 0; i < n; i++)
        b[i] = (uint8_t)(255 - (n > 1 ? i * 255 / (n - 1) : 0));
}

static void bytes_sawtooth(uint8_t *b, uint64_t n, sb_random *r)
{
    bool down = sb_random_below(r, 2) != 0;

    for (uint64_t i = 0; i < n; i++)
        b[i] = (uint8_t)(down ? 255 - i % 256 : i % 256);
}

/* Words of a small random vocabulary, frequent ones more often. */
static void bytes_text(uint8_t *b, uint64_t n, sb_random *r)
{
    enum { WORDS = 512, LONGEST = 9 };
    uint8_t words[WORDS][LONGEST];
    unsigned lengths[WORDS];
    static const char letters[] = "etaoinshrdlucmfwypvbgkjqxz";

    for (unsigned w = 0; w < WORDS; w++) {
        lengths[w] = 1 + (unsigned)sb_random_below(r, LONGEST);
        for (unsigned i = 0; i < lengths[w]; i++) {
            uint64_t a = sb_random_below(r, 26), c = sb_random_below(r, 26);

            words[w][i] = (uint8_t)letters[a < c ? a : c];
        }
    }
    for (uint64_t i = 0; i < n;) {
        uint64_t a = sb_random_below(r, WORDS), c = sb_random_below(r, WORDS), d = sb_random_below(r, WORDS);
        uint64_t w = a < c ? a : c;

        w = w < d ? w : d;
        for (unsigned k = 0; k < lengths[w] && i < n; k++)
            b[i++] = words[w][k];
        if (i < n)
            b[i++] = sb_random_below(r, 12) == 0 ? '\n' : ' ';
    }
}

/* ---- keys ---- */

/* Elements are made as 64-bit words, of which an element takes the lowest bytes; see set_key. */
typedef struct keys {
    sb_array *array;
    uint64_t n;
    sb_random *random;
} keys;

/* `value` as an element: floats take the integer's value; affine maps take a = the odd neighbour, b = the high half. */
static void set_key(const keys *k, uint64_t i, int64_t value)
{
    char *at = (char *)k->array->data + i * sb_type_size(k->array->type);
    float f = (float)value;
    double d = (double)value;
    sb_affine affine = {(uint32_t)value | 1, (uint32_t)((uint64_t)value >> 7)};

    switch (k->array->type) {
    case SB_F32:
        memcpy(at, &f, sizeof f);
        break;
    case SB_F64:
        memcpy(at, &d, sizeof d);
        break;
    case SB_AFFINE:
        memcpy(at, &affine, sizeof affine);
        break;
    default:
        memcpy(at, &value, sb_type_size(k->array->type)); /* little-endian host */
    }
}

/* Any bits. */
static void set_bits(const keys *k, uint64_t i, uint64_t bits)
{
    memcpy((char *)k->array->data + i * sb_type_size(k->array->type), &bits, sb_type_size(k->array->type));
}

static void keys_random(const keys *k)
{
    for (uint64_t i = 0; i < k->n; i++)
        set_bits(k, i, sb_random_next(k->random));
}

static void keys_equal(const keys *k)
{
    int64_t value = (int64_t)sb_random_below(k->random, 3) - 1;

    for (uint64_t i = 0; i < k->n; i++)
        set_key(k, i, value);
}

static void keys_few(const keys *k)
{
    uint64_t distinct = 2 + sb_random_below(k->random, 2);

    for (uint64_t i = 0; i < k->n; i++)
        set_key(k, i, (int64_t)sb_random_below(k->random, distinct) - 1);
}

static void keys_sorted(const keys *k)
{
    for (uint64_t i = 0; i < k->n; i++)
        set_key(k, i, (int64_t)i);
}

static void keys_reversed(const keys *k)
{
    for (uint64_t i = 0; i < k->n; i++)
        set_key(k, i, (int64_t)(k->n - i));
}

static void keys_organ_pipe(const keys *k)
{
    for (uint64_t i = 0; i < k->n; i++)
        set_key(k, i, (int64_t)(i < k->n / 2 ? i : k->n - i));
}

static void keys_nearly_sorted(const keys *k)
{
    for (uint64_t i = 0; i < k->n; i++)
        set_key(k, i, sb_random_below(k->random, 16) == 0 ? (int64_t)sb_random_below(k->random, k->n) : (int64_t)i);
}

/* Around the top bit, where signed and unsigned order part. */
static void keys_high_bit(const keys *k)
{
    uint64_t top = (uint64_t)1 << (8 * sb_type_size(k->array->type) - 1);

    for (uint64_t i = 0; i < k->n; i++)
        set_bits(k, i, top + sb_random_below(k->random, 5) - 2);
}

/* A binary64 of the same class as a binary32: sign, exponent, first and last bits of the fraction. */
static uint64_t wider(uint64_t bits)
{
    uint64_t exponent = bits >> 23 & 255;

    exponent = exponent == 255 ? 0x7ff : exponent == 0 ? 0 : exponent + 896;
    return (bits & 0x80000000u) << 32 | exponent << 52 | (bits & 0x7fffff) << 29 | (bits & 1);
}

static void keys_special(const keys *k)
{
    static const uint32_t f32[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001,
                                   0xffffffff, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                   0x3f800000, 0xbf800000};
    enum { SPECIAL = sizeof f32 / sizeof *f32 };

    for (uint64_t i = 0; i < k->n; i++) {
        uint64_t bits = f32[sb_random_below(k->random, SPECIAL)];

        if (sb_type_size(k->array->type) == 8)
            bits = wider(bits);
        set_bits(k, i, bits);
    }
}

static void keys_small(const keys *k)
{
    for (uint64_t i = 0; i < k->n; i++)
        set_key(k, i, (int64_t)sb_random_below(k->random, 33) - 16);
}

typedef struct byte_generator {
    const char *name;
    void (*make)(uint8_t *b, uint64_t n, sb_random *r);
} byte_generator;

typedef struct key_generator {
    const char *name;
    void (*make)(const keys *k);
} key_generator;

static const byte_generator byte_generators[] = {
    {"random", bytes_random},         {"equal", bytes_equal},           {"period", bytes_period},
    {"fibonacci", bytes_fibonacci},   {"thue-morse", bytes_thue_morse}, {"de-bruijn", bytes_de_bruijn},
    {"runs", bytes_runs},             {"zero-runs", bytes_zero_runs},   {"few", bytes_few},
    {"sorted", bytes_sorted},         {"reversed", bytes_reversed},     {"sawtooth", bytes_sawtooth},
    {"text", bytes_text},
};

static const key_generator key_generators[] = {
    {"random", keys_random},           {"equal", keys_equal},       {"few", keys_few},
    {"sorted", keys_sorted},           {"reversed", keys_reversed}, {"organ-pipe", keys_organ_pipe},
    {"nearly-sorted", keys_nearly_sorted}, {"high-bit", keys_high_bit}, {"special", keys_special},
    {"small", keys_small},
};

enum {
    BYTE_GENERATORS = sizeof byte_generators / sizeof *byte_generators,
    KEY_GENERATORS = sizeof key_generators / sizeof *key_generators
};

static const char *const byte_names[] = {"random", "equal", "period", "fibonacci", "thue-morse", "de-bruijn", "runs",
                                         "zero-runs", "few", "sorted", "reversed", "sawtooth", "text", NULL};
static const char *const key_names[] = {"random", "equal", "few", "sorted", "reversed", "organ-pipe",
                                        "nearly-sorted", "high-bit", "special", "small", NULL};

static bool takes_bytes(const sb_algorithm *algorithm)
{
    return algorithm->inputs[0].type == SB_U8;
}

const char *const *sb_generators(const sb_algorithm *algorithm)
{
    return takes_bytes(algorithm) ? byte_names : key_names;
}

static bool fill(sb_array *array, const char *name, uint64_t n, sb_random *random)
{
    keys k = {array, n, random};

    if (!sb_array_set(array, NULL, n))
        return false;
    if (n == 0)
        return true;
    if (array->type == SB_U8) {
        size_t g = 0;

        while (g < BYTE_GENERATORS && strcmp(byte_generators[g].name, name) != 0)
            g++;
        byte_generators[g < BYTE_GENERATORS ? g : 0].make(array->data, n, random);
    } else {
        size_t g = 0;

        while (g < KEY_GENERATORS && strcmp(key_generators[g].name, name) != 0)
            g++;
        key_generators[g < KEY_GENERATORS ? g : 0].make(&k);
    }
    return true;
}

bool sb_generate(sb_case *c, const sb_algorithm *algorithm, const char *name, uint64_t n, uint64_t seed,
                 const uint64_t *parameters)
{
    const char *const *names = sb_generators(algorithm);
    bool good = false;

    for (size_t i = 0; names[i] != NULL; i++)
        good |= strcmp(names[i], name) == 0;
    sb_case_init(c, algorithm);
    memcpy(c->parameters, parameters, sizeof c->parameters);
    for (size_t i = 0; i < sb_input_count(algorithm); i++) {
        sb_random random = {seed + i};

        c->inputs[i].type = sb_field_type(c, &algorithm->inputs[i]);
        good = good && fill(&c->inputs[i], name, n, &random);
    }
    good = good && sb_case_normalise(c) &&
           sb_case_set_id(c, "%s-%" PRIu64 "-%" PRIu64, name, n, seed);
    if (!good)
        sb_case_free(c);
    return good;
}

static uint64_t draw_size(sb_random *random, uint64_t max)
{
    static const uint64_t near[] = {0, 1, 2, 3, 32, 64, 128, 256, 512, 1024, 2048, 2816, 3840, 4096, 8192, 16384, 65536};
    uint64_t size;

    if (sb_random_below(random, 3) > 0) {
        size = near[sb_random_below(random, sizeof near / sizeof *near)];
        size = size + sb_random_below(random, 3);
        size = size > 0 ? size - 1 : 0;
        if (size <= max)
            return size;
    }
    size = (uint64_t)1 << sb_random_below(random, 64 - (uint64_t)__builtin_clzll(max | 1));
    size += sb_random_below(random, size);
    return size < max ? size : max;
}

static uint64_t draw_parameter(const sb_parameter *parameter, uint64_t n, sb_random *random)
{
    uint64_t words = 0;

    if (parameter->words != NULL) {
        while (parameter->words[words] != NULL)
            words++;
        return sb_random_below(random, words); /* normalisation brings it to an allowed one */
    }
    if (strcmp(parameter->name, "k") == 0) {
        const uint64_t edges[] = {1, n, 0, n + 1};

        return sb_random_below(random, 4) == 0 || n == 0 ? edges[sb_random_below(random, 4)]
                                                         : 1 + sb_random_below(random, n);
    }
    if (parameter->interesting != NULL && sb_random_below(random, 4) > 0)
        return parameter->interesting[sb_random_below(random, parameter->interesting_count)];
    switch (sb_random_below(random, 4)) {
    case 0:
        return n > 0 ? n - 1 : 0;
    case 1:
        return n;
    case 2:
        return n + 1;
    default:
        return sb_random_below(random, 300);
    }
}

static bool say_how(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool good;

    if (out == NULL)
        return false;
    fprintf(out, "gen=%s n=%" PRIu64 " seed=%" PRIu64, name, n, seed);
    for (size_t i = 0; i < sb_parameter_count(c->algorithm); i++) {
        const sb_parameter *parameter = &c->algorithm->parameters[i];

        if (parameter->words != NULL)
            fprintf(out, " %s=%s", parameter->name, parameter->words[c->parameters[i]]);
        else
            fprintf(out, " %s=%" PRIu64, parameter->name, c->parameters[i]);
    }
    fprintf(out, " hash=%016" PRIx64, sb_case_hash(c));
    good = fclose(out) == 0;
    free(c->why);
    c->why = text;
    return good;
}

bool sb_generate_nth(sb_case *c, const sb_algorithm *algorithm, uint64_t seed, uint64_t index, uint64_t max_items)
{
    sb_random random = {seed * 0x2545f4914f6cdd1du + index};
    const char *const *names = sb_generators(algorithm);
    uint64_t parameters[SB_MAX_PARAMETERS] = {0}, count = 0, n, own;
    const char *name;

    while (names[count] != NULL)
        count++;
    name = names[sb_random_below(&random, count)];
    n = index < 12 ? index * 5 / 12 : draw_size(&random, max_items);
    own = sb_random_below(&random, 1000000);
    for (size_t i = 0; i < sb_parameter_count(algorithm); i++)
        parameters[i] = draw_parameter(&algorithm->parameters[i], n, &random);
    if (!sb_generate(c, algorithm, name, n, own, parameters))
        return false;
    /* What normalisation made of the parameters makes the same case again. */
    if (!say_how(c, name, n, own)) {
        sb_case_free(c);
        return false;
    }
    return true;
}
