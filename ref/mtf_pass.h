/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One pass of move-to-front that is split into several passes: each pass keeps `depth` consecutive positions of the
 * list, base .. base + depth - 1, as a queue.
 *
 * An item is one step of the whole list as this queue sees it. At `position` of the text, the list moves `symbol` to
 * its front from some position >= base. `entering` is the value that thereby moves from the last position before the
 * queue to the front of the queue. The queue is reset to the values base .. base + depth - 1, in ascending order,
 * whenever position / chunk changes (chunk 0: never).
 *
 * For each item:
 * 1. If the queue holds `symbol`, at index j from its front (the first such j), the rank is base + j, and that element
 *    is removed.
 * 2. If not, the rank is base + depth, the last element leaves the queue, and the item is handed on to the pass that
 *    starts at base + depth, with that element as its `entering`.
 * 3. `entering` is put in front of the queue.
 *
 * So every item gives one pair (position, rank). base + depth is not a rank of this pass: it marks a position whose
 * rank a later pass finds. The first pass has base 0 and takes every byte of the text, with entering = symbol. Passes
 * over adjacent depths that cover all 256 positions give exactly the ranks of mtf.encode (mtf.h).
 *
 * Invalid: positions that do not ascend strictly; depth 0; base + depth above 256; a symbol that the queue does not
 * hold when base + depth is 256. Any `entering` is valid: if the queue comes to hold a value twice, the first one is
 * found.
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

/* Pair i is (pair_position[i], rank[i]). The arrays of `next` must have capacity for as many items as `items` has; its
 * count is set. Arrays must not overlap. */
sb_ref_status sb_ref_mtf_pass(const sb_ref_mtf_items *items, uint64_t base, uint64_t depth, uint64_t chunk,
                              uint32_t *pair_position, uint8_t *rank, sb_ref_mtf_items *next);

#endif
