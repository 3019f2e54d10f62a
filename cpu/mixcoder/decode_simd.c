/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.decode/simd_N: contract in ref/mixcoder.h.
 *
 * As branchless_N, but the four cells of a decision of a symbol, and its weights, are one vector.
 *
 * Sources: those of ref/mixcoder.h; interleaved entropy coders: F. Giesen, "Interleaved entropy coders", 2014.
 */
#include "stream.h"

/* SSE2 is part of x86-64. Elsewhere this file has no variant. */
#ifdef __x86_64__
#include <emmintrin.h>

SB_INLINE __m128i quad(unsigned a, unsigned b, unsigned c, unsigned d)
{
    __m128i v = _mm_cvtsi32_si128((int32_t)(a & 65535));

    v = _mm_insert_epi16(v, (int)b, 1);
    v = _mm_insert_epi16(v, (int)c, 2);
    return _mm_insert_epi16(v, (int)d, 3);
}

/* What is added to a cell or taken from it is the cell, or what is missing to 65535, times a power of two: 2^-shift. */
SB_INLINE __m128i adapt(__m128i cells, __m128i mask)
{
    const __m128i e = _mm_xor_si128(cells, mask);
    const __m128i scale = _mm_set_epi16(0, 0, 0, 0, 1 << 12, 1 << 13, 1 << 13, 1 << 14);

    return _mm_xor_si128(_mm_sub_epi16(e, _mm_mulhi_epu16(e, scale)), mask);
}

SB_INLINE __m128i learn(__m128i weights, __m128i stretched, int32_t error)
{
    const __m128i errors = _mm_set1_epi16((short)error);
    const __m128i product = _mm_unpacklo_epi16(_mm_mullo_epi16(stretched, errors), _mm_mulhi_epi16(stretched, errors));
    const __m128i step = _mm_srai_epi32(_mm_add_epi32(product, _mm_set1_epi32(1 << 17)), 18);

    return _mm_adds_epi16(weights, _mm_packs_epi32(step, step));
}

SB_INLINE void symbol_bit(const job *j, stream *s, partial *symbol, unsigned depth)
{
    sb_mix_model *m = s->model;
    const uint64_t continues = sb_mix_continues(&symbol->path);
    const sb_mix_decision x = sb_mix_symbol_decision(m, &symbol->path, continues, symbol->node, depth);
    const unsigned a = *x.cell[0], b = *x.cell[1], c = *x.cell[2], r = *x.cell[3];
    const __m128i cells = quad(a, b, c, r);
    const __m128i stretched = quad((unsigned)m->stretch[a / 16], (unsigned)m->stretch[b / 16],
                                   (unsigned)m->stretch[c / 16], (unsigned)m->stretch[r / 16]);
    const __m128i weights = _mm_loadl_epi64((const __m128i *)x.weight);
    const __m128i products = _mm_madd_epi16(weights, stretched);
    int32_t d = _mm_cvtsi128_si32(_mm_add_epi32(products, _mm_shuffle_epi32(products, 1))) >> 14;
    uint32_t place, fraction, mean, corrected, mask;
    uint16_t *point;
    __m128i adapted;

    if (depth == 7 && continues & 3) { /* the bit that the symbol of the run before does not have */
        symbol->node = 2 * symbol->node + 2 - (continues & 3);
        return;
    }
    d = d < -SB_MIX_MAX_D ? -SB_MIX_MAX_D : d;
    d = d > SB_MIX_MAX_D ? SB_MIX_MAX_D : d;
    place = (uint32_t)(d + 2048);
    fraction = place % 256;
    mean = m->squash[place];
    point = x.point + place / 256;
    corrected = (point[0] * (256 - fraction) + point[1] * fraction) >> 8;
    mask = decide(j, s, sb_mix_limit((mean + corrected) >> 1));
    _mm_storel_epi64((__m128i *)x.weight, learn(weights, stretched, ((int32_t)(mask & 65536) - (int32_t)mean) >> 1));
    adapted = adapt(cells, _mm_set1_epi32((int32_t)mask));
    *x.cell[0] = (uint16_t)_mm_extract_epi16(adapted, 0);
    *x.cell[1] = (uint16_t)_mm_extract_epi16(adapted, 1);
    *x.cell[2] = (uint16_t)_mm_extract_epi16(adapted, 2);
    *x.cell[3] = (uint16_t)_mm_extract_epi16(adapted, 3);
    sb_mix_adapt_points(point, mask);
    sb_mix_follow(&symbol->path, mask);
    symbol->node = 2 * symbol->node - mask;
}

static sb_status launch_1(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 1, symbol_bit);
}

static sb_status launch_2(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return launch(parameters, inputs, outputs, workspace, 2, symbol_bit);
}

#endif

extern const sb_variant sb_cpu_mixcoder_decode_simd[];
const sb_variant sb_cpu_mixcoder_decode_simd[] = {
#ifdef __x86_64__
    {"mixcoder.decode", "simd_1", "the cells of a decision in a vector", NULL, workspace_1, launch_1},
    {"mixcoder.decode", "simd_2", "two segments interleaved", NULL, workspace_2, launch_2},
#endif
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
