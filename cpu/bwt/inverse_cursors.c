/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bwt.inverse/cursors: contract in ref/bwt.h. Follows the LF-mapping with several cursors at once. Blocks have less
 * than 2^32 bytes.
 *
 * Cursors. A single cursor waits for memory at each step. Therefore cursors start at every `stride`-th row and at the
 * primary, and 32 of them are in flight. A cursor stops at the first row at which a cursor started; the rows
 * that it passes are its walk. The LF-mapping is a permutation, so no row is in two walks. The position of a walk in
 * the text is known only when all walks between the primary and it have ended. So each walk stores its bytes in
 * pieces, from its last byte to its first. After all walks have ended, the pieces are copied to the text, walk after
 * walk from the primary on. If `last` is not the transform of any text, the LF-mapping may have several cycles. Then
 * walks outside the cycle of the primary are not used, and the text of that cycle is repeated until the block is full.
 *
 * Steps. A step of a cursor follows the LF-mapping twice and gives two bytes. The rows from which a step gives the
 * same pair of bytes lead, in order, to the rows that begin with that pair. So the target of a step is found by
 * counting from the first row that begins with its pair. The frequency of each pair comes from a count of the last
 * column, without a walk: the rows that begin with byte c have the bytes before c in the last column. A step must not
 * skip a row at which a cursor started. Therefore the word of that row has the code STOP, and so does the word of the
 * row from which one application of the LF-mapping leads to it.
 *
 * Words. Each row has one word. It holds the target of the row's step and, in the bits above, a code for the pair of
 * bytes. In a block of 1 MiB of text, 32 bits have codes for all pairs. In a larger block only the most frequent pairs
 * have a code. For other pairs, the first byte is the one with which the target row begins, and a search finds
 * it; the second byte is read from the last column. If too many rows would have a pair without a code, words have 64
 * bits.
 *
 * Short blocks. A block of at most MIN_STRIDE bytes has no start besides row 0 and the primary. One cursor follows the
 * LF-mapping from the primary, which needs none of the tables: to fill them would take most of the time.
 *
 * Workspace: 8 bytes for the words and 1.25 bytes for the pieces, for each byte of the longest block, and half a MiB.
 *
 * Sources: M. Burrows, D. Wheeler, "A block-sorting lossless data compression algorithm", 1994; LF-mapping: P.
 * Ferragina, G. Manzini, "Opportunistic data structures with applications", 2000.
 */
#include "rotation.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <string.h>

enum {
    IN_FLIGHT = 32,        /* cursors, so as many cache misses may overlap; not tuned */
    MAX_STARTS = 2048,     /* starts besides the primary; a large block has more than half as many; not tuned */
    MIN_STRIDE = 256,      /* rows: with a smaller stride, the start of a cursor would cost more than its walk */
    PIECES_PER_STRIDE = 4, /* more pieces are smaller, so the last one of a walk wastes less memory; not tuned */
    VALUES = 256,
    PAIRS = VALUES * VALUES,
    MIN_ROW_BITS = 13, /* the word of a STOP holds up to 2 * MAX_STARTS + 1 in these bits */
    RANGE = 256,       /* rows that share an entry of first_byte; not tuned */
    MAX_SEEN = 1023,   /* higher frequencies of pairs are counted as this one; not tuned */
    ROWS_PER_RARE = 8  /* words have 32 bits if at most one row in 8 has a pair without a code; not tuned */
};

/* The codes of a word. */
enum {
    STOP,      /* instead of a target, the word holds 2 s in the row of start s, and 2 s + 1 in the row one byte away */
    RARE,      /* a pair without a code of its own */
    FIRST_PAIR /* the code of the first pair that has one */
};

/* The walk from a start. */
typedef struct walk {
    uint64_t length; /* bytes */
    uint32_t first_piece;
    uint32_t next; /* number of the start that it reached */
} walk;

typedef struct cursor {
    uint64_t row;
    uint8_t *out;  /* the lowest byte written; the piece is filled downwards */
    uint8_t *edge; /* the lower end of the piece */
    uint64_t full; /* bytes in the pieces before it, which are full */
    uint32_t start, piece;
} cursor;

typedef struct inverter {
    const uint8_t *last;
    uint64_t n, stride, primary;
    uint64_t piece_bytes;
    uint64_t strides; /* starts at multiples of the stride; also the number of the start at any other primary */
    uint64_t starts;
    uint32_t pieces;     /* in use */
    unsigned row_bits;   /* bits of a word below its code, which hold the target row */
    uint32_t *narrow;    /* words of 32 bits: those of all rows, then those of starts, which STOP has replaced */
    uint64_t *wide;      /* the same with 64 bits; NULL if narrow words are used */
    uint8_t *first_byte; /* the byte with which every RANGE-th row begins */
    uint8_t *piece;
    unsigned used;                        /* number of byte values that occur */
    uint8_t value[VALUES];                /* these values */
    uint32_t begin[VALUES + 1];           /* the first row that begins with a byte */
    uint32_t next[VALUES];                /* in fill_rows: the next target among the rows that begin with a byte */
    uint32_t pair[VALUES][VALUES];        /* frequency of a pair; then its next target, with its code if narrow */
    uint8_t bytes[FIRST_PAIR + PAIRS][2]; /* the pair of a code */
    uint32_t before[MAX_STARTS + 1];      /* the row that the LF-mapping maps to a start */
    walk walk[MAX_STARTS + 1];
    uint32_t next_piece[(PIECES_PER_STRIDE + 1) * MAX_STARTS + PIECES_PER_STRIDE + 2];
} inverter;

static uint64_t stride_of(uint64_t n)
{
    uint64_t stride = MIN_STRIDE;

    while ((n + stride - 1) / stride > MAX_STARTS)
        stride *= 2;
    return stride;
}

/* The maximum number of pieces: each walk has one piece that is not full. */
static uint64_t piece_count(uint64_t n)
{
    const uint64_t stride = stride_of(n);

    return n / (stride / PIECES_PER_STRIDE) + (n + stride - 1) / stride + 2;
}

/* Adds the frequencies of bytes to `count`. Four tables in turn: a run of one byte does not wait for one counter. */
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

/* The frequency of a byte, which becomes 0. */
static uint32_t take_count(uint32_t count[4][VALUES], unsigned value)
{
    uint32_t sum = 0;

    for (int k = 0; k < 4; k++) {
        sum += count[k][value];
        count[k][value] = 0;
    }
    return sum;
}

/* Counts bytes, then pairs of bytes. */
static void count_all(inverter *w)
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

/* The minimum frequency of the pairs that get a code; 0 if too many rows would have a pair without one, so that words
 * must have 64 bits. */
static uint32_t min_frequency_with_code(const inverter *w)
{
    int64_t codes = (INT64_C(1) << (32 - w->row_bits)) - FIRST_PAIR; /* codes that are left */
    uint32_t seen[MAX_SEEN + 1] = {0}, min_frequency = MAX_SEEN;
    uint64_t rare = 0;

    for (unsigned i = 0; i < w->used; i++)
        for (unsigned k = 0; k < w->used; k++) {
            uint32_t count = w->pair[w->value[i]][w->value[k]];

            seen[count < MAX_SEEN ? count : MAX_SEEN]++;
        }
    if (seen[min_frequency] > codes)
        return 0;
    for (codes -= seen[min_frequency]; min_frequency > 1 && seen[min_frequency - 1] <= codes; min_frequency--)
        codes -= seen[min_frequency - 1];
    for (uint32_t count = 1; count < min_frequency; count++)
        rare += (uint64_t)count * seen[count];
    return rare > w->n / ROWS_PER_RARE ? 0 : min_frequency;
}

/* Replaces the frequency of each pair by the first row that begins with it, and gives codes to pairs. */
static void give_codes(inverter *w, uint32_t min_frequency)
{
    uint32_t code = FIRST_PAIR, row = 0;

    for (unsigned i = 0; i < w->used; i++)
        for (unsigned k = 0; k < w->used; k++) {
            const uint8_t first = w->value[i], second = w->value[k];
            const uint32_t count = w->pair[first][second];

            w->pair[first][second] = row;
            row += count;
            if (min_frequency == 0) {
                code = FIRST_PAIR + first * VALUES + second;
            } else if (count < min_frequency) {
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

static void find_first_bytes(inverter *w)
{
    unsigned c = 0;

    for (uint64_t row = 0; row < w->n; row += RANGE) {
        while (w->begin[c + 1] <= row)
            c++;
        w->first_byte[row / RANGE] = (uint8_t)c;
    }
}

/* The row of a start. */
static uint64_t row_of(const inverter *w, uint64_t start)
{
    return start < w->strides ? start * w->stride : w->primary;
}

/* The number of the start at this row. */
static uint32_t number_of(const inverter *w, uint64_t row)
{
    return (uint32_t)((row & (w->stride - 1)) == 0 ? row / w->stride : w->strides);
}

/* Computes the words of all rows and the row before each start. */
static inline __attribute__((always_inline)) void fill_rows(inverter *w, bool wide)
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

static void move_word(inverter *w, uint64_t to, uint64_t from)
{
    if (w->wide != NULL)
        w->wide[to] = w->wide[from];
    else
        w->narrow[to] = w->narrow[from];
}

static void put_stop(inverter *w, uint64_t row, uint64_t what)
{
    if (w->wide != NULL)
        w->wide[row] = what;
    else
        w->narrow[row] = (uint32_t)what;
}

/* Puts STOP into the rows of starts, whose words move after those of all rows, and into the rows before starts. */
static void put_stops(inverter *w)
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

static void prepare(inverter *w, void *rows)
{
    uint32_t min_frequency;

    count_all(w);
    w->row_bits = bit_length(w->n) < MIN_ROW_BITS ? MIN_ROW_BITS : bit_length(w->n);
    min_frequency = min_frequency_with_code(w);
    w->wide = min_frequency == 0 ? rows : NULL;
    w->narrow = rows;
    give_codes(w, min_frequency);
    if (min_frequency == 0) {
        w->row_bits = 32;
        fill_rows(w, true);
    } else {
        find_first_bytes(w);
        fill_rows(w, false);
    }
    put_stops(w);
}

static void take_piece(inverter *w, cursor *at)
{
    at->piece = w->pieces++;
    at->edge = w->piece + at->piece * w->piece_bytes;
    at->out = at->edge + w->piece_bytes;
}

static void next_piece(inverter *w, cursor *at)
{
    uint32_t full = at->piece;

    take_piece(w, at);
    at->full += w->piece_bytes;
    w->next_piece[full] = at->piece;
}

/* Starts a cursor at the word of its start, which put_stops has moved. */
static void start_cursor(inverter *w, cursor *at, uint64_t start)
{
    *at = (cursor){.row = w->n + start, .start = (uint32_t)start};
    take_piece(w, at);
    w->walk[start].first_piece = at->piece;
}

/* Ends a walk at a STOP. In the row one byte away from a start, one more byte belongs to the walk. */
static void arrive(inverter *w, cursor *at, uint32_t stop)
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

/* Finds the bytes of a step whose pair has no code. */
static void look_up(const inverter *w, uint64_t from, uint64_t to, uint8_t bytes[2])
{
    unsigned first = w->first_byte[to / RANGE];

    while (w->begin[first + 1] <= to)
        first++;
    bytes[0] = (uint8_t)first;
    bytes[1] = w->last[from < w->n ? from : row_of(w, from - w->n)];
}

/* Walks from every start, with IN_FLIGHT cursors at a time. */
static inline __attribute__((always_inline)) void walk_all(inverter *w, bool wide)
{
    const unsigned row_bits = wide ? 32 : w->row_bits;
    const uint64_t row_mask = (UINT64_C(1) << row_bits) - 1;
    cursor in_flight[IN_FLIGHT];
    uint64_t started = 0;
    int count = 0;

    while (count < IN_FLIGHT && started < w->starts)
        start_cursor(w, &in_flight[count++], started++);
    while (count > 0)
        for (int i = 0; i < count; i++) {
            cursor *at = &in_flight[i];
            const uint64_t word = wide ? w->wide[at->row] : w->narrow[at->row], row = word & row_mask;
            const uint64_t code = word >> row_bits;

            if (__builtin_expect(code == STOP, 0)) {
                arrive(w, at, (uint32_t)row);
                if (started < w->starts)
                    start_cursor(w, at, started++);
                else
                    *at = in_flight[--count];
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

/* Copies the walks into the text, from its end to its start: each walk continues at the start that the one before
 * reached. Then repeats the text of the cycle if it is shorter than the block. */
static void lay_out(const inverter *w, uint8_t *text)
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

/* The maximum number of words: those of all rows and those of the starts. */
static uint64_t word_count(uint64_t n)
{
    return n + (n + stride_of(n) - 1) / stride_of(n) + 1;
}

static void invert(inverter *w, uint64_t *words, uint8_t *text)
{
    w->stride = stride_of(w->n);
    w->strides = (w->n + w->stride - 1) / w->stride;
    w->starts = w->strides + ((w->primary & (w->stride - 1)) != 0);
    w->piece_bytes = w->stride / PIECES_PER_STRIDE;
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

static void invert_short(const uint8_t *last, uint64_t n, uint64_t primary, uint32_t *target, uint8_t *text)
{
    uint32_t next[VALUES] = {0}, sum = 0;

    for (uint64_t i = 0; i < n; i++)
        next[last[i]]++;
    for (unsigned c = 0; c < VALUES; c++) {
        const uint32_t here = next[c];

        next[c] = sum;
        sum += here;
    }
    for (uint64_t i = 0; i < n; i++)
        target[i] = next[last[i]]++;
    for (uint64_t i = n, row = primary; i-- > 0; row = target[row])
        text[i] = last[row];
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
    inverter *w = workspace;

    if (!primaries_fit(&inputs[SB_BWT_INVERSE_PRIMARY], n, block))
        return SB_INVALID;
    for (uint64_t first = 0, length; first < n; first += length) {
        length = sb_block_length(n, block, first);
        if (length <= MIN_STRIDE) {
            invert_short(last + first, length, *primary++, workspace, text + first);
            continue;
        }
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
    return longest_block(parameters, inputs) > UINT32_MAX ? "blocks of 4 GiB or more: rows have 32 bits" : NULL;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    const uint64_t n = longest_block(parameters, inputs);

    if (n <= MIN_STRIDE)
        return n * sizeof(uint32_t);
    return sizeof(inverter) + sizeof(uint64_t) * word_count(n) + n / RANGE + 1 +
           piece_count(n) * (stride_of(n) / PIECES_PER_STRIDE);
}

static const uint64_t sizes[] = {MIN_STRIDE, 0};

extern const sb_variant sb_cpu_bwt_inverse_cursors[];
const sb_variant sb_cpu_bwt_inverse_cursors[] = {
    {"bwt.inverse", "cursors", "LF-mapping, 32 cursors in flight, two bytes in each step", refuses, workspace_bytes,
     launch, sizes},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
