/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrices in the registers of a warp: ldmatrix, stmatrix, movmatrix, mma.sync and what mma.h makes of it. collective.c gathers the
 * lanes; the last one to come computes for all here.
 *
 * Findings `warp-mask`: a lane of the warp has exited or does not exist; lanes that come from different places.
 */
#include "product.h"
#include "sync.h"

#include "../detect/detect.h"
#include "../memory/memory.h"

#include <string.h>

/* --- mma */

static const simt_mma_operands *operands_of(const warp *w, unsigned lane)
{
    return (const simt_mma_operands *)(uintptr_t)w->value[lane];
}

static void product(const warp *w, uint32_t lanes)
{
    const simt_mma *what = operands_of(w, 0)->what;
    uint32_t metadata[LANES];

    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        simt_gather(what, operands_of(w, (unsigned)__builtin_ctz(rest)), (unsigned)__builtin_ctz(rest));
    if (what->flags & SIMT_MMA_SPARSE) {
        for (unsigned lane = 0; lane < LANES; lane++)
            metadata[lane] = operands_of(w, lane)->metadata;
        simt_find_positions(what, metadata);
    }
    simt_multiply(what);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        simt_scatter(what, operands_of(w, (unsigned)__builtin_ctz(rest))->d, (unsigned)__builtin_ctz(rest));
}

/* Of m8n8k4 each quad of lanes has a product with the quad 16 lanes further. */
static void mma(const warp *w)
{
    if (!(operands_of(w, 0)->what->flags & SIMT_MMA_QUADS)) {
        product(w, 0xffffffff);
        return;
    }
    for (unsigned quad = 0; quad < 4; quad++)
        product(w, 0x000f000fu << 4 * quad);
}

/* --- rows of 8 elements of 16 bits */

static simt_rows *rows_of(const warp *w, unsigned lane)
{
    return (simt_rows *)(uintptr_t)w->value[lane];
}

/* The lane and the half of its register that hold an element of a matrix. */
static uint32_t *holder(const warp *w, unsigned matrix, unsigned row, unsigned column, bool transposed, unsigned *shift)
{
    const unsigned down = transposed ? column : row, along = transposed ? row : column;

    *shift = along % 2 * 16;
    return &rows_of(w, down * 4 + along / 2)->registers[matrix];
}

static void move_rows(const warp *w, bool load, unsigned count, bool transposed)
{
    unsigned shift;

    for (unsigned i = 0; i < count * 64; i++) {
        const unsigned matrix = i / 64, row = i / 8 % 8, column = i % 8;
        uint32_t *at = holder(w, matrix, row, column, transposed, &shift);
        uint16_t *in_row = &rows_of(w, matrix * 8 + row)->row[column];

        if (load)
            *at = (*at & ~(0xffffu << shift)) | (uint32_t)*in_row << shift;
        else
            *in_row = (uint16_t)(*at >> shift);
    }
}

/* --- all lanes have come */

void simt_check_row(const void *address, size_t alignment, int writes)
{
    simt_check_alignment(address, alignment, writes ? SIMT_IS_WRITE : 0, __builtin_return_address(0));
}

static bool is_same(const simt_mma *a, const simt_mma *b)
{
    return a->selector == b->selector && strcmp(a->name, b->name) == 0;
}

/* Which lane of the warp came to another instruction than lane 0? 0: none. */
static unsigned different_lane(const warp *w, unsigned operation)
{
    for (unsigned lane = 1; lane < LANES; lane++) {
        if (w->argument[lane] != w->argument[0])
            return lane;
        if (operation == SIMT_WGMMA && !simt_is_same_wgmma(w, lane))
            return lane;
        if (operation == SIMT_MMA && (operands_of(w, lane)->line != operands_of(w, 0)->line ||
                                      !is_same(operands_of(w, lane)->what, operands_of(w, 0)->what)))
            return lane;
    }
    return 0;
}

bool simt_matrix_complete(warp *w, const group *g, const char *name)
{
    const unsigned operation = g->operation, argument = w->argument[0], count = argument % SIMT_TRANSPOSED;
    const bool transposed = argument & SIMT_TRANSPOSED;
    unsigned lane;

    for (uint32_t rest = g->arrived; rest; rest &= rest - 1)
        w->threads[__builtin_ctz(rest)].context.result = 0;
    if (g->arrived != 0xffffffff) {
        lane = (unsigned)__builtin_ctz(~g->arrived);
        simt_report(WARP_MASK, g->file, g->line, NULL, "%s takes all 32 lanes of the warp, but lane %u %s", name, lane,
                    w->exists >> lane & 1 ? "has exited" : "does not exist");
        return true;
    }
    lane = different_lane(w, operation);
    if (lane) {
        simt_report(WARP_MASK, g->file, g->line, NULL,
                    "%s takes all 32 lanes of the warp, but lane %u came to another one", name, lane);
        return true;
    }
    switch (operation) {
    case SIMT_MMA:
        mma(w);
        break;
    case SIMT_WGMMA:
        return simt_wgmma_complete(w, g);
    case SIMT_LDMATRIX:
    case SIMT_STMATRIX:
        move_rows(w, operation == SIMT_LDMATRIX, count, transposed);
        break;
    case SIMT_MOVMATRIX: /* the matrix goes through rows */
        move_rows(w, false, 1, false);
        move_rows(w, true, 1, true);
        break;
    default:
        break;
    }
    return true;
}
