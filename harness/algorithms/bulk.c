/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptors of bulk.remove and bulk.insert.
 */
#include "../../ref/bulk.h"
#include "../../common/case.h"
#include "code.h"
#include <samebits/algorithms.h>
#include <stdio.h>
#include <stdlib.h>

static const sb_array *items_of(const sb_case *c)
{
    return &c->inputs[SB_BULK_ITEMS];
}

static const sb_array *index_of(const sb_case *c)
{
    return &c->inputs[SB_BULK_INDEX];
}

static size_t size_of(const sb_case *c)
{
    return sb_type_size(items_of(c)->type);
}

/* Generated arrays have equal lengths, and their indices are hardly ever valid. So a case with as many indices as items, or
 * more, is well-formed only if it is valid: normalising then sees which indices it has to make. */
static bool index_fits(const sb_case *c, bool valid, char *why, size_t size)
{
    uint64_t m = items_of(c)->length, k = index_of(c)->length;

    if (m > UINT32_MAX) {
        snprintf(why, size, "2^32 items, or more");
        return false;
    }
    if (k >= m && !valid) {
        snprintf(why, size, "%llu invalid indices for %llu items", (unsigned long long)k, (unsigned long long)m);
        return false;
    }
    return true;
}

static int compare_indices(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

static uint64_t drop_duplicates(uint32_t *index, uint64_t count)
{
    uint64_t kept = 0;

    for (uint64_t j = 0; j < count; j++)
        if (kept == 0 || index[kept - 1] != index[j])
            index[kept++] = index[j];
    return kept;
}

/* Makes arbitrary numbers into ascending indices below `end`: about all of the numbers, or each 4th, 16th or 64th, as the
 * first of them decides. */
static bool make_indices(sb_array *array, uint64_t end, bool unique)
{
    uint32_t *index = array->data;
    uint64_t count = array->length > 0 ? ((array->length - 1) >> 2 * (index[0] % 4)) + 1 : 0;

    count = end > 0 ? count : 0;
    for (uint64_t j = 0; j < count; j++)
        index[j] = (uint32_t)(index[j] % end);
    if (count > 0)
        qsort(index, count, sizeof *index, compare_indices);
    return sb_array_resize(array, unique ? drop_duplicates(index, count) : count);
}

/* What `draw` says: usually nothing. Else one index becomes `end`, or equal to the one before it, or trades places with
 * that. Fewer indices than `max` stay well-formed then. */
static void plant_fault(sb_array *array, uint64_t max, uint64_t end, uint32_t draw)
{
    uint32_t *index = array->data, swapped;
    uint64_t j;

    if (draw % 8 > 2 || array->length < 2 || array->length >= max)
        return;
    j = 1 + draw / 8 % (array->length - 1);
    swapped = index[j];
    if (draw % 8 == 0) {
        index[array->length - 1] = (uint32_t)end;
    } else {
        index[j] = index[j - 1];
        index[j - 1] = draw % 8 == 1 ? index[j] : swapped;
    }
}

/* remove */

static bool remove_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t m = items_of(c)->length, k = index_of(c)->length;

    capacity[SB_BULK_OUT] = k < m ? m - k : 0;
    return index_fits(c, k < m || sb_ref_bulk_can_remove(m, index_of(c)->data, k), why, size);
}

static bool remove_normalise(sb_case *c)
{
    sb_array *index = &c->inputs[SB_BULK_INDEX];
    uint64_t capacity[SB_MAX_ARRAYS], m = items_of(c)->length;
    char why[128];
    uint32_t draw;

    if (remove_shape(c, capacity, why, sizeof why))
        return true;
    draw = ((const uint32_t *)index->data)[index->length - 1];
    if (!make_indices(index, m, true))
        return false;
    plant_fault(index, m, m, draw);
    return true;
}

static void remove_items(const sb_case *c, sb_result *result)
{
    sb_set_status(result,
                  sb_ref_bulk_remove(size_of(c), items_of(c)->data, items_of(c)->length, index_of(c)->data,
                                     index_of(c)->length, result->outputs[SB_BULK_OUT].data),
                  "the indices do not ascend strictly, or one is not below the number of items");
}

/* insert */

static bool insert_shape(const sb_case *c, uint64_t capacity[SB_MAX_ARRAYS], char *why, size_t size)
{
    uint64_t m = items_of(c)->length, k = index_of(c)->length, values = c->inputs[SB_BULK_VALUES].length;

    if (values != k) {
        snprintf(why, size, "there are %llu indices and %llu values", (unsigned long long)k,
                 (unsigned long long)values);
        return false;
    }
    capacity[SB_BULK_OUT] = m + k;
    return index_fits(c, k < m || sb_ref_bulk_can_insert(m, index_of(c)->data, k), why, size);
}

static bool insert_normalise(sb_case *c)
{
    sb_array *index = &c->inputs[SB_BULK_INDEX];
    uint64_t capacity[SB_MAX_ARRAYS], m = items_of(c)->length;
    char why[128];
    uint32_t draw;

    if (insert_shape(c, capacity, why, sizeof why))
        return true;
    draw = index->length > 0 ? ((const uint32_t *)index->data)[index->length - 1] : 0;
    if (!make_indices(index, m + 1, false) || !sb_array_resize(&c->inputs[SB_BULK_VALUES], index->length))
        return false;
    plant_fault(index, m, m + 1, draw);
    return true;
}

static void insert_items(const sb_case *c, sb_result *result)
{
    sb_set_status(result,
                  sb_ref_bulk_insert(size_of(c), items_of(c)->data, items_of(c)->length, index_of(c)->data,
                                     c->inputs[SB_BULK_VALUES].data, index_of(c)->length,
                                     result->outputs[SB_BULK_OUT].data),
                  "the indices descend, or one is above the number of items");
}

/* 8 ns for each item and each index. */
static double cost(const sb_case *c)
{
    return 8.0 * (double)(items_of(c)->length + index_of(c)->length);
}

/* bulk.remove: items type[m], index u32[k] -> kept type[m - k]: all but the items at these indices. Invalid: indices that do
 * not ascend strictly; an index >= m.
 * bulk.insert: items type[m], index u32[k], values type[k] -> merged type[m + k]: values[j] comes before items[index[j]], or
 * behind all items if index[j] is m; values of one index keep their order. Invalid: indices that descend; an index > m.
 * type: u8 u32 u64. */
static const sb_algorithm bulk_remove = {
    .name = "bulk.remove",
    .summary = "all items but those at some indices",
    SB_PARAMETERS([SB_BULK_TYPE] = SB_WORD("type", sb_type_words_copy, SB_U32)),
    SB_INPUTS([SB_BULK_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER), [SB_BULK_INDEX] = SB_FIELD("index", SB_U32)),
    SB_OUTPUTS([SB_BULK_OUT] = SB_FIELD("kept", SB_TYPE_PARAMETER)),
    .normalise = remove_normalise,
    .shape = remove_shape,
    .reference = remove_items,
    .cost = cost,
};

static const sb_algorithm bulk_insert = {
    .name = "bulk.insert",
    .summary = "all items, and values before those at some indices",
    SB_PARAMETERS([SB_BULK_TYPE] = SB_WORD("type", sb_type_words_copy, SB_U32)),
    SB_INPUTS([SB_BULK_ITEMS] = SB_FIELD("items", SB_TYPE_PARAMETER), [SB_BULK_INDEX] = SB_FIELD("index", SB_U32),
              [SB_BULK_VALUES] = SB_FIELD("values", SB_TYPE_PARAMETER)),
    SB_OUTPUTS([SB_BULK_OUT] = SB_FIELD("merged", SB_TYPE_PARAMETER)),
    .normalise = insert_normalise,
    .shape = insert_shape,
    .reference = insert_items,
    .cost = cost,
};

const sb_algorithm *const sb_harness_algorithms_bulk[] = {&bulk_remove, &bulk_insert, NULL};
