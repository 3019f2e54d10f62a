/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the unit tests of the pattern and selection references share: random numbers, keys of every type, and cases.
 */
#ifndef TESTS_PATTERN_FIXTURE_H
#define TESTS_PATTERN_FIXTURE_H

#include "../common/algorithm.h"
#include "../common/case.h"
#include "../ref/type.h"
#include <check.h>
#include <samebits/algorithms.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 70, ROUNDS = 300 };

static uint64_t seed, state;

#define CHECK(condition) ck_assert_msg((condition), "%s, seed %llu", #condition, (unsigned long long)seed)

/* Starts the random numbers (SplitMix64; Steele, Lea and Flood 2014) from a seed, which a failed check names. */
static inline void start(uint64_t from)
{
    seed = from;
    state = from;
}

static inline uint64_t draw(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline uint64_t below(uint64_t bound)
{
    return draw() % bound;
}

static const sb_ref_type key_types[] = {SB_REF_U32, SB_REF_I32, SB_REF_U64, SB_REF_F32, SB_REF_F64};
enum { KEY_TYPES = sizeof key_types / sizeof *key_types };

/* Keys of each type in ascending order, floats by totalOrder. */
static const uint32_t f32_keys[] = {0xffffffff, 0xffc00000, 0xff800001, 0xff800000, 0xff7fffff, 0xc0000000,
                                    0xbf800000, 0x80800000, 0x807fffff, 0x80000001, 0x80000000, 0x00000000,
                                    0x00000001, 0x007fffff, 0x00800000, 0x3f800000, 0x40000000, 0x7f7fffff,
                                    0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
static const uint64_t f64_keys[] = {0xffffffffffffffff, 0xfff8000000000001, 0xfff8000000000000, 0xfff0000000000001,
                                    0xfff0000000000000, 0xffefffffffffffff, 0xbff0000000000001, 0xbff0000000000000,
                                    0x8000000000000001, 0x8000000000000000, 0x0000000000000000, 0x0000000000000001,
                                    0x3ff0000000000000, 0x3ff0000000000001, 0x7fefffffffffffff, 0x7ff0000000000000,
                                    0x7ff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff};
static const uint32_t u32_keys[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
static const int32_t i32_keys[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX};
static const uint64_t u64_keys[] = {0, 1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX};

#define KEYS(array) array, sizeof array / sizeof *array
static const struct {
    const void *keys;
    uint64_t count;
} ordered[KEY_TYPES] = {{KEYS(u32_keys)}, {KEYS(i32_keys)}, {KEYS(u64_keys)}, {KEYS(f32_keys)}, {KEYS(f64_keys)}};

/* n keys of type number `t`: arbitrary bits, special ones, or few distinct ones. */
static inline void draw_keys(size_t t, void *keys, uint64_t n)
{
    size_t size = sb_ref_type_size(key_types[t]);
    uint64_t kind = below(3), distinct = 1 + below(3);

    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = draw(), pick = below(kind == 1 ? ordered[t].count : distinct);

        memcpy((char *)keys + i * size, kind == 0 ? (const char *)&word : (const char *)ordered[t].keys + pick * size,
               size);
    }
}

static inline bool same_key(sb_ref_type type, const void *left, uint64_t i, const void *right, uint64_t j)
{
    size_t size = sb_ref_type_size(type);

    return memcmp((const char *)left + i * size, (const char *)right + j * size, size) == 0;
}

/* A case of the algorithm; parameters in their order. */
static inline sb_case make(const sb_algorithm *algorithm, uint64_t first, uint64_t second, uint64_t third)
{
    const uint64_t parameters[] = {first, second, third};
    sb_case c;

    sb_case_init(&c, algorithm);
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        c.parameters[i] = parameters[i];
    for (size_t i = 0; i < algorithm->input_count; i++)
        c.inputs[i].type = sb_field_type(&c, &algorithm->inputs[i]);
    return c;
}

static inline void set(sb_case *c, size_t input, const void *data, uint64_t length)
{
    ck_assert(sb_array_set(&c->inputs[input], data, length));
}

static inline bool well_formed(const sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[256];

    return sb_case_shape(c, capacity, why, sizeof why);
}

static inline void solve(const sb_case *c, sb_result *result)
{
    CHECK(sb_case_reference(c, result));
}

/* Normalising makes the case well-formed, leaves a well-formed case as it is, and so does nothing the second time. */
static inline void check_normalise(sb_case *c)
{
    bool formed = well_formed(c);
    uint64_t hash = sb_case_hash(c);

    CHECK(sb_case_normalise(c));
    CHECK(well_formed(c));
    CHECK(!formed || sb_case_hash(c) == hash);
    hash = sb_case_hash(c);
    CHECK(sb_case_normalise(c));
    CHECK(sb_case_hash(c) == hash);
}

static inline bool certified(const sb_case *c, const sb_result *result)
{
    char why[256] = "";
    bool right = c->algorithm->certify(c, result, why, sizeof why);

    CHECK(right == (why[0] == '\0'));
    return right;
}

/* The certifier rejects each change of one bit. */
static inline void check_flips(const sb_case *c, const sb_result *result, uint8_t *bytes, size_t count)
{
    for (size_t bit = 0; bit < 8 * count; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(!certified(c, result));
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

#endif
