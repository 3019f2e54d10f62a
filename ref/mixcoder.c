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
    CLASSES = 3,       /* of the length of the run before */
    NODES = 29,        /* of a length: 20 for the exponent, and 20 + e for the bit below the top one */
    LAST_NODE = 19,    /* of the exponent */
    MAX_EXPONENT = 31, /* a segment has fewer than 2^32 bytes */
    MAX_MODELLED = 8,  /* larger exponents have only equiprobable bits below the top one */
    MAX_STATE = 3,     /* larger exponents count as this one in a state */
    CORRECTION_SHIFT = 5,
    SECOND_SHIFT = 6,
    MIN_P = 32,
    MAX_P = 65536 - MIN_P
};

typedef uint16_t cell;

/* The weights and shifts of a kind of mixed decisions. */
typedef struct mix {
    uint32_t weight[3], shift[3], corrected;
} mix;

static const mix symbol_mix = {.weight = {5, 7, 4}, .shift = {2, 3, 3}, .corrected = 3};
static const mix length_mix = {.weight = {5, 7, 4}, .shift = {4, 5, 5}, .corrected = 2};

typedef struct model {
    cell recent[256], after[256][256], after_that[256][256];
    cell of[256][NODES], state[256][NODES], next_to[256][NODES], second[MAX_MODELLED + 1][2];
    cell symbol_correction[CLASSES][256][POINTS], length_correction[NODES][POINTS];
    /* Of the runs before: the symbols of the last two, their exponents, and those of the last two runs of each symbol,
     * at most MAX_STATE. */
    unsigned y, z, exponent, earlier, last[256], last_but_one[256];
    unsigned class;
} model;

static void start(model *m)
{
    cell *const first = m->recent, *const end = m->symbol_correction[0][0];

    memset(m, 0, sizeof *m);
    for (cell *c = first; c < end; c++)
        *c = 32768;
    for (int i = 0; i < POINTS; i++) {
        const cell straight = (cell)(i < POINTS - 1 ? 4096 * i : 65535);

        for (int k = 0; k < CLASSES * 256; k++)
            m->symbol_correction[k / 256][k % 256][i] = straight;
        for (int k = 0; k < NODES; k++)
            m->length_correction[k][i] = straight;
    }
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

static unsigned code_mixed(sb_ref_range *c, const mix *x, cell *const cells[3], cell correction[POINTS], unsigned bit)
{
    uint32_t mean = 0, corrected, fraction;
    cell *point;

    for (int k = 0; k < 3; k++)
        mean += x->weight[k] * *cells[k];
    mean >>= 4;
    fraction = mean % 4096;
    point = correction + mean / 4096;
    corrected = (point[0] * (4096 - fraction) + point[1] * fraction) >> 12;
    bit = sb_ref_range_bit(c, limit(((4 - x->corrected) * mean + x->corrected * corrected) >> 2), bit);
    for (int k = 0; k < 3; k++)
        adapt(cells[k], bit, x->shift[k]);
    adapt(&point[0], bit, CORRECTION_SHIFT);
    adapt(&point[1], bit, CORRECTION_SHIFT);
    return bit;
}

static unsigned code_symbol(sb_ref_range *c, model *m, unsigned symbol)
{
    unsigned node = 1;

    for (int bit = 7; bit >= 0; bit--) {
        cell *const cells[3] = {&m->recent[node], &m->after[m->y][node], &m->after_that[m->z][node]};

        node = 2 * node + code_mixed(c, &symbol_mix, cells, m->symbol_correction[m->class][node], symbol >> bit & 1);
    }
    return node - 256;
}

static unsigned code_of_length(sb_ref_range *c, model *m, unsigned symbol, unsigned node, unsigned bit)
{
    const unsigned state = 64 * m->exponent + 16 * m->earlier + 4 * m->last[symbol] + m->last_but_one[symbol];
    cell *const cells[3] = {&m->of[symbol][node], &m->state[state][node], &m->next_to[m->y][node]};

    return code_mixed(c, &length_mix, cells, m->length_correction[node], bit);
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
    const unsigned exponent = exponent_of(length);

    m->z = m->y;
    m->y = symbol;
    m->earlier = m->exponent;
    m->exponent = exponent < MAX_STATE ? exponent : MAX_STATE;
    m->last_but_one[symbol] = m->last[symbol];
    m->last[symbol] = m->exponent;
    m->class = exponent < CLASSES - 1 ? exponent : CLASSES - 1;
}

/* Returns the number of bytes written: n if coding does not save any, in which case the bytes are stored. */
static uint64_t encode_segment(model *m, const uint8_t *bytes, uint64_t n, uint8_t *payload)
{
    sb_ref_range c = sb_ref_range_encoder(payload, n - 1);

    start(m);
    for (uint64_t i = 0, length; i < n && !c.full; i += length) {
        for (length = 1; i + length < n && bytes[i + length] == bytes[i];)
            length++;
        code_symbol(&c, m, bytes[i]);
        code_length(&c, m, bytes[i], length);
        pass(m, bytes[i], length);
    }
    sb_ref_range_end(&c);
    if (!c.full)
        return c.used;
    memcpy(payload, bytes, n);
    return n;
}

uint64_t sb_ref_mixcoder_encode(const uint8_t *bytes, uint64_t n, uint64_t segment, uint8_t *payload, uint64_t *offset)
{
    uint64_t written = 0;
    model m;

    for (uint64_t begin = 0, length; begin < n; begin += length) {
        length = segment == 0 || segment > n - begin ? n - begin : segment;
        *offset++ = written;
        written += encode_segment(&m, bytes + begin, length, payload + written);
    }
    return written;
}

static sb_ref_status decode_segment(model *m, const uint8_t *payload, uint64_t payload_bytes, uint8_t *bytes,
                                    uint64_t n)
{
    sb_ref_range c = sb_ref_range_decoder(payload, payload_bytes);

    start(m);
    for (uint64_t i = 0, length; i < n; i += length) {
        unsigned symbol = code_symbol(&c, m, 0);

        length = code_length(&c, m, symbol, 0);
        if (length > n - i || (i > 0 && symbol == m->y))
            return SB_REF_INVALID;
        memset(bytes + i, (int)symbol, length);
        pass(m, symbol, length);
    }
    return sb_ref_range_ended(&c) ? SB_REF_OK : SB_REF_INVALID;
}

sb_ref_status sb_ref_mixcoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                     uint64_t segment, uint8_t *bytes, uint64_t n)
{
    uint64_t segments = sb_ref_range_segments(n, segment);
    model m;

    if (segments == 0 ? payload_bytes != 0 : offset[0] != 0)
        return SB_REF_INVALID;
    for (uint64_t i = 0; i < segments; i++) {
        uint64_t begin = offset[i], end = i + 1 < segments ? offset[i + 1] : payload_bytes, length = n;

        if (segment != 0)
            length = i + 1 < segments ? segment : n - i * segment;
        if (begin > end || end > payload_bytes || end - begin > length)
            return SB_REF_INVALID;
        if (end - begin == length)
            memcpy(bytes, payload + begin, length);
        else if (decode_segment(&m, payload + begin, end - begin, bytes, length) != SB_REF_OK)
            return SB_REF_INVALID;
        bytes += length;
    }
    return SB_REF_OK;
}
