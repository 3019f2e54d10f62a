/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The references of mtf and mtf.pass and what their descriptors add. Answers computed by hand stand
 * in corpus/.
 */
#include "../ref/mtf.h"
#include "../ref/mtf_pass.h"
#include "ref_fixture.h"
#include "suite.h"

extern const sb_algorithm *const sb_harness_algorithms_mtf[];

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
    uint8_t bytes[MAX_BYTES], rank[MAX_BYTES];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        uint64_t n = draw(MAX_BYTES), chunk = pieces[p];

        fill(bytes, n);
        sb_ref_mtf_encode(bytes, n, chunk, rank);
        for (uint64_t i = 0; i < n; i++)
            ck_assert_uint_eq(rank[i], rank_by_counting(bytes, chunk == 0 ? 0 : i - i % chunk, i));
    }
}
END_TEST

START_TEST(mtf_decode_and_encode_are_no_inverses)
{
    uint8_t bytes[MAX_BYTES], rank[MAX_BYTES], back[MAX_BYTES];

    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        for (uint64_t n = 0; n < MAX_BYTES; n += 1 + n / 3) {
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
    uint32_t position[MAX_BYTES];
    uint8_t symbol[MAX_BYTES], entering[MAX_BYTES];
} item_arrays;

static sb_ref_mtf_items items_in(item_arrays *arrays, uint64_t count)
{
    return (sb_ref_mtf_items){arrays->position, arrays->symbol, arrays->entering, count};
}

/* One pass: its ranks go to their positions, and the next pass's items are those whose rank says that it has none. */
static void pass_on(sb_ref_mtf_items *items, sb_ref_mtf_items *next, uint64_t base, uint64_t depth, uint64_t chunk,
                    uint8_t *rank)
{
    uint32_t position[MAX_BYTES];
    uint8_t found[MAX_BYTES];
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
    uint8_t bytes[MAX_BYTES], rank[MAX_BYTES], composed[MAX_BYTES];
    static item_arrays arrays[2];

    for (size_t p = 0; p < 8 * (sizeof pieces / sizeof *pieces); p++) {
        uint64_t n = draw(MAX_BYTES), chunk = pieces[p / 8];
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
    uint8_t bytes[MAX_BYTES];

    for (int i = 0; i < 100; i++) {
        uint64_t n = draw(MAX_BYTES), capacity[SB_MAX_ARRAYS], depth = depths[draw(5)];
        uint32_t gaps[MAX_BYTES];
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

START_TEST(mtf_inverse_asks_for_something_else)
{
    check_inverse(sb_harness_algorithms_mtf[0], sb_harness_algorithms_mtf[1]);
    check_inverse(sb_harness_algorithms_mtf[1], sb_harness_algorithms_mtf[0]);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, mtf_rank_is_not_the_distance_in_symbols);
    tcase_add_test(tests, mtf_decode_and_encode_are_no_inverses);
    tcase_add_test(tests, mtf_passes_do_not_compose);
    tcase_add_test(tests, mtf_pass_takes_a_bad_case);
    tcase_add_test(tests, mtf_pass_normalise_changes_what_fits);
    tcase_add_test(tests, mtf_pass_normalise_makes_no_pass);
    tcase_add_test(tests, mtf_inverse_asks_for_something_else);
}

int main(void)
{
    return run_tests("ref/mtf", add_tests, start, 60);
}
