/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The random generator, the patterns of docs/FORMAT.md and the sequence of generated cases.
 */
#include "harness_fixture.h"
#include "suite.h"
#include "../harness/generate.h"
#include <stdlib.h>
#include <string.h>

START_TEST(random_is_not_splitmix64)
{
    /* from the author's program, seed 0 */
    static const uint64_t first[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec};
    sb_random random = {0};
    unsigned seen[3] = {0};

    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(sb_random_next(&random), first[i]);
    for (int i = 0; i < 3000; i++)
        seen[sb_random_below(&random, 3)]++;
    for (int i = 0; i < 3; i++)
        ck_assert(seen[i] > 900 && seen[i] < 1100);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_le(sb_random_below(&random, ((uint64_t)1 << 63) + 1), (uint64_t)1 << 63);
    ck_assert_uint_eq(sb_random_below(&random, 1), 0);
    /* By a plain remainder the first third would come twice as often. */
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < 3000; i++)
        seen[sb_random_below(&random, (uint64_t)3 << 62) >> 62]++;
    for (int i = 0; i < 3; i++)
        ck_assert(seen[i] > 900 && seen[i] < 1100);
}
END_TEST

/* Hashes of n=1000 seed=7, mtf.encode with chunk=31 and test.mix with type=TYPE mode=fast count=31. */
static const struct {
    const char *name;
    uint64_t bytes, u32, f64, affine; /* 0: the algorithm does not have it */
} pinned[] = {
    {"random", 0x12055fc21b7c71be, 0x0815948ec1a25c0c, 0x57069f699ec4de97, 0x13d0e4994c3776c1},
    {"all-equal", 0x2b33ccae24331f57, 0x7c21a116ff27400b, 0xd02247c99ab82b3f, 0xbef1310fe412cd50},
    {"few-distinct", 0x473894c87642059b, 0x55cf64828a666060, 0x58da0d188553a2b4, 0x6b2292d8505583ab},
    {"period", 0x9b4953d517048a6f, 0xfe41991fd734695f, 0x8ab05134d3873285, 0x1f5eb4d5b0ead8f6},
    {"fibonacci", 0x591f655aebe3bdff, 0, 0, 0},
    {"thue-morse", 0x92e94eb625ddc36f, 0, 0, 0},
    {"de-bruijn", 0x2ccd73cc4eb8379a, 0, 0, 0},
    {"runs", 0xd7144f3beadfe90a, 0x185be6b0e7f88b3c, 0x4785a302ba4a027f, 0xf71c055fe8791351},
    {"zero-runs", 0xccbb07fbbe95e143, 0, 0, 0},
    {"sorted", 0xa4aaf4562cf3989c, 0x420159679c489075, 0x61e0478e49804b11, 0xea6a93347879a723},
    {"reversed", 0x62a6ce9baf1910de, 0xd41d0eb2a8f6770f, 0xaca356d5ac2a440b, 0x1fb3fe8b09c1747d},
    {"sawtooth", 0x88c981562c872727, 0, 0, 0},
    {"text", 0xc795953d570c07f1, 0, 0, 0},
    {"copies", 0x28e578c68246edd2, 0, 0, 0},
    {"organ-pipe", 0, 0x6e8dddd108053e4b, 0x0451595c46263f37, 0x0bc7e1bed42b9b40},
    {"nearly-sorted", 0, 0x8eb387045402eda0, 0x9b08a3f06fc689d1, 0x95147395286b4d3b},
    {"high-bit", 0, 0x4ca81dd386e52ef9, 0x46dbe349d0c22e25, 0xb124b2b20efc096e},
    {"special", 0, 0x0326f5ab4512fecf, 0xca65216dd034317b, 0xdce7bb1e03bdfba9},
    {"small", 0, 0x26ab5e558a13648b, 0x8473bae05921ce69, 0x7291151f67c9c494},
    /* Of sparse matrices alone: cases of corpus/spmv.csr.cases pin them. Selection has another `uniform`. */
    {"banded", 0, 0, 0, 0},
    {"uniform", 0, 0, 0, 0},
    {"power-law", 0, 0, 0, 0},
    /* Of selection alone: cases of corpus/select.kth.cases pin them. */
    {"normal", 0, 0, 0, 0},
    {"half-normal", 0, 0, 0, 0},
    {"exponential", 0, 0, 0, 0},
    {"cauchy", 0, 0, 0, 0},
    {"clustered", 0, 0, 0, 0},
    {"exponents", 0, 0, 0, 0},
    {"last-digit", 0, 0, 0, 0},
};

START_TEST(generator_drifts)
{
    static const uint64_t types[] = {SB_U32, SB_F64, SB_AFFINE};
    const uint64_t hashes[] = {pinned[_i].u32, pinned[_i].f64, pinned[_i].affine};
    const uint64_t chunk[SB_MAX_PARAMETERS] = {31};
    sb_case c;

    for (int i = 0; i < 3; i++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {types[i], 2, 31};
        bool good = sb_generate(&c, &mix, pinned[_i].name, 1000, 7, parameters);

        ck_assert_int_eq(good, hashes[i] != 0);
        if (good) {
            ck_assert_msg(sb_case_hash(&c) == hashes[i], "%s %s: %016llx", pinned[_i].name,
                          sb_type_name((uint32_t)types[i]), (unsigned long long)sb_case_hash(&c));
            sb_case_free(&c);
        }
    }
    ck_assert_int_eq(sb_generate(&c, sb_algorithm_at(0), pinned[_i].name, 1000, 7, chunk), pinned[_i].bytes != 0);
    if (pinned[_i].bytes != 0) {
        ck_assert_msg(sb_case_hash(&c) == pinned[_i].bytes, "%s u8: %016llx", pinned[_i].name,
                      (unsigned long long)sb_case_hash(&c));
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(generator_is_not_pinned)
{
    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (const char *const *name = sb_generators(sb_algorithm_at(a)); *name != NULL; name++) {
            size_t i = 0;

            while (i < sizeof pinned / sizeof *pinned && strcmp(pinned[i].name, *name) != 0)
                i++;
            ck_assert_msg(i < sizeof pinned / sizeof *pinned, "%s", *name);
        }
}
END_TEST

static const uint8_t *make_bytes(sb_case *c, const char *name, uint64_t n, uint64_t seed)
{
    const uint64_t chunk[SB_MAX_PARAMETERS] = {0};

    ck_assert(sb_generate(c, sb_algorithm_at(0), name, n, seed, chunk));
    ck_assert_uint_eq(c->inputs[0].length, n);
    return c->inputs[0].data;
}

START_TEST(pattern_is_not_what_its_name_says)
{
    sb_case c;
    const uint8_t *b = make_bytes(&c, "fibonacci", 300, 2);

    /* letter i is the first symbol where floor((i + 2) phi) - floor((i + 1) phi) is 2 */
    ck_assert_uint_ne(b[0], b[1]);
    for (int i = 0; i < 300; i++) {
        const double phi = 1.6180339887498949;
        int step = (int)((i + 2) * phi) - (int)((i + 1) * phi);

        ck_assert_uint_eq(b[i], step == 2 ? b[0] : b[1]);
    }
    sb_case_free(&c);
    b = make_bytes(&c, "thue-morse", 300, 2);
    ck_assert_uint_ne(b[0], b[1]);
    for (int i = 0; i < 150; i++) {
        ck_assert_uint_eq(b[2 * i], b[i]);
        ck_assert_uint_ne(b[2 * i + 1], b[2 * i]);
    }
    sb_case_free(&c);
    b = make_bytes(&c, "sorted", 300, 2);
    for (int i = 1; i < 300; i++)
        ck_assert_uint_ge(b[i], b[i - 1]);
    sb_case_free(&c);
    b = make_bytes(&c, "reversed", 300, 2);
    for (int i = 1; i < 300; i++)
        ck_assert_uint_le(b[i], b[i - 1]);
    sb_case_free(&c);
    b = make_bytes(&c, "sawtooth", 600, 2);
    for (int i = 1; i < 600; i++)
        ck_assert_uint_eq(b[i], (uint8_t)(b[i - 1] + 1));
    sb_case_free(&c);
}
END_TEST

/* A de Bruijn sequence of 2 symbols and order 8 has every word of 8 symbols once. */
START_TEST(de_bruijn_repeats_a_word)
{
    unsigned tested = 0;

    for (uint64_t seed = 0; seed < 20; seed++) {
        sb_case c;
        const uint8_t *b = make_bytes(&c, "de-bruijn", 256, seed);
        bool seen[256] = {false}, two = memcmp(b, b + 1, 7) == 0 && b[7] != b[8]; /* 0^8 1, of order 8 */

        for (int i = 0; two && i < 256; i++) {
            unsigned word = 0;

            for (int k = 0; k < 8; k++)
                word = 2 * word + (b[(i + k) % 256] != b[0]);
            ck_assert(!seen[word]);
            seen[word] = true;
        }
        tested += two;
        sb_case_free(&c);
    }
    ck_assert_uint_ge(tested, 3);
}
END_TEST

START_TEST(sorted_keys_are_not_in_total_order)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        const uint64_t parameters[SB_MAX_PARAMETERS] = {SB_F32, 0, 0};
        const int32_t *bits;
        sb_case c;

        ck_assert(sb_generate(&c, &mix, "sorted", 400, seed, parameters));
        bits = c.inputs[KEYS].data;
        for (int i = 1; i < 400; i++) {
            /* as sign and magnitude, to two's complement */
            int32_t before = bits[i - 1] < 0 ? bits[i - 1] ^ INT32_MAX : bits[i - 1];
            int32_t now = bits[i] < 0 ? bits[i] ^ INT32_MAX : bits[i];

            ck_assert_int_le(before, now);
        }
        for (int i = 1; i < 400; i++)
            ck_assert_int_le(((int32_t *)c.inputs[SMALL].data)[i - 1], ((int32_t *)c.inputs[SMALL].data)[i]);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(generated_case_does_not_come_again)
{
    unsigned tiny = 0, large = 0, edges = 0;

    for (size_t a = 0; sb_algorithm_at(a) != NULL; a++)
        for (uint64_t index = 0; index < 120; index++) {
            uint64_t capacity[SB_MAX_ARRAYS];
            char text[1024];
            sb_case_line line;
            sb_case c, again;

            nth(&c, a, index);
            nth(&again, a, index);
            ck_assert(sb_case_equal(&c, &again));
            ck_assert_str_eq(c.why, again.why);
            ck_assert_msg(sb_case_shape(&c, capacity, reason, sizeof reason), "%s", reason);
            ck_assert_uint_le(sb_case_items(&c), index < 12 ? 4 : 300);
            tiny += sb_case_items(&c) == 0;
            large += sb_case_items(&c) > 200;
            edges += sb_case_items(&c) >= 63 && sb_case_items(&c) <= 65;
            snprintf(text, sizeof text, "%s %s", c.algorithm->name, c.why);
            parse(text, &line);
            ck_assert(sb_case_equal(&c, &line.c));
            ck_assert_str_eq(c.id, line.c.id);
            sb_case_line_free(&line);
            snprintf(text, sizeof text, "%s id=other why=\"y\" %s", c.algorithm->name, c.why);
            parse(text, &line);
            ck_assert_str_eq(line.c.id, "other");
            ck_assert_str_eq(line.c.why, "y");
            sb_case_line_free(&line);
            sb_case_free(&c);
            sb_case_free(&again);
        }
    ck_assert_uint_ge(tiny, 6);
    ck_assert_uint_ge(large, 30);
    ck_assert_uint_ge(edges, 10);
}
END_TEST

START_TEST(first_cases_leave_a_generator_out)
{
    const char *const *names = sb_generators(&mix);
    bool seen[4][32] = {{false}};

    for (uint64_t index = 0; index < 48; index++) {
        sb_case c;
        size_t i = 0;

        nth(&c, 2, index);
        while (strncmp(c.id, names[i], strlen(names[i])) != 0)
            i++;
        seen[index % 4][i] = true;
        sb_case_free(&c);
    }
    for (size_t i = 0; names[i] != NULL; i++)
        ck_assert_msg(seen[0][i] || seen[1][i] || seen[2][i] || seen[3][i], "%s", names[i]);
    for (size_t i = 0; names[i] != NULL; i++)
        ck_assert_msg(seen[0][i] + seen[1][i] + seen[2][i] + seen[3][i] > 1, "%s for one purpose only", names[i]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, random_is_not_splitmix64);
    tcase_add_loop_test(tests, generator_drifts, 0, sizeof pinned / sizeof *pinned);
    tcase_add_test(tests, generator_is_not_pinned);
    tcase_add_test(tests, pattern_is_not_what_its_name_says);
    tcase_add_test(tests, de_bruijn_repeats_a_word);
    tcase_add_test(tests, sorted_keys_are_not_in_total_order);
    tcase_add_test(tests, generated_case_does_not_come_again);
    tcase_add_test(tests, first_cases_leave_a_generator_out);
}

int main(void)
{
    return run_tests("harness/generate", add_tests, NULL, 60);
}
