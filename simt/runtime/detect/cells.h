/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the cells of memory are. Memory is divided into granules of four bytes. A granule has two cells in a first table and six
 * more in a second one, used when the first two do not suffice (`more` of the first cell), and a chain in a third one.
 */
#ifndef SIMT_CELLS_H
#define SIMT_CELLS_H

#include "cell.h"

#include "../core/tags.h"

#pragma GCC visibility push(hidden)

enum {
    GRANULE = 4,    /* bytes: the usual size of an access, so that most need one granule */
    CELLS = 2,      /* of a granule in the first table: a writer and a reader, or two readers */
    MORE_CELLS = 6, /* in the second table: two spread cells of four bytes each split into eight */
    ALL_CELLS = CELLS + MORE_CELLS,
    GROUP = SIMT_SECOND * GRANULE /* bytes whose first cells lie together */
};

/* The last atomic or volatile write to a unit, and who has read what it wrote, both as cells with a note in place of the
 * origin (observe.h). */
typedef struct chain {
    simt_cell last;
    simt_cell reader; /* 0: nobody */
} chain;

typedef struct granule {
    simt_cell *cells, *more; /* the second one is cells[SIMT_SECOND] */
    chain *last;
} granule;

/* Of the reserved range; simt_cells (cell.h) is the first table. */
extern simt_cell *simt_more_cells;
extern chain *simt_chains;

/* Of `__device__` variables, which are not in the reserved range. */
typedef struct simt_cells_of_variables {
    simt_cell *cells; /* of the group in which the first one is; NULL: they have none */
    uintptr_t begin, end;
} simt_cells_of_variables;

extern simt_cells_of_variables simt_variable_cells;

static inline uintptr_t simt_variable_group(void)
{
    return simt_variable_cells.begin / GROUP * GROUP;
}

/* The first cell of a word; NULL: not all of the bytes are of variables. */
static inline simt_cell *simt_cells_of_variable(uintptr_t address, size_t size)
{
    const simt_cells_of_variables *v = &simt_variable_cells;
    uintptr_t at = (address - simt_variable_group()) / GRANULE;

    return !v->cells || address < v->begin || address + size > v->end ? NULL
                                                                      : v->cells + at + at / SIMT_SECOND * SIMT_SECOND;
}

granule simt_variable_granule(uintptr_t address, size_t size); /* of `__device__` variables; cells NULL: not of them */
bool simt_cells_launch(void);                                  /* false: races are not looked for */
void simt_cells_clear(uintptr_t begin, uintptr_t end);         /* of the reserved range, multiples of GRANULE */
void simt_cells_reset(void);                                   /* drops all recorded accesses */

/* Of an address anywhere; cells NULL: it has none. */
static inline granule simt_granule_at(uintptr_t address)
{
    uintptr_t index = (address - simt_base) / GRANULE;

    if (address - simt_base >= simt_size)
        return simt_variable_granule(address, 1);
    return (granule){simt_cells_of(index), simt_more_cells + index * MORE_CELLS, simt_chains + index};
}

/* Before something else than a plain read is recorded of a word of the range, at this index. A word that has a tag has two cells of
 * this launch; others are not looked up, so that most memory takes none for tags. */
static inline void simt_drop_tag(const simt_cell *cells, uintptr_t index)
{
    if (cells[0] >= simt_alive && cells[SIMT_SECOND] >= simt_alive)
        simt_read_tags[index] = 0;
}

static inline simt_cell *simt_cell_at(simt_cell *cells, simt_cell *more, unsigned i)
{
    return i < CELLS ? &cells[i * SIMT_SECOND] : &more[i - CELLS];
}

/* The cell of an access that the running thread makes now, still without its origin. */
static inline simt_cell cell_of(unsigned bytes, unsigned kind)
{
    return cell_make(simt_current->epoch, kind, bytes);
}

/* The cell without these bytes, if thread and kind are those of `mine`; otherwise as it is. */
static inline simt_cell cell_without(simt_cell word, simt_cell mine, uint64_t bytes)
{
    uint64_t all = (uint64_t)ALL_BYTES << SIMT_BYTES_SHIFT;

    if ((word ^ mine) & (a_thread | a_kind) || word & SIMT_CELL_SPREAD || !(word & bytes))
        return word;
    return word & ~bytes & all ? word & ~bytes : word & SIMT_CELL_MORE;
}

/* What remains of two is in the first one (simt_fresh). */
static inline void cells_close_gap(simt_cell *cells)
{
    if (cells[0] & ~SIMT_CELL_MORE || !cells[SIMT_SECOND])
        return;
    cells[0] |= cells[SIMT_SECOND];
    cells[SIMT_SECOND] = 0;
}

/* Drops what is recorded of the running thread's plain reads of this memory. */
void simt_cells_forget_read(uintptr_t address, size_t size);

#pragma GCC visibility pop

#endif
