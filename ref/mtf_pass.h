/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One pass of move-to-front in several passes: the list's positions base..base+depth-1 alone, as a queue.
 *
 * An item is a step of the whole list as the queue sees it: at `position` of the text `symbol` leaves its place, which
 * is somewhere at or behind base, and `entering` comes to the queue's front, from the positions before. The queue
 * starts anew, as the values base..base+depth-1 in ascending order, whenever position/chunk changes; chunk 0: never.
 *
 * For each item: if symbol stands in the queue, at j from its front (the first such j), its rank is base+j and it is
 * removed. If not, the rank is base+depth, the queue's last element leaves, and an item for the pass that begins at
 * base+depth is given, in which that element is the one entering. Then `entering` goes to the front.
 *
 * So every item has a rank, and gives a pair (position, rank); base+depth is no rank of this pass but stands where the
 * next pass puts one. The first pass has base 0 and takes every byte, with entering = symbol. Passes over adjacent
 * depths that together cover 256 positions give exactly the ranks of mtf.encode (mtf.h).
 *
 * Invalid: positions that do not ascend strictly; depth 0; base+depth above 256; a symbol that is not in the queue when
 * base+depth is 256. Any `entering` is valid: a queue that so comes to hold a value twice is searched from its front.
 */
#ifndef REF_MTF_PASS_H
#define REF_MTF_PASS_H

#include "ref.h"
#include <stdint.h>

typedef struct sb_ref_mtf_items {
    uint32_t *position;
    uint8_t *symbol;
    uint8_t *entering;
    uint64_t count;
} sb_ref_mtf_items;

/* Pair i is pair_position[i], rank[i]. `next` has room for as many items as there are in `items`, and its count is set.
 * No two arrays overlap. */
sb_ref_status sb_ref_mtf_pass(const sb_ref_mtf_items *items, uint64_t base, uint64_t depth, uint64_t chunk,
                              uint32_t *pair_position, uint8_t *rank, sb_ref_mtf_items *next);

#endif
