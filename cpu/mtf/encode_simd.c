/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mtf.encode/simd, mtf.encode/simd32, mtf.encode/simd16, mtf.encode/portable: contract in ref/mtf.h.
 *
 * Instead of the list, the position of every byte value is kept: position[symbol] is the rank of the symbol. Moving a
 * symbol of rank r to the front sets its position to 0 and adds 1 to every position below r, for 32 (AVX2) or 16 (SSE2,
 * NEON) values by one compare; there is no search and no branch that depends on the rank. A byte equal to the one
 * before it has rank 0 and moves nothing: that is tested first, because runs are what the transform before this one
 * makes.
 *
 * With AVX2 there is a second way, for stretches of small ranks: the list itself, its first 32 entries in a register,
 * where a compare finds the symbol and a shuffle and a blend move it.
 *
 * `simd` is the widest of them that the processor has, chosen when it is called; the narrower ones are variants of
 * their own, so that every one that can run is judged.
 */
#include "chunks.h"

enum { VALUES = 256 };

static void positions_reset(uint8_t position[VALUES])
{
    for (int i = 0; i < VALUES; i++)
        position[i] = (uint8_t)i;
}

static void encode_portable(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    uint8_t position[VALUES];

    positions_reset(position);
    for (uint64_t i = 0; i < n; i++) {
        uint8_t r = i > 0 && bytes[i] == bytes[i - 1] ? 0 : position[bytes[i]];

        rank[i] = r;
        if (r == 0)
            continue;
        for (int value = 0; value < VALUES; value++)
            position[value] = (uint8_t)(position[value] + (position[value] < r));
        position[bytes[i]] = 0;
    }
}

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("sse2"))) static void encode_sse2(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    union {
        uint8_t of[VALUES];
        __m128i vector[VALUES / 16];
    } position;

    positions_reset(position.of);
    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && bytes[i] == bytes[i - 1]) {
            rank[i] = 0;
            continue;
        }
        rank[i] = position.of[bytes[i]];
        const __m128i r = _mm_set1_epi8((char)rank[i]);
        for (int k = 0; k < VALUES / 16; k++) {
            __m128i here = position.vector[k];
            __m128i at_most = _mm_cmpeq_epi8(_mm_min_epu8(here, r), here); /* -1 where here <= r */

            position.vector[k] = _mm_andnot_si128(_mm_cmpeq_epi8(here, r), _mm_sub_epi8(here, at_most));
        }
    }
}

/* A list, or the positions of the values in it: each is the inverse of the other. */
typedef union table32 {
    uint8_t of[VALUES];
    __m256i vector[VALUES / 32];
} table32;

static void invert(table32 *table)
{
    table32 old = *table;

    for (int i = 0; i < VALUES; i++)
        table->of[old.of[i]] = (uint8_t)i;
}

/* Both return how many of the ranks are 32 or more. */
__attribute__((target("avx2"))) static uint64_t by_position(table32 *position, const uint8_t *bytes, uint64_t n,
                                                            uint8_t *rank)
{
    uint64_t deep = 0;

    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && bytes[i] == bytes[i - 1]) {
            rank[i] = 0;
            continue;
        }
        rank[i] = position->of[bytes[i]];
        deep += rank[i] >= 32;
        const __m256i r = _mm256_set1_epi8((char)rank[i]);
        for (int k = 0; k < VALUES / 32; k++) {
            __m256i here = position->vector[k];
            __m256i at_most = _mm256_cmpeq_epi8(_mm256_min_epu8(here, r), here);

            position->vector[k] = _mm256_andnot_si256(_mm256_cmpeq_epi8(here, r), _mm256_sub_epi8(here, at_most));
        }
    }
    return deep;
}

/* -1 in the bytes 0..last of a vector. */
__attribute__((target("avx2"))) static inline __m256i up_to(unsigned last)
{
    static const uint8_t window[64] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                       255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

    return _mm256_loadu_si256((const __m256i *)(window + 31 - last));
}

/* Moves a symbol that is not among the first 32 out of the others, which take entry 31. Returns its rank. */
__attribute__((target("avx2"))) static unsigned take_deep(table32 *list, __m256i symbol)
{
    unsigned k = 1, found;

    while ((found = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(list->vector[k], symbol))) == 0)
        k++;
    unsigned place = (unsigned)__builtin_ctz(found);
    __m256i moved = _mm256_loadu_si256((const __m256i *)(list->of + 32 * k - 1));

    list->vector[k] = _mm256_blendv_epi8(list->vector[k], moved, up_to(place));
    for (unsigned j = k - 1; j > 0; j--)
        list->vector[j] = _mm256_loadu_si256((const __m256i *)(list->of + 32 * j - 1));
    return 32 * k + place;
}

__attribute__((target("avx2"))) static uint64_t by_list(table32 *list, const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    __m256i front = list->vector[0];
    uint64_t deep = 0;

    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && bytes[i] == bytes[i - 1]) {
            rank[i] = 0;
            continue;
        }
        __m256i symbol = _mm256_set1_epi8((char)bytes[i]);
        unsigned found = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(front, symbol));
        /* the symbol and entries 0..14, 15..30 */
        __m256i moved = _mm256_alignr_epi8(front, _mm256_permute2x128_si256(front, symbol, 0x02), 15);

        if (found != 0) {
            rank[i] = (uint8_t)__builtin_ctz(found);
            front = _mm256_blendv_epi8(front, moved, up_to(rank[i]));
        } else {
            list->vector[0] = front;
            rank[i] = (uint8_t)take_deep(list, symbol);
            front = moved;
            deep++;
        }
    }
    list->vector[0] = front;
    return deep;
}

/* Positions are as fast for every rank, a list is faster for small ones: each block is done by what would have been
 * better for the one before. */
static void encode_avx2(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    enum { BLOCK = 4096 };
    table32 table;
    int positions = 0;

    positions_reset(table.of);
    for (uint64_t first = 0, length; first < n; first += length) {
        length = n - first < BLOCK ? n - first : BLOCK;
        uint64_t deep = (positions ? by_position : by_list)(&table, bytes + first, length, rank + first);

        if ((deep > length / 8) != positions) {
            invert(&table);
            positions = !positions;
        }
    }
}

static sb_chunk_coder *encoder16(void)
{
    return __builtin_cpu_supports("sse2") ? encode_sse2 : NULL;
}

static sb_chunk_coder *encoder32(void)
{
    return __builtin_cpu_supports("avx2") ? encode_avx2 : NULL;
}

#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>

static void encode_neon(const uint8_t *bytes, uint64_t n, uint8_t *rank)
{
    uint8_t position[VALUES];

    positions_reset(position);
    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && bytes[i] == bytes[i - 1]) {
            rank[i] = 0;
            continue;
        }
        rank[i] = position[bytes[i]];
        const uint8x16_t r = vdupq_n_u8(rank[i]);
        for (int k = 0; k < VALUES; k += 16) {
            uint8x16_t here = vld1q_u8(position + k);
            uint8x16_t moved = vsubq_u8(here, vcleq_u8(here, r)); /* plus 1 where here <= r */

            vst1q_u8(position + k, vbicq_u8(moved, vceqq_u8(here, r)));
        }
    }
}

static sb_chunk_coder *encoder16(void)
{
    return encode_neon;
}

static sb_chunk_coder *encoder32(void)
{
    return NULL;
}

#else

static sb_chunk_coder *encoder16(void)
{
    return NULL;
}

static sb_chunk_coder *encoder32(void)
{
    return NULL;
}

#endif

sb_chunk_coder *sb_cpu_mtf_encoder(void)
{
    sb_chunk_coder *widest = encoder32();

    if (widest == NULL)
        widest = encoder16();
    return widest != NULL ? widest : encode_portable;
}

static sb_status launch_simd(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(sb_cpu_mtf_encoder(), parameters, inputs, outputs);
}

static sb_status launch_simd32(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encoder32(), parameters, inputs, outputs);
}

static sb_status launch_simd16(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encoder16(), parameters, inputs, outputs);
}

static sb_status launch_portable(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    (void)workspace;
    return sb_code_chunks(encode_portable, parameters, inputs, outputs);
}

static const char *refuses_simd32(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return encoder32() == NULL ? "this processor has no 32-byte vectors that we use" : NULL;
}

static const char *refuses_simd16(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters;
    (void)inputs;
    return encoder16() == NULL ? "this processor has no 16-byte vectors that we use" : NULL;
}

extern const sb_variant sb_cpu_mtf_encode_simd[];
const sb_variant sb_cpu_mtf_encode_simd[] = {
    {"mtf.encode", "simd", "positions of all values, 32 or 16 by one compare", NULL, NULL, launch_simd},
    {"mtf.encode", "simd32", "32 positions by one compare", refuses_simd32, NULL, launch_simd32},
    {"mtf.encode", "simd16", "16 positions by one compare", refuses_simd16, NULL, launch_simd16},
    {"mtf.encode", "portable", "the same in plain C", NULL, NULL, launch_portable},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
