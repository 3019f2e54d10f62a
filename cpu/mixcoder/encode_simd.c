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
    const lanes from = {values};

    for (int k = 0; k < BITS; k++)
        cells[nodes->lane[k]] = from.lane[k];
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

    for (int k = 0; k < BITS / 2; k++)
        memcpy(points + index[k], &from.pair[k], sizeof from.pair[k]);
}

/* sb_mix_adapt for eight cells. */
SB_INLINE __m128i adapt(__m128i cells, __m128i mask, int shift)
{
    const __m128i e = _mm_xor_si128(cells, mask);

    return _mm_xor_si128(_mm_sub_epi16(e, _mm_srli_epi16(e, shift)), mask);
}

/* Four means, from a and b in turn and from c and 0 in turn. Here and below all numbers are 32768 too small, for products
 * of 16 bits are signed. The weights add up to powers of two, so the sums are divided by them without another
 * remainder. */
SB_INLINE __m128i mean_of(__m128i ab, __m128i c)
{
    return _mm_srai_epi32(
        _mm_add_epi32(_mm_madd_epi16(ab, _mm_set1_epi32(7 << 16 | 5)), _mm_madd_epi16(c, _mm_set1_epi32(4))), 4);
}

/* Four probabilities, before they are limited. */
SB_INLINE __m128i correct(__m128i mean, __m128i points)
{
    const __m128i fraction = _mm_and_si128(mean, _mm_set1_epi32(4095));
    /* 4096 - fraction in the lower half, fraction in the upper */
    const __m128i weights = _mm_add_epi32(_mm_sub_epi32(_mm_slli_epi32(fraction, 16), fraction), _mm_set1_epi32(4096));
    const __m128i corrected = _mm_srai_epi32(_mm_madd_epi16(points, weights), 12);

    return _mm_srai_epi32(_mm_add_epi32(_mm_add_epi32(mean, corrected), _mm_add_epi32(corrected, corrected)), 2);
}

SB_INLINE void code_symbol(coder *c, sb_mix_model *m, unsigned symbol)
{
    const __m128i bias = _mm_set1_epi16(-32768), zero = _mm_setzero_si128();
    const __m128i bits = _mm_set_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    const __m128i mask = _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)symbol), bits), bits);
    /* Node k is the k topmost bits of the symbol behind a 1: (256 + symbol) >> (8 - k). */
    const lanes nodes = {_mm_mulhi_epu16(_mm_set1_epi16((short)(256 | symbol)),
                                         _mm_set_epi16(-32768, 16384, 8192, 4096, 2048, 1024, 512, 256))};
    uint16_t *const after = m->after[m->y], *const after_that = m->after_that[m->z];
    uint16_t *const points = m->symbol_correction[m->class][0];
    const __m128i a = gather(m->recent, &nodes), b = gather(after, &nodes), d = gather(after_that, &nodes);
    const __m128i as = _mm_xor_si128(a, bias), bs = _mm_xor_si128(b, bias), ds = _mm_xor_si128(d, bias);
    const __m128i mean0 = mean_of(_mm_unpacklo_epi16(as, bs), _mm_unpacklo_epi16(ds, zero));
    const __m128i mean1 = mean_of(_mm_unpackhi_epi16(as, bs), _mm_unpackhi_epi16(ds, zero));
    const __m128i above = _mm_packs_epi32(_mm_srai_epi32(mean0, 12), _mm_srai_epi32(mean1, 12)); /* -8 to 7 */
    const lanes index = {_mm_add_epi16(_mm_add_epi16(above, _mm_set1_epi16(8)),
                                       _mm_mullo_epi16(nodes.vector, _mm_set1_epi16(SB_MIX_POINTS)))};
    const __m128i points0 = gather_points(points, index.lane), points1 = gather_points(points, index.lane + BITS / 2);
    __m128i p =
        _mm_packs_epi32(correct(mean0, _mm_xor_si128(points0, bias)), correct(mean1, _mm_xor_si128(points1, bias)));
    lanes limited;

    p = _mm_max_epi16(p, _mm_set1_epi16(SB_MIX_MIN_P - 32768));
    p = _mm_min_epi16(p, _mm_set1_epi16(32768 - SB_MIX_MIN_P));
    limited.vector = _mm_xor_si128(p, bias);
    scatter(m->recent, &nodes, adapt(a, mask, 2));
    scatter(after, &nodes, adapt(b, mask, 3));
    scatter(after_that, &nodes, adapt(d, mask, 3));
    scatter_points(points, index.lane, adapt(points0, _mm_unpacklo_epi16(mask, mask), 5));
    scatter_points(points, index.lane + BITS / 2, adapt(points1, _mm_unpackhi_epi16(mask, mask), 5));
    for (int k = 0; k < BITS; k++)
        code(c, limited.lane[k], 0 - (uint64_t)(symbol >> (BITS - 1 - k) & 1));
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return encode(parameters, inputs, outputs, workspace, code_symbol);
}

#endif

extern const sb_variant sb_cpu_mixcoder_encode_simd[];
const sb_variant sb_cpu_mixcoder_encode_simd[] = {
#ifdef __x86_64__
    {"mixcoder.encode", "simd", "the decisions of a symbol in vectors", NULL, model_bytes, launch},
#endif
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
