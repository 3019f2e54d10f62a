/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Work creation: the items of one round of work make the items of the next one. The items of segment s are offset[s] ..
 * offset[s + 1] - 1; offset has segments + 1 elements, starts at 0 and does not descend. Item i makes made[i] new items. Each
 * item that makes some becomes a segment of the next round, in the order of items:
 *
 *     segment[j], rank[j]             the segment of the item that makes segment j, and its index there (pattern_lbs.h)
 *     created[j] .. created[j+1] - 1  its new items
 *
 * Returns how many new segments there are. segment and rank have space for as many as there are items, created for one
 * more: created[0] is 0, and its last element is the number of new items. So a round of breadth-first search takes the edges
 * of the frontier as items; an edge that is the first to reach a vertex makes as many items as this vertex has edges.
 */
#ifndef REF_PATTERN_WORKCREATE_H
#define REF_PATTERN_WORKCREATE_H

#include <stdint.h>

uint64_t sb_ref_pattern_workcreate(const uint64_t *offset, uint64_t segments, const uint32_t *made, uint32_t *segment,
                                   uint32_t *rank, uint64_t *created);

#endif
