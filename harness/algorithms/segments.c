/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Segments of cases: contract in segments.h.
 */
#include "segments.h"
#include "../../common/case.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sb_segments_shape(const sb_array *offset, char *why, size_t size)
{
    const uint64_t *at = offset->data;

    if (offset->length == 0 || at[0] != 0) {
        snprintf(why, size, "offset does not start at 0");
        return false;
    }
    for (uint64_t s = 1; s < offset->length; s++) {
        if (at[s] < at[s - 1]) {
            snprintf(why, size, "offset descends at %llu", (unsigned long long)s);
            return false;
        }
    }
    if (sb_segments_count(offset) > UINT32_MAX || sb_segments_items(offset) > UINT32_MAX) {
        snprintf(why, size, "2^32 segments or items, or more");
        return false;
    }
    return true;
}

bool sb_segments_fit(const sb_array *offset, uint64_t items, const char *name, char *why, size_t size)
{
    if (!sb_segments_shape(offset, why, size))
        return false;
    if (sb_segments_items(offset) != items) {
        snprintf(why, size, "offset ends at %llu, and %s has %llu elements",
                 (unsigned long long)sb_segments_items(offset), name, (unsigned long long)items);
        return false;
    }
    return true;
}

uint64_t sb_segments_count(const sb_array *offset)
{
    return offset->length - 1;
}

uint64_t sb_segments_items(const sb_array *offset)
{
    return ((const uint64_t *)offset->data)[offset->length - 1];
}

static int compare_offsets(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

bool sb_segments_normalise(sb_array *offset, uint64_t items)
{
    uint64_t segments, *at;

    if (offset->length == 0 && !sb_array_resize(offset, 1))
        return false;
    at = offset->data;
    segments = (offset->length - 1) >> 4 * (at[0] % 4);
    segments += segments == 0 && offset->length > 1;
    if (!sb_array_resize(offset, segments + 1))
        return false;
    at = offset->data;
    if (segments == 0)
        items = 0;
    for (uint64_t s = 0; s <= segments; s++)
        at[s] %= items + 1;
    qsort(at, segments + 1, sizeof *at, compare_offsets);
    at[0] = 0;
    at[segments] = items;
    return true;
}

static uint64_t length_of(const sb_array *offset, uint64_t s)
{
    const uint64_t *at = offset->data;

    return at[s + 1] - at[s];
}

/* Where a segment wants to be. */
typedef struct placed {
    uint64_t start;
    uint64_t segment;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->segment < b->segment ? -1 : a->segment > b->segment;
}

bool sb_segments_tile(const sb_array *offset, sb_array *start)
{
    uint64_t segments = sb_segments_count(offset), end = 0, *at;
    placed *order = malloc((segments + 1) * sizeof *order);

    if (order == NULL || !sb_array_resize(start, segments)) {
        free(order);
        return false;
    }
    at = start->data;
    for (uint64_t s = 0; s < segments; s++)
        order[s] = (placed){at[s], s};
    qsort(order, segments, sizeof *order, compare_placed);
    for (uint64_t i = 0; i < segments; i++) {
        at[order[i].segment] = end;
        end += length_of(offset, order[i].segment);
    }
    free(order);
    return true;
}

bool sb_segments_within(const sb_array *offset, const sb_array *start, uint64_t end, const char *name, char *why,
                        size_t size)
{
    const uint64_t *at = start->data;

    if (start->length != sb_segments_count(offset)) {
        snprintf(why, size, "there are %llu segments, and %s has %llu elements",
                 (unsigned long long)sb_segments_count(offset), name, (unsigned long long)start->length);
        return false;
    }
    for (uint64_t s = 0; s < start->length; s++) {
        if (at[s] > end || length_of(offset, s) > end - at[s]) {
            snprintf(why, size, "the interval at %s[%llu] ends behind %llu", name, (unsigned long long)s,
                     (unsigned long long)end);
            return false;
        }
    }
    return true;
}

/* The lengths add up to the number of elements, so intervals that cover none twice cover all. */
bool sb_segments_tiled(const sb_array *offset, const sb_array *start, const char *name, char *why, size_t size)
{
    const uint64_t *at = start->data, items = sb_segments_items(offset);
    bool tiled = sb_segments_within(offset, start, items, name, why, size), *covered;

    if (!tiled)
        return false;
    covered = calloc(items + 1, sizeof *covered);
    if (covered == NULL) {
        snprintf(why, size, "out of memory");
        return false;
    }
    for (uint64_t s = 0; tiled && s < start->length; s++) {
        uint64_t length = length_of(offset, s);

        tiled = memchr(covered + at[s], true, length) == NULL;
        memset(covered + at[s], true, length);
        if (!tiled)
            snprintf(why, size, "the interval at %s[%llu] overlaps one before it", name, (unsigned long long)s);
    }
    free(covered);
    return tiled;
}
