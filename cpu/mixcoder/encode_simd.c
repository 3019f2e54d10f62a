/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.encode/simd: contract in ref/mixcoder.h.
 *
 * The eight decisions of a symbol are those of eight nodes of different depth. So no decision has a cell of another, and
 * an encoder, which knows all bits, predicts the eight and lets their cells adapt in vectors of eight numbers of 16
 * bits. Only the range coder takes them one by one.
 *
 * Sources: those of ref/mixcoder.h.
 */
#include "coder.h"

/* SSE2 is part of x86-64. Elsewhere this file has no variant. */
#ifdef __x86_64__
#include <emmintrin.h>

enum { BITS = 8 };

typedef union lanes {
    __m128i vector;
    uint16_t lane[BITS];
    uint32_t pair[BITS / 2];
} lanes;

/* Node k is the k topmost bits of the symbol behind a 1: (256 + symbol) >> (8 - k). */
SB_INLINE __m128i nodes_of(unsigned symbol)
{
    return _mm_mulhi_epu16(_mm_set1_epi16((short)(256 | symbol)),
                           _mm_set_epi16(-32768, 16384, 8192, 4096, 2048, 1024, 512, 256));
}

SB_INLINE __m128i gather(const uint16_t *cells, const lanes *nodes)
{
    __m128i v = _mm_cvtsi32_si128(cells[nodes->lane[0]]);

    v = _mm_insert_epi16(v, cells[nodes->lane[1]], 1);
    v = _mm_insert_epi16(v, cells[nodes->lane[2]], 2);
    v = _mm_insert_epi16(v, cells[nodes->lane[3]], 3);
    v = _mm_insert_epi16(v, cells[nodes->lane[4]], 4);
    v = _mm_insert_epi16(v, cells[nodes->lane[5]], 5);
    v = _mm_insert_epi16(v, cells[nodes->lane[6]], 6);
    return _mm_insert_epi16(v, cells[nodes->lane[7]], 7);
}

SB_INLINE void scatter(uint16_t *cells, const lanes *nodes, __m128i values)
{
    cells[nodes->lane[0]] = (uint16_t)_mm_extract_epi16(values, 0);
    cells[nodes->lane[1]] = (uint16_t)_mm_extract_epi16(values, 1);
    cells[nodes->lane[2]] = (uint16_t)_mm_extract_epi16(values, 2);
    cells[nodes->lane[3]] = (uint16_t)_mm_extract_epi16(values, 3);
    cells[nodes->lane[4]] = (uint16_t)_mm_extract_epi16(values, 4);
    cells[nodes->lane[5]] = (uint16_t)_mm_extract_epi16(values, 5);
    cells[nodes->lane[6]] = (uint16_t)_mm_extract_epi16(values, 6);
    cells[nodes->lane[7]] = (uint16_t)_mm_extract_epi16(values, 7);
}

SB_INLINE __m128i load_pair(const uint16_t *from)
{
    int32_t pair;

    memcpy(&pair, from, sizeof pair);
    return _mm_cvtsi32_si128(pair);
}

/* The points of four decisions. */
SB_INLINE __m128i gather_points(const uint16_t *points, const uint16_t *index)
{
    return _mm_unpacklo_epi64(_mm_unpacklo_epi32(load_pair(points + index[0]), load_pair(points + index[1])),
                              _mm_unpacklo_epi32(load_pair(points + index[2]), load_pair(points + index[3])));
}

SB_INLINE void scatter_points(uint16_t *points, const uint16_t *index, __m128i values)
{
    const lanes from = {values};

#pragma GCC unroll 4
    for (int k = 0; k < BITS / 2; k++)
        memcpy(points + index[k], &from.pair[k], sizeof from.pair[k]);
}

/* sb_mix_adapt for eight cells. Lanes where `adapts` is 0 stay. */
SB_INLINE __m128i adapt(__m128i cells, __m128i mask, __m128i adapts, int shift)
{
    const __m128i e = _mm_xor_si128(cells, mask);

    return _mm_xor_si128(_mm_sub_epi16(e, _mm_and_si128(_mm_srli_epi16(e, shift), adapts)), mask);
}

/* 0 where a recent symbol does not continue the node, and otherwise 1 + its next bit. */
SB_INLINE __m128i continues(unsigned recent, __m128i nodes, __m128i bits)
{
    const __m128i symbol = _mm_set1_epi16((short)recent), ones = _mm_set1_epi16(1);
    const __m128i bit = _mm_cmpeq_epi16(_mm_and_si128(symbol, bits), bits);

    return _mm_and_si128(_mm_cmpeq_epi16(nodes_of(recent), nodes), _mm_sub_epi16(ones, bit));
}

/* What stretch gives for the cells of decisions k and k + 1, four after four. */
SB_INLINE __m128i stretch(const int16_t *table, const lanes cells[4], int k)
{
    __m128i v = _mm_cvtsi32_si128(table[cells[0].lane[k]]);

    v = _mm_insert_epi16(v, table[cells[1].lane[k]], 1);
    v = _mm_insert_epi16(v, table[cells[2].lane[k]], 2);
    v = _mm_insert_epi16(v, table[cells[3].lane[k]], 3);
    v = _mm_insert_epi16(v, table[cells[0].lane[k + 1]], 4);
    v = _mm_insert_epi16(v, table[cells[1].lane[k + 1]], 5);
    v = _mm_insert_epi16(v, table[cells[2].lane[k + 1]], 6);
    return _mm_insert_epi16(v, table[cells[3].lane[k + 1]], 7);
}

/* The sums of products of four decisions, two of each pair of vectors. */
SB_INLINE __m128i dot(__m128i weights0, __m128i stretched0, __m128i weights1, __m128i stretched1)
{
    const __m128 a = _mm_castsi128_ps(_mm_madd_epi16(weights0, stretched0));
    const __m128 b = _mm_castsi128_ps(_mm_madd_epi16(weights1, stretched1));

    return _mm_add_epi32(_mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0))),
                         _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1))));
}

/* The weights of two decisions, when they have learnt. */
SB_INLINE __m128i learn(__m128i weights, __m128i stretched, __m128i error)
{
    const __m128i low = _mm_mullo_epi16(stretched, error), high = _mm_mulhi_epi16(stretched, error);
    const __m128i half = _mm_set1_epi32(1 << 17);
    const __m128i step0 = _mm_srai_epi32(_mm_add_epi32(_mm_unpacklo_epi16(low, high), half), 18);
    const __m128i step1 = _mm_srai_epi32(_mm_add_epi32(_mm_unpackhi_epi16(low, high), half), 18);

    return _mm_adds_epi16(weights, _mm_packs_epi32(step0, step1));
}

/* Four corrected means, all 32768 too small, from pairs of points that are 32768 too small: products are of signed numbers
 * of 16 bits. */
SB_INLINE __m128i correct(__m128i points, __m128i fraction)
{
    /* 256 - fraction in the lower half, fraction in the upper */
    const __m128i weights = _mm_add_epi32(_mm_sub_epi32(_mm_slli_epi32(fraction, 16), fraction), _mm_set1_epi32(256));

    return _mm_srai_epi32(_mm_madd_epi16(points, weights), 8);
}

SB_INLINE void code_symbol(coder *c, sb_mix_model *m, unsigned symbol)
{
    const __m128i bias = _mm_set1_epi16(-32768), zero = _mm_setzero_si128();
    const __m128i bits = _mm_set_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    const __m128i mask = _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)symbol), bits), bits);
    const __m128i max_d = _mm_set1_epi16(SB_MIX_MAX_D), min_d = _mm_set1_epi16(-SB_MIX_MAX_D);
    const lanes nodes = {nodes_of(symbol)};
    const unsigned m0 = m->m & 255, m1 = m->m >> 16 & 255, m2 = m->m >> 32 & 255, m3 = m->m >> 48 & 255;
    const __m128i before = m->begun ? continues(m0, nodes.vector, bits) : zero;
    const __m128i v1 = continues(m1, nodes.vector, bits), v2 = continues(m2, nodes.vector, bits);
    const __m128i v3 = continues(m3, nodes.vector, bits);
    const __m128i recencies = _mm_add_epi16(_mm_add_epi16(v1, _mm_mullo_epi16(v2, _mm_set1_epi16(3))),
                                            _mm_mullo_epi16(v3, _mm_set1_epi16(9)));
    /* of recency[recencies][depth][h] */
    const lanes recency = {_mm_add_epi16(_mm_add_epi16(_mm_slli_epi16(recencies, 5), _mm_set1_epi16((short)m->h)),
                                         _mm_set_epi16(28, 24, 20, 16, 12, 8, 4, 0))};
    /* The last bit is not coded where it is the one that the symbol before does not have. */
    const unsigned count = _mm_extract_epi16(before, BITS - 1) == 0 ? BITS : BITS - 1;
    const __m128i adapts = _mm_insert_epi16(_mm_set1_epi16(-1), count == BITS ? -1 : 0, BITS - 1);
    uint16_t *const table[4] = {m->recent, m->after[m0], m->after_that[m1], m->recency[0][0]};
    uint16_t *const points = m->symbol_correction[0][0];
    const __m128i cells[4] = {gather(table[0], &nodes), gather(table[1], &nodes), gather(table[2], &nodes),
                              gather(table[3], &recency)};
    const lanes index[4] = {{_mm_srli_epi16(cells[0], 4)},
                            {_mm_srli_epi16(cells[1], 4)},
                            {_mm_srli_epi16(cells[2], 4)},
                            {_mm_srli_epi16(cells[3], 4)}};
    __m128i *const weights = (__m128i *)m->symbol_weight;
    __m128i stretched[BITS / 2], weight[BITS / 2], d, mean, corrected, p, error;
    lanes place, point, limited;

#pragma GCC unroll 4
    for (int k = 0; k < BITS / 2; k++) {
        stretched[k] = stretch(sb_mix_made.stretch, index, 2 * k);
        weight[k] = _mm_load_si128(weights + k);
    }
    d = _mm_packs_epi32(_mm_srai_epi32(dot(weight[0], stretched[0], weight[1], stretched[1]), 14),
                        _mm_srai_epi32(dot(weight[2], stretched[2], weight[3], stretched[3]), 14));
    d = _mm_min_epi16(_mm_max_epi16(d, min_d), max_d);
    place.vector = _mm_add_epi16(d, _mm_set1_epi16(2048));
    mean = gather(sb_mix_made.squash, &place);
    point.vector = _mm_add_epi16(
        _mm_srli_epi16(place.vector, 8),
        _mm_mullo_epi16(_mm_add_epi16(_mm_slli_epi16(before, 8), nodes.vector), _mm_set1_epi16(SB_MIX_POINTS)));
    const __m128i points0 = gather_points(points, point.lane), points1 = gather_points(points, point.lane + BITS / 2);
    const __m128i fraction = _mm_and_si128(place.vector, _mm_set1_epi16(255));

    corrected = _mm_packs_epi32(correct(_mm_xor_si128(points0, bias), _mm_unpacklo_epi16(fraction, zero)),
                                correct(_mm_xor_si128(points1, bias), _mm_unpackhi_epi16(fraction, zero)));
    corrected = _mm_xor_si128(corrected, bias);
    /* pavgw rounds up */
    p = _mm_sub_epi16(_mm_avg_epu16(mean, corrected), _mm_and_si128(_mm_xor_si128(mean, corrected), _mm_set1_epi16(1)));
    p = _mm_max_epi16(_mm_xor_si128(p, bias), _mm_set1_epi16(SB_MIX_MIN_P - 32768));
    p = _mm_min_epi16(p, _mm_set1_epi16(32768 - SB_MIX_MIN_P));
    limited.vector = _mm_xor_si128(p, bias);

    /* (65536 bit - mean) >> 1, rounded down */
    error = _mm_and_si128(_mm_sub_epi16(_mm_and_si128(mask, bias), _mm_avg_epu16(mean, zero)), adapts);
    const __m128i errors[2] = {_mm_unpacklo_epi16(error, error), _mm_unpackhi_epi16(error, error)};

#pragma GCC unroll 4
    for (int k = 0; k < BITS / 2; k++)
        _mm_store_si128(weights + k, learn(weight[k], stretched[k],
                                           k % 2 == 0 ? _mm_unpacklo_epi32(errors[k / 2], errors[k / 2])
                                                      : _mm_unpackhi_epi32(errors[k / 2], errors[k / 2])));
    scatter(table[0], &nodes, adapt(cells[0], mask, adapts, 2));
    scatter(table[1], &nodes, adapt(cells[1], mask, adapts, 3));
    scatter(table[2], &nodes, adapt(cells[2], mask, adapts, 3));
    scatter(table[3], &recency, adapt(cells[3], mask, adapts, 4));
    scatter_points(points, point.lane,
                   adapt(points0, _mm_unpacklo_epi16(mask, mask), _mm_unpacklo_epi16(adapts, adapts), 5));
    scatter_points(points, point.lane + BITS / 2,
                   adapt(points1, _mm_unpackhi_epi16(mask, mask), _mm_unpackhi_epi16(adapts, adapts), 5));
#pragma GCC unroll 7
    for (unsigned k = 0; k < BITS - 1; k++)
        code(c, limited.lane[k], symbol >> (BITS - 1 - k) & 1);
    if (count == BITS)
        code(c, limited.lane[BITS - 1], symbol & 1);
}

/* AVX has the same instructions with a third operand, so that values need not be copied, and lanes go to memory at once. */
__attribute__((target("avx"))) static sb_status launch_avx(const uint64_t *parameters, const sb_array *inputs,
                                                           sb_array *outputs, void *workspace)
{
    return encode(parameters, inputs, outputs, workspace, code_symbol);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return __builtin_cpu_supports("avx") ? launch_avx(parameters, inputs, outputs, workspace)
                                         : encode(parameters, inputs, outputs, workspace, code_symbol);
}

#endif

extern const sb_variant sb_cpu_mixcoder_encode_simd[];
const sb_variant sb_cpu_mixcoder_encode_simd[] = {
#ifdef __x86_64__
    {"mixcoder.encode", "simd", "the decisions of a symbol in vectors", NULL, model_bytes, launch},
#endif
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
