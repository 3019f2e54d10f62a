/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Operations on intervals, one for each segment of n elements. Segment s has the elements offset[s] .. offset[s + 1] - 1;
 * offset has segments + 1 elements, starts at 0, does not descend and ends at n. An element has `size` bytes.
 *
 *     expand   out[i] is the item of the segment that element i is in; one item a segment
 *     gather   segment s of `out` is read from items[source[s]] on; intervals that are read may overlap
 *     scatter  segment s of `items` is written to out[target[s]] on
 *     move     segment s is read from items[source[s]] on and written to out[target[s]] on
 *
 * `out` has n elements and does not overlap `items`. The intervals that are written cover it, each element once.
 */
#ifndef REF_INTERVAL_H
#define REF_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

void sb_ref_interval_expand(size_t size, const void *items, const uint64_t *offset, uint64_t segments, void *out);
void sb_ref_interval_gather(size_t size, const void *items, const uint64_t *offset, uint64_t segments,
                            const uint64_t *source, void *out);
void sb_ref_interval_scatter(size_t size, const void *items, const uint64_t *offset, uint64_t segments,
                             const uint64_t *target, void *out);
void sb_ref_interval_move(size_t size, const void *items, const uint64_t *offset, uint64_t segments,
                          const uint64_t *source, const uint64_t *target, void *out);

#endif
