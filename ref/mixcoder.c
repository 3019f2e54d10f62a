/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Mixed adaptive binary models for runs of bytes: contract in mixcoder.h. Encoder and decoder share their code, as in
 * range.h: each function takes the value to encode, and returns it or the one that it has decoded.
 */
#include "mixcoder.h"
#include "range.h"
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 17,       /* cells of a correction */
    RECENT = 4,        /* symbols */
    RECENCIES = 27,    /* values of v[3], v[2] and v[1] together */
    NODES = 29,        /* of a length: 20 for the exponent, and 20 + e for the bit below the top one */
    LAST_NODE = 19,    /* of the exponent */
    MAX_EXPONENT = 31, /* a segment has fewer than 2^32 bytes */
    MAX_MODELLED = 8,  /* larger exponents have only equiprobable bits below the top one */
    MAX_STATE = 3,     /* larger exponents count as this one in a state */
    MAX_CELLS = 4,     /* of a decision */
    STRETCHES = 4096,  /* stretch does not see the four lowest bits of a cell */
    MAX_D = 2047,
    CORRECTION_SHIFT = 5,
    SECOND_SHIFT = 6,
    SYMBOL_WEIGHT = 6144, /* initially */
    LENGTH_WEIGHT = 8192,
    MIN_P = 32,
    MAX_P = 65536 - MIN_P
};

typedef uint16_t cell;

/* T: the logistic function at -2048, -1920, ..., 2048. */
static const uint32_t logistic[] = {22,    36,    60,    98,    162,   267,   439,   720,   1179,  1921,  3108,
                                    4971,  7812,  11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565,
                                    62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514};

/* The cells of a mixed decision, with their shifts; its weights; its correction. */
typedef struct mix {
    int cells;
    cell *cell[MAX_CELLS];
    unsigned shift[MAX_CELLS];
    int32_t *weight;
    cell *correction;
} mix;

typedef struct model {
    int32_t stretch[STRETCHES];
    cell recent[256], after[256][256], after_that[256][256], recency[RECENCIES][8][4];
    cell of[256][NODES], state[256][NODES], second[MAX_MODELLED + 1][2];
    cell symbol_correction[3][256][POINTS], length_correction[NODES][POINTS];
    int32_t symbol_weight[8][4], length_weight[NODES][2];
    /* Of the runs before: the four recent symbols; if there is one; h; the exponents of the last two, and of the last of each
     * symbol, at most MAX_STATE. */
    uint8_t m[RECENT];
    bool begun;
    unsigned h, exponent, earlier, last[256];
} model;

static uint32_t squash(int32_t d)
{
    uint32_t i = (uint32_t)(d + 2048) >> 7, f = (uint32_t)(d + 2048) % 128;

    return (logistic[i] * (128 - f) + logistic[i + 1] * f) >> 7;
}

static void make_stretch(model *m)
{
    int32_t d = -MAX_D;

    for (uint32_t i = 0; i < STRETCHES; i++) {
        while (d < MAX_D && squash(d) < 16 * i)
            d++;
        m->stretch[i] = d;
    }
}

static void start(model *m)
{
    cell *const first = m->recent, *const end = m->symbol_correction[0][0];

    memset(first, 0, sizeof *m - sizeof m->stretch);
    for (cell *c = first; c < end; c++)
        *c = 32768;
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < 3 * 256; k++)
            m->symbol_correction[k / 256][k % 256][i] = (cell)logistic[2 * i];
        for (int k = 0; k < NODES; k++)
            m->length_correction[k][i] = (cell)logistic[2 * i];
    }
    for (int i = 0; i < 8 * 4; i++)
        m->symbol_weight[i / 4][i % 4] = SYMBOL_WEIGHT;
    for (int i = 0; i < NODES * 2; i++)
        m->length_weight[i / 2][i % 2] = LENGTH_WEIGHT;
    for (int i = 0; i < RECENT; i++)
        m->m[i] = (uint8_t)i;
}

static void adapt(cell *c, unsigned bit, unsigned shift)
{
    if (bit)
        *c = (cell)(*c + ((65535 - *c) >> shift));
    else
        *c = (cell)(*c - (*c >> shift));
}

static uint32_t limit(uint32_t p)
{
    return p < MIN_P ? MIN_P : p > MAX_P ? MAX_P : p;
}

/* x / 2^shift, rounded down. */
static int32_t shifted(int32_t x, unsigned shift)
{
    return x < 0 ? -(int32_t)((uint32_t)(-x - 1) >> shift) - 1 : x >> shift;
}

static unsigned code_mixed(sb_ref_range *c, const model *m, const mix *x, unsigned bit)
{
    int32_t stretched[MAX_CELLS], d = 0, error;
    uint32_t mean, corrected, i, f;

    for (int k = 0; k < x->cells; k++) {
        stretched[k] = m->stretch[*x->cell[k] / 16];
        d += x->weight[k] * stretched[k];
    }
    d = shifted(d, 14);
    d = d < -MAX_D ? -MAX_D : d > MAX_D ? MAX_D : d;
    mean = squash(d);
    i = (uint32_t)(d + 2048) >> 8;
    f = (uint32_t)(d + 2048) % 256;
    corrected = (x->correction[i] * (256 - f) + x->correction[i + 1] * f) >> 8;
    bit = sb_ref_range_bit(c, limit((mean + corrected) >> 1), bit);
    error = shifted((int32_t)(65536 * bit) - (int32_t)mean, 1);
    for (int k = 0; k < x->cells; k++) {
        int32_t learnt = x->weight[k] + shifted(stretched[k] * error + (1 << 17), 18);

        x->weight[k] = learnt < INT16_MIN ? INT16_MIN : learnt > INT16_MAX ? INT16_MAX : learnt;
        adapt(x->cell[k], bit, x->shift[k]);
    }
    adapt(&x->correction[i], bit, CORRECTION_SHIFT);
    adapt(&x->correction[i + 1], bit, CORRECTION_SHIFT);
    return bit;
}

/* If the first `depth` bits of the symbol are those of the node: 1 + the next bit. Otherwise 0. */
static unsigned continues(unsigned symbol, unsigned node, unsigned depth)
{
    return (256 + symbol) >> (8 - depth) == node ? 1 + (symbol >> (7 - depth) & 1) : 0;
}

static unsigned code_symbol(sb_ref_range *c, model *m, unsigned symbol)
{
    unsigned node = 1;

    for (unsigned depth = 0; depth < 8; depth++) {
        const unsigned before = m->begun ? continues(m->m[0], node, depth) : 0;
        const unsigned recency =
            9 * continues(m->m[3], node, depth) + 3 * continues(m->m[2], node, depth) + continues(m->m[1], node, depth);
        const mix x = {4,
                       {&m->recent[node], &m->after[m->m[0]][node], &m->after_that[m->m[1]][node],
                        &m->recency[recency][depth][m->h]},
                       {2, 3, 3, 4},
                       m->symbol_weight[depth],
                       m->symbol_correction[before][node]};

        node = 2 * node + (depth == 7 && before ? 2 - before : code_mixed(c, m, &x, symbol >> (7 - depth) & 1));
    }
    return node - 256;
}

/* The place of a symbol among the recent ones; RECENT if it is none. */
static unsigned place_of(const model *m, unsigned symbol)
{
    unsigned place = 0;

    while (place < RECENT && m->m[place] != symbol)
        place++;
    return place;
}

static unsigned code_of_length(sb_ref_range *c, model *m, unsigned symbol, unsigned node, unsigned bit)
{
    const unsigned place = place_of(m, symbol), r = place == 0 ? 0 : place - 1;
    const unsigned state = 64 * r + 16 * m->exponent + 4 * m->last[symbol] + m->earlier;
    const mix x = {
        2, {&m->of[symbol][node], &m->state[state][node]}, {4, 5}, m->length_weight[node], m->length_correction[node]};

    return code_mixed(c, m, &x, bit);
}

static unsigned exponent_of(uint64_t length)
{
    unsigned exponent = 0;

    while (length >> exponent > 1)
        exponent++;
    return exponent;
}

/* Codes the bit of value 2^rank of a length. `above` is the length without the bits from there on, shifted right. */
static unsigned code_length_bit(sb_ref_range *c, model *m, unsigned symbol, unsigned exponent, unsigned rank,
                                uint64_t above, unsigned bit)
{
    const unsigned below = exponent - rank; /* the top bit */

    if (exponent <= MAX_MODELLED && below == 1)
        return code_of_length(c, m, symbol, LAST_NODE + 1 + exponent, bit);
    if (exponent <= MAX_MODELLED && below == 2) {
        cell *second = &m->second[exponent][above % 2];

        bit = sb_ref_range_bit(c, limit(*second), bit);
        adapt(second, bit, SECOND_SHIFT);
        return bit;
    }
    return sb_ref_range_number(c, 1, bit);
}

static uint64_t code_length(sb_ref_range *c, model *m, unsigned symbol, uint64_t length)
{
    const unsigned wanted = exponent_of(length);
    unsigned exponent = 0;
    uint64_t result = 1;

    while (exponent < MAX_EXPONENT &&
           code_of_length(c, m, symbol, exponent < LAST_NODE ? exponent : LAST_NODE, wanted > exponent))
        exponent++;
    for (unsigned rank = exponent; rank-- > 0;)
        result = 2 * result + code_length_bit(c, m, symbol, exponent, rank, result, length >> rank & 1);
    return result;
}

/* Makes a run the one before the next. */
static void pass(model *m, unsigned symbol, uint64_t length)
{
    const unsigned exponent = exponent_of(length), place = place_of(m, symbol);

    m->begun = true;
    m->h = 2 * m->h % 4 + (place == 1);
    memmove(m->m + 1, m->m, place < RECENT ? place : RECENT - 1);
    m->m[0] = (uint8_t)symbol;
    m->earlier = m->exponent;
    m->exponent = exponent < MAX_STATE ? exponent : MAX_STATE;
    m->last[symbol] = m->exponent;
}

static void encode_segment(sb_ref_range *c, void *models, const uint8_t *bytes, uint64_t n)
{
    model *m = models;

    start(m);
    for (uint64_t i = 0, length; i < n && !c->full; i += length) {
        for (length = 1; i + length < n && bytes[i + length] == bytes[i];)
            length++;
        code_symbol(c, m, bytes[i]);
        code_length(c, m, bytes[i], length);
        pass(m, bytes[i], length);
    }
}

uint64_t sb_ref_mixcoder_encode(const uint8_t *bytes, uint64_t n, uint64_t segment, uint8_t *payload, uint64_t *offset)
{
    model m;

    make_stretch(&m);
    return sb_ref_range_encode_segments(encode_segment, &m, bytes, n, segment, payload, offset);
}

static bool decode_segment(sb_ref_range *c, void *models, uint8_t *bytes, uint64_t n)
{
    model *m = models;

    start(m);
    for (uint64_t i = 0, length; i < n; i += length) {
        unsigned symbol = code_symbol(c, m, 0);

        length = code_length(c, m, symbol, 0);
        if (length > n - i || sb_ref_range_passed(c))
            return false;
        memset(bytes + i, (int)symbol, length);
        pass(m, symbol, length);
    }
    return true;
}

sb_ref_status sb_ref_mixcoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                     uint64_t segment, uint8_t *bytes, uint64_t n)
{
    model m;

    make_stretch(&m);
    return sb_ref_range_decode_segments(decode_segment, &m, payload, payload_bytes, offset, segment, bytes, n);
}
