/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The models of ref/mixcoder.h for variants of the CPU: the same cells, but no step branches on a bit, which nobody can
 * predict. Encoder and decoder include this file, and define what a decision does with the coder. Short loops are unrolled, so that
 * what they compute stays in registers: gcc does that at -O3 only, and it saves 4 to 6% of the time.
 */
#ifndef CPU_MIXCODER_MODEL_H
#define CPU_MIXCODER_MODEL_H

#include "../rangecoder/segments.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    SB_MIX_POINTS = 17,
    SB_MIX_RECENCIES = 27,
    SB_MIX_NODES = 29,
    SB_MIX_LAST_NODE = 19,
    SB_MIX_MAX_EXPONENT = 31,
    SB_MIX_MAX_MODELLED = 8,
    SB_MIX_MAX_STATE = 3,
    SB_MIX_MAX_D = 2047,
    SB_MIX_MIN_P = 32
};

typedef struct sb_mix_tables {
    int16_t stretch[4096]; /* of cell / 16 */
    uint16_t squash[4096]; /* of d + 2048 */
} sb_mix_tables;

typedef struct sb_mix_model {
    uint16_t recent[256], after[256][256], after_that[256][256], recency[SB_MIX_RECENCIES][8][4];
    uint16_t of[256][SB_MIX_NODES], state[256][SB_MIX_NODES], second[SB_MIX_MAX_MODELLED + 1][2];
    uint16_t symbol_correction[3][256][SB_MIX_POINTS], length_correction[SB_MIX_NODES][SB_MIX_POINTS];
    _Alignas(16) int16_t symbol_weight[8][4];
    int16_t length_weight[SB_MIX_NODES][2];
    uint8_t last[256];
    bool has_rows[256]; /* after[symbol] and after_that[symbol] are set */
    uint64_t m;         /* the four recent symbols, m[j] in bits 16 j to 16 j + 7 */
    bool begun;
    unsigned h, exponent, earlier;
} sb_mix_model;

static const uint64_t sb_mix_ones = 0x0001000100010001; /* a 1 in each of four lanes of 16 bits */

/* A mixed decision of at most four cells. */
typedef struct sb_mix_decision {
    uint16_t *cell[4], *point; /* `point` is the lower of the two points of the correction */
    int16_t *weight;
    int32_t stretched[4];
    uint32_t mean;
} sb_mix_decision;

static sb_mix_tables sb_mix_made;

static void sb_mix_fill_tables(void)
{
    static const uint16_t logistic[] = {22,    36,    60,    98,    162,   267,   439,   720,   1179,  1921,  3108,
                                        4971,  7812,  11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565,
                                        62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514};
    sb_mix_tables *t = &sb_mix_made;
    unsigned d = 2048 - SB_MIX_MAX_D;

    for (unsigned i = 0; i < 4096; i++)
        t->squash[i] = (uint16_t)((logistic[i / 128] * (128 - i % 128) + logistic[i / 128 + 1] * (i % 128)) >> 7);
    for (unsigned i = 0; i < 4096; i++) {
        while (d < 2048 + SB_MIX_MAX_D && t->squash[d] < 16 * i)
            d++;
        t->stretch[i] = (int16_t)((int)d - 2048);
    }
}

/* What all segments share. It is computed once: that takes as long as coding some hundred bytes. */
static inline void sb_mix_make_tables(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, sb_mix_fill_tables);
}

static inline void sb_mix_fill(void *cells, size_t bytes)
{
    uint16_t *const to = cells;

    for (size_t c = 0; c < bytes / 2; c++)
        to[c] = 32768;
}

static inline void sb_mix_start_rows(sb_mix_model *m, unsigned symbol)
{
    sb_mix_fill(m->after[symbol], sizeof m->after[symbol]);
    sb_mix_fill(m->after_that[symbol], sizeof m->after_that[symbol]);
    m->has_rows[symbol] = true;
}

/* Nine tenths of the 290 KB are rows of symbols. Those are set when their symbol has come, which a short segment has few of: to set all
 * took as long as all else for 100 bytes. */
static inline void sb_mix_start(sb_mix_model *m)
{
    uint16_t *const end = m->symbol_correction[0][0];
    uint16_t *const last = end + sizeof m->symbol_correction / 2 + sizeof m->length_correction / 2;

    sb_mix_fill(m->recent, sizeof m->recent);
    sb_mix_fill(m->recency, sizeof m->recency);
    sb_mix_fill(m->of, sizeof m->of);
    sb_mix_fill(m->state, sizeof m->state);
    sb_mix_fill(m->second, sizeof m->second);
    memset(m->has_rows, 0, sizeof m->has_rows);
    for (unsigned i = 0; i < SB_MIX_POINTS; i++)
        end[i] = i < SB_MIX_POINTS - 1 ? sb_mix_made.squash[256 * i] : 65514;
    for (uint16_t *c = end + SB_MIX_POINTS; c < last; c += SB_MIX_POINTS)
        memcpy(c, end, 2 * SB_MIX_POINTS);
    for (int i = 0; i < 8 * 4; i++)
        m->symbol_weight[i / 4][i % 4] = 6144;
    for (int i = 0; i < SB_MIX_NODES * 2; i++)
        m->length_weight[i / 2][i % 2] = 8192;
    memset(m->last, 0, sizeof m->last);
    m->m = 0x0003000200010000;
    for (unsigned symbol = 0; symbol < 4; symbol++) /* those of m */
        sb_mix_start_rows(m, symbol);
    m->begun = false;
    m->h = m->exponent = m->earlier = 0;
}

SB_INLINE uint32_t sb_mix_limit(uint32_t p)
{
    p = p < SB_MIX_MIN_P ? SB_MIX_MIN_P : p;
    return p > 65536 - SB_MIX_MIN_P ? 65536 - SB_MIX_MIN_P : p;
}

/* The probability of a 1. x->point begins as the first point of the correction. */
SB_INLINE uint32_t sb_mix_predict(sb_mix_decision *x, int cells)
{
    int32_t d = 0;
    uint32_t place, fraction;

#pragma GCC unroll 4
    for (int k = 0; k < cells; k++) {
        x->stretched[k] = sb_mix_made.stretch[*x->cell[k] / 16];
        d += x->weight[k] * x->stretched[k];
    }
    d >>= 14;
    d = d < -SB_MIX_MAX_D ? -SB_MIX_MAX_D : d;
    d = d > SB_MIX_MAX_D ? SB_MIX_MAX_D : d;
    place = (uint32_t)(d + 2048);
    fraction = place % 256;
    x->mean = sb_mix_made.squash[place];
    x->point += place / 256;
    return sb_mix_limit((x->mean + ((x->point[0] * (256 - fraction) + x->point[1] * fraction) >> 8)) >> 1);
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

SB_INLINE void sb_mix_learn(const sb_mix_decision *x, int cells, uint32_t mask, const unsigned *shift)
{
    const int32_t error = ((int32_t)(mask & 65536) - (int32_t)x->mean) >> 1;

#pragma GCC unroll 4
    for (int k = 0; k < cells; k++) {
        int32_t w = x->weight[k] + ((x->stretched[k] * error + (1 << 17)) >> 18);

        w = w < INT16_MIN ? INT16_MIN : w;
        x->weight[k] = (int16_t)(w > INT16_MAX ? INT16_MAX : w);
        sb_mix_adapt(x->cell[k], mask, shift[k]);
    }
    sb_mix_adapt_points(x->point, mask);
}

/* The way of a symbol's bits among those of the recent symbols, four lanes of 16 bits, and the tables of the symbol. */
typedef struct sb_mix_path {
    uint64_t bits;  /* the next bit of m[j] is bit 16 j + 7 */
    uint64_t alive; /* lane j is all ones if m[j] continues the node */
    uint16_t *after, *after_that, *recency;
} sb_mix_path;

SB_INLINE sb_mix_path sb_mix_start_path(sb_mix_model *m)
{
    return (sb_mix_path){m->m, m->begun ? UINT64_MAX : UINT64_MAX << 16, m->after[m->m & 255],
                         m->after_that[m->m >> 16 & 255], &m->recency[0][0][m->h]};
}

/* In lane j: 0 if m[j] does not continue the node, and otherwise 1 + its next bit. */
SB_INLINE uint64_t sb_mix_continues(const sb_mix_path *p)
{
    return ((p->bits >> 7 & sb_mix_ones) + sb_mix_ones) & p->alive;
}

/* The cell of the recency at a depth. */
SB_INLINE uint16_t *sb_mix_recency(const sb_mix_path *p, uint64_t continues, unsigned depth)
{
    /* The highest lane of the product is the sum of 1, 3 and 9 times lanes 1, 2 and 3: no lane below overflows. */
    return &p->recency[32 * ((continues * 0x0000000100030009) >> 48) + 4 * depth];
}

SB_INLINE void sb_mix_follow(sb_mix_path *p, uint32_t mask)
{
    const uint64_t same = (p->bits >> 7 ^ ~(uint64_t)(int32_t)mask) & sb_mix_ones;

    p->alive &= (same << 16) - same;
    p->bits <<= 1;
}

SB_INLINE sb_mix_decision sb_mix_symbol_decision(sb_mix_model *m, const sb_mix_path *p, uint64_t continues,
                                                 unsigned node, unsigned depth)
{
    return (sb_mix_decision){
        .cell = {&m->recent[node], &p->after[node], &p->after_that[node], sb_mix_recency(p, continues, depth)},
        .point = m->symbol_correction[continues & 3][node],
        .weight = m->symbol_weight[depth],
    };
}

static const unsigned sb_mix_symbol_shift[] = {2, 3, 3, 4}, sb_mix_length_shift[] = {4, 5};

/* The place of a symbol among the recent ones; 4 if it is none. */
SB_INLINE unsigned sb_mix_place(const sb_mix_model *m, unsigned symbol)
{
    const uint64_t differs = m->m ^ symbol * sb_mix_ones;
    const uint64_t zeros = (differs - sb_mix_ones) & ~differs & sb_mix_ones << 15; /* the lowest is exact */

    return zeros == 0 ? 4 : (unsigned)__builtin_ctzll(zeros) / 16;
}

/* The cells of node 0 of the length of a run of a symbol at a place among the recent ones. */
SB_INLINE sb_mix_decision sb_mix_length_root(sb_mix_model *m, unsigned symbol, unsigned place)
{
    const unsigned r = place - (place > 0);

    return (sb_mix_decision){
        .cell = {m->of[symbol], m->state[64 * r + 16 * m->exponent + 4u * m->last[symbol] + m->earlier]},
        .point = m->length_correction[0],
        .weight = m->length_weight[0],
    };
}

SB_INLINE sb_mix_decision sb_mix_length_node(const sb_mix_decision *x, unsigned node)
{
    return (sb_mix_decision){.cell = {x->cell[0] + node, x->cell[1] + node},
                             .point = x->point + SB_MIX_POINTS * node,
                             .weight = x->weight + 2 * node};
}

/* Makes a run the one before the next. */
SB_INLINE void sb_mix_pass(sb_mix_model *m, unsigned symbol, unsigned place, unsigned exponent)
{
    static const uint64_t moved[] = {0xffff, 0xffffffff, 0xffffffffffff, UINT64_MAX, UINT64_MAX};

    if (place == 4 && !m->has_rows[symbol])
        sb_mix_start_rows(m, symbol);
    m->m = (m->m & ~moved[place]) | ((m->m << 16 | symbol) & moved[place]);
    m->begun = true;
    m->h = (2 * m->h & 3) + (place == 1);
    m->earlier = m->exponent;
    m->exponent = exponent < SB_MIX_MAX_STATE ? exponent : SB_MIX_MAX_STATE;
    m->last[symbol] = (uint8_t)m->exponent;
}

#endif
