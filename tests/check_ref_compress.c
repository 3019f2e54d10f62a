/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Properties of the references of the compression family, and of what their descriptors add: normalising, inverting,
 * the certifier of bwt.forward. Answers computed by hand stand in corpus/.
 */
#include "../core/algorithm.h"
#include "../core/case.h"
#include "../ref/bits.h"
#include "../ref/bwt.h"
#include "../ref/pattern_histogram.h"
#include "../ref/huffman.h"
#include "../ref/mtf.h"
#include "../ref/mtf_pass.h"
#include "../ref/qlfc.h"
#include "../ref/rangecoder.h"
#include "../ref/rle.h"
#include "../ref/zrun.h"
#include "draw.h"
#include <check.h>
#include <samebits/algorithms.h>
#include <stdlib.h>
#include <string.h>

extern const sb_algorithm *const sb_harness_algorithms_bwt[],
    *const sb_harness_algorithms_mtf[], *const sb_harness_algorithms_rle[],
                                            *const sb_harness_algorithms_qlfc[],
                                                *const sb_harness_algorithms_huffman[],
                                                    *const sb_harness_algorithms_ahuff[],
                                                        *const sb_harness_algorithms_zrun[],
                                                            *const sb_harness_algorithms_rangecoder[];

enum { MOST = 700 }; /* bytes of text; more than two runs of 255 */

/* Lets allocations that are too large fail under a sanitizer, too, instead of ending the test. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* n bytes in runs of up to 2^k, from an alphabet of up to 2^j letters, 0 among them. */
static void fill(uint8_t *bytes, uint64_t n)
{
    uint64_t longest = (uint64_t)1 << draw(10), letters = (uint64_t)1 << draw(9);

    for (uint64_t i = 0, run = 0, letter = 0; i < n; i++, run--) {
        if (run == 0) {
            run = 1 + draw(longest);
            letter = draw(letters);
        }
        bytes[i] = (uint8_t)letter;
    }
}

/* Word number `index` of the n-letter words over 0..letters-1. */
static void spell(uint8_t *word, uint64_t n, uint64_t letters, uint64_t index)
{
    for (uint64_t i = 0; i < n; i++, index /= letters)
        word[i] = (uint8_t)(index % letters);
}

static uint64_t power(uint64_t base, uint64_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* bwt */

static int compare_rotations(const uint8_t *text, uint64_t n, uint64_t a, uint64_t b)
{
    for (uint64_t i = 0; i < n; i++)
        if (text[(a + i) % n] != text[(b + i) % n])
            return text[(a + i) % n] < text[(b + i) % n] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Finds each rotation's row by counting the rotations before it. */
static void check_rows(const uint8_t *text, uint64_t n)
{
    uint8_t last[MOST];
    uint64_t primary;

    ck_assert_int_eq(sb_ref_bwt_forward(text, n, 0, last, &primary), SB_REF_OK);
    for (uint64_t a = 0; a < n; a++) {
        uint64_t row = 0;

        for (uint64_t b = 0; b < n; b++)
            row += compare_rotations(text, n, b, a) < 0;
        ck_assert_uint_eq(last[row], text[(a + n - 1) % n]);
        if (a == 0)
            ck_assert_uint_eq(primary, row);
    }
}

START_TEST(bwt_rows_out_of_order)
{
    uint8_t text[MOST];

    for (uint64_t n = 1; n <= 8; n++) {
        for (uint64_t i = 0; i < power(2, n); i++) {
            spell(text, n, 2, i);
            check_rows(text, n);
        }
    }
    for (int i = 0; i < 200; i++) {
        uint64_t n = 1 + draw(60);

        fill(text, n);
        check_rows(text, n);
    }
}
END_TEST

static const uint64_t pieces[] = {0, 1, 2, 3, 7, 63, 64, 65, 255, 256, 257, UINT64_MAX - 1, UINT64_MAX};

START_TEST(bwt_inverse_does_not_undo_forward)
{
    uint8_t text[MOST], last[MOST], back[MOST];
    uint64_t primary[MOST];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (int i = 0; i < 30; i++) {
            uint64_t n = draw(i < 10 ? 10 : MOST), blocks = sb_ref_bwt_blocks(n, pieces[p]);

            fill(text, n);
            ck_assert_int_eq(sb_ref_bwt_forward(text, n, pieces[p], last, primary), SB_REF_OK);
            ck_assert_int_eq(sb_ref_bwt_inverse(last, n, primary, blocks, pieces[p], back), SB_REF_OK);
            ck_assert_mem_eq(back, text, n);
        }
    }
}
END_TEST

START_TEST(bwt_blocks_see_each_other)
{
    uint8_t text[100], last[100], alone[100];
    uint64_t primary[100], primary_alone;

    fill(text, 100);
    for (uint64_t block = 1; block <= 102; block++) {
        ck_assert_uint_eq(sb_ref_bwt_blocks(100, block), (100 + block - 1) / block);
        ck_assert_int_eq(sb_ref_bwt_forward(text, 100, block, last, primary), SB_REF_OK);
        for (uint64_t first = 0; first < 100; first += block) {
            uint64_t length = 100 - first < block ? 100 - first : block;

            sb_ref_bwt_forward(text + first, length, 0, alone, &primary_alone);
            ck_assert_mem_eq(last + first, alone, length);
            ck_assert_uint_eq(primary[first / block], primary_alone);
        }
    }
}
END_TEST

START_TEST(bwt_inverse_of_no_transform_walks_elsewhere)
{
    uint8_t last[40], text[40];

    for (int round = 0; round < 500; round++) {
        uint64_t n = 1 + draw(40), primary = draw(n), row = primary;

        fill(last, n);
        ck_assert_int_eq(sb_ref_bwt_inverse(last, n, &primary, 1, 0, text), SB_REF_OK);
        for (uint64_t i = n; i-- > 0;) {
            uint64_t next = 0;

            ck_assert_uint_eq(text[i], last[row]);
            for (uint64_t j = 0; j < n; j++)
                next += last[j] < last[row] || (last[j] == last[row] && j < row);
            row = next;
        }
    }
}
END_TEST

START_TEST(bwt_inverse_takes_a_bad_primary)
{
    const uint8_t *last = (const uint8_t *)"nnbaaabaa";
    const uint64_t beyond[] = {3, 4, 6, 9, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    uint8_t text[9];
    uint64_t primary[3] = {3, 2, 0};

    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 2, 6, text), SB_REF_OK);
    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 1, 6, text), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 3, 6, text), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 0, 6, text), SB_REF_INVALID);
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        primary[1] = beyond[i];
        ck_assert_int_eq(sb_ref_bwt_inverse(last, 9, primary, 2, 6, text), SB_REF_INVALID);
    }
}
END_TEST

START_TEST(bwt_of_nothing_has_a_block)
{
    uint64_t primary = 0;

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        ck_assert_uint_eq(sb_ref_bwt_blocks(0, pieces[p]), 0);
        ck_assert_int_eq(sb_ref_bwt_forward(NULL, 0, pieces[p], NULL, NULL), SB_REF_OK);
        ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, NULL, 0, pieces[p], NULL), SB_REF_OK);
        ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, &primary, 1, pieces[p], NULL), SB_REF_OK);
    }
    ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, &primary, 2, 0, NULL), SB_REF_INVALID);
    primary = 1;
    ck_assert_int_eq(sb_ref_bwt_inverse(NULL, 0, &primary, 1, 0, NULL), SB_REF_INVALID);
}
END_TEST

START_TEST(bwt_without_memory_goes_on)
{
    uint64_t primary = 0;

    ck_assert_int_eq(sb_ref_bwt_forward(NULL, UINT64_MAX / 4, 0, NULL, &primary), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_bwt_inverse(NULL, UINT64_MAX / 4, &primary, 1, 0, NULL), SB_REF_NO_MEMORY);
}
END_TEST

/* descriptors */

static void set(sb_case *c, int input, const void *data, uint64_t length)
{
    ck_assert(sb_array_set(&c->inputs[input], data, length));
}

static void refer(const sb_case *c, sb_result *result)
{
    ck_assert_msg(sb_case_reference(c, result), "%s", result->message);
}

static void make_bwt_case(sb_case *c, const uint8_t *text, uint64_t n, uint64_t block)
{
    sb_case_init(c, sb_harness_algorithms_bwt[0]);
    c->parameters[SB_BWT_BLOCK] = block;
    set(c, SB_BWT_FORWARD_TEXT, text, n);
}

/* Does the certifier take the right result, and reject it with any one byte or primary changed? */
static void check_certifier(const uint8_t *text, uint64_t n, uint64_t block)
{
    sb_case c;
    sb_result result;
    char why[200];
    uint8_t *last;
    uint64_t *primary;
    int taken = 0;

    make_bwt_case(&c, text, n, block);
    refer(&c, &result);
    last = result.outputs[SB_BWT_FORWARD_LAST].data;
    primary = result.outputs[SB_BWT_FORWARD_PRIMARY].data;
    ck_assert_msg(c.algorithm->certify(&c, &result, why, sizeof why), "%s", why);
    for (uint64_t i = 0; i < n; i++) {
        for (int change = 1; change < 256; change++) {
            last[i] = (uint8_t)(last[i] + change);
            taken += c.algorithm->certify(&c, &result, why, sizeof why);
            last[i] = (uint8_t)(last[i] - change);
        }
    }
    for (uint64_t b = 0; b < result.outputs[SB_BWT_FORWARD_PRIMARY].length; b++) {
        uint64_t right = primary[b];

        for (uint64_t wrong = 0; wrong <= n + 1; wrong++) {
            primary[b] = wrong == n + 1 ? UINT64_MAX : wrong;
            taken += wrong != right && c.algorithm->certify(&c, &result, why, sizeof why);
        }
        primary[b] = right;
    }
    ck_assert_int_eq(taken, 0);
    sb_result_free(&result);
    sb_case_free(&c);
}

START_TEST(bwt_certifier_takes_a_corruption)
{
    const uint64_t longest[] = {0, 20, 8, 6};
    uint8_t text[20];

    for (uint64_t letters = 1; letters <= 3; letters++) {
        for (uint64_t n = 0; n <= longest[letters]; n++) {
            for (uint64_t i = 0; i < power(letters, n); i++) {
                spell(text, n, letters, i);
                check_certifier(text, n, 0);
            }
        }
    }
    for (uint64_t i = 0; i < power(2, 6); i++) {
        spell(text, 6, 2, i);
        check_certifier(text, 6, 2);
        check_certifier(text, 6, 4);
    }
}
END_TEST

/* Of all pairs of a last column and a primary, the certifier takes the reference's alone, for every text. */
START_TEST(bwt_certifier_takes_another_result)
{
    enum { N = 4 };
    uint8_t text[N], right[N];

    for (uint64_t t = 0; t < power(3, N); t++) {
        sb_case c;
        sb_result result;
        char why[200];
        uint8_t *last;
        uint64_t *primary, right_primary;
        int wrong = 0;

        spell(text, N, 3, t);
        make_bwt_case(&c, text, N, 0);
        refer(&c, &result);
        last = result.outputs[SB_BWT_FORWARD_LAST].data;
        primary = result.outputs[SB_BWT_FORWARD_PRIMARY].data;
        memcpy(right, last, N);
        right_primary = *primary;
        for (uint64_t l = 0; l < power(3, N); l++) {
            spell(last, N, 3, l);
            for (*primary = 0; *primary < N; ++*primary)
                wrong += c.algorithm->certify(&c, &result, why, sizeof why) !=
                         (*primary == right_primary && memcmp(last, right, N) == 0);
        }
        ck_assert_int_eq(wrong, 0);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(bwt_certifier_takes_wrong_lengths)
{
    sb_case c;
    sb_result result;
    char why[200];

    make_bwt_case(&c, (const uint8_t *)"bananabaa", 9, 6);
    refer(&c, &result);
    result.outputs[0].length--;
    ck_assert(!c.algorithm->certify(&c, &result, why, sizeof why));
    result.outputs[0].length++;
    result.outputs[1].length--;
    ck_assert(!c.algorithm->certify(&c, &result, why, sizeof why));
    result.outputs[1].length++;
    ck_assert(c.algorithm->certify(&c, &result, why, sizeof why));
    sb_result_free(&result);
    sb_case_free(&c);
}
END_TEST

START_TEST(bwt_certifier_refuses_long_repeats)
{
    uint8_t text[MOST];

    for (int i = 0; i < 100; i++) {
        uint64_t n = draw(MOST);
        sb_case c;
        sb_result result;
        char why[200];

        fill(text, n);
        make_bwt_case(&c, text, n, pieces[draw(sizeof pieces / sizeof *pieces)]);
        refer(&c, &result);
        ck_assert_msg(c.algorithm->certify(&c, &result, why, sizeof why), "%s", why);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

static double bwt_cost(const uint8_t *text, uint64_t n)
{
    sb_case c;
    double cost;

    make_bwt_case(&c, text, n, 0);
    cost = c.algorithm->cost(&c);
    sb_case_free(&c);
    return cost;
}

START_TEST(bwt_cost_overlooks_repetition)
{
    enum { N = 1 << 16 };
    uint8_t *text = malloc(N);
    double plain;

    ck_assert_ptr_nonnull(text);
    for (int i = 0; i < N; i++)
        text[i] = (uint8_t)draw(256);
    plain = bwt_cost(text, N);
    memcpy(text + N / 2, text, N / 2);
    ck_assert_double_gt(bwt_cost(text, N), 5 * plain); /* a text twice */
    for (int i = 0; i < N; i++)
        text[i] = (uint8_t)draw(256);
    memcpy(text + 3 * N / 4, text + N / 2, N / 4);
    ck_assert_double_gt(bwt_cost(text, N), 2 * plain); /* a repeat that does not begin with the text */
    for (int i = 3 * N / 4; i < N; i++)
        text[i] = (uint8_t)draw(256);
    memset(text + N / 8, 0, N / 8);
    ck_assert_double_gt(bwt_cost(text, N), 1.5 * plain); /* a run between the places that are asked for repeats */
    for (int i = 0; i < N; i++)
        text[i] = "abc"[i % 3];
    ck_assert_double_gt(bwt_cost(text, N), 20 * plain);
    memset(text, 0, N);
    ck_assert_double_gt(bwt_cost(text, N), 20 * plain);
    ck_assert_double_ge(bwt_cost(text, 0), 0);
    free(text);
}
END_TEST

START_TEST(bwt_inverse_normalise_changes_what_fits)
{
    const uint64_t given[] = {6, UINT64_MAX, 7, 8}; /* 6 is the length of the first block: invalid, and kept */
    sb_case c;
    const uint64_t *primary;

    sb_case_init(&c, sb_harness_algorithms_bwt[1]);
    c.parameters[SB_BWT_BLOCK] = 6;
    set(&c, SB_BWT_INVERSE_LAST, "nnbaaabaa", 9);
    set(&c, SB_BWT_INVERSE_PRIMARY, given, 2);
    ck_assert(sb_case_normalise(&c));
    ck_assert_mem_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].data, given, sizeof(uint64_t[2]));

    set(&c, SB_BWT_INVERSE_PRIMARY, given, 4);
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].length, 2);
    primary = c.inputs[SB_BWT_INVERSE_PRIMARY].data;
    ck_assert_uint_eq(primary[0], 6);
    ck_assert_uint_eq(primary[1], UINT64_MAX % 3);

    set(&c, SB_BWT_INVERSE_LAST, NULL, 0);
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].length, 0);
    set(&c, SB_BWT_INVERSE_PRIMARY, given, 1);
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.inputs[SB_BWT_INVERSE_PRIMARY].length, 1);
    sb_case_free(&c);
}
END_TEST

/* invert and the inverse's reference give the inputs back, for every algorithm of the family that has an inverse. */
static void check_inverse(const sb_algorithm *algorithm, const sb_algorithm *inverse)
{
    uint8_t bytes[MOST];

    ck_assert_str_eq(algorithm->inverse, inverse->name);
    for (int i = 0; i < 100; i++) {
        sb_case c, back;
        sb_result result, undone;
        uint64_t n = i < 5 ? (uint64_t)i : draw(MOST);

        fill(bytes, n);
        sb_case_init(&c, algorithm);
        c.parameters[0] = pieces[draw(sizeof pieces / sizeof *pieces)];
        set(&c, 0, bytes, n);
        refer(&c, &result);
        sb_case_init(&back, inverse);
        ck_assert(algorithm->invert(&c, &result, &back));
        refer(&back, &undone);
        ck_assert_int_eq(undone.status, SB_OK);
        ck_assert_uint_eq(undone.outputs[0].length, n);
        if (n > 0)
            ck_assert_mem_eq(undone.outputs[0].data, bytes, n);
        sb_result_free(&undone);
        sb_case_free(&back);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}

START_TEST(invert_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_bwt[0], sb_harness_algorithms_bwt[1]);
    check_inverse(sb_harness_algorithms_mtf[0], sb_harness_algorithms_mtf[1]);
    check_inverse(sb_harness_algorithms_mtf[1], sb_harness_algorithms_mtf[0]);
    check_inverse(sb_harness_algorithms_qlfc[0], sb_harness_algorithms_qlfc[1]);
    check_inverse(sb_harness_algorithms_rle[0], sb_harness_algorithms_rle[1]);
    check_inverse(sb_harness_algorithms_rle[2], sb_harness_algorithms_rle[3]);
    check_inverse(sb_harness_algorithms_huffman[1], sb_harness_algorithms_huffman[2]);
    check_inverse(sb_harness_algorithms_ahuff[0], sb_harness_algorithms_ahuff[1]);
    check_inverse(sb_harness_algorithms_zrun[0], sb_harness_algorithms_zrun[1]);
    check_inverse(sb_harness_algorithms_rangecoder[0], sb_harness_algorithms_rangecoder[1]);
}
END_TEST

/* mtf */

/* The list holds the symbols seen since the chunk began, the latest first, then the others in ascending order. */
static unsigned rank_by_counting(const uint8_t *bytes, uint64_t first, uint64_t i)
{
    unsigned distinct = 0, smaller_seen = 0;
    uint8_t seen[256] = {0};

    for (uint64_t j = i; j-- > first;) {
        if (bytes[j] == bytes[i])
            return distinct;
        if (!seen[bytes[j]]) {
            seen[bytes[j]] = 1;
            distinct++;
            smaller_seen += bytes[j] < bytes[i];
        }
    }
    return distinct + bytes[i] - smaller_seen;
}

START_TEST(mtf_rank_is_not_the_distance_in_symbols)
{
    uint8_t bytes[MOST], rank[MOST];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        uint64_t n = draw(MOST), chunk = pieces[p];

        fill(bytes, n);
        sb_ref_mtf_encode(bytes, n, chunk, rank);
        for (uint64_t i = 0; i < n; i++)
            ck_assert_uint_eq(rank[i], rank_by_counting(bytes, chunk == 0 ? 0 : i - i % chunk, i));
    }
}
END_TEST

START_TEST(mtf_decode_and_encode_are_no_inverses)
{
    uint8_t bytes[MOST], rank[MOST], back[MOST];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (uint64_t n = 0; n < MOST; n += 1 + n / 3) {
            fill(bytes, n);
            sb_ref_mtf_encode(bytes, n, pieces[p], rank);
            sb_ref_mtf_decode(rank, n, pieces[p], back);
            ck_assert_mem_eq(back, bytes, n);
            sb_ref_mtf_decode(bytes, n, pieces[p], rank); /* any bytes are ranks */
            sb_ref_mtf_encode(rank, n, pieces[p], back);
            ck_assert_mem_eq(back, bytes, n);
        }
    }
}
END_TEST

/* mtf.pass */

typedef struct item_arrays {
    uint32_t position[MOST];
    uint8_t symbol[MOST], entering[MOST];
} item_arrays;

static sb_ref_mtf_items items_in(item_arrays *arrays, uint64_t count)
{
    return (sb_ref_mtf_items){arrays->position, arrays->symbol, arrays->entering, count};
}

/* One pass: its ranks go to their positions, and the next pass's items are those whose rank says that it has none. */
static void pass_on(sb_ref_mtf_items *items, sb_ref_mtf_items *next, uint64_t base, uint64_t depth, uint64_t chunk,
                    uint8_t *rank)
{
    uint32_t position[MOST];
    uint8_t found[MOST];
    uint64_t left = 0;

    ck_assert_int_eq(sb_ref_mtf_pass(items, base, depth, chunk, position, found, next), SB_REF_OK);
    for (uint64_t i = 0; i < items->count; i++) {
        ck_assert_uint_eq(position[i], items->position[i]);
        ck_assert_uint_ge(found[i], base);
        rank[position[i]] = found[i];
        if (base + depth == 256 || found[i] < base + depth)
            continue;
        ck_assert_uint_eq(found[i], base + depth);
        ck_assert_uint_lt(left, next->count);
        ck_assert_uint_eq(next->position[left], items->position[i]);
        ck_assert_uint_eq(next->symbol[left], items->symbol[i]);
        left++;
    }
    ck_assert_uint_eq(left, next->count);
}

START_TEST(mtf_passes_do_not_compose)
{
    uint8_t bytes[MOST], rank[MOST], composed[MOST];
    static item_arrays arrays[2];

    for (size_t p = 0; p < 8 * (sizeof pieces / sizeof *pieces); p++) {
        uint64_t n = draw(MOST), chunk = pieces[p / 8];
        int side = 0;

        fill(bytes, n);
        for (uint64_t i = 0; i < n; i++) {
            arrays[0].position[i] = (uint32_t)i;
            arrays[0].symbol[i] = arrays[0].entering[i] = bytes[i];
        }
        sb_ref_mtf_items items = items_in(&arrays[0], n);
        for (uint64_t base = 0, depth; base < 256; base += depth, side = 1 - side) {
            sb_ref_mtf_items next = items_in(&arrays[1 - side], 0);

            depth = 1 + draw(p % 2 ? 256 - base : 256 - base < 20 ? 256 - base : 20);
            pass_on(&items, &next, base, depth, chunk, composed);
            items = next;
        }
        ck_assert_uint_eq(items.count, 0);
        sb_ref_mtf_encode(bytes, n, chunk, rank);
        ck_assert_mem_eq(composed, rank, n);
    }
}
END_TEST

START_TEST(mtf_pass_takes_a_bad_case)
{
    static const struct {
        uint32_t position[2];
        uint8_t symbol;
        uint64_t base, depth;
        sb_ref_status status;
    } rows[] = {
        {{3, 4}, 8, 0, 8, SB_REF_OK},
        {{3, 3}, 8, 0, 8, SB_REF_INVALID},
        {{4, 3}, 8, 0, 8, SB_REF_INVALID},
        {{3, 4}, 8, 0, 0, SB_REF_INVALID},
        {{3, 4}, 8, 0, 257, SB_REF_INVALID},
        {{3, 4}, 8, 1, 256, SB_REF_INVALID},
        {{3, 4}, 8, 256, 1, SB_REF_INVALID},
        {{3, 4}, 8, 257, 1, SB_REF_INVALID},
        {{3, 4}, 8, UINT64_MAX, 2, SB_REF_INVALID},
        {{3, 4}, 8, 2, UINT64_MAX, SB_REF_INVALID},
        {{3, 4}, 255, 248, 8, SB_REF_OK},
        {{3, 4}, 247, 248, 8, SB_REF_INVALID},
        {{3, 4}, 247, 248, 7, SB_REF_OK},
        {{3, 4}, 8, 0, 256, SB_REF_OK},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        item_arrays given = {.position = {rows[i].position[0], rows[i].position[1]},
                             .symbol = {rows[i].symbol, rows[i].symbol},
                             .entering = {rows[i].symbol, rows[i].symbol}};
        item_arrays left;
        sb_ref_mtf_items items = items_in(&given, 2), next = items_in(&left, 0);
        uint32_t position[2];
        uint8_t rank[2];

        ck_assert_int_eq(sb_ref_mtf_pass(&items, rows[i].base, rows[i].depth, 0, position, rank, &next),
                         rows[i].status);
    }
}
END_TEST

static void set_pass(sb_case *c, uint64_t base, uint64_t depth, uint64_t chunk)
{
    sb_case_init(c, sb_harness_algorithms_mtf[2]);
    c->parameters[SB_MTF_PASS_BASE] = base;
    c->parameters[SB_MTF_PASS_DEPTH] = depth;
    c->parameters[SB_MTF_PASS_CHUNK] = chunk;
}

START_TEST(mtf_pass_normalise_changes_what_fits)
{
    static const uint32_t ascending[] = {5, 9, 4294967295u}, level[] = {5, 5, 6};
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[200];
    sb_case c;

    set_pass(&c, 248, 64, 3); /* too deep: invalid, and kept */
    set(&c, SB_MTF_PASS_SYMBOL, "abc", 3);
    set(&c, SB_MTF_PASS_ENTERING, "xyz", 3);
    set(&c, SB_MTF_PASS_POSITION, ascending, 3);
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.parameters[SB_MTF_PASS_BASE], 248);
    ck_assert_mem_eq(c.inputs[SB_MTF_PASS_SYMBOL].data, "abc", 3);
    ck_assert_mem_eq(c.inputs[SB_MTF_PASS_ENTERING].data, "xyz", 3);
    ck_assert_mem_eq(c.inputs[SB_MTF_PASS_POSITION].data, ascending, sizeof ascending);

    set(&c, SB_MTF_PASS_ENTERING, "xy", 2);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert(sb_case_normalise(&c));
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(c.inputs[i].length, 2);
    ck_assert_mem_eq(c.inputs[SB_MTF_PASS_SYMBOL].data, "ab", 2);
    sb_case_free(&c);

    set_pass(&c, 0, 8, 0);
    set(&c, SB_MTF_PASS_SYMBOL, "abc", 3);
    set(&c, SB_MTF_PASS_ENTERING, "xyz", 3);
    set(&c, SB_MTF_PASS_POSITION, level, 3);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert_mem_eq(c.inputs[SB_MTF_PASS_ENTERING].data, "abc", 3); /* a first pass */
    sb_case_free(&c);
}
END_TEST

START_TEST(mtf_pass_normalise_makes_no_pass)
{
    static const uint64_t depths[] = {1, 8, 64, 255, 256};
    uint8_t bytes[MOST];

    for (int i = 0; i < 100; i++) {
        uint64_t n = draw(MOST), capacity[SB_MAX_ARRAYS], depth = depths[draw(5)];
        uint32_t gaps[MOST];
        char why[200];
        sb_result result;
        sb_case c;

        fill(bytes, n);
        for (uint64_t k = 0; k < n; k++)
            gaps[k] = (uint32_t)draw(UINT32_MAX) | (k + 1 == n && i % 2 ? 3 : 0);
        set_pass(&c, draw(300), depth, pieces[draw(sizeof pieces / sizeof *pieces)]);
        set(&c, SB_MTF_PASS_SYMBOL, bytes, n);
        set(&c, SB_MTF_PASS_ENTERING, bytes, i % 3 ? n : 0);
        set(&c, SB_MTF_PASS_POSITION, gaps, i % 3 ? n : 0);
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
        refer(&c, &result);
        if (n > 2) /* a single position ascends as it is */
            ck_assert_int_eq(result.status, SB_OK);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

/* qlfc */

/* Distinct symbols strictly between byte `last`, where a run ends, and the next one that is the same, or the end. */
static unsigned distinct_after(const uint8_t *bytes, uint64_t n, uint64_t last)
{
    unsigned distinct = 0;
    uint8_t seen[256] = {0};

    for (uint64_t i = last + 1; i < n && bytes[i] != bytes[last]; i++) {
        distinct += !seen[bytes[i]];
        seen[bytes[i]] = 1;
    }
    return distinct;
}

START_TEST(qlfc_rank_is_not_the_distance_in_symbols)
{
    uint8_t bytes[MOST], rank[MOST], order[256];
    uint32_t length[MOST];

    for (int i = 0; i < 300; i++) {
        uint64_t n = draw(MOST), runs, symbols, at = 0, met = 0;
        uint8_t seen[256] = {0};

        fill(bytes, n);
        ck_assert_int_eq(sb_ref_qlfc_encode(bytes, n, rank, length, &runs, order, &symbols), SB_REF_OK);
        for (uint64_t run = 0; run < runs; at += length[run++]) {
            for (uint64_t k = at; k < at + length[run]; k++)
                ck_assert_uint_eq(bytes[k], bytes[at]);
            ck_assert(at == 0 || bytes[at] != bytes[at - 1]);
            ck_assert_uint_eq(rank[run], distinct_after(bytes, n, at + length[run] - 1));
            if (!seen[bytes[at]])
                ck_assert_uint_eq(order[met++], bytes[at]);
            seen[bytes[at]] = 1;
        }
        ck_assert_uint_eq(at, n);
        ck_assert_uint_eq(symbols, met);
    }
}
END_TEST

/* Every code of up to five runs and four symbols, of lengths 0 to 2: what is taken is what encode gives for it. */
START_TEST(qlfc_decode_takes_what_encode_does_not_give)
{
    const uint8_t orders[][4] = {{7, 0, 255, 1}, {7, 7, 255, 1}, {7, 0, 255, 7}};
    uint8_t rank[5], bytes[10], rank_again[10], order_again[256];
    uint32_t length[5], length_again[10];
    uint64_t taken = 0;

    for (uint64_t i = 0, codes = 3 * 5 * 6; i < codes * power(5, 5) * 3; i++) {
        const uint8_t *order = orders[i % 3];
        uint64_t symbols = i / 3 % 5, runs = i / 15 % 6, again, symbols_again, n = 0;

        spell(rank, 5, 5, i / codes);
        for (uint64_t run = 0; run < runs; run++)
            n += length[run] = (uint32_t)(i / codes / power(5, 5) == 0 ? 1 : draw(8) % 3);
        if (sb_ref_qlfc_decode(rank, length, runs, order, symbols, bytes) != SB_REF_OK) {
            ck_assert_int_eq(sb_ref_qlfc_decode(rank, length, runs, order, symbols, NULL), SB_REF_INVALID);
            continue;
        }
        taken++;
        ck_assert_int_eq(sb_ref_qlfc_encode(bytes, n, rank_again, length_again, &again, order_again, &symbols_again),
                         SB_REF_OK);
        ck_assert_uint_eq(again, runs);
        ck_assert_uint_eq(symbols_again, symbols);
        ck_assert(runs == 0 || memcmp(rank, rank_again, runs) == 0);
        ck_assert(runs == 0 || memcmp(length, length_again, runs * sizeof *length) == 0);
        ck_assert(symbols == 0 || memcmp(order, order_again, symbols) == 0);
    }
    ck_assert_uint_gt(taken, 0);
}
END_TEST

/* Every text of up to six of four letters comes back. */
START_TEST(qlfc_decode_refuses_what_encode_gives)
{
    uint8_t text[6], rank[6], order[256], back[6];
    uint32_t length[6];
    uint64_t runs, symbols;

    for (uint64_t n = 0; n <= 6; n++)
        for (uint64_t i = 0; i < power(4, n); i++) {
            spell(text, n, 4, i);
            sb_ref_qlfc_encode(text, n, rank, length, &runs, order, &symbols);
            ck_assert_int_eq(sb_ref_qlfc_decode(rank, length, runs, order, symbols, back), SB_REF_OK);
            ck_assert(n == 0 || memcmp(back, text, n) == 0);
        }
}
END_TEST

START_TEST(qlfc_takes_2_32_bytes)
{
    const uint8_t rank[] = {1, 0}, order[] = {5, 6};
    const uint32_t most[] = {UINT32_MAX - 1, 1}, too_many[] = {UINT32_MAX, 1};
    uint64_t runs, symbols;

    ck_assert_int_eq(sb_ref_qlfc_encode(NULL, (uint64_t)1 << 32, NULL, NULL, &runs, NULL, &symbols), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_qlfc_decode(rank, most, 2, order, 2, NULL), SB_REF_OK);
    ck_assert_int_eq(sb_ref_qlfc_decode(rank, too_many, 2, order, 2, NULL), SB_REF_INVALID);
}
END_TEST

/* Arrays that fit stay as they are; others become a code, most of them a valid one. */
START_TEST(qlfc_normalise_changes_what_fits_or_makes_no_code)
{
    const sb_algorithm *algorithm = sb_harness_algorithms_qlfc[1];
    const uint32_t huge[] = {UINT32_MAX, UINT32_MAX};
    uint64_t capacity[SB_MAX_ARRAYS], valid = 0;
    uint8_t bytes[MOST];
    uint32_t drawn[MOST];
    char why[200];
    sb_case c;

    sb_case_init(&c, algorithm);
    set(&c, SB_QLFC_RANK, "\1\377", 2);
    set(&c, SB_QLFC_LENGTH, huge, 2);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_QLFC_LENGTH, "\2\0\0\0\3\0\0\0", 2);
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert_uint_eq(capacity[SB_QLFC_BYTES], 5);
    ck_assert(sb_case_normalise(&c));
    ck_assert_mem_eq(c.inputs[SB_QLFC_RANK].data, "\1\377", 2);
    ck_assert_uint_eq(c.inputs[SB_QLFC_ORDER].length, 0);
    for (int i = 0; i < 400; i++) {
        uint64_t n = draw(MOST);
        sb_result result;

        fill(bytes, n);
        for (uint64_t k = 0; k < MOST; k++)
            drawn[k] = (uint32_t)draw(UINT32_MAX);
        set(&c, SB_QLFC_RANK, bytes, n);
        set(&c, SB_QLFC_LENGTH, drawn, i % 2 ? n : draw(MOST));
        set(&c, SB_QLFC_ORDER, bytes, draw(n + 1));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
        refer(&c, &result);
        valid += result.status == SB_OK;
        sb_result_free(&result);
    }
    ck_assert_uint_gt(valid, 200);
    ck_assert_uint_lt(valid, 390);
    sb_case_free(&c);
}
END_TEST

/* rle */

typedef uint64_t encoder(const uint8_t *bytes, uint64_t n, uint8_t *code);
typedef sb_ref_status decoder(const uint8_t *code, uint64_t n, uint8_t *bytes, uint64_t *length);

static encoder *const encoders[] = {sb_ref_rle0_encode, sb_ref_rle0x_encode};
static decoder *const decoders[] = {sb_ref_rle0_decode, sb_ref_rle0x_decode};

static void check_runs(int k, const uint8_t *bytes, uint64_t n)
{
    uint8_t code[2 * MOST + 1], back[MOST + 1];
    uint64_t written, length;

    code[2 * n] = 0xa5;
    written = encoders[k](bytes, n, code);
    ck_assert_uint_le(written, 2 * n);
    ck_assert_uint_eq(code[2 * n], 0xa5);
    ck_assert_int_eq(decoders[k](code, written, NULL, &length), SB_REF_OK);
    ck_assert_uint_eq(length, n);
    back[n] = 0xa5;
    ck_assert_int_eq(decoders[k](code, written, back, &length), SB_REF_OK);
    ck_assert_uint_eq(length, n);
    ck_assert_mem_eq(back, bytes, n);
    ck_assert_uint_eq(back[n], 0xa5);
}

START_TEST(rle_loses_a_run)
{
    uint8_t bytes[MOST];

    for (uint64_t run = 0; run <= 600; run++) {
        memset(bytes, 0, run + 2);
        bytes[0] = 'a';
        bytes[run + 1] = 'b';
        check_runs(_i, bytes, run + 2);
        check_runs(_i, bytes, run + 1);
        check_runs(_i, bytes + 1, run);
    }
    for (int i = 0; i < 300; i++) {
        uint64_t n = draw(MOST);

        fill(bytes, n);
        check_runs(_i, bytes, n);
    }
}
END_TEST

START_TEST(rle_code_of_a_run_has_another_length)
{
    uint8_t zeros[MOST] = {0}, code[2 * MOST];

    for (uint64_t run = 1; run <= 600; run++) {
        ck_assert_uint_eq(sb_ref_rle0_encode(zeros, run, code), (run + 254) / 255 * 2);
        ck_assert_uint_eq(sb_ref_rle0x_encode(zeros, run, code), 2 + run / 255);
    }
}
END_TEST

/* Is this code valid? Read backwards from the contract: cut off one valid item at a time. */
static int valid_code(int k, const uint8_t *code, uint64_t n)
{
    uint64_t item = 1;

    if (n == 0)
        return 1;
    if (code[0] == 0) {
        while (k == 1 && item < n && code[item] == 255)
            item++;
        if (item == n || (item == 1 && code[item] == 0))
            return 0;
        item++;
    }
    return valid_code(k, code + item, n - item);
}

START_TEST(rle_decoder_takes_a_fault_or_refuses_a_code)
{
    const uint8_t letters[] = {0, 1, 254, 255};
    uint8_t code[6], again[8000], bytes[4000], back[4000];
    uint64_t length, counted;

    for (uint64_t n = 0; n <= 6; n++) {
        for (uint64_t i = 0; i < power(4, n); i++) {
            spell(code, n, 4, i);
            for (uint64_t j = 0; j < n; j++)
                code[j] = letters[code[j]];
            ck_assert_int_eq(decoders[_i](code, n, bytes, &length),
                             valid_code(_i, code, n) ? SB_REF_OK : SB_REF_INVALID);
            decoders[_i](code, n, NULL, &counted);
            ck_assert_uint_eq(counted, length);
            if (valid_code(_i, code, n)) {
                ck_assert_int_eq(decoders[_i](again, encoders[_i](bytes, length, again), back, &counted), SB_REF_OK);
                ck_assert_uint_eq(counted, length);
                ck_assert_mem_eq(back, bytes, length);
            }
        }
    }
}
END_TEST

/* zrun */

START_TEST(zrun_digits_do_not_add_up)
{
    uint8_t zeros[MOST] = {0};
    uint16_t symbols[MOST];
    uint64_t length;

    for (uint64_t run = 0; run < MOST; run++) {
        uint64_t sum = 0, digits = 0;

        while (((uint64_t)2 << digits) - 1 <= run)
            digits++;
        ck_assert_int_eq(sb_ref_zrun_encode(zeros, run, symbols, &length), SB_REF_OK);
        ck_assert_uint_eq(length, digits);
        for (uint64_t i = 0; i < length; i++)
            sum += (symbols[i] + (uint64_t)1) << i;
        ck_assert_uint_eq(sum, run);
    }
}
END_TEST

/* Every row of symbols is the code of some ranks, unless it has one over 256. */
START_TEST(zrun_decode_is_not_the_reverse)
{
    const uint16_t letters[] = {0, 1, 2, 256, 257, 0x8000};

    for (uint64_t n = 0; n <= 5; n++) {
        for (uint64_t i = 0; i < power(6, n); i++) {
            uint8_t word[5], ranks[64];
            uint16_t symbols[5], again[64];
            uint64_t length, counted;
            int valid = 1;

            spell(word, n, 6, i);
            for (uint64_t k = 0; k < n; k++) {
                symbols[k] = letters[word[k]];
                valid &= symbols[k] <= 256;
            }
            ck_assert_int_eq(sb_ref_zrun_decode(symbols, n, ranks, &length), valid ? SB_REF_OK : SB_REF_INVALID);
            sb_ref_zrun_decode(symbols, n, NULL, &counted);
            ck_assert_uint_eq(counted, length);
            if (!valid)
                continue;
            ck_assert_int_eq(sb_ref_zrun_encode(ranks, length, again, &counted), SB_REF_OK);
            ck_assert_uint_eq(counted, n);
            ck_assert_mem_eq(again, symbols, n * sizeof *symbols);
        }
    }
}
END_TEST

START_TEST(zrun_takes_2_32_ranks)
{
    uint16_t symbols[100] = {0};
    uint64_t length;

    ck_assert_int_eq(sb_ref_zrun_encode(NULL, (uint64_t)1 << 32, NULL, &length), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_zrun_decode(symbols, 32, NULL, &length), SB_REF_OK);
    ck_assert_uint_eq(length, UINT32_MAX);
    for (uint64_t n = 33; n <= 100; n++)
        ck_assert_int_eq(sb_ref_zrun_decode(symbols, n, NULL, &length), SB_REF_INVALID);
    symbols[32] = 2;
    ck_assert_int_eq(sb_ref_zrun_decode(symbols, 33, NULL, &length), SB_REF_INVALID);
    symbols[31] = 1;
    ck_assert_int_eq(sb_ref_zrun_decode(symbols, 32, NULL, &length), SB_REF_INVALID);
    ck_assert_uint_eq(length, ((uint64_t)1 << 31) - 1);
}
END_TEST

START_TEST(zrun_normalise_changes_what_fits_or_leaves_too_much)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    uint16_t symbols[MOST] = {0};
    char why[200];
    sb_case c;

    sb_case_init(&c, sb_harness_algorithms_zrun[1]);
    set(&c, SB_ZRUN_IN, symbols, 20);
    ck_assert(sb_case_normalise(&c));
    ck_assert_mem_eq(c.inputs[SB_ZRUN_IN].data, symbols, 20 * sizeof *symbols);
    for (uint64_t n = 0; n < MOST; n++) {
        for (uint64_t i = 0; i < n; i++)
            symbols[i] = (uint16_t)(draw(40) == 0 ? 2 : draw(2));
        set(&c, SB_ZRUN_IN, symbols, n);
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    }
    set(&c, SB_ZRUN_IN, memset(symbols, 0, sizeof symbols), 32);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    sb_case_free(&c);
}
END_TEST

/* ranks */

enum { WORD = 4 };

static void check_ranks(const uint8_t *ranks, uint64_t n, uint64_t segment)
{
    uint64_t segments = sb_ref_rangecoder_segments(n, segment), bytes, offset[MOST + 1];
    uint8_t payload[MOST + 1], back[MOST + 1];

    payload[n] = back[n] = 0xa5;
    offset[segments] = 77;
    bytes = sb_ref_rangecoder_encode(ranks, n, segment, payload, offset);
    ck_assert_uint_le(bytes, n);
    ck_assert_uint_eq(payload[n], 0xa5);
    ck_assert_uint_eq(offset[segments], 77);
    ck_assert_int_eq(sb_ref_rangecoder_decode(payload, bytes, offset, segment, back, n), SB_REF_OK);
    ck_assert_mem_eq(back, ranks, n);
    ck_assert_uint_eq(back[n], 0xa5);
}

START_TEST(ranks_decode_does_not_undo_encode)
{
    uint8_t ranks[MOST];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (int i = 0; i < 60; i++) {
            uint64_t n = i < 5 ? (uint64_t)i : 1 + draw(MOST);

            fill(ranks, n);
            check_ranks(ranks, n, pieces[p]);
            for (uint64_t k = 0; k < n; k++) /* all bit lengths, small ones more often, and runs */
                ranks[k] = (uint8_t)(draw(2) ? draw((uint64_t)1 << draw(9)) : 0);
            check_ranks(ranks, n, pieces[p]);
        }
        for (uint64_t n = 0; n <= MOST; n++)
            check_ranks(memset(ranks, 0, n), n, pieces[p]);
    }
}
END_TEST

/* Segments do not see each other: each has the payload that it has alone. */
START_TEST(ranks_segments_see_each_other)
{
    uint8_t ranks[MOST], payload[MOST], alone[MOST];
    uint64_t offset[MOST], zero;

    for (int i = 0; i < 50; i++) {
        uint64_t n = 1 + draw(MOST), segment = 1 + draw(n), bytes;

        fill(ranks, n);
        bytes = sb_ref_rangecoder_encode(ranks, n, segment, payload, offset);
        for (uint64_t k = 0; k < sb_ref_rangecoder_segments(n, segment); k++) {
            uint64_t length = k * segment + segment < n ? segment : n - k * segment;
            uint64_t size = sb_ref_rangecoder_encode(ranks + k * segment, length, 0, alone, &zero);

            ck_assert_uint_eq(zero, 0);
            ck_assert_uint_eq(size, ((k + 1) * segment < n ? offset[k + 1] : bytes) - offset[k]);
            ck_assert_mem_eq(alone, payload + offset[k], size);
        }
    }
}
END_TEST

/* Any ranks whose bits have these odds cost what they must, and the words that are not full, and the learning. */
START_TEST(ranks_code_is_longer_than_it_must_be)
{
    enum { N = 40000 };
    uint8_t *ranks = malloc(N), *payload = malloc(N);
    uint64_t offset;

    /* Half zeros, a quarter ones, ...: two bits a rank. */
    for (uint64_t i = 0; i < N; i++)
        for (ranks[i] = 0; draw(2) == 0;)
            ranks[i]++;
    ck_assert_uint_lt(sb_ref_rangecoder_encode(ranks, N, 0, payload, &offset), N / 4 * 104 / 100);
    /* One rank in 64 is 1: 0.116 bits a rank; digits of runs know little of their place. */
    for (uint64_t i = 0; i < N; i++)
        ranks[i] = draw(64) == 0;
    ck_assert_uint_lt(sb_ref_rangecoder_encode(ranks, N, 0, payload, &offset), N * 0.116 / 8 * 1.25);
    for (uint64_t i = 0; i < N; i++)
        ranks[i] = 0;
    ck_assert_uint_eq(sb_ref_rangecoder_encode(ranks, N, 0, payload, &offset), WORD);
    free(ranks);
    free(payload);
}
END_TEST

/* A coded segment has one code: any other is invalid or stands for other ranks. */
START_TEST(ranks_decode_overlooks_a_change)
{
    uint8_t ranks[MOST], payload[MOST], back[MOST];
    uint64_t offset, invalid = 0, cases = 0;

    for (int i = 0; i < 100; i++) {
        uint64_t n = 20 + draw(MOST - 20), bytes;

        fill(ranks, n);
        bytes = sb_ref_rangecoder_encode(ranks, n, 0, payload, &offset);
        if (bytes == n)
            continue;
        for (uint64_t bit = 0; bit < 8 * bytes; bit++) {
            sb_ref_status status;

            payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
            status = sb_ref_rangecoder_decode(payload, bytes, &offset, 0, back, n);
            ck_assert(status == SB_REF_INVALID || memcmp(back, ranks, n) != 0);
            invalid += status == SB_REF_INVALID;
            cases++;
            payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (uint64_t cut = 0; cut < bytes; cut++)
            ck_assert_int_eq(sb_ref_rangecoder_decode(payload, cut, &offset, 0, back, n), SB_REF_INVALID);
        memset(payload + bytes, 0, n - bytes);
        for (uint64_t more = bytes + 1; more < n; more++)
            ck_assert_int_eq(sb_ref_rangecoder_decode(payload, more, &offset, 0, back, n), SB_REF_INVALID);
    }
    ck_assert_uint_gt(cases, 1000);
    ck_assert_uint_gt(invalid, cases / 2);
}
END_TEST

START_TEST(ranks_decode_of_no_code_writes_elsewhere)
{
    uint8_t payload[MOST], back[MOST + 1];
    uint64_t offset[MOST], valid = 0;

    for (int i = 0; i < 4000; i++) {
        uint64_t n = draw(MOST), segment = pieces[draw(sizeof pieces / sizeof *pieces)],
                 bytes = draw(2) ? n : draw(n + 10);

        for (uint64_t k = 0; k < bytes; k++)
            payload[k] = (uint8_t)draw(256);
        if (i % 4 == 0)
            memset(payload, i % 8 ? 255 : 0, bytes);
        for (uint64_t k = 0; k < sb_ref_rangecoder_segments(n, segment); k++)
            offset[k] = k == 0 || draw(8) ? k * bytes / sb_ref_rangecoder_segments(n, segment) : draw(bytes + 2);
        back[n] = 0xa5;
        valid += sb_ref_rangecoder_decode(payload, bytes, offset, segment, back, n) == SB_REF_OK;
        ck_assert_uint_eq(back[n], 0xa5);
    }
    ck_assert_uint_gt(valid, 100); /* plain segments */
    ck_assert_uint_lt(valid, 2000);
}
END_TEST

START_TEST(ranks_normalise_changes_what_fits_or_makes_no_code)
{
    uint64_t capacity[SB_MAX_ARRAYS], valid = 0, drawn[8], zero = 0;
    uint8_t bytes[MOST];
    char why[200];
    sb_case c;

    sb_case_init(&c, sb_harness_algorithms_rangecoder[1]);
    c.parameters[SB_RANGECODER_DECODE_COUNT] = 8;
    set(&c, SB_RANGECODER_PAYLOAD, "\274\0\0\1", 4);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_RANGECODER_OFFSET, &zero, 1);
    c.parameters[SB_RANGECODER_DECODE_COUNT] = (1 << 24) + 4 * 256 + 1;
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    c.parameters[SB_RANGECODER_DECODE_COUNT]--;
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert(sb_case_normalise(&c));
    ck_assert_uint_eq(c.parameters[SB_RANGECODER_DECODE_COUNT], (1 << 24) + 4 * 256);
    ck_assert_mem_eq(c.inputs[SB_RANGECODER_PAYLOAD].data, "\274\0\0\1", 4);
    for (int i = 0; i < 400; i++) {
        uint64_t n = draw(MOST);
        sb_result result;

        fill(bytes, n);
        for (int k = 0; k < 8; k++)
            drawn[k] = draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
        c.parameters[SB_RANGECODER_SEGMENT] = pieces[draw(sizeof pieces / sizeof *pieces)];
        c.parameters[SB_RANGECODER_DECODE_COUNT] = UINT64_MAX;
        set(&c, SB_RANGECODER_PAYLOAD, bytes, n);
        set(&c, SB_RANGECODER_OFFSET, drawn, draw(9));
        ck_assert(sb_case_normalise(&c));
        ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
        refer(&c, &result);
        valid += result.status == SB_OK;
        sb_result_free(&result);
    }
    ck_assert_uint_gt(valid, 250);
    ck_assert_uint_lt(valid, 390);
    sb_case_free(&c);
}
END_TEST

/* histogram */

START_TEST(histogram_miscounts)
{
    uint8_t bytes[MOST];
    uint64_t count[256], expected[256];

    for (uint64_t n = 0; n < MOST; n += 1 + n / 3) {
        fill(bytes, n);
        memset(count, 0xa5, sizeof count);
        sb_ref_histogram(bytes, n, count);
        memset(expected, 0, sizeof expected);
        for (uint64_t i = 0; i < n; i++)
            for (int s = 0; s < 256; s++)
                expected[s] += bytes[i] == s;
        ck_assert_mem_eq(count, expected, sizeof count);
    }
}
END_TEST

/* huffman */

/* Counts of up to `symbols` symbols, of all magnitudes below 2^24. */
static void fill_counts(uint64_t count[256], uint64_t symbols)
{
    memset(count, 0, 256 * sizeof *count);
    for (uint64_t i = 0; i < symbols; i++)
        count[draw(256)] = draw((uint64_t)1 << draw(25));
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The least number of bits that a code for these counts takes: the sum of all merged weights. */
static uint64_t least_bits(const uint64_t count[256])
{
    uint64_t weight[256], bits = 0;
    size_t n = 0;

    for (int s = 0; s < 256; s++)
        if (count[s] != 0)
            weight[n++] = count[s];
    if (n == 1)
        return weight[0];
    for (; n > 1; n--) {
        qsort(weight, n, sizeof *weight, ascending);
        weight[0] += weight[1];
        bits += weight[0];
        weight[1] = weight[n - 1];
    }
    return bits;
}

START_TEST(huffman_lengths_are_not_optimal_or_no_code)
{
    uint64_t count[256];
    uint8_t length[256];

    for (int round = 0; round < 150; round++) {
        uint64_t bits = 0, kraft = 0, symbols = 0, misordered = 0;

        fill_counts(count, draw(300));
        ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_OK);
        for (int s = 0; s < 256; s++) {
            bits += count[s] * length[s];
            symbols += count[s] != 0;
            ck_assert_int_eq(length[s] != 0, count[s] != 0);
            ck_assert_uint_le(length[s], SB_REF_HUFFMAN_LONGEST);
            kraft += length[s] == 0 ? 0 : (uint64_t)1 << (SB_REF_HUFFMAN_LONGEST - length[s]);
            for (int t = 0; t < 256; t++)
                misordered +=
                    count[s] != 0 && (count[t] > count[s] || (count[t] == count[s] && t > s)) && length[t] > length[s];
        }
        ck_assert_uint_eq(misordered, 0);
        ck_assert_uint_eq(bits, least_bits(count));
        if (symbols > 1)
            ck_assert_uint_eq(kraft, (uint64_t)1 << SB_REF_HUFFMAN_LONGEST);
    }
}
END_TEST

START_TEST(huffman_counts_of_2_32_are_taken)
{
    uint64_t count[256] = {0};
    uint8_t length[256];

    count[3] = UINT32_MAX - 1;
    count[200] = 1;
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_OK);
    count[200] = 2;
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_INVALID);
    count[200] = UINT64_MAX - count[3] + 2; /* wraps round to 1 */
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_INVALID);
    count[3] = (uint64_t)1 << 32;
    ck_assert_int_eq(sb_ref_huffman_lengths(count, length), SB_REF_INVALID);
    ck_assert_int_eq(sb_ref_huffman_encode(NULL, (uint64_t)1 << 32, 0, length, count, NULL, NULL), SB_REF_INVALID);
}
END_TEST

typedef struct code {
    uint8_t length[256];
    uint64_t bits;
    uint8_t payload[MOST];
    uint64_t payload_bytes;
    uint64_t offset[MOST];
    uint64_t offsets;
    uint64_t chunk;
} code;

static void make_code(code *c, const uint8_t *bytes, uint64_t n, uint64_t chunk)
{
    memset(c, 0xa5, sizeof *c);
    ck_assert_int_eq(sb_ref_huffman_encode(bytes, n, chunk, c->length, &c->bits, c->payload, c->offset), SB_REF_OK);
    c->chunk = chunk;
    c->payload_bytes = (c->bits + 7) / 8;
    c->offsets = sb_ref_chunks(n, chunk);
    ck_assert_uint_le(c->payload_bytes, n);
}

static sb_ref_status decode(const code *c, uint8_t *bytes, uint64_t *n)
{
    return sb_ref_huffman_decode(c->length, c->bits, c->payload, c->payload_bytes, c->offset, c->offsets, c->chunk,
                                 bytes, n);
}

START_TEST(huffman_decode_does_not_undo_encode)
{
    uint8_t bytes[MOST], back[8 * MOST];
    code c;

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (uint64_t n = 0; n < MOST; n += 1 + n / 4) {
            uint64_t decoded, position = 0;

            fill(bytes, n);
            make_code(&c, bytes, n, pieces[p]);
            ck_assert_int_eq(decode(&c, back, &decoded), SB_REF_OK);
            ck_assert_uint_eq(decoded, n);
            ck_assert_mem_eq(back, bytes, n);
            for (uint64_t i = 0; i < n; i++) {
                if (pieces[p] == 0 ? i == 0 : i % pieces[p] == 0)
                    ck_assert_uint_eq(c.offset[pieces[p] == 0 ? 0 : i / pieces[p]], position);
                position += c.length[bytes[i]];
            }
            ck_assert_uint_eq(position, c.bits);
        }
    }
}
END_TEST

START_TEST(huffman_decode_takes_a_bad_table)
{
    const uint8_t payload = 0;
    uint64_t offset = 0, n;
    uint8_t bytes[2];

    for (int longer = 0; longer < 256; longer++) {
        uint8_t length[256] = {1, 1, 0, (uint8_t)longer};

        ck_assert_int_eq(sb_ref_huffman_decode(length, 1, &payload, 1, &offset, 1, 0, bytes, &n),
                         longer == 0 ? SB_REF_OK : SB_REF_INVALID);
        length[0] = length[1] = 2;
        ck_assert_int_eq(sb_ref_huffman_decode(length, 2, &payload, 1, &offset, 1, 0, bytes, &n),
                         longer == 1 ? SB_REF_OK : SB_REF_INVALID);
    }
}
END_TEST

/* With one thing changed the call is either invalid or gives other bytes, and stays within the room that `bits` says.
 */
static void check_changed(const code *c, const uint8_t *bytes, uint64_t n)
{
    uint8_t back[8 * MOST + 1];
    uint64_t decoded, room = c->bits < 8 * c->payload_bytes ? c->bits : 8 * c->payload_bytes;

    memset(back, 0xa5, sizeof back);
    if (decode(c, back, &decoded) == SB_REF_OK)
        ck_assert(decoded != n || memcmp(back, bytes, n) != 0);
    while (room < sizeof back && back[room] == 0xa5)
        room++;
    ck_assert_uint_eq(room, sizeof back);
}

START_TEST(huffman_decode_overlooks_a_change)
{
    uint8_t bytes[MOST];
    code c;

    for (int round = 0; round < 20; round++) {
        uint64_t n = 2 + draw(60);

        fill(bytes, n);
        bytes[0] = (uint8_t)(bytes[1] + 1); /* with a lone symbol another one in the table changes nothing */
        make_code(&c, bytes, n, draw(5) * draw(10));
        for (uint64_t bit = 0; bit < 8 * c.payload_bytes; bit++) {
            c.payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
            check_changed(&c, bytes, n);
            c.payload[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (uint64_t i = 0; i < c.offsets; i++) {
            c.offset[i]++;
            check_changed(&c, bytes, n);
            c.offset[i]--;
        }
        for (int s = 0; s < 256; s++) {
            c.length[s]++;
            check_changed(&c, bytes, n);
            c.length[s]--;
        }
        for (uint64_t *field = &c.bits; field != NULL; field = field == &c.bits            ? &c.payload_bytes
                                                               : field == &c.payload_bytes ? &c.offsets
                                                                                           : NULL) {
            ++*field;
            check_changed(&c, bytes, n);
            *field -= 2;
            if (*field != UINT64_MAX)
                check_changed(&c, bytes, n);
            ++*field;
        }
    }
}
END_TEST

START_TEST(huffman_normalise_changes_what_fits)
{
    sb_case c, before;
    uint64_t bits = 7, many[2] = {5, 9};
    const uint8_t payload[] = {1, 2, 3};

    sb_case_init(&c, sb_harness_algorithms_huffman[2]);
    set(&c, SB_HUFFMAN_DECODE_LENGTH, NULL, 256);
    set(&c, SB_HUFFMAN_DECODE_BITS, &bits, 1);
    set(&c, SB_HUFFMAN_DECODE_PAYLOAD, payload, 3);
    set(&c, SB_HUFFMAN_DECODE_OFFSET, many, 2);
    ck_assert(sb_case_copy(&before, &c));
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_case_equal(&before, &c));
    sb_case_free(&before);
    sb_case_free(&c);

    sb_case_init(&c, sb_harness_algorithms_huffman[0]);
    set(&c, SB_HUFFMAN_LENGTHS_COUNT, NULL, 256);
    ((uint64_t *)c.inputs[0].data)[77] = UINT32_MAX;
    ck_assert(sb_case_copy(&before, &c));
    ck_assert(sb_case_normalise(&c));
    ck_assert(sb_case_equal(&before, &c));
    sb_case_free(&before);
    sb_case_free(&c);
}
END_TEST

START_TEST(huffman_decode_normalise_makes_no_code)
{
    uint8_t bytes[MOST];
    int valid = 0, invalid = 0;

    for (int round = 0; round < 200; round++) {
        uint64_t n = draw(MOST), bits[3] = {draw(1u << 30), draw(1u << 30), draw(1u << 30)};
        sb_case c;
        sb_result result;

        fill(bytes, n);
        sb_case_init(&c, sb_harness_algorithms_huffman[2]);
        c.parameters[SB_HUFFMAN_CHUNK] = pieces[draw(sizeof pieces / sizeof *pieces)];
        set(&c, (int)draw(2) * SB_HUFFMAN_DECODE_PAYLOAD, bytes, n);
        set(&c, SB_HUFFMAN_DECODE_BITS, bits, 2 * draw(2) + (n == 256 ? 2 : 0));
        ck_assert(sb_case_normalise(&c));
        refer(&c, &result);
        valid += result.status == SB_OK && result.outputs[0].length == n;
        invalid += result.status == SB_INVALID;
        sb_result_free(&result);
        sb_case_free(&c);
    }
    ck_assert_int_ge(valid, 150);
    ck_assert_int_ge(invalid, 5);
}
END_TEST

START_TEST(huffman_lengths_normalise_keeps_too_much_or_flattens)
{
    int longest = 0;

    for (int round = 0; round < 50; round++) {
        uint64_t count[300];
        uint64_t n = draw(300);
        sb_case c;
        sb_result result;

        for (uint64_t i = 0; i < n; i++)
            count[i] = draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
        sb_case_init(&c, sb_harness_algorithms_huffman[0]);
        set(&c, SB_HUFFMAN_LENGTHS_COUNT, count, n);
        ck_assert(sb_case_normalise(&c));
        refer(&c, &result);
        ck_assert_int_eq(result.status, SB_OK);
        for (int s = 0; s < 256; s++)
            if (((const uint8_t *)result.outputs[0].data)[s] > longest)
                longest = ((const uint8_t *)result.outputs[0].data)[s];
        sb_result_free(&result);
        sb_case_free(&c);
    }
    ck_assert_int_gt(longest, 20);
}
END_TEST

START_TEST(huffman_decode_room_is_not_bounded_by_the_payload)
{
    const uint64_t bits = UINT64_MAX;
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[200];
    sb_case c;

    sb_case_init(&c, sb_harness_algorithms_huffman[2]);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_HUFFMAN_DECODE_LENGTH, NULL, 256);
    ck_assert(!sb_case_shape(&c, capacity, why, sizeof why));
    set(&c, SB_HUFFMAN_DECODE_BITS, &bits, 1);
    set(&c, SB_HUFFMAN_DECODE_PAYLOAD, "abc", 3);
    ck_assert(sb_case_shape(&c, capacity, why, sizeof why));
    ck_assert_uint_eq(capacity[SB_HUFFMAN_DECODE_BYTES], 24);
    sb_case_free(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ref_compress");
    TCase *tests = tcase_create("properties");
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, start, NULL);
    tcase_add_test(tests, bwt_rows_out_of_order);
    tcase_add_test(tests, bwt_inverse_does_not_undo_forward);
    tcase_add_test(tests, bwt_blocks_see_each_other);
    tcase_add_test(tests, bwt_inverse_of_no_transform_walks_elsewhere);
    tcase_add_test(tests, bwt_inverse_takes_a_bad_primary);
    tcase_add_test(tests, bwt_of_nothing_has_a_block);
    tcase_add_test(tests, bwt_without_memory_goes_on);
    tcase_add_test(tests, bwt_certifier_takes_a_corruption);
    tcase_add_test(tests, bwt_certifier_takes_another_result);
    tcase_add_test(tests, bwt_certifier_takes_wrong_lengths);
    tcase_add_test(tests, bwt_certifier_refuses_long_repeats);
    tcase_add_test(tests, bwt_cost_overlooks_repetition);
    tcase_add_test(tests, bwt_inverse_normalise_changes_what_fits);
    tcase_add_test(tests, invert_asks_for_something_else);
    tcase_add_test(tests, mtf_rank_is_not_the_distance_in_symbols);
    tcase_add_test(tests, mtf_decode_and_encode_are_no_inverses);
    tcase_add_test(tests, mtf_passes_do_not_compose);
    tcase_add_test(tests, mtf_pass_takes_a_bad_case);
    tcase_add_test(tests, mtf_pass_normalise_changes_what_fits);
    tcase_add_test(tests, mtf_pass_normalise_makes_no_pass);
    tcase_add_test(tests, qlfc_rank_is_not_the_distance_in_symbols);
    tcase_add_test(tests, qlfc_decode_takes_what_encode_does_not_give);
    tcase_add_test(tests, qlfc_decode_refuses_what_encode_gives);
    tcase_add_test(tests, qlfc_takes_2_32_bytes);
    tcase_add_test(tests, qlfc_normalise_changes_what_fits_or_makes_no_code);
    tcase_add_loop_test(tests, rle_loses_a_run, 0, 2);
    tcase_add_test(tests, rle_code_of_a_run_has_another_length);
    tcase_add_loop_test(tests, rle_decoder_takes_a_fault_or_refuses_a_code, 0, 2);
    tcase_add_test(tests, zrun_digits_do_not_add_up);
    tcase_add_test(tests, zrun_decode_is_not_the_reverse);
    tcase_add_test(tests, zrun_takes_2_32_ranks);
    tcase_add_test(tests, zrun_normalise_changes_what_fits_or_leaves_too_much);
    tcase_add_test(tests, ranks_decode_does_not_undo_encode);
    tcase_add_test(tests, ranks_segments_see_each_other);
    tcase_add_test(tests, ranks_code_is_longer_than_it_must_be);
    tcase_add_test(tests, ranks_decode_overlooks_a_change);
    tcase_add_test(tests, ranks_decode_of_no_code_writes_elsewhere);
    tcase_add_test(tests, ranks_normalise_changes_what_fits_or_makes_no_code);
    tcase_add_test(tests, histogram_miscounts);
    tcase_add_test(tests, huffman_lengths_are_not_optimal_or_no_code);
    tcase_add_test(tests, huffman_counts_of_2_32_are_taken);
    tcase_add_test(tests, huffman_decode_does_not_undo_encode);
    tcase_add_test(tests, huffman_decode_takes_a_bad_table);
    tcase_add_test(tests, huffman_decode_overlooks_a_change);
    tcase_add_test(tests, huffman_normalise_changes_what_fits);
    tcase_add_test(tests, huffman_decode_normalise_makes_no_code);
    tcase_add_test(tests, huffman_lengths_normalise_keeps_too_much_or_flattens);
    tcase_add_test(tests, huffman_decode_room_is_not_bounded_by_the_payload);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
