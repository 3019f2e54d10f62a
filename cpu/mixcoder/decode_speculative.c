/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.decode/speculative: contract in ref/mixcoder.h.
 *
 * A decision of a symbol chooses one of two nodes, whose cells are neighbours in memory. While a decision is taken, both
 * nodes that may follow it are predicted in one vector; the decision then selects a prediction. So the chain of
 * dependences from one decision to the next is only the range decoder. What a decision teaches are cells of its own
 * node, and so never those of the nodes that were predicted meanwhile.
 *
 * Sources: those of ref/mixcoder.h.
 */
#include "stream.h"

/* SSE2 is part of x86-64. Elsewhere this file has no variant. */
#ifdef __x86_64__
#include <emmintrin.h>

/* A node of a symbol, the lower of its two points in use, and its prediction. */
typedef struct guess {
    unsigned node;
    uint16_t *point;
    uint32_t p;
} guess;

SB_INLINE guess predict_root(const stream *s)
{
    sb_mix_cells x = sb_mix_symbol_cells(s->model, 1);
    const uint32_t p = sb_mix_predict(&x, 3);

    return (guess){1, x.point, p};
}

SB_INLINE __m128i load_pair(const uint16_t *from)
{
    int32_t pair;

    memcpy(&pair, from, sizeof pair);
    return _mm_cvtsi32_si128(pair);
}

/* Predicts two neighbours as sb_mix_predict does, with products of signed numbers of 16 bits. For that, cells and points
 * are taken 32768 too small. The weights add up to powers of two, so the sums are divided by them without another
 * remainder, and the mean, the corrected mean and the probability are 32768 too small, too. The probabilities are the
 * halves of the result, that of `node` below. point[0] and point[1] become the lower points in use. */
SB_INLINE uint32_t predict_pair(sb_mix_model *m, unsigned node, uint16_t *point[2])
{
    const __m128i bias = _mm_set1_epi16(-32768);
    const __m128i ab = _mm_unpacklo_epi16(load_pair(&m->recent[node]), load_pair(&m->after[m->y][node]));
    const __m128i c = _mm_unpacklo_epi16(load_pair(&m->after_that[m->z][node]), bias);
    const __m128i weighted_ab = _mm_madd_epi16(_mm_xor_si128(ab, bias), _mm_set1_epi32(7 << 16 | 5));
    const __m128i weighted_c = _mm_madd_epi16(_mm_xor_si128(c, bias), _mm_set1_epi32(4));
    const __m128i mean = _mm_srai_epi32(_mm_add_epi32(weighted_ab, weighted_c), 4);
    const int64_t index = _mm_cvtsi128_si64(_mm_srai_epi32(mean, 12)); /* two numbers, -8 to 7 */
    uint16_t *const points = m->symbol_correction[m->class][node] + 8;
    const __m128i fraction = _mm_and_si128(mean, _mm_set1_epi32(4095));
    /* 4096 - fraction in the lower half, fraction in the upper */
    const __m128i weights = _mm_add_epi32(_mm_sub_epi32(_mm_slli_epi32(fraction, 16), fraction), _mm_set1_epi32(4096));
    __m128i pairs, corrected, sum, p;

    point[0] = points + (int32_t)index;
    point[1] = points + SB_MIX_POINTS + (index >> 32);
    pairs = _mm_xor_si128(_mm_unpacklo_epi32(load_pair(point[0]), load_pair(point[1])), bias);
    corrected = _mm_srai_epi32(_mm_madd_epi16(pairs, weights), 12);
    sum = _mm_add_epi32(_mm_add_epi32(mean, corrected), _mm_add_epi32(corrected, corrected));
    p = _mm_packs_epi32(_mm_srai_epi32(sum, 2), sum);
    p = _mm_max_epi16(p, _mm_set1_epi16(SB_MIX_MIN_P - 32768));
    p = _mm_min_epi16(p, _mm_set1_epi16(32768 - SB_MIX_MIN_P));
    return (uint32_t)_mm_cvtsi128_si32(_mm_xor_si128(p, bias));
}

SB_INLINE void learn(const stream *s, const guess *g, uint32_t mask)
{
    sb_mix_cells x = sb_mix_symbol_cells(s->model, g->node);

    x.point = g->point;
    sb_mix_learn(&x, mask, 2, 3, 3);
}

SB_INLINE void symbol_bit(const job *j, stream *s, guess *g)
{
    const unsigned node = 2 * g->node;
    uint16_t *point[2];
    const uint32_t p = predict_pair(s->model, node, point), mask = decide(j, s, g->p);

    learn(s, g, mask);
    *g = (guess){node - mask, mask != 0 ? point[1] : point[0], p >> (mask & 16) & 65535};
}

SB_INLINE unsigned last_bit(const job *j, stream *s, const guess *g)
{
    const uint32_t mask = decide(j, s, g->p);

    learn(s, g, mask);
    return (2 * g->node - mask) & 255;
}

/* Decodes a segment. False: a run is invalid. */
static bool run(const job *j, stream *from)
{
    stream s = *from; /* in registers */
    bool valid = true;

    do {
        guess g = predict_root(&s);

        for (int i = 0; i < 7; i++)
            symbol_bit(j, &s, &g);
        valid = finish_run(j, &s, last_bit(j, &s, &g));
    } while (valid && s.position < s.end);
    *from = s;
    return valid;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    job j = job_of(parameters, inputs, outputs);
    stream s = {.model = workspace};
    int taken;

    if (begins_badly(&j))
        return SB_INVALID;
    while ((taken = next_segment(&j, &s)) > 0)
        if (!run(&j, &s) || !ended_well(&s))
            return SB_INVALID;
    return taken == 0 ? SB_OK : SB_INVALID;
}

static uint64_t workspace(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters, (void)inputs;
    return sizeof(sb_mix_model);
}

#endif

extern const sb_variant sb_cpu_mixcoder_decode_speculative[];
const sb_variant sb_cpu_mixcoder_decode_speculative[] = {
#ifdef __x86_64__
    {"mixcoder.decode", "speculative", "both next decisions predicted ahead", NULL, workspace, launch},
#endif
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
