/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.inverse/walkers: contract in ref/bwt.h.
 *
 * One walk through the rows waits for memory at each step. So walks set out from many rows, every `stride`-th and the
 * primary, 16 of them in flight; each goes on until it comes to a row from which another one set out. What a walk reads
 * is not known to belong anywhere before the walk that leads to it is through, so it is kept in pieces, back to front,
 * and copied to its place in the end, from the primary on from walk to walk. As the map of the rows is a permutation,
 * no row is passed twice. When the column is no transform the rows may form several cycles: walks in those that the
 * primary is not in are never asked for, and its own repeats itself until the block is full.
 *
 * A row is one word, the next row and the byte, so that a step costs one cache miss. Workspace: 8 bytes a byte of the
 * longest block for the rows, 1.25 for the pieces, and a few KiB.
 */
#include "rotation.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <string.h>

enum {
    IN_FLIGHT = 16,
    MOST_STARTS = 2048, /* besides the primary; at least half as many in a large block */
    SHORTEST = 256,     /* stride: below, setting out costs more than walking */
    PIECES_A_STRIDE = 4
};

/* What became of the walk from a start. */
typedef struct walk {
    uint64_t length;
    uint32_t first_piece;
    uint32_t next; /* start */
} walk;

typedef struct walker {
    uint64_t row;
    uint64_t length;
    uint8_t *out;  /* filled downwards */
    uint8_t *edge; /* the lower end of the piece */
    uint32_t start, piece;
} walker;

typedef struct walkers {
    uint64_t stride, primary;
    uint64_t piece_bytes;
    uint64_t starts; /* number `starts` is the primary, if that is no multiple of the stride */
    uint32_t pieces; /* in use */
    uint64_t *row;   /* the next row << 8 | the byte */
    uint8_t *piece;
    walk walk[MOST_STARTS + 1];
    uint32_t next_piece[(PIECES_A_STRIDE + 1) * MOST_STARTS + PIECES_A_STRIDE + 2];
} walkers;

static uint64_t stride_of(uint64_t n)
{
    uint64_t stride = SHORTEST;

    while ((n + stride - 1) / stride > MOST_STARTS)
        stride *= 2;
    return stride;
}

/* Each walk has a last piece that is not full. */
static uint64_t piece_count(uint64_t n)
{
    const uint64_t stride = stride_of(n);

    return n / (stride / PIECES_A_STRIDE) + (n + stride - 1) / stride + 2;
}

static void fill_rows(const uint8_t *last, uint64_t n, uint64_t *row)
{
    uint64_t next[256] = {0}, sum = 0;

    for (uint64_t i = 0; i < n; i++)
        next[last[i]]++;
    for (int c = 0; c < 256; c++) {
        uint64_t count = next[c];

        next[c] = sum;
        sum += count;
    }
    for (uint64_t i = 0; i < n; i++)
        row[i] = next[last[i]]++ << 8 | last[i];
}

static bool is_start(const walkers *w, uint64_t row)
{
    return (row & (w->stride - 1)) == 0 || row == w->primary;
}

static uint32_t number_of(const walkers *w, uint64_t row)
{
    return (uint32_t)((row & (w->stride - 1)) == 0 ? row / w->stride : w->starts);
}

static void take_piece(walkers *w, walker *at)
{
    at->piece = w->pieces++;
    at->edge = w->piece + at->piece * w->piece_bytes;
    at->out = at->edge + w->piece_bytes;
}

static void set_out(walkers *w, walker *at, uint64_t start)
{
    *at = (walker){.row = start < w->starts ? start * w->stride : w->primary, .start = (uint32_t)start};
    take_piece(w, at);
    w->walk[start].first_piece = at->piece;
}

/* Walks from every start, as many at a time as are in flight. */
static void walk_all(walkers *w)
{
    const uint64_t all = w->starts + ((w->primary & (w->stride - 1)) != 0);
    walker flying[IN_FLIGHT];
    uint64_t started = 0;
    int count = 0;

    while (count < IN_FLIGHT && started < all)
        set_out(w, &flying[count++], started++);
    while (count > 0)
        for (int i = 0; i < count; i++) {
            walker *at = &flying[i];
            uint64_t here = w->row[at->row];

            if (at->out == at->edge) {
                uint32_t full = at->piece;

                take_piece(w, at);
                w->next_piece[full] = at->piece;
            }
            *--at->out = (uint8_t)here;
            at->row = here >> 8;
            at->length++;
            if (!is_start(w, at->row))
                continue;
            w->walk[at->start].length = at->length;
            w->walk[at->start].next = number_of(w, at->row);
            if (started < all)
                set_out(w, at, started++);
            else
                *at = flying[--count];
        }
}

/* The walks in turn, to the end of the text first. */
static void lay_out(const walkers *w, uint8_t *text, uint64_t n)
{
    const uint32_t first = number_of(w, w->primary);
    uint64_t end = n, cycle;
    uint32_t at = first;

    do {
        uint64_t left = w->walk[at].length;

        for (uint32_t piece = w->walk[at].first_piece; left > 0; piece = w->next_piece[piece]) {
            uint64_t bytes = left < w->piece_bytes ? left : w->piece_bytes;

            end -= bytes;
            left -= bytes;
            memcpy(text + end, w->piece + (piece + 1) * w->piece_bytes - bytes, bytes);
        }
        at = w->walk[at].next;
    } while (at != first);
    for (cycle = n - end; end > 0; end--)
        text[end - 1] = text[end - 1 + cycle];
}

static bool primaries_fit(const sb_array *primary, uint64_t n, uint64_t block)
{
    const uint64_t *value = primary->data;
    uint64_t index = 0;

    if (n == 0)
        return primary->length == 0 || (primary->length == 1 && value[0] == 0);
    for (uint64_t first = 0, length; first < n; first += length, index++) {
        length = sb_block_length(n, block, first);
        if (index >= primary->length || value[index] >= length)
            return false;
    }
    return index == primary->length;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *last = inputs[SB_BWT_INVERSE_LAST].data;
    const uint64_t *primary = inputs[SB_BWT_INVERSE_PRIMARY].data;
    const uint64_t n = inputs[SB_BWT_INVERSE_LAST].length, block = parameters[SB_BWT_BLOCK];
    uint8_t *text = outputs[SB_BWT_INVERSE_TEXT].data;
    walkers *w = workspace;

    if (!primaries_fit(&inputs[SB_BWT_INVERSE_PRIMARY], n, block))
        return SB_INVALID;
    for (uint64_t first = 0, length; first < n; first += length) {
        length = sb_block_length(n, block, first);
        w->stride = stride_of(length);
        w->starts = (length + w->stride - 1) / w->stride;
        w->piece_bytes = w->stride / PIECES_A_STRIDE;
        w->primary = *primary++;
        w->pieces = 0;
        w->row = (uint64_t *)(w + 1);
        w->piece = (uint8_t *)(w->row + length);
        fill_rows(last + first, length, w->row);
        walk_all(w);
        lay_out(w, text + first, length);
    }
    return SB_OK;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = sb_block_length(inputs[SB_BWT_INVERSE_LAST].length, parameters[SB_BWT_BLOCK], 0);

    return sizeof(walkers) + sizeof(uint64_t) * n + piece_count(n) * (stride_of(n) / PIECES_A_STRIDE);
}

extern const sb_variant sb_cpu_bwt_inverse_walkers[];
const sb_variant sb_cpu_bwt_inverse_walkers[] = {
    {"bwt.inverse", "walkers", "16 walks in flight, from every so many rows", NULL, workspace_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
