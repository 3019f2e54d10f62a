/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The shared memory of a block of a cluster begins and ends with the block. CUDA: a thread may access it only while the block runs, so
 * what other blocks do there must happen before the end of one of its threads. Who comes later finds memory that is not accessible.
 *
 * Findings `race`: an access by another block that nothing orders before the end; and `oob`, one after it.
 */
#include "happens_before.h"
#include "origin.h"
#include "pair.h"

static uintptr_t end_of_arena(const block *b)
{
    return (uintptr_t)b->arena + simt_shared_used();
}

/* No access of an earlier cluster to this memory can race with a new one. */
void simt_cluster_block_starts(const block *b)
{
    if (simt_cells)
        simt_cells_clear((uintptr_t)b->arena, end_of_arena(b));
}

static void report(const block *b, simt_cell word, uintptr_t address)
{
    char name[256];
    simt_pair p = simt_pair_of(word, address, 1, 0, NULL, bytes_of(word));

    simt_describe_element(address, 1, name, sizeof name);
    simt_report_spot(RACE, &(simt_spot){.place = p.other, .address = name, .object = address},
                     "block (%u,%u,%u) of the cluster may end before block (%u,%u,%u) thread (%u,%u,%u) %s %s",
                     b->index.x, b->index.y, b->index.z, p.other_block.x, p.other_block.y, p.other_block.z,
                     p.other_thread.x, p.other_thread.y, p.other_thread.z,
                     kind_of(word) & SIMT_IS_WRITE ? "writes to" : "reads from", name);
}

static bool check_cell(const block *b, simt_cell word, uintptr_t address)
{
    if (!word || word < simt_warp_clocks[b->warp[0].number].start || simt_hb_left_after(b, word))
        return false;
    report(b, word, address + (unsigned)__builtin_ctz(bytes_of(word)));
    return true;
}

static void check_accesses(const block *b)
{
    const uintptr_t end = end_of_arena(b);

    for (uintptr_t at = (uintptr_t)b->arena; at < end; at += GRANULE) {
        granule g = simt_granule_at(at);

        for (unsigned i = 0; i < ALL_CELLS && (i < CELLS || g.cells[0] & SIMT_CELL_MORE); i++)
            if (check_cell(b, *simt_cell_at(g.cells, g.more, i), at))
                return;
    }
}

void simt_cluster_block_ends(const block *b)
{
    if (simt_cells && m.stop == RUNNING)
        check_accesses(b);
    simt_set_state((uintptr_t)b->arena, end_of_arena(b) - (uintptr_t)b->arena, 0);
}
