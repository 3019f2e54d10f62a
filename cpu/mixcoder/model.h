/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The models of ref/mixcoder.h for variants of the CPU: the same cells, but no step branches on a bit, which nobody can
 * predict. Encoder and decoder include this file, and define what a decision does with the coder.
 */
#ifndef CPU_MIXCODER_MODEL_H
#define CPU_MIXCODER_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SB_INLINE static inline __attribute__((always_inline))

enum {
    SB_MIX_POINTS = 17,
    SB_MIX_CLASSES = 3,
    SB_MIX_NODES = 29,
    SB_MIX_LAST_NODE = 19,
    SB_MIX_MAX_EXPONENT = 31,
    SB_MIX_MAX_MODELLED = 8,
    SB_MIX_MAX_STATE = 3,
    SB_MIX_MIN_P = 32
};

typedef struct sb_mix_model {
    uint16_t recent[256], after[256][256], after_that[256][256];
    uint16_t of[256][SB_MIX_NODES], state[256][SB_MIX_NODES], next_to[256][SB_MIX_NODES],
        second[SB_MIX_MAX_MODELLED + 1][2];
    uint16_t symbol_correction[SB_MIX_CLASSES][256][SB_MIX_POINTS], length_correction[SB_MIX_NODES][SB_MIX_POINTS];
    uint8_t last[256], last_but_one[256];
    unsigned y, z, exponent, earlier, class;
} sb_mix_model;

/* The cells of a mixed decision. */
typedef struct sb_mix_cells {
    uint16_t *a, *b, *c, *point;
} sb_mix_cells;

static inline void sb_mix_start(sb_mix_model *m)
{
    uint16_t *const first = m->recent, *const end = m->symbol_correction[0][0];
    uint16_t *const last = end + sizeof m->symbol_correction / 2 + sizeof m->length_correction / 2;

    for (uint16_t *c = first; c < end; c++)
        *c = 32768;
    for (uint16_t *c = end; c < last; c += SB_MIX_POINTS)
        for (unsigned i = 0; i < SB_MIX_POINTS; i++)
            c[i] = (uint16_t)(4096 * i - (i == SB_MIX_POINTS - 1));
    memset(m->last, 0, sizeof m->last + sizeof m->last_but_one);
    m->y = m->z = m->exponent = m->earlier = m->class = 0;
}

SB_INLINE uint32_t sb_mix_limit(uint32_t p)
{
    p = p < SB_MIX_MIN_P ? SB_MIX_MIN_P : p;
    return p > 65536 - SB_MIX_MIN_P ? 65536 - SB_MIX_MIN_P : p;
}

/* The probability of a 1. `correction` becomes a pointer to the lower of the two points in use. */
SB_INLINE uint32_t sb_mix_predict(sb_mix_cells *x, unsigned corrected_weight)
{
    const uint32_t mean = (5u * *x->a + 7u * *x->b + 4u * *x->c) >> 4, fraction = mean % 4096;
    uint32_t corrected;

    x->point += mean / 4096;
    corrected = (x->point[0] * (4096 - fraction) + x->point[1] * fraction) >> 12;
    return sb_mix_limit(((4 - corrected_weight) * mean + corrected_weight * corrected) >> 2);
}

/* `mask` is all ones after a 1, and 0 after a 0. After a 1, 65535 - e adapts as e does after a 0, and that is e with all bits
 * inverted. */
SB_INLINE void sb_mix_adapt(uint16_t *cell, uint32_t mask, unsigned shift)
{
    const uint32_t e = (*cell ^ mask) & 65535;

    *cell = (uint16_t)((e - (e >> shift)) ^ mask);
}

/* Two adjacent cells at once, as halves of a word: no half borrows from the other, since a step is at most the cell. */
SB_INLINE void sb_mix_adapt_points(uint16_t *cell, uint32_t mask)
{
    uint32_t e = (cell[0] | (uint32_t)cell[1] << 16) ^ mask;

    e = (e - (e >> 5 & 0x07ff07ff)) ^ mask;
    cell[0] = (uint16_t)e;
    cell[1] = (uint16_t)(e >> 16);
}

SB_INLINE void sb_mix_learn(const sb_mix_cells *x, uint32_t mask, unsigned a, unsigned b, unsigned c)
{
    sb_mix_adapt(x->a, mask, a);
    sb_mix_adapt(x->b, mask, b);
    sb_mix_adapt(x->c, mask, c);
    sb_mix_adapt_points(x->point, mask);
}

SB_INLINE sb_mix_cells sb_mix_symbol_cells(sb_mix_model *m, unsigned node)
{
    return (sb_mix_cells){&m->recent[node], &m->after[m->y][node], &m->after_that[m->z][node],
                          m->symbol_correction[m->class][node]};
}

/* The cells of node 0 of the length of a run. */
SB_INLINE sb_mix_cells sb_mix_length_cells(sb_mix_model *m, unsigned symbol)
{
    const unsigned state = 64 * m->exponent + 16 * m->earlier + 4u * m->last[symbol] + m->last_but_one[symbol];

    return (sb_mix_cells){m->of[symbol], m->state[state], m->next_to[m->y], m->length_correction[0]};
}

SB_INLINE sb_mix_cells sb_mix_length_node(const sb_mix_cells *x, unsigned node)
{
    return (sb_mix_cells){x->a + node, x->b + node, x->c + node, x->point + SB_MIX_POINTS * node};
}

/* Makes a run the one before the next. */
SB_INLINE void sb_mix_pass(sb_mix_model *m, unsigned symbol, unsigned exponent)
{
    m->z = m->y;
    m->y = symbol;
    m->earlier = m->exponent;
    m->exponent = exponent < SB_MIX_MAX_STATE ? exponent : SB_MIX_MAX_STATE;
    m->last_but_one[symbol] = m->last[symbol];
    m->last[symbol] = (uint8_t)m->exponent;
    m->class = exponent < SB_MIX_CLASSES - 1 ? exponent : SB_MIX_CLASSES - 1;
}

static inline uint64_t sb_mix_segment_end(uint64_t begin, uint64_t segment, uint64_t n)
{
    return segment == 0 || segment > n - begin ? n : begin + segment;
}

#endif
