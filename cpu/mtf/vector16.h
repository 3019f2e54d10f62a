/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Vectors of 16 signed bytes, with the same functions for SSSE3 and NEON: those operations for which the compiler has
 * no operator (it has + - & | ~ < ==). SB_VECTOR16 is defined if the target has such vectors. Functions that use them
 * must be marked SB_TARGET16.
 */
#ifndef CPU_MTF_VECTOR16_H
#define CPU_MTF_VECTOR16_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#include <immintrin.h>
#define SB_VECTOR16
#define SB_TARGET16 __attribute__((target("ssse3,popcnt")))
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
#include <arm_neon.h>
#define SB_VECTOR16
#define SB_TARGET16
#endif

#ifdef SB_VECTOR16
typedef int8_t sb_vector16 __attribute__((vector_size(16)));

SB_TARGET16 static inline sb_vector16 sb_load16(const int8_t *from)
{
    sb_vector16 vector;

    memcpy(&vector, from, sizeof vector);
    return vector;
}

SB_TARGET16 static inline void sb_store16(void *to, sb_vector16 vector)
{
    memcpy(to, &vector, sizeof vector);
}

#ifdef __aarch64__

SB_TARGET16 static inline sb_vector16 sb_all16(int8_t byte)
{
    return vdupq_n_s8(byte);
}

/* Bit i is set where byte i is -1; the others are 0. */
SB_TARGET16 static inline unsigned sb_mask16(sb_vector16 vector)
{
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vreinterpretq_u8_s8(vector), vld1q_u8(bit));

    return vaddv_u8(vget_low_u8(bits)) | (unsigned)vaddv_u8(vget_high_u8(bits)) << 8;
}

/* Byte `index` of the 32 bytes of low and high, copied to all bytes. */
SB_TARGET16 static inline sb_vector16 sb_pick16(sb_vector16 low, sb_vector16 high, uint8_t index)
{
    return vqtbl2q_s8((int8x16x2_t){{low, high}}, vdupq_n_u8(index));
}

/* Byte i becomes byte from[i], which is below 16. */
SB_TARGET16 static inline sb_vector16 sb_shuffle16(sb_vector16 vector, sb_vector16 from)
{
    return vqtbl1q_s8(vector, vreinterpretq_u8_s8(from));
}

#else

SB_TARGET16 static inline sb_vector16 sb_all16(int8_t byte)
{
    return (sb_vector16)_mm_set1_epi8(byte);
}

SB_TARGET16 static inline unsigned sb_mask16(sb_vector16 vector)
{
    return (unsigned)_mm_movemask_epi8((__m128i)vector);
}

/* A shuffle gives 0 where bit 7 of the index is set, and ignores bits 4 to 6. */
SB_TARGET16 static inline sb_vector16 sb_pick16(sb_vector16 low, sb_vector16 high, uint8_t index)
{
    __m128i all = _mm_set1_epi8((char)index);
    __m128i in_low = _mm_add_epi8(all, _mm_set1_epi8(112)), in_high = _mm_sub_epi8(all, _mm_set1_epi8(16));

    return (sb_vector16)_mm_or_si128(_mm_shuffle_epi8((__m128i)low, in_low), _mm_shuffle_epi8((__m128i)high, in_high));
}

SB_TARGET16 static inline sb_vector16 sb_shuffle16(sb_vector16 vector, sb_vector16 from)
{
    return (sb_vector16)_mm_shuffle_epi8((__m128i)vector, (__m128i)from);
}

#endif
#endif

/* Can this processor run functions marked SB_TARGET16? */
static inline bool sb_has_vector16(void)
{
#ifndef SB_VECTOR16
    return false;
#elif defined(__aarch64__)
    return true;
#else
    return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt");
#endif
}

#endif
