/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.decode/lockstep_4: contract in ref/mixcoder.h.
 *
 * A decision waits for the one before it, and each has few numbers. So one thread decodes four segments in lockstep: each takes
 * its next decision of a symbol in the same step. Two segments share the lanes of a vector. Lengths of runs, mostly one decision,
 * are decoded one after the other. Where fewer than four segments are left, each is decoded alone (speculative.h).
 *
 * Sources: those of ref/mixcoder.h; interleaved entropy coders: F. Giesen, "Interleaved entropy coders", 2014.
 */
#include "speculative.h"

/* SSE2 is part of x86-64. Elsewhere this file has no variant. */
#ifdef __x86_64__
#include <emmintrin.h>

enum { STREAMS = 4, PAIRS = STREAMS / 2 };

/* A symbol of each segment, of which the same number of bits is known. Segments 2 i and 2 i + 1 share the lanes of vector i: 0 to 3
 * are of the first, and 4 to 7 of the second. Lane j of either half is of the recent symbol m[j]. */
typedef struct symbols {
    __m128i bits[PAIRS];  /* the next bit of the recent symbol is the sign */
    __m128i alive[PAIRS]; /* all ones where the recent symbol continues the node */
    uint16_t *after[STREAMS], *after_that[STREAMS], *recency[STREAMS];
    uint64_t node[STREAMS];
} symbols;

SB_INLINE __m128i halves(uint64_t first, uint64_t second)
{
    return _mm_unpacklo_epi64(_mm_cvtsi64_si128((int64_t)first), _mm_cvtsi64_si128((int64_t)second));
}

SB_INLINE __m128i load_halves(const void *first, const void *second)
{
    return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(_mm_loadl_epi64(first)), second));
}

SB_INLINE void store_halves(void *first, void *second, __m128i v)
{
    _mm_storel_epi64(first, v);
    _mm_storeh_pd(second, _mm_castsi128_pd(v));
}

SB_INLINE __m128i load_points(const uint16_t *first, const uint16_t *second)
{
    int32_t a, b;

    memcpy(&a, first, sizeof a);
    memcpy(&b, second, sizeof b);
    return _mm_unpacklo_epi32(_mm_cvtsi32_si128(a), _mm_cvtsi32_si128(b));
}

SB_INLINE void store_points(uint16_t *first, uint16_t *second, __m128i points)
{
    const int32_t a = _mm_cvtsi128_si32(points), b = _mm_cvtsi128_si32(_mm_shuffle_epi32(points, 1));

    memcpy(first, &a, sizeof a);
    memcpy(second, &b, sizeof b);
}

SB_INLINE void start_symbols(const stream *s, symbols *y)
{
    for (int i = 0; i < PAIRS; i++) {
        const sb_mix_model *a = s[2 * i].model, *b = s[2 * i + 1].model;

        y->bits[i] = _mm_slli_epi16(halves(a->m, b->m), 8);
        y->alive[i] = halves(a->begun ? UINT64_MAX : UINT64_MAX << 16, b->begun ? UINT64_MAX : UINT64_MAX << 16);
    }
    for (int i = 0; i < STREAMS; i++) {
        sb_mix_model *m = s[i].model;

        y->after[i] = m->after[m->m & 255];
        y->after_that[i] = m->after_that[m->m >> 16 & 255];
        y->recency[i] = &m->recency[0][0][m->h];
        y->node[i] = 1;
    }
}

/* The next decision of each symbol. */
typedef struct decisions {
    __m128i sign[PAIRS]; /* all ones where the next bit of the recent symbol is 1 */
    __m128i cells[PAIRS], stretched[PAIRS], weights[PAIRS];
    __m128i means[PAIRS], points[PAIRS]; /* of the first segment in lanes 0 and 1, of the second in lanes 2 and 3 */
    uint16_t *cell[STREAMS][4], *point[STREAMS]; /* `point` is the lower of the two points of the correction */
    uint64_t u[STREAMS], mask[STREAMS];          /* `mask` is all ones after a 1 */
} decisions;

SB_INLINE void find_cells(const stream *s, const symbols *y, unsigned depth, decisions *x)
{
#pragma GCC unroll 2
    for (int i = 0; i < PAIRS; i++) {
        const int a = 2 * i, b = a + 1;
        __m128i continues, recency;

        x->sign[i] = _mm_srai_epi16(y->bits[i], 15);
        /* 0 where the recent symbol does not continue the node, and otherwise 1 + its next bit */
        continues = _mm_and_si128(_mm_sub_epi16(_mm_set1_epi16(1), x->sign[i]), y->alive[i]);
        x->u[a] = (uint64_t)_mm_extract_epi16(continues, 0);
        x->u[b] = (uint64_t)_mm_extract_epi16(continues, 4);
        /* v[1] + 3 v[2] + 9 v[3], times the 32 cells of each */
        recency = _mm_madd_epi16(continues, _mm_set_epi16(288, 96, 32, 0, 288, 96, 32, 0));
        recency = _mm_add_epi32(recency, _mm_srli_epi64(recency, 32));
        x->cell[a][3] = y->recency[a] + (uint64_t)_mm_extract_epi16(recency, 0) + 4 * depth;
        x->cell[b][3] = y->recency[b] + (uint64_t)_mm_extract_epi16(recency, 4) + 4 * depth;
    }
#pragma GCC unroll 4
    for (int i = 0; i < STREAMS; i++) {
        x->cell[i][0] = s[i].model->recent + y->node[i];
        x->cell[i][1] = y->after[i] + y->node[i];
        x->cell[i][2] = y->after_that[i] + y->node[i];
        x->point[i] = s[i].model->symbol_correction[x->u[i]][y->node[i]];
        __builtin_prefetch(x->point[i] + SB_MIX_POINTS / 2, 1); /* which of them is known 40 cycles later */
    }
}

SB_INLINE void load_cells(decisions *x)
{
    const int16_t *const t = sb_mix_made.stretch;

#pragma GCC unroll 2
    for (int i = 0; i < PAIRS; i++) {
        uint16_t *const *const a = x->cell[2 * i], *const *const b = x->cell[2 * i + 1];
        const uint64_t c0 = *a[0], c1 = *a[1], c2 = *a[2], c3 = *a[3], c4 = *b[0], c5 = *b[1], c6 = *b[2], c7 = *b[3];
        __m128i v = _mm_cvtsi32_si128((int)c0);

        v = _mm_insert_epi16(v, (int)c1, 1);
        v = _mm_insert_epi16(v, (int)c2, 2);
        v = _mm_insert_epi16(v, (int)c3, 3);
        v = _mm_insert_epi16(v, (int)c4, 4);
        v = _mm_insert_epi16(v, (int)c5, 5);
        v = _mm_insert_epi16(v, (int)c6, 6);
        x->cells[i] = _mm_insert_epi16(v, (int)c7, 7);
        v = _mm_cvtsi32_si128(t[c0 >> 4]);
        v = _mm_insert_epi16(v, t[c1 >> 4], 1);
        v = _mm_insert_epi16(v, t[c2 >> 4], 2);
        v = _mm_insert_epi16(v, t[c3 >> 4], 3);
        v = _mm_insert_epi16(v, t[c4 >> 4], 4);
        v = _mm_insert_epi16(v, t[c5 >> 4], 5);
        v = _mm_insert_epi16(v, t[c6 >> 4], 6);
        x->stretched[i] = _mm_insert_epi16(v, t[c7 >> 4], 7);
    }
}

/* Steps 1 to 3 of a mixed decision (ref/mixcoder.h): the probability of a 1, of pair i in lanes 0 and 1 of p[i]. */
SB_INLINE void predict_pairs(const stream *s, unsigned depth, decisions *x, __m128i p[PAIRS])
{
    const __m128i max_d = _mm_set1_epi16(SB_MIX_MAX_D), min_d = _mm_set1_epi16(-SB_MIX_MAX_D);
    const __m128i bias = _mm_set1_epi16(-32768);
    __m128i d[PAIRS];

#pragma GCC unroll 2
    for (int i = 0; i < PAIRS; i++) {
        x->weights[i] = load_halves(s[2 * i].model->symbol_weight[depth], s[2 * i + 1].model->symbol_weight[depth]);
        d[i] = _mm_madd_epi16(x->stretched[i], x->weights[i]);
        d[i] = _mm_srai_epi32(_mm_add_epi32(d[i], _mm_shuffle_epi32(d[i], _MM_SHUFFLE(2, 3, 0, 1))), 14);
        d[i] = _mm_packs_epi32(d[i], d[i]);
        d[i] = _mm_add_epi16(_mm_min_epi16(_mm_max_epi16(d[i], min_d), max_d), _mm_set1_epi16(2048));
    }
#pragma GCC unroll 2
    for (int i = 0; i < PAIRS; i++) {
        const uint64_t place0 = (uint64_t)_mm_extract_epi16(d[i], 0), place1 = (uint64_t)_mm_extract_epi16(d[i], 2);

        x->point[2 * i] += place0 >> 8;
        x->point[2 * i + 1] += place1 >> 8;
        x->means[i] = _mm_insert_epi16(_mm_cvtsi32_si128(sb_mix_made.squash[place0]), sb_mix_made.squash[place1], 2);
        x->points[i] = load_points(x->point[2 * i], x->point[2 * i + 1]);
    }
    /* Step 2 as in speculative.h */
#pragma GCC unroll 2
    for (int i = 0; i < PAIRS; i++) {
        __m128i fractions = _mm_and_si128(d[i], _mm_set1_epi16(255));

        fractions = _mm_add_epi16(_mm_xor_si128(fractions, _mm_set1_epi32(65535)), _mm_set1_epi32(257));
        p[i] = _mm_srai_epi32(_mm_madd_epi16(_mm_xor_si128(x->points[i], bias), fractions), 8);
        p[i] = _mm_sub_epi32(_mm_srai_epi32(_mm_add_epi32(p[i], x->means[i]), 1), _mm_set1_epi32(16384));
        p[i] = _mm_packs_epi32(p[i], p[i]); /* p - 32768, which fits a signed lane */
        p[i] = _mm_max_epi16(p[i], _mm_set1_epi16(SB_MIX_MIN_P - 32768));
        p[i] = _mm_xor_si128(_mm_min_epi16(p[i], _mm_set1_epi16(32768 - SB_MIX_MIN_P)), bias);
    }
}

/* Step 4 */
SB_INLINE void decide_all(const job *j, stream *s, unsigned depth, const __m128i p[PAIRS], decisions *x)
{
#pragma GCC unroll 4
    for (int i = 0; i < STREAMS; i++) {
        const int one = i % 2 == 0 ? _mm_extract_epi16(p[i / 2], 0) : _mm_extract_epi16(p[i / 2], 1);

        if (depth == 7 && x->u[i] != 0) /* the bit is the one that m[0] does not have */
            x->mask[i] = x->u[i] - 2;
        else
            x->mask[i] = choose(&s[i].in, (uint64_t)one);
    }
#pragma GCC unroll 4
    for (int i = 0; i < STREAMS; i++)
        normalise(j, &s[i].in);
}

/* Steps 5 and 6. A bit that was known teaches nothing. */
SB_INLINE void learn_pair(stream *s, unsigned depth, decisions *x, int i, __m128i ones)
{
    const int a = 2 * i, b = a + 1;
    const __m128i known = halves(0 - (uint64_t)(x->u[a] != 0), 0 - (uint64_t)(x->u[b] != 0));
    const __m128i half = _mm_set1_epi32(1 << 17), pairs = _mm_shuffle_epi32(ones, _MM_SHUFFLE(2, 0, 2, 0));
    const __m128i scale = _mm_set_epi16(1 << 12, 1 << 13, 1 << 13, 1 << 14, 1 << 12, 1 << 13, 1 << 13, 1 << 14);
    __m128i error, low, high, e;

    /* (65536 bit - mean) >> 1, rounded down: pavgw rounds up */
    error = _mm_shufflelo_epi16(_mm_shuffle_epi32(x->means[i], _MM_SHUFFLE(1, 1, 0, 0)), 0);
    error = _mm_avg_epu16(_mm_shufflehi_epi16(error, 0), _mm_setzero_si128());
    error = _mm_sub_epi16(_mm_and_si128(ones, _mm_set1_epi16(-32768)), error);
    if (depth == 7)
        error = _mm_andnot_si128(known, error);
    low = _mm_mullo_epi16(x->stretched[i], error);
    e = _mm_mulhi_epi16(x->stretched[i], error);
    high = _mm_srai_epi32(_mm_add_epi32(_mm_unpackhi_epi16(low, e), half), 18);
    low = _mm_srai_epi32(_mm_add_epi32(_mm_unpacklo_epi16(low, e), half), 18);
    store_halves(s[a].model->symbol_weight[depth], s[b].model->symbol_weight[depth],
                 _mm_adds_epi16(x->weights[i], _mm_packs_epi32(low, high)));
    e = _mm_xor_si128(x->cells[i], ones);
    low = _mm_mulhi_epu16(e, scale);
    if (depth == 7)
        low = _mm_andnot_si128(known, low);
    e = _mm_xor_si128(_mm_sub_epi16(e, low), ones);
    *x->cell[a][0] = (uint16_t)_mm_extract_epi16(e, 0);
    *x->cell[a][1] = (uint16_t)_mm_extract_epi16(e, 1);
    *x->cell[a][2] = (uint16_t)_mm_extract_epi16(e, 2);
    *x->cell[a][3] = (uint16_t)_mm_extract_epi16(e, 3);
    *x->cell[b][0] = (uint16_t)_mm_extract_epi16(e, 4);
    *x->cell[b][1] = (uint16_t)_mm_extract_epi16(e, 5);
    *x->cell[b][2] = (uint16_t)_mm_extract_epi16(e, 6);
    *x->cell[b][3] = (uint16_t)_mm_extract_epi16(e, 7);
    e = _mm_xor_si128(x->points[i], pairs);
    low = _mm_srli_epi16(e, 5);
    if (depth == 7)
        low = _mm_andnot_si128(_mm_shuffle_epi32(known, _MM_SHUFFLE(2, 0, 2, 0)), low);
    store_points(x->point[a], x->point[b], _mm_xor_si128(_mm_sub_epi16(e, low), pairs));
}

/* A bit of each symbol. Each step is done for all segments before the next, since a processor looks only some 250 instructions
 * ahead: the bit of one pair after that of the other would take as long as their latencies together. */
SB_INLINE void decode_bits(const job *j, stream *s, symbols *y, unsigned depth)
{
    decisions x;
    __m128i p[PAIRS];

    find_cells(s, y, depth, &x);
    load_cells(&x);
    predict_pairs(s, depth, &x, p);
    decide_all(j, s, depth, p, &x);
#pragma GCC unroll 2
    for (int i = 0; i < PAIRS; i++) {
        const __m128i ones = halves(x.mask[2 * i], x.mask[2 * i + 1]);

        learn_pair(s, depth, &x, i, ones);
        y->alive[i] = _mm_andnot_si128(_mm_xor_si128(x.sign[i], ones), y->alive[i]);
        y->bits[i] = _mm_add_epi16(y->bits[i], y->bits[i]);
        y->node[2 * i] = 2 * y->node[2 * i] - x.mask[2 * i];
        y->node[2 * i + 1] = 2 * y->node[2 * i + 1] - x.mask[2 * i + 1];
    }
}

/* The first lines of the tables of the next symbol: the next run is of nodes in them first, but the lengths come before. */
SB_INLINE void prefetch_tables(const sb_mix_model *m, unsigned symbol)
{
    const unsigned before = m->m & 255;

    for (int line = 0; line < 2; line++) {
        __builtin_prefetch(&m->after[symbol][32 * line], 1);
        __builtin_prefetch(&m->after_that[before][32 * line], 1);
    }
}

/* Decodes a run of each stream in turn until one is at its end. AVX has the same instructions with a third operand, so that values
 * need not be copied. Without it lockstep was measured to be no faster than one stream after the other. */
__attribute__((target("avx"))) static bool decode_four(const job *j, stream *streams)
{
    stream s[STREAMS];
    bool running = true, valid = true;

    memcpy(s, streams, sizeof s);
    while (running && valid) {
        symbols y;

        start_symbols(s, &y);
        for (unsigned depth = 0; depth < 7; depth++)
            decode_bits(j, s, &y, depth);
        decode_bits(j, s, &y, 7);
        for (int i = 0; i < STREAMS; i++)
            prefetch_tables(s[i].model, y.node[i] & 255);
        for (int i = 0; i < STREAMS && valid; i++) {
            valid = finish_run(j, &s[i], y.node[i] & 255);
            running &= s[i].in.position < s[i].in.end;
        }
    }
    memcpy(streams, s, sizeof s);
    return valid;
}

static bool runs(const job *j, stream *streams, int count)
{
    return count == STREAMS && __builtin_cpu_supports("avx") ? decode_four(j, streams) : decode_first(j, streams);
}

static uint64_t workspace_4(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    return models_of(inputs, STREAMS);
}

static sb_status launch_4(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, STREAMS, runs);
}

#endif

extern const sb_variant sb_cpu_mixcoder_decode_lockstep[];
const sb_variant sb_cpu_mixcoder_decode_lockstep[] = {
#ifdef __x86_64__
    {"mixcoder.decode", "lockstep_4", "four segments in lockstep", NULL, workspace_4, launch_4},
#endif
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
