/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The checks of a plain access that need nothing or little, which are most: whole words of four bytes, aligned, which nobody else
 * accesses at the same time, or which many read. A check that fails here has changed nothing that matters: access.c makes it again.
 *
 * All of it is inline, calls nothing, and uses no registers of vectors: functions that kernels call without saving any (hooks.c).
 */
#ifndef SIMT_QUICK_H
#define SIMT_QUICK_H

#include "cells.h"
#include "happens_before.h"
#include "images.h"
#include "origin.h"

#pragma GCC visibility push(hidden)

_Static_assert(SIMT_SHARED_WORDS == SIMT_ARENA * MAX_BLOCKS / GRANULE, "simt_hooks.h has the number");
_Static_assert(SIMT_GOOD_WORD == 0x01010101 * (ACCESSIBLE | INITIALISED), "simt_hooks.h has the number");

/* What becomes of a recorded access when a new one to the whole word is recorded. */
typedef enum simt_fate {
    GONE,   /* nothing is left of it: it happens before, and the new one takes over its bytes */
    STAYS,  /* it happens before, and stays */
    PEER,   /* it is a read of the whole word without order, as the new one */
    UNKNOWN /* access.c must decide */
} simt_fate;

static inline __attribute__((always_inline)) simt_fate fate_of(simt_cell c, simt_cell new, bool write,
                                                               const warp_clock *mine, simt_cell alive)
{
    static const simt_cell form = ((simt_cell)1 << SIMT_THREAD_SHIFT) - SIMT_CELL_MORE; /* no origin, no epoch */

    if (c < alive) /* also if there is none */
        return GONE;
    if (c & SIMT_CELL_SPREAD)
        return UNKNOWN;
    if (ordered_in_block(mine, c, c ^ new))
        return cell_left(c, new, write, WHOLE) ? STAYS : GONE;
    return !write && !((c ^ a_byte) & form) && c >= after(simt_launch_clock) ? PEER : UNKNOWN;
}

static inline bool is_epoch_of(simt_cell c)
{
    return (c ^ m.threads[thread_of(c)].epoch) >> SIMT_THREAD_SHIFT == 0;
}

/* Two accesses in one slot, where blocks follow each other: did one begin between them? */
static inline bool of_two_blocks(simt_cell a, simt_cell b, unsigned place, const warp_clock *mine)
{
    const slot *r = &simt_slots[place];
    uint64_t low = r->count < STARTS ? 1 : r->count - STARTS + 1, high = r->count;
    simt_cell earlier = a < b ? a : b, later = a < b ? b : a;

    if (later >= mine->start)
        return earlier < mine->start;
    while (low < high) {
        uint64_t middle = (low + high + 1) / 2;

        if (r->starts[middle % STARTS].clock <= clock_of(later))
            low = middle;
        else
            high = middle - 1;
    }
    return clock_of(earlier) < r->starts[low % STARTS].clock;
}

/* Two peers are recorded: does the new read add nothing to them? As cells_suffice decides. Sets the tag where that is so for readers of
 * other blocks, too. */
static inline __attribute__((always_inline)) bool peers_suffice(simt_cell a, simt_cell b, simt_cell new,
                                                                const warp_clock *mine, uintptr_t index)
{
    unsigned warp_a = thread_of(a) / LANES, warp_b = thread_of(b) / LANES;
    const warp_clock *of_a = &simt_warp_clocks[warp_a], *of_b = &simt_warp_clocks[warp_b];

    if (of_a->slot == of_b->slot &&
        (of_a->slot != mine->slot || (warp_a == warp_b && warp_a != thread_of(new) / LANES))) {
        if (m.resident > 1 || index < (uintptr_t)SIMT_SHARED_WORDS || !of_two_blocks(a, b, of_a->slot, mine))
            return false;
        simt_set_tag(index, (uint32_t)simt_launch_tag | (a >= of_a->start || b >= of_b->start));
        return true;
    }
    if (index < (uintptr_t)SIMT_SHARED_WORDS) {
        /* If their threads have not synchronised since, nor anyone in the block, no reader comes after them. */
        if (of_a->slot == of_b->slot && is_epoch_of(a) && is_epoch_of(b) &&
            (warp_a != warp_b || m.warps_each <= TAGGED_WARPS))
            simt_set_tag(index,
                         (uint32_t)simt_shared_tag | (warp_a == warp_b ? 0xfffe & ~simt_tag_of_warp(warp_a) : 0));
        return true;
    }
    if (m.resident > 1 && of_a->slot != of_b->slot)
        simt_set_tag(index, (uint32_t)simt_launch_tag | (uint32_t)(a >= of_a->start) << of_a->slot |
                                (uint32_t)(b >= of_b->start) << of_b->slot);
    else if (m.resident == 1 && (warp_a != warp_b || m.warps_each <= TAGGED_WARPS))
        simt_set_tag(index, (uint32_t)simt_launch_tag | (a >= of_a->start || b >= of_b->start) |
                                (warp_a == warp_b ? 0xfffe & ~simt_tag_of_warp(warp_a) : 0));
    return true;
}

/* One word. False: access.c must decide. */
static inline __attribute__((always_inline)) bool word_is_quick(uintptr_t index, uintptr_t address, bool write,
                                                                const thread *t, const void *place)
{
    simt_cell *cells = simt_cells_of(index), first = cells[0], second = 0;
    simt_cell new = cell_make(t->epoch, write, ALL_BYTES), alive;
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES];
    simt_fate of_first = GONE, of_second = GONE;
    uint64_t key;
    uint32_t origin;

    if (first >= simt_fresh) { /* otherwise it is the launch's first access to the word */
        second = cells[SIMT_SECOND];
        /* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH] */
        if (cell_covers(first, new, write, WHOLE, 0) || cell_covers(second, new, write, WHOLE, 0))
            return true;
        alive = simt_is_local(address) ? mine->floor : simt_alive;
        of_first = fate_of(first, new, write, mine, alive);
        of_second = fate_of(second, new, write, mine, alive);
    }
    if (first & SIMT_CELL_MORE || of_first == UNKNOWN || of_second == UNKNOWN ||
        (of_first && of_second && !(of_first == PEER && of_second == PEER)))
        return false;
    if (of_first == PEER && of_second == PEER && peers_suffice(first, second, new, mine, index))
        return true; /* what stands for [FT READ SHARED] */
    if (write && second)
        simt_drop_tag(cells, index);
    key = simt_origin_key(ALL_BYTES, place);
    origin = origin_hash(key, 0) & (SIMT_ORIGINS - 1);
    if (simt_origins[origin].place != key || simt_origins[origin].before)
        return false;
    /* [FT READ EXCLUSIVE], [FT WRITE EXCLUSIVE], [FT READ SHARE]; of two peers that do not suffice the second is replaced */
    if (of_first) {
        cells[SIMT_SECOND] = new | origin;
    } else {
        cells[0] = new | origin;
        if (of_second == GONE && second)
            cells[SIMT_SECOND] = 0;
    }
    return true;
}

/* An access to `words` words, aligned to the lesser of its size and eight bytes. */
static inline __attribute__((always_inline)) bool is_quick(uintptr_t address, unsigned words, bool write,
                                                           const void *place)
{
    static const uint32_t accessible = 0x01010101 * ACCESSIBLE, good = SIMT_GOOD_WORD;
    uintptr_t offset = address - simt_base;
    /* too large if the address is not aligned */
    uintptr_t index = words == 1 ? offset >> 2 | offset << 62 : (offset >> 3 | offset << 61) * 2;
    const thread *t = simt_current;
    uint32_t state[4];

    if (!t) /* host code, in its own memory */
        return offset >= simt_size && !simt_in_flight;
    if (simt_on_stacks(address))
        return !(address & (words == 1 ? 3 : 7)) && !simt_stack_access;
    if (offset >= simt_size) /* constants and a kernel's arguments: access.c would ask the same and do nothing */
        return !write && !(address & (words == 1 ? 3 : 7)) && simt_far_from_variables(address) &&
               simt_in_last_image(address);
    if (index >= simt_size / GRANULE || (words > 1 && offset & 7) || simt_attention <= 0 || (write && simt_poisoned))
        return false;
    for (unsigned i = 0; i < words; i++) {
        state[i] = *(const uint32_t *)(simt_shadow + (index + i) * GRANULE);
        if (state[i] != good && !(write && state[i] == accessible))
            return false;
    }
    for (unsigned i = 0; simt_cells && i < words; i++)
        if (!word_is_quick(index + i, address + i * 4, write, t, place))
            return false;
    for (unsigned i = 0; write && i < words; i++)
        if (state[i] != good)
            *(uint32_t *)(simt_shadow + (index + i) * 4) = good;
    simt_attention--;
    return true;
}

#pragma GCC visibility pop

#endif
