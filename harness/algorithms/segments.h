/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the descriptors of algorithms on segments share. `offset` is u64[segments + 1]: it starts at 0 and does not descend,
 * and the items of segment s are offset[s] .. offset[s + 1] - 1. There are less than 2^32 segments and items.
 */
#ifndef HARNESS_ALGORITHMS_SEGMENTS_H
#define HARNESS_ALGORITHMS_SEGMENTS_H

#include "../../common/algorithm.h"

/* Are these offsets of segments? */
bool sb_segments_shape(const sb_array *offset, char *why, size_t size);

/* The same, and there are `items` items, as many as the array `name` has elements. */
bool sb_segments_fit(const sb_array *offset, uint64_t items, const char *name, char *why, size_t size);

uint64_t sb_segments_count(const sb_array *offset);
uint64_t sb_segments_items(const sb_array *offset);

/* Makes arbitrary numbers into offsets of segments of `items` items, or of none where there is no segment. The first number
 * decides how many of the numbers are dropped: none, so that there are as many segments as items, or all but every 16th, 256th
 * or 4096th. The others are reduced modulo items + 1 and sorted. Returns false only for want of memory. */
bool sb_segments_normalise(sb_array *offset, uint64_t items);

/* Makes arbitrary numbers into the starts of one interval for each segment, so that the intervals cover 0 .. items - 1 and do
 * not overlap. The intervals lie in the order of the numbers; equal ones in the order of the segments. */
bool sb_segments_tile(const sb_array *offset, sb_array *start);

/* Does `start` have one interval for each segment, and do they cover 0 .. items - 1 without overlap? `name` is that of the
 * array, for `why`. */
bool sb_segments_tiled(const sb_array *offset, const sb_array *start, const char *name, char *why, size_t size);

/* The same for intervals that may overlap, and all end at `end` or before. */
bool sb_segments_within(const sb_array *offset, const sb_array *start, uint64_t end, const char *name, char *why,
                        size_t size);

#endif
