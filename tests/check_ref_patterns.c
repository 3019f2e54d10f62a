/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The references of compaction, sorted search, join, the patterns on segments, intervals and bulk operations, each against a
 * slower or another way to the same result; and what their descriptors add: normalising, shapes, the error bound of
 * segmented sums. Answers computed by hand stand in corpus/.
 */
#include "../ref/bulk.h"
#include "../ref/interval.h"
#include "../ref/key.h"
#include "../ref/pattern_compact.h"
#include "../ref/pattern_join.h"
#include "../ref/pattern_lbs.h"
#include "../ref/pattern_reduce.h"
#include "../ref/pattern_search.h"
#include "../ref/pattern_segreduce.h"
#include "../ref/pattern_segsort.h"
#include "../ref/pattern_sort.h"
#include "../ref/pattern_workcreate.h"
#include "pattern_fixture.h"
#include "suite.h"
#include <math.h>

extern const sb_algorithm *const sb_harness_algorithms_bulk[];
extern const sb_algorithm *const sb_harness_algorithms_interval[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_compact[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_join[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_lbs[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_search[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_segreduce[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_segsort[];
extern const sb_algorithm *const sb_harness_algorithms_pattern_workcreate[];

enum { MAX_SEGMENTS = 40, SORT_TYPES = KEY_TYPES - 1 /* no f64 */ };

/* Offsets of `segments` segments of n items, some of them empty. */
static void draw_offsets(uint64_t *offset, uint64_t segments, uint64_t n)
{
    offset[0] = 0;
    for (uint64_t s = 0; s < segments; s++)
        offset[s + 1] = s + 1 == segments || below(3) > 0 ? offset[s] : offset[s] + below(n - offset[s] + 1);
    if (segments > 0)
        offset[segments] = n;
}

static uint64_t draw_segments(uint64_t offset[MAX_SEGMENTS + 1], uint64_t *n)
{
    uint64_t segments = below(MAX_SEGMENTS + 1);

    *n = segments == 0 ? 0 : below(MAX_ITEMS);
    draw_offsets(offset, segments, *n);
    return segments;
}

static void draw_sorted(size_t t, void *keys, uint64_t n)
{
    uint64_t drawn[MAX_ITEMS];

    draw_keys(t, drawn, n);
    CHECK(sb_ref_pattern_sort(key_types[t], drawn, NULL, n, keys, NULL) == SB_REF_OK);
}

/* Item and limit are known by their ranks in the table of ordered keys. */
START_TEST(compact_keeps_what_is_not_less_or_drops_what_is)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % SORT_TYPES, size = sb_ref_type_size(key_types[t]);
        uint64_t items[MAX_ITEMS], kept[MAX_ITEMS], expected[MAX_ITEMS], limit = 0, rank, count = 0, n;

        start(from);
        n = below(MAX_ITEMS);
        rank = below(ordered[t].count);
        memcpy(&limit, (const char *)ordered[t].keys + rank * size, size);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t pick = below(ordered[t].count);
            const char *key = (const char *)ordered[t].keys + pick * size;

            memcpy((char *)items + i * size, key, size);
            if (pick < rank)
                memcpy((char *)expected + count++ * size, key, size);
        }
        CHECK(sb_ref_pattern_compact(key_types[t], SB_REF_KEEP_LESS, limit, items, n, kept) == count);
        CHECK(memcmp(kept, expected, count * size) == 0);
    }
}
END_TEST

START_TEST(compact_by_odd_or_unique_is_another_filter)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        uint32_t items[MAX_ITEMS], kept[MAX_ITEMS], odd[MAX_ITEMS], unique[MAX_ITEMS];
        uint64_t n, odds = 0, uniques = 0;

        start(from);
        n = below(MAX_ITEMS);
        for (uint64_t i = 0; i < n; i++) {
            items[i] = (uint32_t)below(4);
            if (items[i] == 1 || items[i] == 3)
                odd[odds++] = items[i];
            if (uniques == 0 || unique[uniques - 1] != items[i])
                unique[uniques++] = items[i];
        }
        CHECK(sb_ref_pattern_compact(SB_REF_U32, SB_REF_KEEP_ODD, 0, items, n, kept) == odds);
        CHECK(memcmp(kept, odd, odds * sizeof *odd) == 0);
        CHECK(sb_ref_pattern_compact(SB_REF_U32, SB_REF_KEEP_UNIQUE, 0, items, n, kept) == uniques);
        CHECK(memcmp(kept, unique, uniques * sizeof *unique) == 0);
    }
}
END_TEST

/* Against a comparison of every needle with every key. */
START_TEST(search_or_join_misses_a_key)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % SORT_TYPES;
        sb_ref_type type = key_types[t];
        uint64_t a[MAX_ITEMS], b[MAX_ITEMS], m, n, pairs = 0;
        uint32_t lower[MAX_ITEMS], upper[MAX_ITEMS], a_index[MAX_ITEMS * MAX_ITEMS], b_index[MAX_ITEMS * MAX_ITEMS];
        uint8_t matched[MAX_ITEMS], matched_too[MAX_ITEMS];

        start(from);
        m = below(MAX_ITEMS);
        n = below(MAX_ITEMS);
        draw_sorted(t, a, m);
        draw_sorted(t, b, n);
        sb_ref_pattern_search(type, SB_REF_BOUND_LOWER, a, m, b, n, lower, matched);
        sb_ref_pattern_search(type, SB_REF_BOUND_UPPER, a, m, b, n, upper, matched_too);
        CHECK(sb_ref_pattern_join(type, a, m, b, n, a_index, b_index) ==
              sb_ref_pattern_join(type, a, m, b, n, NULL, NULL));
        for (uint64_t i = 0; i < m; i++) {
            uint32_t less = 0, equal = 0;

            for (uint64_t j = 0; j < n; j++) {
                if (same_key(type, a, i, b, j)) {
                    CHECK(a_index[pairs] == i && b_index[pairs] == j);
                    pairs++;
                    equal++;
                } else {
                    less += sb_ref_key_less(type, b, j, a, i);
                }
            }
            CHECK(lower[i] == less && upper[i] == less + equal);
            CHECK(matched[i] == (equal > 0) && matched_too[i] == (equal > 0));
        }
        CHECK(sb_ref_pattern_join(type, a, m, b, n, NULL, NULL) == pairs);
    }
}
END_TEST

START_TEST(lbs_puts_an_item_into_another_segment)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        uint64_t offset[MAX_SEGMENTS + 1], n, segments;
        uint32_t segment[MAX_ITEMS], rank[MAX_ITEMS];

        start(from);
        segments = draw_segments(offset, &n);
        sb_ref_pattern_lbs(offset, segments, segment, rank);
        for (uint64_t i = 0; i < n; i++) {
            CHECK(segment[i] < segments && offset[segment[i]] + rank[i] == i);
            CHECK(i < offset[segment[i] + 1]);
        }
    }
}
END_TEST

/* The values of all segments combine to that of all items, whatever the operator. */
START_TEST(segreduce_loses_an_item_or_the_order)
{
    static const sb_ref_op ops[] = {SB_REF_ADD, SB_REF_MIN, SB_REF_MAX, SB_REF_XOR, SB_REF_COMPOSE};

    for (uint64_t from = 0; from < ROUNDS; from++) {
        sb_ref_op op = ops[from % 5];
        sb_ref_type type = op == SB_REF_COMPOSE ? SB_REF_AFFINE : SB_REF_U32;
        size_t size = sb_ref_type_size(type);
        uint64_t items[MAX_ITEMS], offset[MAX_SEGMENTS + 1], value[MAX_SEGMENTS], all = 0, both = 0, n, segments;

        start(from);
        segments = draw_segments(offset, &n);
        for (uint64_t i = 0; i < n; i++)
            items[i] = draw() | 1;
        CHECK(sb_ref_pattern_segreduce(type, op, items, offset, segments, value) == SB_REF_OK);
        CHECK(sb_ref_pattern_reduce(type, op, items, n, &all) == SB_REF_OK);
        CHECK(sb_ref_pattern_reduce(type, op, value, segments, &both) == SB_REF_OK);
        CHECK(memcmp(&all, &both, size) == 0);
        for (uint64_t s = 0; s < segments; s++)
            CHECK(offset[s] != offset[s + 1] ||
                  memcmp((char *)value + s * size, &sb_ref_operator_find(type, op)->identity, size) == 0);
        CHECK(sb_ref_pattern_segreduce(SB_REF_F32, SB_REF_MIN, items, offset, segments, value) == SB_REF_INVALID);
    }
}
END_TEST

START_TEST(segsort_moves_a_key_to_another_segment_or_loses_the_order)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % SORT_TYPES;
        sb_ref_type type = key_types[t];
        uint64_t keys[MAX_ITEMS], sorted[MAX_ITEMS], again[MAX_ITEMS], offset[MAX_SEGMENTS + 1], n, segments;
        uint32_t index[MAX_ITEMS], values[MAX_ITEMS], moved[MAX_ITEMS];
        bool seen[MAX_ITEMS] = {false};

        start(from);
        segments = draw_segments(offset, &n);
        draw_keys(t, keys, n);
        for (uint64_t i = 0; i < n; i++)
            values[i] = (uint32_t)draw();
        CHECK(sb_ref_pattern_segsort_indices(type, keys, offset, segments, sorted, index) == SB_REF_OK);
        for (uint64_t s = 0; s < segments; s++) {
            for (uint64_t i = offset[s]; i < offset[s + 1]; i++) {
                CHECK(index[i] >= offset[s] && index[i] < offset[s + 1] && !seen[index[i]]);
                seen[index[i]] = true;
                CHECK(same_key(type, sorted, i, keys, index[i]));
                CHECK(i == offset[s] || sb_ref_key_less(type, sorted, i - 1, sorted, i) ||
                      (same_key(type, sorted, i - 1, sorted, i) && index[i - 1] < index[i]));
            }
        }
        CHECK(sb_ref_pattern_segsort(type, keys, values, offset, segments, again, moved) == SB_REF_OK);
        CHECK(memcmp(sorted, again, n * sb_ref_type_size(type)) == 0);
        for (uint64_t i = 0; i < n; i++)
            CHECK(moved[i] == values[index[i]]);
        memset(again, 0xa5, sizeof again);
        CHECK(sb_ref_pattern_segsort(type, keys, NULL, offset, segments, again, NULL) == SB_REF_OK);
        CHECK(memcmp(sorted, again, n * sb_ref_type_size(type)) == 0);
    }
}
END_TEST

START_TEST(segsort_goes_on_without_memory)
{
    const uint64_t offset[] = {0, ((uint64_t)1 << 61) + 1}; /* 8 * n wraps to 8 */
    uint64_t key = 0, to;
    uint32_t index;

    ck_assert_int_eq(sb_ref_pattern_segsort(SB_REF_U64, &key, NULL, offset, 1, &to, NULL), SB_REF_NO_MEMORY);
    ck_assert_int_eq(sb_ref_pattern_segsort_indices(SB_REF_U64, &key, offset, 1, &to, &index), SB_REF_NO_MEMORY);
}
END_TEST

/* The load-balancing search says where each item is; those that make nothing are left out. */
START_TEST(workcreate_loses_an_item_or_a_count)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        uint64_t offset[MAX_SEGMENTS + 1], created[MAX_ITEMS + 1], n, segments, count, j = 0;
        uint32_t made[MAX_ITEMS], segment[MAX_ITEMS], rank[MAX_ITEMS], in_segment[MAX_ITEMS], in_rank[MAX_ITEMS];

        start(from);
        segments = draw_segments(offset, &n);
        for (uint64_t i = 0; i < n; i++)
            made[i] = below(3) == 0 ? 0 : (uint32_t)draw();
        count = sb_ref_pattern_workcreate(offset, segments, made, segment, rank, created);
        sb_ref_pattern_lbs(offset, segments, in_segment, in_rank);
        CHECK(created[0] == 0);
        for (uint64_t i = 0; i < n; i++) {
            if (made[i] != 0) {
                CHECK(segment[j] == in_segment[i] && rank[j] == in_rank[i]);
                CHECK(created[j + 1] - created[j] == made[i]);
                j++;
            }
        }
        CHECK(j == count);
    }
}
END_TEST

/* Starts of intervals that cover 0 .. n - 1, in an order that is drawn. */
static void draw_targets(const uint64_t *offset, uint64_t segments, uint64_t *target)
{
    uint64_t order[MAX_SEGMENTS], end = 0;

    for (uint64_t i = 0; i < segments; i++)
        order[i] = i;
    for (uint64_t i = segments; i > 1; i--) {
        uint64_t j = below(i), swapped = order[i - 1];

        order[i - 1] = order[j];
        order[j] = swapped;
    }
    for (uint64_t i = 0; i < segments; i++) {
        target[order[i]] = end;
        end += offset[order[i] + 1] - offset[order[i]];
    }
}

START_TEST(gather_does_not_undo_scatter_or_move_is_not_both)
{
    static const size_t sizes[] = {1, 4, 8};

    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t size = sizes[from % 3];
        uint64_t items[MAX_ITEMS], out[MAX_ITEMS], back[MAX_ITEMS], moved[MAX_ITEMS];
        uint64_t offset[MAX_SEGMENTS + 1], source[MAX_SEGMENTS], target[MAX_SEGMENTS], n, segments;
        uint32_t segment[MAX_ITEMS], rank[MAX_ITEMS];

        start(from);
        segments = draw_segments(offset, &n);
        for (uint64_t i = 0; i < MAX_ITEMS; i++)
            items[i] = draw();
        draw_targets(offset, segments, target);
        sb_ref_interval_scatter(size, items, offset, segments, target, out);
        sb_ref_interval_gather(size, out, offset, segments, target, back);
        CHECK(memcmp(items, back, n * size) == 0);
        for (uint64_t s = 0; s < segments; s++)
            source[s] = below(MAX_ITEMS - (offset[s + 1] - offset[s]) + 1);
        sb_ref_interval_gather(size, items, offset, segments, source, back);
        sb_ref_interval_scatter(size, back, offset, segments, target, out);
        sb_ref_interval_move(size, items, offset, segments, source, target, moved);
        CHECK(memcmp(out, moved, n * size) == 0);
        sb_ref_pattern_lbs(offset, segments, segment, rank);
        sb_ref_interval_expand(size, items, offset, segments, out);
        for (uint64_t i = 0; i < n; i++)
            CHECK(memcmp((char *)out + i * size, (char *)items + segment[i] * size, size) == 0);
    }
}
END_TEST

START_TEST(remove_does_not_undo_insert_or_takes_bad_indices)
{
    static const size_t sizes[] = {1, 4, 8};

    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t size = sizes[from % 3];
        uint64_t items[MAX_ITEMS], values[MAX_ITEMS], merged[2 * MAX_ITEMS], back[2 * MAX_ITEMS], m, k = 0, at;
        uint32_t index[MAX_ITEMS], inserted[MAX_ITEMS];

        start(from);
        m = below(MAX_ITEMS);
        for (uint64_t i = 0; i <= m && k < MAX_ITEMS; i += below(3))
            index[k++] = (uint32_t)i;
        for (uint64_t i = 0; i < MAX_ITEMS; i++) {
            items[i] = draw();
            values[i] = draw();
        }
        CHECK(sb_ref_bulk_insert(size, items, m, index, values, k, merged) == SB_REF_OK);
        for (uint64_t j = 0; j < k; j++) {
            inserted[j] = (uint32_t)(index[j] + j);
            CHECK(memcmp((char *)merged + inserted[j] * size, (char *)values + j * size, size) == 0);
        }
        CHECK(sb_ref_bulk_remove(size, merged, m + k, inserted, k, back) == SB_REF_OK);
        CHECK(memcmp(back, items, m * size) == 0);
        at = below(k);
        index[k - 1] = (uint32_t)m + 1 + (uint32_t)below(2) * 0x7fffffff;
        CHECK(sb_ref_bulk_insert(size, items, m, index, values, k, merged) == SB_REF_INVALID);
        if (at > 0) {
            inserted[at] = inserted[at - 1] - (uint32_t)below(2);
            CHECK(sb_ref_bulk_remove(size, merged, m + k, inserted, k, back) == SB_REF_INVALID);
            index[k - 1] = (uint32_t)m;
            index[at] = index[at - 1] - 1;
            CHECK(index[at - 1] == 0 || sb_ref_bulk_insert(size, items, m, index, values, k, merged) == SB_REF_INVALID);
        }
        inserted[0] = (uint32_t)(m + k);
        CHECK(sb_ref_bulk_remove(size, merged, m + k, inserted, 1, back) == SB_REF_INVALID);
    }
}
END_TEST

static const sb_algorithm *algorithm_number(uint64_t number)
{
    const sb_algorithm *const all[] = {
        sb_harness_algorithms_bulk[0],
        sb_harness_algorithms_bulk[1],
        sb_harness_algorithms_interval[0],
        sb_harness_algorithms_interval[1],
        sb_harness_algorithms_interval[2],
        sb_harness_algorithms_interval[3],
        sb_harness_algorithms_pattern_compact[0],
        sb_harness_algorithms_pattern_join[0],
        sb_harness_algorithms_pattern_lbs[0],
        sb_harness_algorithms_pattern_search[0],
        sb_harness_algorithms_pattern_segreduce[0],
        sb_harness_algorithms_pattern_segsort[0],
        sb_harness_algorithms_pattern_workcreate[0],
    };

    return number < sizeof all / sizeof *all ? all[number] : NULL;
}

enum { ALGORITHMS = 13 };

/* Arrays of one length, as generators make them, or of several; elements that are arbitrary, or small and often equal. */
static sb_case draw_case(const sb_algorithm *algorithm)
{
    uint64_t longest = below(4) == 0 ? below(3) : below(MAX_ITEMS), words[MAX_ITEMS];
    bool equal = below(2) == 0, small = below(3) == 0;
    sb_case c = make(algorithm, 3 + below(6), below(3), below(3));

    CHECK(sb_case_normalise(&c)); /* for words that are allowed */
    for (size_t i = 0; i < algorithm->input_count; i++) {
        for (size_t w = 0; w < MAX_ITEMS; w++)
            words[w] = (small ? below(8) : draw()) | (c.inputs[i].type == SB_AFFINE);
        set(&c, i, words, equal ? longest : below(longest + 1));
    }
    return c;
}

START_TEST(normalise_makes_no_case_or_changes_one)
{
    const sb_algorithm *algorithm = algorithm_number((uint64_t)_i);
    uint64_t valid = 0, invalid = 0;

    for (uint64_t from = 0; from < ROUNDS; from++) {
        sb_result result;
        bool made;
        sb_case c;

        start(from);
        c = draw_case(algorithm);
        made = !well_formed(&c);
        check_normalise(&c);
        solve(&c, &result);
        valid += made && result.status == SB_OK && sb_case_items(&c) > 1;
        invalid += made && result.status == SB_INVALID;
        for (size_t i = 0; result.status == SB_OK && i < algorithm->output_count; i++)
            CHECK(result.outputs[i].length <= result.outputs[i].capacity);
        sb_result_free(&result);
        sb_case_free(&c);
    }
    ck_assert(algorithm->normalise == NULL || valid > ROUNDS / 8);
    ck_assert((invalid > 0) == (strncmp(algorithm->name, "bulk.", 5) == 0));
}
END_TEST

/* Each line is a case that is well-formed until one element or length changes. Arrays are u64, u32 or u8. */
static void check_malformed(const sb_algorithm *algorithm, size_t input, uint64_t at, uint64_t bits, uint64_t length)
{
    static const uint64_t offset[] = {0, 2, 2, 3}, start_[] = {0, 3, 2}, keys[] = {1, 2, 2};
    sb_case c = make(algorithm, SB_U64, 0, 0);
    char why[256] = "";
    uint64_t capacity[SB_MAX_ARRAYS];

    for (size_t i = 0; i < algorithm->input_count; i++) {
        const char *name = algorithm->inputs[i].name;
        bool is_offset = strcmp(name, "offset") == 0;
        bool is_start = strcmp(name, "source") == 0 || strcmp(name, "target") == 0;
        static const uint32_t index[] = {0, 1, 2};

        set(&c, i,
            is_offset                    ? offset
            : is_start                   ? start_
            : c.inputs[i].type == SB_U32 ? (const void *)index
                                         : keys,
            is_offset                                                                ? 4
            : strcmp(name, "values") == 0 && strncmp(algorithm->name, "pat", 3) == 0 ? 0
                                                                                     : 3);
    }
    ck_assert_msg(sb_case_shape(&c, capacity, why, sizeof why), "%s: %s", algorithm->name, why);
    ck_assert(sb_array_resize(&c.inputs[input], length));
    if (at < length)
        memcpy((char *)c.inputs[input].data + at * sb_type_size(c.inputs[input].type), &bits,
               sb_type_size(c.inputs[input].type));
    ck_assert_msg(!sb_case_shape(&c, capacity, why, sizeof why), "%s: input %d", algorithm->name, (int)input);
    ck_assert(why[0] != '\0');
    sb_case_free(&c);
}

START_TEST(shape_takes_a_malformed_case)
{
    const sb_algorithm *lbs = sb_harness_algorithms_pattern_lbs[0], *search = sb_harness_algorithms_pattern_search[0];
    const sb_algorithm *join = sb_harness_algorithms_pattern_join[0];
    const sb_algorithm *segsort = sb_harness_algorithms_pattern_segsort[0];
    const sb_algorithm *workcreate = sb_harness_algorithms_pattern_workcreate[0];
    const sb_algorithm *expand = sb_harness_algorithms_interval[0], *gather = sb_harness_algorithms_interval[1];
    const sb_algorithm *scatter = sb_harness_algorithms_interval[2], *move = sb_harness_algorithms_interval[3];
    const sb_algorithm *remove = sb_harness_algorithms_bulk[0], *insert = sb_harness_algorithms_bulk[1];

    check_malformed(lbs, SB_LBS_OFFSET, 0, 0, 0);
    check_malformed(lbs, SB_LBS_OFFSET, 0, 1, 4);
    check_malformed(lbs, SB_LBS_OFFSET, 1, 3, 4); /* then 2: descends */
    check_malformed(lbs, SB_LBS_OFFSET, 3, (uint64_t)1 << 32, 4);
    check_malformed(lbs, SB_LBS_OFFSET, 3, (uint64_t)1 << 31, 4); /* more than 2^24 and 256 for each offset */
    check_malformed(search, SB_SEARCH_NEEDLES, 1, 0, 3);
    check_malformed(search, SB_SEARCH_HAYSTACK, 2, 1, 3);
    check_malformed(join, SB_JOIN_A_KEYS, 0, 3, 3);
    check_malformed(join, SB_JOIN_B_KEYS, 2, 0, 3);
    check_malformed(segsort, SB_SEGSORT_OFFSET, 3, 4, 4); /* and 3 keys */
    check_malformed(segsort, SB_SEGSORT_VALUES, 0, 0, 3);
    check_malformed(workcreate, SB_WORKCREATE_MADE, 0, 0, 2);
    check_malformed(expand, SB_INTERVAL_ITEMS, 0, 0, 2);
    check_malformed(expand, SB_INTERVAL_OFFSET, 3, (uint64_t)1 << 31, 4);
    check_malformed(gather, SB_GATHER_SOURCE, 0, 0, 2);
    check_malformed(gather, SB_GATHER_SOURCE, 0, 2, 3);          /* of 2 elements, and m is 3 */
    check_malformed(gather, SB_GATHER_SOURCE, 1, 4, 3);          /* empty */
    check_malformed(gather, SB_GATHER_SOURCE, 0, UINT64_MAX, 3); /* wraps */
    check_malformed(scatter, SB_SCATTER_TARGET, 2, 1, 3);        /* covers 1 twice */
    check_malformed(scatter, SB_SCATTER_TARGET, 2, 3, 3);        /* ends behind 3 */
    check_malformed(scatter, SB_INTERVAL_ITEMS, 0, 0, 4);
    check_malformed(move, SB_MOVE_TARGET, 0, 1, 3);
    check_malformed(move, SB_MOVE_SOURCE, 2, 3, 3);
    check_malformed(remove, SB_BULK_INDEX, 1, 0, 3); /* a duplicate, and as many indices as items */
    check_malformed(remove, SB_BULK_ITEMS, 0, 0, 2);
    check_malformed(insert, SB_BULK_INDEX, 2, 0, 3);
    check_malformed(insert, SB_BULK_VALUES, 0, 0, 2);
}
END_TEST

START_TEST(certifier_of_compact_takes_a_corruption_or_rejects_the_truth)
{
    for (uint64_t from = 0; from < ROUNDS; from++) {
        size_t t = from % SORT_TYPES;
        sb_case c = make(sb_harness_algorithms_pattern_compact[0], key_types[t], from % 3, UINT64_MAX / 2);
        uint64_t keys[MAX_ITEMS];
        sb_result result;
        sb_array *kept;

        start(from);
        draw_keys(t, keys, MAX_ITEMS);
        set(&c, SB_COMPACT_ITEMS, keys, below(MAX_ITEMS));
        solve(&c, &result);
        kept = &result.outputs[SB_COMPACT_KEPT];
        CHECK(certified(&c, &result));
        if (kept->length > 0) {
            uint8_t *byte = (uint8_t *)kept->data + below(sb_array_bytes(kept)), bit = (uint8_t)(1 << below(8));

            *byte ^= bit;
            CHECK(!certified(&c, &result));
            *byte ^= bit;
            kept->length--;
            CHECK(!certified(&c, &result));
            kept->length++;
        }
        if (kept->length < kept->capacity) {
            kept->length++;
            CHECK(!certified(&c, &result));
        }
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

START_TEST(generated_arrays_have_no_key_in_common)
{
    sb_case c = make(sb_harness_algorithms_pattern_join[0], SB_U64, 0, 0);
    uint64_t keys[2][MAX_ITEMS];
    sb_result result;

    start(1);
    for (size_t i = 0; i < 2 * MAX_ITEMS; i++)
        keys[i % 2][i / 2] = draw() | 1;
    set(&c, SB_JOIN_A_KEYS, keys[0], MAX_ITEMS);
    set(&c, SB_JOIN_B_KEYS, keys[1], MAX_ITEMS);
    check_normalise(&c);
    solve(&c, &result);
    ck_assert_uint_eq(result.outputs[SB_JOIN_A_INDEX].length, MAX_ITEMS / 2);
    sb_result_free(&result);
    sb_case_free(&c);
}
END_TEST

START_TEST(join_of_too_many_pairs_is_taken_or_cannot_be_made)
{
    sb_case c = make(sb_harness_algorithms_pattern_join[0], SB_U32, 0, 0);

    ck_assert(sb_array_resize(&c.inputs[SB_JOIN_A_KEYS], 64) && sb_array_resize(&c.inputs[SB_JOIN_B_KEYS], 64));
    ck_assert(well_formed(&c));
    ck_assert(sb_array_resize(&c.inputs[SB_JOIN_A_KEYS], 100) && sb_array_resize(&c.inputs[SB_JOIN_B_KEYS], 100));
    ck_assert(!well_formed(&c)); /* 10000 pairs, and 7296 are allowed */
    ck_assert(sb_case_normalise(&c) && well_formed(&c));
    ck_assert_uint_eq(c.inputs[SB_JOIN_B_KEYS].length, 50);
    sb_case_free(&c);
}
END_TEST

START_TEST(segsort_has_values_in_another_mode)
{
    for (uint64_t mode = 0; mode < 3; mode++) {
        sb_case c = make(sb_harness_algorithms_pattern_segsort[0], SB_U32, mode, 0);
        const uint64_t offset[] = {0, 2};
        sb_result result;

        set(&c, SB_SEGSORT_OFFSET, offset, 2);
        ck_assert(sb_array_resize(&c.inputs[SB_SEGSORT_KEYS], 2));
        ck_assert(well_formed(&c) == (mode != SB_SEGSORT_MODE_PAIRS));
        ck_assert(sb_array_resize(&c.inputs[SB_SEGSORT_VALUES], 2));
        ck_assert(well_formed(&c) == (mode == SB_SEGSORT_MODE_PAIRS));
        ck_assert(sb_case_normalise(&c));
        solve(&c, &result);
        ck_assert_uint_eq(result.outputs[SB_SEGSORT_VALUES].length, mode == SB_SEGSORT_MODE_KEYS ? 0 : 2);
        sb_result_free(&result);
        sb_case_free(&c);
    }
}
END_TEST

static bool agree(const sb_case *c, const sb_result *expected, const sb_result *got)
{
    char why[256] = "";
    bool right = c->algorithm->within(c, expected, got, why, sizeof why);

    ck_assert(right == (why[0] == '\0'));
    return right;
}

/* Segment 0 is a real case, whose bound is about 10^-6 of 24.7; segment 1 is empty; segment 2 is an exact case. */
START_TEST(bound_of_segreduce_reaches_over_a_segment)
{
    const float items[] = {0.1f, 8.3f, 16.3f, 1, 2};
    const uint64_t offset[] = {0, 3, 3, 5};
    sb_case c = make(sb_harness_algorithms_pattern_segreduce[0], SB_F32, SB_OP_ADD, 0);
    sb_result expected, got;
    float *right, *value;

    set(&c, SB_SEGREDUCE_ITEMS, items, 5);
    set(&c, SB_SEGREDUCE_OFFSET, offset, 4);
    ck_assert(well_formed(&c));
    solve(&c, &expected);
    ck_assert(sb_result_copy(&got, &expected, 1));
    right = expected.outputs[0].data;
    value = got.outputs[0].data;
    ck_assert(agree(&c, &expected, &got));
    value[0] = nextafterf(right[0], INFINITY);
    ck_assert(agree(&c, &expected, &got));
    value[0] = right[0] + 0.01f;
    ck_assert(!agree(&c, &expected, &got));
    value[0] = right[0];
    value[1] = -0.0f;
    ck_assert(!agree(&c, &expected, &got));
    value[1] = 0;
    value[2] = nextafterf(right[2], INFINITY);
    ck_assert(!agree(&c, &expected, &got));
    sb_result_free(&expected);
    sb_result_free(&got);
    sb_case_free(&c);
}
END_TEST

START_TEST(segreduce_takes_a_segment_that_overflows_or_an_operator_that_is_none)
{
    const float items[] = {1, 3e38f, 3e38f};
    const uint64_t apart[] = {0, 1, 2, 3}, together[] = {0, 1, 3};
    sb_case c = make(sb_harness_algorithms_pattern_segreduce[0], SB_F32, SB_OP_ADD, 0);

    set(&c, SB_SEGREDUCE_ITEMS, items, 3);
    set(&c, SB_SEGREDUCE_OFFSET, apart, 4);
    ck_assert(well_formed(&c)); /* each alone is an exact case */
    set(&c, SB_SEGREDUCE_OFFSET, together, 3);
    ck_assert(!well_formed(&c));
    ck_assert(sb_case_normalise(&c) && well_formed(&c));
    ck_assert_float_eq(((float *)c.inputs[SB_SEGREDUCE_ITEMS].data)[0], 1);
    c.parameters[SB_SEGREDUCE_OP] = SB_OP_MIN;
    ck_assert(!well_formed(&c));
    ck_assert(sb_case_normalise(&c) && well_formed(&c));
    sb_case_free(&c);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, compact_keeps_what_is_not_less_or_drops_what_is);
    tcase_add_test(tests, compact_by_odd_or_unique_is_another_filter);
    tcase_add_test(tests, search_or_join_misses_a_key);
    tcase_add_test(tests, lbs_puts_an_item_into_another_segment);
    tcase_add_test(tests, segreduce_loses_an_item_or_the_order);
    tcase_add_test(tests, segsort_moves_a_key_to_another_segment_or_loses_the_order);
    tcase_add_test(tests, segsort_goes_on_without_memory);
    tcase_add_test(tests, workcreate_loses_an_item_or_a_count);
    tcase_add_test(tests, gather_does_not_undo_scatter_or_move_is_not_both);
    tcase_add_test(tests, remove_does_not_undo_insert_or_takes_bad_indices);
    tcase_add_loop_test(tests, normalise_makes_no_case_or_changes_one, 0, ALGORITHMS);
    tcase_add_test(tests, shape_takes_a_malformed_case);
    tcase_add_test(tests, certifier_of_compact_takes_a_corruption_or_rejects_the_truth);
    tcase_add_test(tests, generated_arrays_have_no_key_in_common);
    tcase_add_test(tests, join_of_too_many_pairs_is_taken_or_cannot_be_made);
    tcase_add_test(tests, segsort_has_values_in_another_mode);
    tcase_add_test(tests, bound_of_segreduce_reaches_over_a_segment);
    tcase_add_test(tests, segreduce_takes_a_segment_that_overflows_or_an_operator_that_is_none);
}

int main(void)
{
    return run_tests("patterns", add_tests, NULL, 60);
}
