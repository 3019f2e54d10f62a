/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A stream of mixcoder decoded alone. A decision of a symbol waits for the one before, which says which node it has. So both nodes
 * that it may have are predicted while the decision before is decoded. The two predictions share the instructions of a vector.
 */
#ifndef CPU_MIXCODER_SPECULATIVE_H
#define CPU_MIXCODER_SPECULATIVE_H

#include "stream.h"

/* SSE2 is part of x86-64. Elsewhere this file has no variant. */
#ifdef __x86_64__
#include <emmintrin.h>

/* What is predicted of the children of a node. */
typedef struct children {
    int16_t stretched[2][4];
    uint16_t *recency[2], *point[2]; /* a cell; the lower of the two points of the correction */
    uint32_t mean[2];
    uint32_t p; /* probabilities of a 1, of child k in bits 16 k to 16 k + 15 */
} children;

SB_INLINE __m128i load_pair(const uint16_t *from)
{
    int32_t pair;

    memcpy(&pair, from, sizeof pair);
    return _mm_cvtsi32_si128(pair);
}

SB_INLINE __m128i quad(const void *a, const void *b, const void *c, const void *d)
{
    __m128i v = _mm_cvtsi32_si128(*(const uint16_t *)a);

    v = _mm_insert_epi16(v, *(const int16_t *)b, 1);
    v = _mm_insert_epi16(v, *(const int16_t *)c, 2);
    return _mm_insert_epi16(v, *(const int16_t *)d, 3);
}

/* Steps 1 to 3 of a mixed decision (ref/mixcoder.h), for both children of a node at once: child 0 in the lower half of a vector,
 * child 1 in the upper. continues0 and continues1 are sb_mix_continues of the children, and `depth` is theirs. */
SB_INLINE void predict(sb_mix_model *m, const sb_mix_path *path, uint64_t parent, uint64_t continues0,
                       uint64_t continues1, unsigned depth, children *x)
{
    const uint64_t left = 2 * parent;
    const uint16_t *a = m->recent + left, *b = path->after + left, *c = path->after_that + left;
    const __m128i bias = _mm_set1_epi16(-32768);
    __m128i v, w, d, points, fractions, means, p;
    uint32_t place0, place1;

    x->recency[0] = sb_mix_recency(path, continues0, depth);
    x->recency[1] = sb_mix_recency(path, continues1, depth);
    v = _mm_cvtsi32_si128(sb_mix_made.stretch[a[0] / 16]);
    v = _mm_insert_epi16(v, sb_mix_made.stretch[b[0] / 16], 1);
    v = _mm_insert_epi16(v, sb_mix_made.stretch[c[0] / 16], 2);
    v = _mm_insert_epi16(v, sb_mix_made.stretch[*x->recency[0] / 16], 3);
    v = _mm_insert_epi16(v, sb_mix_made.stretch[a[1] / 16], 4);
    v = _mm_insert_epi16(v, sb_mix_made.stretch[b[1] / 16], 5);
    v = _mm_insert_epi16(v, sb_mix_made.stretch[c[1] / 16], 6);
    v = _mm_insert_epi16(v, sb_mix_made.stretch[*x->recency[1] / 16], 7);
    _mm_storeu_si128((__m128i *)x->stretched, v);
    w = _mm_loadl_epi64((const __m128i *)m->symbol_weight[depth]);
    d = _mm_madd_epi16(v, _mm_unpacklo_epi64(w, w));
    d = _mm_srai_epi32(_mm_add_epi32(d, _mm_shuffle_epi32(d, _MM_SHUFFLE(2, 3, 0, 1))), 14);
    d = _mm_packs_epi32(d, d); /* lanes 0 and 1: child 0; lanes 2 and 3: child 1; lanes 4 to 7 repeat them */
    d = _mm_min_epi16(_mm_max_epi16(d, _mm_set1_epi16(-SB_MIX_MAX_D)), _mm_set1_epi16(SB_MIX_MAX_D));
    d = _mm_add_epi16(d, _mm_set1_epi16(2048));
    place0 = (uint32_t)_mm_extract_epi16(d, 0);
    place1 = (uint32_t)_mm_extract_epi16(d, 2);
    x->point[0] = m->symbol_correction[continues0 & 3][left] + (place0 >> 8);
    x->point[1] = m->symbol_correction[continues1 & 3][left + 1] + (place1 >> 8);
    x->mean[0] = sb_mix_made.squash[place0];
    x->mean[1] = sb_mix_made.squash[place1];
    /* Step 2: t[i] (256 - f) + t[i + 1] f. The instruction multiplies signed numbers of 16 bits, so 32768 is subtracted from each
     * point; as the factors add up to 256, the result is 32768 too small. */
    points = _mm_xor_si128(_mm_unpacklo_epi32(load_pair(x->point[0]), load_pair(x->point[1])), bias);
    fractions = _mm_and_si128(d, _mm_set1_epi16(255));
    fractions = _mm_add_epi16(_mm_xor_si128(fractions, _mm_set1_epi32(65535)), _mm_set1_epi32(257));
    means = _mm_insert_epi16(_mm_cvtsi32_si128((int)x->mean[0]), (int)x->mean[1], 2);
    p = _mm_add_epi32(_mm_srai_epi32(_mm_madd_epi16(points, fractions), 8), means);
    p = _mm_sub_epi32(_mm_srai_epi32(p, 1), _mm_set1_epi32(16384)); /* now p - 32768, which fits a signed lane */
    p = _mm_packs_epi32(p, p);
    p = _mm_max_epi16(p, _mm_set1_epi16(SB_MIX_MIN_P - 32768));
    p = _mm_min_epi16(p, _mm_set1_epi16(32768 - SB_MIX_MIN_P));
    x->p = (uint32_t)_mm_cvtsi128_si32(_mm_xor_si128(p, bias));
}

/* A cell moves towards 0 or 65535 by 2^-shift of its distance. `mask` is all ones where it moves towards 65535. */
SB_INLINE __m128i adapted(__m128i cells, __m128i mask)
{
    const __m128i e = _mm_xor_si128(cells, mask);
    const __m128i scale = _mm_set_epi16(0, 0, 0, 0, 1 << 12, 1 << 13, 1 << 13, 1 << 14);

    return _mm_xor_si128(_mm_sub_epi16(e, _mm_mulhi_epu16(e, scale)), mask);
}

/* Step 5: weight + ((stretched error + 2^17) >> 18). Each pair of lanes is (stretched, 8), to be multiplied by (error, 16384) and
 * added: 8 * 16384 is the 2^17. */
SB_INLINE __m128i learn(__m128i weights, __m128i stretched, int32_t error)
{
    const __m128i errors = _mm_set1_epi32((error & 65535) | 16384 << 16);
    const __m128i step = _mm_srai_epi32(_mm_madd_epi16(_mm_unpacklo_epi16(stretched, _mm_set1_epi16(8)), errors), 18);

    return _mm_adds_epi16(weights, _mm_packs_epi32(step, step));
}

/* Steps 5 and 6: weights, cells and points that have predicted the decision of a node adapt to its bit. */
SB_INLINE void adapt(sb_mix_model *m, const sb_mix_path *path, const children *x, unsigned child, uint64_t node,
                     unsigned depth, uint32_t mask)
{
    uint16_t *const a = m->recent + node, *const b = path->after + node, *const c = path->after_that + node;
    uint16_t *const r = x->recency[child];
    __m128i *const weights = (__m128i *)m->symbol_weight[depth];
    const __m128i cells = adapted(quad(a, b, c, r), _mm_set1_epi32((int32_t)mask));

    _mm_storel_epi64(weights, learn(_mm_loadl_epi64(weights), _mm_loadl_epi64((const __m128i *)x->stretched[child]),
                                    ((int32_t)(mask & 65536) - (int32_t)x->mean[child]) >> 1));
    *a = (uint16_t)_mm_extract_epi16(cells, 0);
    *b = (uint16_t)_mm_extract_epi16(cells, 1);
    *c = (uint16_t)_mm_extract_epi16(cells, 2);
    *r = (uint16_t)_mm_extract_epi16(cells, 3);
    sb_mix_adapt_points(x->point[child], mask);
}

SB_INLINE unsigned decode_symbol(const job *j, stream *s)
{
    sb_mix_model *m = s->model;
    sb_mix_path path = sb_mix_start_path(m);
    uint64_t node = 1;
    unsigned child = 1;
    children x[2];

    predict(m, &path, 0, 0, sb_mix_continues(&path), 0, &x[0]);
#pragma GCC unroll 8
    for (unsigned depth = 0; depth < 8; depth++) {
        const children *now = &x[depth % 2];
        const uint64_t ones = path.bits >> 7 & sb_mix_ones, next = (path.bits >> 6 & sb_mix_ones) + sb_mix_ones;
        const uint64_t after_1 = path.alive & ((ones << 16) - ones), after_0 = path.alive ^ after_1;
        uint32_t mask;

        if (depth < 7)
            predict(m, &path, node, next & after_0, next & after_1, depth + 1, &x[(depth + 1) % 2]);
        else if (path.alive & 1) /* m[0] continues the node: the bit is the one that m[0] does not have */
            return (unsigned)(2 * node + 1 - (path.bits >> 7 & 1)) & 255;
        mask = decide(j, s, now->p >> 16 * child & 65535);
        adapt(m, &path, now, child, node, depth, mask);
        path.alive = after_0 ^ ((after_0 ^ after_1) & (uint64_t)(int32_t)mask);
        path.bits <<= 1;
        child = mask & 1;
        node = 2 * node + child;
    }
    return node & 255;
}

/* Decodes the first stream up to its end. False: a run is invalid. */
static bool decode_first(const job *j, stream *streams)
{
    stream s = streams[0];
    bool valid = true;

    while (valid && s.in.position < s.in.end)
        valid = finish_run(j, &s, decode_symbol(j, &s));
    streams[0] = s;
    return valid;
}

#endif /* __x86_64__ */

#endif
