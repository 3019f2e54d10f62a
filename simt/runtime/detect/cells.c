/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The memory of the cells: 8 bytes for each 4 bytes that kernels touch, 8 more for two threads, 48 where two cells do not suffice, and 16 where
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
simt_cells_of_variables simt_variable_cells;
static struct { /* the others of `__device__` variables */
    simt_cell *more;
    chain *chains;
} variables;

static void *map(size_t size)
{
    void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return got == MAP_FAILED ? NULL : got;
}

enum { CHAIN_WORDS = sizeof(chain) / sizeof(uint64_t) };

static size_t table_size(uintptr_t begin, uintptr_t end, size_t count)
{
    return (end - begin) / GRANULE * count * sizeof(uint64_t) + 4096;
}

/* From the beginning of a group on. */
static size_t cells_size(uintptr_t size)
{
    return (size + GROUP - 1) / GROUP * SIMT_SECOND * CELLS * sizeof(simt_cell);
}

/* Aligned to large pages. */
static simt_cell *map_cells(uintptr_t size)
{
    const uintptr_t large = SIMT_SECOND * sizeof(simt_cell);
    char *got = map(cells_size(size) + large);

    return got ? (simt_cell *)(((uintptr_t)got + large - 1) & ~(large - 1)) : NULL;
}

/* If there is no memory for the cells, simt_cells stays NULL and races are not looked for. */
void simt_race_start(void)
{
    size_t shared;

    if (!simt_options.kinds[RACE] || !simt_clocks_start())
        return;
    simt_more_cells = map(table_size(0, simt_size, MORE_CELLS));
    simt_chains = map(table_size(0, simt_size, CHAIN_WORDS));
    if (simt_more_cells && simt_chains)
        simt_cells = simt_tags_start(simt_size / GRANULE) ? map_cells(simt_size) : NULL;
    if (!simt_cells)
        return;
    simt_cell_pairs = simt_size / GRANULE;
    /* Large pages: strided accesses touch a new page of cells at each step. Not for shared memory: of what a block can have, 1 MiB, most use
     * little, and each resident block would take 4 MiB of cells. */
    shared = cells_size((uintptr_t)SIMT_SHARED_WORDS * GRANULE);
    madvise((char *)simt_cells + shared, cells_size(simt_size) - shared, MADV_HUGEPAGE);
}

static void forget_cells(simt_cell *cells, simt_cell *more, chain *last, uintptr_t begin, uintptr_t end)
{
    simt_expire_tags();
    for (uintptr_t at = begin, past; at < end; at = past) { /* whole groups at once; there may be 64 Ki */
        const bool whole = at % GROUP == 0 && end - at >= GROUP;
        simt_cell *first = cells + at / GRANULE + at / GROUP * SIMT_SECOND;

        past = whole ? end / GROUP * GROUP : end < (at / GROUP + 1) * GROUP ? end : (at / GROUP + 1) * GROUP;
        madvise(first, (past - at) / GRANULE * (whole ? CELLS : 1) * sizeof *first, MADV_DONTNEED);
        if (!whole)
            madvise(first + SIMT_SECOND, (past - at) / GRANULE * sizeof *first, MADV_DONTNEED);
    }
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
    if (!simt_is_shared(begin))
        simt_expire_tags();
    for (uintptr_t at = begin; at < end; at += GRANULE) {
        granule g = simt_granule_at(at);

        if (g.cells[0] & SIMT_CELL_MORE)
            memset(g.more, 0, MORE_CELLS * sizeof *g.more);
        g.cells[0] = g.cells[SIMT_SECOND] = 0;
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
    uintptr_t begin = simt_variable_group(), end = simt_variable_cells.end;

    if (simt_variable_cells.cells)
        munmap(simt_variable_cells.cells, cells_size(end - begin));
    if (variables.more)
        munmap(variables.more, table_size(begin, end, MORE_CELLS));
    if (variables.chains)
        munmap(variables.chains, table_size(begin, end, CHAIN_WORDS));
    simt_variable_cells.cells = variables.more = NULL;
    variables.chains = NULL;
}

/* At each launch, because modules that were loaded meanwhile bring more variables. */
static void map_variable_cells(void)
{
    uintptr_t begin = simt_variables_begin & ~(uintptr_t)7, end = simt_variables_end;

    if (simt_variable_cells.begin == begin && simt_variable_cells.end == end)
        return;
    free_variable_cells();
    simt_variable_cells.begin = begin;
    simt_variable_cells.end = end;
    if (begin >= end)
        return;
    begin = simt_variable_group();
    simt_variable_cells.cells = map(cells_size(end - begin));
    variables.more = map(table_size(begin, end, MORE_CELLS));
    variables.chains = map(table_size(begin, end, CHAIN_WORDS));
    if (!simt_variable_cells.cells || !variables.more || !variables.chains)
        free_variable_cells();
}

void simt_cells_reset(void)
{
    simt_race_forget(simt_base, simt_base + simt_size);
    if (simt_variable_cells.cells)
        forget_cells(simt_variable_cells.cells, variables.more, variables.chains, 0,
                     simt_variable_cells.end - simt_variable_group());
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
    simt_cell *cells = simt_cells_of_variable(address, size);
    uintptr_t at = (address - simt_variable_group()) / GRANULE;

    return cells ? (granule){cells, variables.more + at * MORE_CELLS, variables.chains + at}
                 : (granule){NULL, NULL, NULL};
}

void simt_cells_forget_read(uintptr_t address, size_t size)
{
    uint64_t bytes = (uint64_t)(size < GRANULE ? ((1u << size) - 1) << address % GRANULE : ALL_BYTES)
                     << SIMT_BYTES_SHIFT;

    for (size_t done = 0; simt_cells && done < size; done += GRANULE) {
        granule g = simt_granule_at(address + done);
        unsigned kept = 0;

        if (!g.cells)
            return;
        if (address - simt_base < simt_size)
            simt_read_tags[(address + done - simt_base) / GRANULE] = 0;
        for (unsigned i = 0; i < CELLS; i++)
            g.cells[i * SIMT_SECOND] = cell_without(g.cells[i * SIMT_SECOND], cell_of(0, 0), bytes);
        for (unsigned i = 0; g.cells[0] & SIMT_CELL_MORE && i < MORE_CELLS; i++) {
            uint64_t left = cell_without(g.more[i], cell_of(0, 0), bytes);

            g.more[i] = 0;
            if (left)
                g.more[kept++] = left;
        }
        cells_close_gap(g.cells);
    }
}
