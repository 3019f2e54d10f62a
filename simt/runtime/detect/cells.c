/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The memory of the cells: 16 bytes for each 4 bytes that kernels touch, 48 more where two cells do not suffice, and 16 where
 * atomic or volatile accesses write. Pages that nobody touches take none.
 */
#define _GNU_SOURCE
#include "cells.h"
#include "origin.h"

#include "../core/options.h"

#include <string.h>
#include <sys/mman.h>

simt_cell *simt_cells, *simt_more_cells;
uintptr_t simt_cell_pairs;
chain *simt_chains;
static struct { /* the cells of `__device__` variables, which are not in the reserved range */
    simt_cell *cells, *more;
    chain *chains;
    uintptr_t begin, end;
} variables;

static void *map(size_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return got == MAP_FAILED ? NULL : got;
}

enum { CHAIN_WORDS = sizeof(chain) / sizeof(uint64_t) };

static size_t cells_size(uintptr_t begin, uintptr_t end, size_t count)
{
    return (end - begin) / GRANULE * count * sizeof(uint64_t) + 4096;
}

/* If there is no memory for the cells, simt_cells stays NULL and races are not looked for. */
void simt_race_start(void)
{
    if (!simt_options.kinds[RACE] || !simt_clocks_start())
        return;
    simt_more_cells = map(cells_size(0, simt_size, MORE_CELLS));
    simt_chains = map(cells_size(0, simt_size, CHAIN_WORDS));
    if (simt_more_cells && simt_chains)
        simt_cells = map(cells_size(0, simt_size, CELLS));
    if (!simt_cells)
        return;
    simt_cell_pairs = simt_size / GRANULE;
    /* Large pages: strided accesses touch a new page of cells at each step. */
    madvise(simt_cells, cells_size(0, simt_size, CELLS), MADV_HUGEPAGE);
}

static void forget_cells(simt_cell *cells, simt_cell *more, chain *last, uintptr_t begin, uintptr_t end)
{
    madvise(cells + begin / GRANULE * CELLS, (end - begin) / GRANULE * CELLS * sizeof *cells, MADV_DONTNEED);
    madvise(more + begin / GRANULE * MORE_CELLS, (end - begin) / GRANULE * MORE_CELLS * sizeof *more, MADV_DONTNEED);
    madvise(last + begin / GRANULE, (end - begin) / GRANULE * sizeof *last, MADV_DONTNEED);
}

void simt_race_forget(uintptr_t begin, uintptr_t end)
{
    if (simt_cells)
        forget_cells(simt_cells, simt_more_cells, simt_chains, begin - simt_base, end - simt_base);
}

static void clear_granules(uintptr_t begin, uintptr_t end)
{
    for (uintptr_t at = begin; at < end; at += GRANULE) {
        granule g = simt_granule_at(at);

        if (g.cells[0] & SIMT_CELL_MORE)
            memset(g.more, 0, MORE_CELLS * sizeof *g.more);
        g.cells[0] = g.cells[1] = 0;
    }
}

void simt_cells_clear(uintptr_t begin, uintptr_t end)
{
    uintptr_t pages = (begin + 4095) & ~(uintptr_t)4095, past = end & ~(uintptr_t)4095;

    if (pages >= past) {
        clear_granules(begin, end);
        return;
    }
    clear_granules(begin, pages);
    simt_race_forget(pages, past);
    clear_granules(past, end);
}

void simt_race_clear(uintptr_t begin, uintptr_t end)
{
    if (simt_cells)
        simt_cells_clear(begin, (end + GRANULE - 1) & ~(uintptr_t)(GRANULE - 1));
}

static void free_variable_cells(void)
{
    if (variables.cells)
        munmap(variables.cells, cells_size(variables.begin, variables.end, CELLS));
    if (variables.more)
        munmap(variables.more, cells_size(variables.begin, variables.end, MORE_CELLS));
    if (variables.chains)
        munmap(variables.chains, cells_size(variables.begin, variables.end, CHAIN_WORDS));
    variables.cells = variables.more = NULL;
    variables.chains = NULL;
}

/* At each launch, because modules that were loaded meanwhile bring more variables. */
static void map_variable_cells(void)
{
    uintptr_t begin = simt_variables_begin & ~(uintptr_t)7;

    if (variables.begin == begin && variables.end == simt_variables_end)
        return;
    free_variable_cells();
    variables.begin = begin;
    variables.end = simt_variables_end;
    if (begin >= variables.end)
        return;
    variables.cells = map(cells_size(begin, variables.end, CELLS));
    variables.more = map(cells_size(begin, variables.end, MORE_CELLS));
    variables.chains = map(cells_size(begin, variables.end, CHAIN_WORDS));
    if (!variables.cells || !variables.more || !variables.chains)
        free_variable_cells();
}

void simt_cells_reset(void)
{
    simt_race_forget(simt_base, simt_base + simt_size);
    if (variables.cells)
        forget_cells(variables.cells, variables.more, variables.chains, 0, variables.end - variables.begin);
    simt_origins_reset();
}

bool simt_cells_launch(void)
{
    if (!simt_cells)
        return false;
    map_variable_cells();
    return true;
}

granule simt_variable_granule(uintptr_t address, size_t size)
{
    uintptr_t at = (address - variables.begin) / GRANULE;

    if (!variables.cells || address < variables.begin || address + size > variables.end)
        return (granule){NULL, NULL, NULL};
    return (granule){variables.cells + at * CELLS, variables.more + at * MORE_CELLS, variables.chains + at};
}

void simt_cells_forget_read(uintptr_t address, size_t size)
{
    granule g = address - simt_base < simt_size
                    ? (granule){simt_cells + (address - simt_base) / GRANULE * CELLS,
                                simt_more_cells + (address - simt_base) / GRANULE * MORE_CELLS, NULL}
                    : simt_variable_granule(address, size);
    uint64_t bytes = (uint64_t)(size < GRANULE ? ((1u << size) - 1) << address % GRANULE : ALL_BYTES)
                     << SIMT_BYTES_SHIFT;

    for (size_t done = 0; simt_cells && g.cells && done < size;
         done += GRANULE, g.cells += CELLS, g.more += MORE_CELLS) {
        unsigned kept = 0;

        for (unsigned i = 0; i < CELLS; i++)
            g.cells[i] = cell_without(g.cells[i], cell_of(0, 0), bytes);
        for (unsigned i = 0; g.cells[0] & SIMT_CELL_MORE && i < MORE_CELLS; i++) {
            uint64_t left = cell_without(g.more[i], cell_of(0, 0), bytes);

            g.more[i] = 0;
            if (left)
                g.more[kept++] = left;
        }
    }
}
