/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The checks of an atomic update of four bytes, where the cells of the word are atomic updates themselves, of the same scope or another
 * one that is not a block's: nothing can race. What is left to do is to record the update, exactly as race.c would: its file says why
 * cells are dropped, and when two suffice. A check that fails here has changed nothing that matters: access.c makes it again.
 */
#ifndef SIMT_QUICK_UPDATE_H
#define SIMT_QUICK_UPDATE_H

#include "observe.h"
#include "quick.h"

#pragma GCC visibility push(hidden)

/* Is it recorded of another thread that nothing orders before the update? It must be an update, or less than `alive`. */
static inline __attribute__((always_inline)) bool is_peer(simt_cell c, simt_cell new, const warp_clock *mine,
                                                          simt_cell alive)
{
    return c >= alive && !ordered_in_block(mine, c, c ^ new);
}

static inline __attribute__((always_inline)) bool updated_word_is_quick(simt_cell *cells, simt_cell new,
                                                                        uintptr_t index, const void *place)
{
    const simt_cell first = cells[0], second = first >= simt_fresh ? cells[SIMT_SECOND] : 0;
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES];
    const simt_cell alive = index * GRANULE < simt_local ? mine->floor : simt_alive;
    bool first_stays, second_stays;
    uint32_t origin;

    if (first & SIMT_CELL_MORE || (first >= alive && (first ^ new) & a_form) ||
        (second >= alive && (second ^ new) & a_form))
        return false;
    simt_drop_tag(cells, index); /* of a grid that waits for this one, whose block goes on with its number */
    first_stays = is_peer(first, new, mine, alive);
    second_stays = is_peer(second, new, mine, alive);
    if ((first_stays && first < simt_launch_first) || (second_stays && second < simt_launch_first))
        return false;
    /* Two peers suffice, or one where the thread has a cell of this epoch. Without peers the place in the code is the new one, so that
     * cell is replaced. */
    if (first_stays && second_stays ? cells_suffice(first, second, new)
                                    : first_stays != second_stays && cell_is_same(first_stays ? second : first, new))
        return true;
    origin = known_origin(place);
    if (origin >= SIMT_ORIGINS)
        return false;
    cells[first_stays ? SIMT_SECOND : 0] = new | origin;
    if (!first_stays && !second_stays && second)
        cells[SIMT_SECOND] = 0;
    return true;
}

/* An update of four bytes, whose scope is not the block. True: it is checked and recorded, and its memory was written before. */
static inline __attribute__((always_inline)) bool simt_update_is_quick(uintptr_t address, const void *place)
{
    const uintptr_t offset = address - simt_base,
                    index = offset >> 2 | offset << 62; /* too large if it is not aligned */

    if (index >= simt_cell_pairs || !simt_current || simt_attention <= 0 || simt_poisoned ||
        ((const uint32_t *)simt_shadow)[index] != SIMT_GOOD_WORD)
        return false;
    if (!updated_word_is_quick(simt_cells_of(index),
                               cell_make(simt_current->epoch, SIMT_IS_WRITE | SIMT_IS_ATOMIC, ALL_BYTES), index, place))
        return false;
    simt_attention--;
    return true;
}

/* What simt_race_observe (observe.c) does for the update, if the word's chain has nothing but whole words. */
static inline __attribute__((always_inline)) bool simt_observes_quickly(uintptr_t address)
{
    const simt_cell new = cell_make(simt_current->epoch, SIMT_IS_WRITE | SIMT_IS_ATOMIC, ALL_BYTES);
    chain *c = simt_chains + (address - simt_base) / GRANULE;

    if (c->last >= after(simt_launch_clock) && ((c->last & a_byte) != a_byte || c->last & SEVERAL_LOCATIONS))
        return false;
    *c = (chain){.last = new};
    return true;
}

#pragma GCC visibility pop

#endif
