/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.inverse/cursors: contract in ref/bwt.h. Blocks have less than 2^32 bytes.
 *
 * One walk through the rows waits for memory at each step. So walks set out from many rows, every `stride`-th and the
 * primary, 32 of them in flight; each goes on until it comes to a row from which another one set out. What a walk reads
 * is not known to belong anywhere before the walk that leads to it is through, so it is kept in pieces, back to front,
 * and copied to its place in the end, from the primary on from walk to walk. As the map of the rows is a permutation,
 * no row is passed twice. When the column is no transform the rows may form several cycles: walks in those that the
 * primary is not in are never asked for, and its own repeats itself until the block is full.
 *
 * A step takes two bytes. Rows that begin with the same two stay in the order of the rows that are two steps before
 * them, so where a step leads is counted, from where the rows of its pair begin. How often there is which pair needs no
 * walk: rows that begin with a byte have what stands before it in the last column. So that no step passes a start, the
 * word of a start says so instead, and so does that of the row one byte before it.
 *
 * A row is one word: where two bytes lead, and above it a code for the pair. 32 bits have room for the codes of all
 * pairs, in blocks of a MiB of text, or of the most frequent. Of the others the first byte is the one that the rows
 * there begin with, the second stands in the column. Where those would be many, words have 64 bits. Workspace: 8 bytes
 * a byte of the longest block for the rows, 1.25 for the pieces, and half a MiB.
 */
#include "rotation.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <string.h>

enum {
    IN_FLIGHT = 32,
    MOST_STARTS = 2048, /* besides the primary; at least half as many in a large block */
    SHORTEST = 256,     /* stride: below, setting out costs more than walking */
    PIECES_A_STRIDE = 4,
    VALUES = 256,
    PAIRS = VALUES * VALUES,
    FEWEST_ROW_BITS = 13, /* hold 2 * MOST_STARTS + 1 */
    RANGE = 256,          /* rows whose first byte is looked up together */
    MOST_SEEN = 1023,     /* counts of pairs are compared up to here */
    RARELY = 8            /* at most one row in so many may have no code */
};

/* Codes. */
enum {
    STOP, /* at a start, or by one byte: the row is 2 * the start, or 2 * the start + 1 */
    RARE, /* a pair without a code */
    FIRST_PAIR
};

/* What became of the walk from a start. */
typedef struct walk {
    uint64_t length;
    uint32_t first_piece;
    uint32_t next; /* start */
} walk;

typedef struct walker {
    uint64_t row;
    uint8_t *out;  /* filled downwards */
    uint8_t *edge; /* the lower end of the piece */
    uint64_t full; /* bytes in the pieces before */
    uint32_t start, piece;
} walker;

typedef struct walkers {
    const uint8_t *last;
    uint64_t n, stride, primary;
    uint64_t piece_bytes;
    uint64_t strides; /* start number `strides` is the primary, if that is no multiple of the stride */
    uint64_t starts;
    uint32_t pieces;     /* in use */
    unsigned row_bits;   /* of a word */
    uint32_t *narrow;    /* words; behind those of the rows the ones that starts had, in whose place STOP stands */
    uint64_t *wide;      /* likewise, if not NULL */
    uint8_t *first_byte; /* of each RANGE-th row */
    uint8_t *piece;
    unsigned used; /* byte values */
    uint8_t value[VALUES];
    uint32_t begin[VALUES + 1];           /* of the rows that begin with a byte */
    uint32_t next[VALUES];                /* of them */
    uint32_t pair[VALUES][VALUES];        /* how often; then the next row that begins so, and its code if narrow */
    uint8_t bytes[FIRST_PAIR + PAIRS][2]; /* by code */
    uint32_t before[MOST_STARTS + 1];     /* the row one byte before a start */
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

/* In four tables in turn, so that runs of a byte do not wait for one counter. */
static void count_bytes(const uint8_t *bytes, uint64_t n, uint32_t count[4][VALUES])
{
    uint64_t i = 0;

    for (; n - i >= 4; i += 4) {
        count[0][bytes[i]]++;
        count[1][bytes[i + 1]]++;
        count[2][bytes[i + 2]]++;
        count[3][bytes[i + 3]]++;
    }
    for (; i < n; i++)
        count[0][bytes[i]]++;
}

static uint32_t take_count(uint32_t count[4][VALUES], unsigned value)
{
    uint32_t sum = 0;

    for (int k = 0; k < 4; k++) {
        sum += count[k][value];
        count[k][value] = 0;
    }
    return sum;
}

static void count_all(walkers *w)
{
    uint32_t count[4][VALUES] = {{0}}, sum = 0;

    w->used = 0;
    count_bytes(w->last, w->n, count);
    for (unsigned c = 0; c < VALUES; c++) {
        uint32_t here = take_count(count, c);

        w->begin[c] = w->next[c] = sum;
        sum += here;
        if (here > 0)
            w->value[w->used++] = (uint8_t)c;
    }
    w->begin[VALUES] = sum;
    for (unsigned i = 0; i < w->used; i++) {
        const unsigned c = w->value[i];

        count_bytes(w->last + w->begin[c], w->begin[c + 1] - w->begin[c], count);
        for (unsigned k = 0; k < w->used; k++)
            w->pair[w->value[k]][c] = take_count(count, w->value[k]);
    }
}

/* How often a pair must be there to have a code; 0: too many rows would have none. */
static uint32_t least_with_code(const walkers *w)
{
    int64_t room = (INT64_C(1) << (32 - w->row_bits)) - FIRST_PAIR;
    uint32_t seen[MOST_SEEN + 1] = {0}, least = MOST_SEEN;
    uint64_t rare = 0;

    for (unsigned i = 0; i < w->used; i++)
        for (unsigned k = 0; k < w->used; k++) {
            uint32_t count = w->pair[w->value[i]][w->value[k]];

            seen[count < MOST_SEEN ? count : MOST_SEEN]++;
        }
    if (seen[least] > room)
        return 0;
    for (room -= seen[least]; least > 1 && seen[least - 1] <= room; least--)
        room -= seen[least - 1];
    for (uint32_t count = 1; count < least; count++)
        rare += (uint64_t)count * seen[count];
    return rare > w->n / RARELY ? 0 : least;
}

/* From counts to the first row of each pair, and codes. */
static void give_codes(walkers *w, uint32_t least)
{
    uint32_t code = FIRST_PAIR, row = 0;

    for (unsigned i = 0; i < w->used; i++)
        for (unsigned k = 0; k < w->used; k++) {
            const uint8_t first = w->value[i], second = w->value[k];
            const uint32_t count = w->pair[first][second];

            w->pair[first][second] = row;
            row += count;
            if (least == 0) {
                code = FIRST_PAIR + first * VALUES + second;
            } else if (count < least) {
                w->pair[first][second] |= (uint32_t)RARE << w->row_bits;
                continue;
            } else {
                w->pair[first][second] |= code << w->row_bits;
            }
            w->bytes[code][0] = first;
            w->bytes[code][1] = second;
            code++;
        }
}

static void find_first_bytes(walkers *w)
{
    unsigned c = 0;

    for (uint64_t row = 0; row < w->n; row += RANGE) {
        while (w->begin[c + 1] <= row)
            c++;
        w->first_byte[row / RANGE] = (uint8_t)c;
    }
}

static uint64_t row_of(const walkers *w, uint64_t start)
{
    return start < w->strides ? start * w->stride : w->primary;
}

static uint32_t number_of(const walkers *w, uint64_t row)
{
    return (uint32_t)((row & (w->stride - 1)) == 0 ? row / w->stride : w->strides);
}

static inline __attribute__((always_inline)) void fill_rows(walkers *w, bool wide)
{
    const uint64_t primary = w->primary, within = w->stride - 1;
    const uint8_t *last = w->last;

    for (uint64_t i = 0; i < w->n; i++) {
        const uint8_t second = last[i];
        const uint64_t middle = w->next[second]++;
        const uint8_t first = last[middle];
        const uint32_t next = w->pair[first][second]++;

        if (wide)
            w->wide[i] = (uint64_t)(FIRST_PAIR + first * VALUES + second) << 32 | next;
        else
            w->narrow[i] = next;
        if ((middle & within) == 0 || middle == primary)
            w->before[number_of(w, middle)] = (uint32_t)i;
    }
}

static void move_word(walkers *w, uint64_t to, uint64_t from)
{
    if (w->wide != NULL)
        w->wide[to] = w->wide[from];
    else
        w->narrow[to] = w->narrow[from];
}

static void put_stop(walkers *w, uint64_t row, uint64_t what)
{
    if (w->wide != NULL)
        w->wide[row] = what;
    else
        w->narrow[row] = (uint32_t)what;
}

static void put_stops(walkers *w)
{
    for (uint64_t start = 0; start < w->starts; start++)
        put_stop(w, w->before[start], 2 * start + 1);
    for (uint64_t start = 0; start < w->starts; start++) {
        move_word(w, w->n + start, row_of(w, start));
        put_stop(w, row_of(w, start), 2 * start);
    }
}

static unsigned bit_length(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

static void prepare(walkers *w, void *rows)
{
    uint32_t least;

    count_all(w);
    w->row_bits = bit_length(w->n) < FEWEST_ROW_BITS ? FEWEST_ROW_BITS : bit_length(w->n);
    least = least_with_code(w);
    w->wide = least == 0 ? rows : NULL;
    w->narrow = rows;
    give_codes(w, least);
    if (least == 0) {
        w->row_bits = 32;
        fill_rows(w, true);
    } else {
        find_first_bytes(w);
        fill_rows(w, false);
    }
    put_stops(w);
}

static void take_piece(walkers *w, walker *at)
{
    at->piece = w->pieces++;
    at->edge = w->piece + at->piece * w->piece_bytes;
    at->out = at->edge + w->piece_bytes;
}

static void next_piece(walkers *w, walker *at)
{
    uint32_t full = at->piece;

    take_piece(w, at);
    at->full += w->piece_bytes;
    w->next_piece[full] = at->piece;
}

static void set_out(walkers *w, walker *at, uint64_t start)
{
    *at = (walker){.row = w->n + start, .start = (uint32_t)start};
    take_piece(w, at);
    w->walk[start].first_piece = at->piece;
}

static void arrive(walkers *w, walker *at, uint32_t stop)
{
    walk *done = &w->walk[at->start];

    done->next = stop / 2;
    if (stop % 2 != 0) {
        if (at->out == at->edge)
            next_piece(w, at);
        *--at->out = w->last[w->before[done->next]];
    }
    done->length = at->full + (uint64_t)(at->edge + w->piece_bytes - at->out);
}

static void look_up(const walkers *w, uint64_t from, uint64_t to, uint8_t bytes[2])
{
    unsigned first = w->first_byte[to / RANGE];

    while (w->begin[first + 1] <= to)
        first++;
    bytes[0] = (uint8_t)first;
    bytes[1] = w->last[from < w->n ? from : row_of(w, from - w->n)];
}

/* Walks from every start, as many at a time as are in flight. */
static inline __attribute__((always_inline)) void walk_all(walkers *w, bool wide)
{
    const unsigned row_bits = wide ? 32 : w->row_bits;
    const uint64_t row_mask = (UINT64_C(1) << row_bits) - 1;
    walker flying[IN_FLIGHT];
    uint64_t started = 0;
    int count = 0;

    while (count < IN_FLIGHT && started < w->starts)
        set_out(w, &flying[count++], started++);
    while (count > 0)
        for (int i = 0; i < count; i++) {
            walker *at = &flying[i];
            const uint64_t word = wide ? w->wide[at->row] : w->narrow[at->row], row = word & row_mask;
            const uint64_t code = word >> row_bits;

            if (__builtin_expect(code == STOP, 0)) {
                arrive(w, at, (uint32_t)row);
                if (started < w->starts)
                    set_out(w, at, started++);
                else
                    *at = flying[--count];
                continue;
            }
            if (__builtin_expect(at->out == at->edge, 0))
                next_piece(w, at);
            at->out -= 2;
            if (!wide && __builtin_expect(code == RARE, 0))
                look_up(w, at->row, row, at->out);
            else
                memcpy(at->out, w->bytes[code], 2);
            at->row = row;
            __builtin_prefetch(wide ? (const void *)&w->wide[row] : (const void *)&w->narrow[row]);
        }
}

/* The walks in turn, to the end of the text first. */
static void lay_out(const walkers *w, uint8_t *text)
{
    const uint32_t first = number_of(w, w->primary);
    uint64_t end = w->n, cycle;
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
    for (cycle = w->n - end; end > 0; end--)
        text[end - 1] = text[end - 1 + cycle];
}

/* With those of the starts. */
static uint64_t word_count(uint64_t n)
{
    return n + (n + stride_of(n) - 1) / stride_of(n) + 1;
}

static void invert(walkers *w, uint64_t *words, uint8_t *text)
{
    w->stride = stride_of(w->n);
    w->strides = (w->n + w->stride - 1) / w->stride;
    w->starts = w->strides + ((w->primary & (w->stride - 1)) != 0);
    w->piece_bytes = w->stride / PIECES_A_STRIDE;
    w->pieces = 0;
    w->first_byte = (uint8_t *)(words + word_count(w->n));
    w->piece = w->first_byte + w->n / RANGE + 1;
    prepare(w, words);
    if (w->wide != NULL)
        walk_all(w, true);
    else
        walk_all(w, false);
    lay_out(w, text);
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
        w->last = last + first;
        w->n = length;
        w->primary = *primary++;
        invert(w, (uint64_t *)(w + 1), text + first);
    }
    return SB_OK;
}

static uint64_t longest_block(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_block_length(inputs[SB_BWT_INVERSE_LAST].length, parameters[SB_BWT_BLOCK], 0);
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return longest_block(parameters, inputs) > UINT32_MAX ? "blocks of 2^32 bytes or more" : NULL;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = longest_block(parameters, inputs);

    return sizeof(walkers) + sizeof(uint64_t) * word_count(n) + n / RANGE + 1 +
           piece_count(n) * (stride_of(n) / PIECES_A_STRIDE);
}

extern const sb_variant sb_cpu_bwt_inverse_cursors[];
const sb_variant sb_cpu_bwt_inverse_cursors[] = {
    {"bwt.inverse", "cursors", "32 walks in flight, by two bytes, from every so many rows", refuses, workspace_bytes,
     launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
