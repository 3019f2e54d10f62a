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

_Static_assert(SIMT_SHARED_WORDS == SIMT_ARENA * MAX_BLOCKS / GRANULE, "machine.h has the number");
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
    if (c < alive) /* also if there is none */
        return GONE;
    if (c & SIMT_CELL_SPREAD)
        return UNKNOWN;
    if (ordered_in_block(mine, c, c ^ new))
        return cell_left(c, new, write, WHOLE) ? STAYS : GONE;
    return !write && !((c ^ a_byte) & a_form) && c >= simt_launch_first ? PEER : UNKNOWN;
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

/* Two reads of all of a word by the running block are recorded of it, without order. */
static inline __attribute__((always_inline)) void tag_of_block(simt_cell a, simt_cell b, uintptr_t index)
{
    const unsigned of_a = thread_of(a) / LANES;
    const uint32_t others = of_a == thread_of(b) / LANES ? 0xfffe & ~simt_tag_of_warp(of_a) : 0;

    /* If their threads have not synchronised since, nor anyone in the block, no reader comes after them. */
    if (is_epoch_of(a) && is_epoch_of(b) && !(others && m.warps_each > TAGGED_WARPS))
        simt_set_tag(index, (uint32_t)simt_block_tag | others);
}

/* Two reads of all of a word are recorded of it, without order, and one more adds nothing. */
static inline __attribute__((always_inline)) void tag_peers(simt_cell a, simt_cell b, const warp_clock *mine,
                                                            uintptr_t index)
{
    const unsigned warp_a = thread_of(a) / LANES, warp_b = thread_of(b) / LANES;
    const warp_clock *of_a = &simt_warp_clocks[warp_a], *of_b = &simt_warp_clocks[warp_b];
    const bool shared = index < (uintptr_t)SIMT_SHARED_WORDS;

    if (of_a->slot != of_b->slot) {
        if (!shared) /* otherwise they are of a cluster */
            simt_set_tag(index, (uint32_t)simt_launch_tag | (uint32_t)(a >= of_a->start) << of_a->slot |
                                    (uint32_t)(b >= of_b->start) << of_b->slot);
    } else if (m.resident > 1 || shared) {
        tag_of_block(a, b, index);
    } else {
        uint32_t others =
            warp_a == warp_b && !of_two_blocks(a, b, of_a->slot, mine) ? 0xfffe & ~simt_tag_of_warp(warp_a) : 0;

        if (!(others && m.warps_each > TAGGED_WARPS))
            simt_set_tag(index, (uint32_t)simt_launch_tag | (a >= of_a->start || b >= of_b->start) | others);
    }
}

/* Two peers are recorded: does the new read add nothing to them? */
static inline __attribute__((always_inline)) bool peers_suffice(simt_cell a, simt_cell b, simt_cell new,
                                                                const warp_clock *mine, uintptr_t index)
{
    const unsigned warp_a = thread_of(a) / LANES, warp_b = thread_of(b) / LANES;
    const unsigned slot_a = simt_warp_clocks[warp_a].slot;

    if (slot_a == simt_warp_clocks[warp_b].slot &&
        (slot_a != mine->slot || (warp_a == warp_b && warp_a != thread_of(new) / LANES)) &&
        (m.resident > 1 || index < (uintptr_t)SIMT_SHARED_WORDS || !of_two_blocks(a, b, slot_a, mine)))
        return false;
    tag_peers(a, b, mine, index);
    return true;
}

/* The index of an origin that is known; otherwise more than all. */
static inline __attribute__((always_inline)) uint32_t known_origin(const void *place)
{
    const uint64_t key = simt_origin_key(ALL_BYTES, place);
    const uint32_t origin = origin_hash(key, 0);

    return simt_origin_keys[origin] == key ? origin : SIMT_ORIGINS;
}

/* Two threads of one warp of the block have read a word, without order, and one of another warp replaces the second of them. Its first
 * cell is as is_read_before says. */
static inline bool is_third_read(simt_cell *cells, simt_cell new, uintptr_t index, const void *place)
{
    const simt_cell first = cells[0], second = cells[SIMT_SECOND];
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES];
    uint32_t origin;

    if ((second ^ a_byte) & a_form || (second ^ first) & a_warp || !((first ^ new) & a_warp) || second < mine->synced ||
        first < mine->synced || first < mine->start || simt_warp_clocks[thread_of(first) / LANES].slot != mine->slot)
        return false;
    origin = known_origin(place);
    if (origin >= SIMT_ORIGINS)
        return false;
    cells[SIMT_SECOND] = new | origin;
    if (is_epoch_of(first))
        simt_set_tag(index, (uint32_t)simt_block_tag);
    return true;
}

/* Is the first cell a read by another thread of all of the word, in this launch, and not in order with everything that comes? */
static inline __attribute__((always_inline)) bool is_read_before(simt_cell first, simt_cell new)
{
    return !((first ^ a_byte) & a_form) && first >= simt_launch_first && (first ^ new) & a_thread;
}

static inline __attribute__((always_inline)) bool has_second(const simt_cell *cells, simt_cell new, uintptr_t index)
{
    return cells[SIMT_SECOND] >=
           (index * GRANULE < simt_local ? simt_warp_clocks[thread_of(new) / LANES].floor : simt_alive);
}

/* What becomes of the second read of a word, which nothing orders after the first one. */
typedef enum simt_second { BY_BLOCK, BY_WARP, BY_ANOTHER_BLOCK, NOT_SECOND } simt_second;

/* Of a word that is_read_before and not has_second: by whom is the second read? It is the frequent part of known_word_is_quick. */
static inline __attribute__((always_inline)) simt_second second_read(simt_cell first, simt_cell new)
{
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES],
                     *of_first = &simt_warp_clocks[thread_of(first) / LANES];

    if (first < mine->start || of_first->slot != mine->slot)
        return BY_ANOTHER_BLOCK;
    if (first < mine->synced) /* perhaps in order */
        return NOT_SECOND;
    return of_first == mine ? BY_WARP : BY_BLOCK;
}

/* Sets the tag of a word with two such reads, for the two are what most later readers need. */
static inline __attribute__((always_inline)) void tag_second(simt_second by, simt_cell first, simt_cell new,
                                                             uintptr_t index)
{
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES],
                     *of_first = &simt_warp_clocks[thread_of(first) / LANES];
    const uint32_t others = by == BY_WARP ? 0xfffe & ~(uint32_t)simt_block_tag_mask : 0;

    if (by == BY_BLOCK || by == BY_WARP) {
        if (is_epoch_of(first) && !(others && m.warps_each > TAGGED_WARPS)) /* as tag_of_block */
            simt_set_tag(index, (uint32_t)simt_block_tag | others);
    } else if (index >= (uintptr_t)SIMT_SHARED_WORDS && (of_first->slot != mine->slot || m.resident == 1)) {
        simt_set_tag(index, (uint32_t)simt_launch_tag | (uint32_t)(first >= of_first->start) << of_first->slot |
                                1u << mine->slot);
    }
}

/* Of a word that is_read_before and not has_second. False: nothing was done. */
static inline __attribute__((always_inline)) bool is_second_read(simt_cell *cells, simt_cell new, uintptr_t index,
                                                                 const void *place)
{
    const simt_cell first = cells[0];
    const uint32_t origin = known_origin(place);
    const simt_second by = second_read(first, new);

    if (origin >= SIMT_ORIGINS || by == NOT_SECOND)
        return false;
    cells[SIMT_SECOND] = new | origin;
    tag_second(by, first, new, index);
    return true;
}

/* One word, which was accessed in this launch before. False: access.c must decide. */
static inline __attribute__((always_inline)) bool known_word_is_quick(simt_cell *cells, simt_cell new, uintptr_t index,
                                                                      bool write, const void *place)
{
    const simt_cell first = cells[0], second = cells[SIMT_SECOND];
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES];
    const simt_cell alive = index * GRANULE < simt_local ? mine->floor : simt_alive;
    simt_fate of_first = GONE, of_second = GONE;
    uint32_t origin;

    if (first >= alive || second >= alive) {
        /* [FT READ SAME EPOCH], [FT WRITE SAME EPOCH] */
        if (cell_covers(first, new, write, WHOLE, 0) || cell_covers(second, new, write, WHOLE, 0))
            return true;
        of_first = fate_of(first, new, write, mine, alive);
        of_second = fate_of(second, new, write, mine, alive);
        if (first & SIMT_CELL_MORE || of_first == UNKNOWN || of_second == UNKNOWN ||
            (of_first && of_second && !(of_first == PEER && of_second == PEER)))
            return false;
        if (of_first == PEER && of_second == PEER && peers_suffice(first, second, new, mine, index))
            return true; /* what stands for [FT READ SHARED] */
    }
    origin = known_origin(place);
    if (first & SIMT_CELL_MORE || origin >= SIMT_ORIGINS)
        return false;
    if (write && second)
        simt_drop_tag(cells, index);
    /* [FT READ EXCLUSIVE], [FT WRITE EXCLUSIVE], [FT READ SHARE]; of two peers that do not suffice the second is replaced */
    if (of_first) {
        cells[SIMT_SECOND] = new | origin;
        if (of_first == PEER)
            tag_peers(first, new, mine, index);
    } else {
        cells[0] = new | origin;
        if (of_second == GONE && second)
            cells[SIMT_SECOND] = 0;
    }
    return true;
}

/* One word. Its first access of the launch is the shortest case. */
static inline __attribute__((always_inline)) bool word_is_quick(uintptr_t index, bool write, const thread *t,
                                                                const void *place)
{
    simt_cell *cells = simt_cells_of(index), new = cell_make(t->epoch, write, ALL_BYTES);
    uint32_t origin;

    if (cells[0] >= simt_fresh)
        return (!write && is_read_before(cells[0], new) &&
                (has_second(cells, new, index) ? is_third_read(cells, new, index, place)
                                               : is_second_read(cells, new, index, place))) ||
               known_word_is_quick(cells, new, index, write, place);
    origin = known_origin(place);
    if (cells[0] & SIMT_CELL_MORE || origin >= SIMT_ORIGINS)
        return false;
    cells[0] = new | origin;
    return true;
}

/* A read of variables, all of whose words were read before in this launch, and so passed all checks, and to whose recorded reads
 * it adds nothing. */
static inline bool is_quick_variable(uintptr_t address, unsigned words)
{
    const simt_cell new = cell_make(simt_current->epoch, false, ALL_BYTES);
    const warp_clock *mine = &simt_warp_clocks[thread_of(new) / LANES];

    if (address & (words == 1 ? 3 : 7) || simt_attention <= 0)
        return false;
    for (unsigned i = 0; i < words; i++, address += GRANULE) {
        const simt_cell *cells = simt_cells_of_variable(address, GRANULE);

        if (!cells)
            return false;
        if (cell_covers(cells[0], new, false, WHOLE, 0) || cell_covers(cells[SIMT_SECOND], new, false, WHOLE, 0))
            continue;
        if (cells[0] & SIMT_CELL_MORE || fate_of(cells[0], new, false, mine, simt_alive) != PEER ||
            fate_of(cells[SIMT_SECOND], new, false, mine, simt_alive) != PEER ||
            !cells_suffice(cells[0], cells[SIMT_SECOND], new))
            return false;
    }
    simt_attention--;
    return true;
}

/* An access outside the reserved range that needs no check, or that is to a local array. */
static inline bool is_quick_outside(uintptr_t address, unsigned words, bool write)
{
    uintptr_t offset = address - simt_base;

    if (!simt_current) /* host code, in its own memory */
        return offset >= simt_size && !simt_in_flight;
    if (simt_on_stacks(address))
        return !(address & (words == 1 ? 3 : 7)) && !simt_stack_access;
    if (!write && !simt_far_from_variables(address))
        return is_quick_variable(address, words);
    /* Constants and a kernel's arguments: access.c would ask the same and do nothing. */
    return offset >= simt_size && !write && !(address & (words == 1 ? 3 : 7)) && simt_far_from_variables(address) &&
           simt_in_last_image(address);
}

/* Does the state of a word permit the access, with nothing to report? */
static inline __attribute__((always_inline)) bool state_is_quick(uint32_t state, bool write)
{
    return __builtin_expect(state == SIMT_GOOD_WORD, 1) || (write && state == 0x01010101 * ACCESSIBLE);
}

/* An access to `words` words, aligned to the lesser of its size and eight bytes. */
static inline __attribute__((always_inline)) bool is_quick(uintptr_t address, unsigned words, bool write,
                                                           const void *place)
{
    uintptr_t offset = address - simt_base;
    /* too large if the address is not aligned */
    uintptr_t index = words == 1 ? offset >> 2 | offset << 62 : (offset >> 3 | offset << 61) * 2;
    uint32_t *state = (uint32_t *)simt_shadow + index;
    const thread *t = simt_current;

    if (__builtin_expect(index >= simt_size / GRANULE || !t, 0))
        return is_quick_outside(address, words, write);
    if (__builtin_expect((words > 1 && offset & 7) || simt_attention <= 0 || (write && simt_poisoned), 0))
        return false;
    for (unsigned i = 0; i < words; i++)
        if (!state_is_quick(state[i], write))
            return false;
    for (unsigned i = 0; simt_cells && i < words; i++)
        if (!word_is_quick(index + i, write, t, place))
            return false;
    for (unsigned i = 0; write && i < words; i++)
        if (state[i] != SIMT_GOOD_WORD)
            state[i] = SIMT_GOOD_WORD;
    simt_attention--;
    return true;
}

#pragma GCC visibility pop

#endif
