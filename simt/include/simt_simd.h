/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions on the two halves or four bytes of a word, and the three-operand minima and maxima. Each part is computed
 * in int, where nothing overflows, and cut to its width.
 */
#ifndef SIMT_SIMD_H
#define SIMT_SIMD_H

#include "simt_math.h"

namespace simt
{

template <typename T> SIMT_INLINE int simt_clamp(int v)
{
    constexpr int bits = 8 * sizeof(T), low = T(-1) < T(0) ? -(1 << (bits - 1)) : 0;
    constexpr int high = T(-1) < T(0) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;

    return v < low ? low : v > high ? high : v;
}

template <typename T, typename _F> SIMT_INLINE unsigned by_parts(unsigned a, unsigned b, _F f)
{
    constexpr unsigned bits = 8 * sizeof(T), ones = (1u << bits) - 1;
    unsigned result = 0;

    for (unsigned i = 0; i < 32; i += bits)
        result |= ((unsigned)f((int)(T)(a >> i), (int)(T)(b >> i)) & ones) << i;
    return result;
}

} // namespace simt

#define SIMT_PARTS_1(name, T, expression)                                                                              \
    SIMT_INLINE unsigned name(unsigned x)                                                                              \
    {                                                                                                                  \
        using ::simt::simt_clamp;                                                                                      \
        using Part [[maybe_unused]] = T;                                                                               \
        return ::simt::by_parts<T>(x, x, [](int a, int) { return expression; });                                       \
    }
#define SIMT_PARTS_2(name, T, expression)                                                                              \
    SIMT_INLINE unsigned name(unsigned x, unsigned y)                                                                  \
    {                                                                                                                  \
        using ::simt::simt_clamp;                                                                                      \
        using Part [[maybe_unused]] = T;                                                                               \
        return ::simt::by_parts<T>(x, y, [](int a, int b) { return expression; });                                     \
    }

/* The two parts of 16 bits and the four of 8: NAME2 and NAME4. */
#define SIMT_BOTH_1(name, type, expression)                                                                            \
    SIMT_PARTS_1(name##2, type##16_t, expression) SIMT_PARTS_1(name##4, type##8_t, expression)
#define SIMT_BOTH_2(name, type, expression)                                                                            \
    SIMT_PARTS_2(name##2, type##16_t, expression) SIMT_PARTS_2(name##4, type##8_t, expression)

SIMT_BOTH_2(__vadd, uint, a + b)
SIMT_BOTH_2(__vsub, uint, a - b)
SIMT_BOTH_1(__vneg, uint, 0 - a)
SIMT_BOTH_2(__vaddss, int, simt_clamp<Part>(a + b))
SIMT_BOTH_2(__vsubss, int, simt_clamp<Part>(a - b))
SIMT_BOTH_2(__vaddus, uint, simt_clamp<Part>(a + b))
SIMT_BOTH_2(__vsubus, uint, simt_clamp<Part>(a - b))
SIMT_BOTH_1(__vabs, int, a < 0 ? -a : a)
SIMT_BOTH_1(__vabsss, int, simt_clamp<Part>(a < 0 ? -a : a))
SIMT_BOTH_1(__vnegss, int, simt_clamp<Part>(-a))
SIMT_BOTH_2(__vavgs, int, (a + b + (a + b >= 0)) >> 1)
SIMT_BOTH_2(__vavgu, uint, (a + b + 1) >> 1)
SIMT_BOTH_2(__vhaddu, uint, (a + b) >> 1)
SIMT_BOTH_2(__vabsdiffs, int, a > b ? a - b : b - a)
SIMT_BOTH_2(__vabsdiffu, uint, a > b ? a - b : b - a)
SIMT_BOTH_2(__vmaxs, int, a > b ? a : b)
SIMT_BOTH_2(__vmaxu, uint, a > b ? a : b)
SIMT_BOTH_2(__vmins, int, a < b ? a : b)
SIMT_BOTH_2(__vminu, uint, a < b ? a : b)
SIMT_BOTH_2(__vcmpeq, uint, a == b ? -1 : 0)
SIMT_BOTH_2(__vseteq, uint, a == b ? 1 : 0)
SIMT_BOTH_2(__vcmpne, uint, a != b ? -1 : 0)
SIMT_BOTH_2(__vsetne, uint, a != b ? 1 : 0)
SIMT_BOTH_2(__vcmpges, int, a >= b ? -1 : 0)
SIMT_BOTH_2(__vsetges, int, a >= b ? 1 : 0)
SIMT_BOTH_2(__vcmpgeu, uint, a >= b ? -1 : 0)
SIMT_BOTH_2(__vsetgeu, uint, a >= b ? 1 : 0)
SIMT_BOTH_2(__vcmpgts, int, a > b ? -1 : 0)
SIMT_BOTH_2(__vsetgts, int, a > b ? 1 : 0)
SIMT_BOTH_2(__vcmpgtu, uint, a > b ? -1 : 0)
SIMT_BOTH_2(__vsetgtu, uint, a > b ? 1 : 0)
SIMT_BOTH_2(__vcmples, int, a <= b ? -1 : 0)
SIMT_BOTH_2(__vsetles, int, a <= b ? 1 : 0)
SIMT_BOTH_2(__vcmpleu, uint, a <= b ? -1 : 0)
SIMT_BOTH_2(__vsetleu, uint, a <= b ? 1 : 0)
SIMT_BOTH_2(__vcmplts, int, a < b ? -1 : 0)
SIMT_BOTH_2(__vsetlts, int, a < b ? 1 : 0)
SIMT_BOTH_2(__vcmpltu, uint, a < b ? -1 : 0)
SIMT_BOTH_2(__vsetltu, uint, a < b ? 1 : 0)

/* The sum of absolute differences of all parts. */
#define SIMT_SAD(name, differences, bits)                                                                              \
    SIMT_INLINE unsigned name(unsigned a, unsigned b)                                                                  \
    {                                                                                                                  \
        unsigned parts = differences(a, b), sum = 0;                                                                   \
        for (int i = 0; i < 32; i += bits)                                                                             \
            sum += parts >> i & ((1u << bits) - 1);                                                                    \
        return sum;                                                                                                    \
    }

SIMT_SAD(__vsads2, __vabsdiffs2, 16)
SIMT_SAD(__vsadu2, __vabsdiffu2, 16)
SIMT_SAD(__vsads4, __vabsdiffs4, 8)
SIMT_SAD(__vsadu4, __vabsdiffu4, 8)

/* Sums wrap before they are compared; relu: not below 0. */
#define SIMT_WORDS(kind, _R, _W)                                                                                       \
    SIMT_INLINE _R __vimax3_##kind(_R a, _R b, _R c)                                                                   \
    {                                                                                                                  \
        return max(max(a, b), c);                                                                                      \
    }                                                                                                                  \
    SIMT_INLINE _R __vimin3_##kind(_R a, _R b, _R c)                                                                   \
    {                                                                                                                  \
        return min(min(a, b), c);                                                                                      \
    }                                                                                                                  \
    SIMT_INLINE _R __viaddmax_##kind(_R a, _R b, _R c)                                                                 \
    {                                                                                                                  \
        return max((_R)((_W)a + (_W)b), c);                                                                            \
    }                                                                                                                  \
    SIMT_INLINE _R __viaddmin_##kind(_R a, _R b, _R c)                                                                 \
    {                                                                                                                  \
        return min((_R)((_W)a + (_W)b), c);                                                                            \
    }                                                                                                                  \
    SIMT_INLINE _R __vibmax_##kind(_R a, _R b, bool *const first)                                                      \
    {                                                                                                                  \
        *first = a >= b;                                                                                               \
        return max(a, b);                                                                                              \
    }                                                                                                                  \
    SIMT_INLINE _R __vibmin_##kind(_R a, _R b, bool *const first)                                                      \
    {                                                                                                                  \
        *first = a <= b;                                                                                               \
        return min(a, b);                                                                                              \
    }

SIMT_WORDS(s32, int, unsigned)
SIMT_WORDS(u32, unsigned, unsigned)

#define SIMT_HALVES(kind, maximum, minimum, T)                                                                         \
    SIMT_INLINE unsigned __vimax3_##kind(unsigned a, unsigned b, unsigned c)                                           \
    {                                                                                                                  \
        return maximum(maximum(a, b), c);                                                                              \
    }                                                                                                                  \
    SIMT_INLINE unsigned __vimin3_##kind(unsigned a, unsigned b, unsigned c)                                           \
    {                                                                                                                  \
        return minimum(minimum(a, b), c);                                                                              \
    }                                                                                                                  \
    SIMT_INLINE unsigned __viaddmax_##kind(unsigned a, unsigned b, unsigned c)                                         \
    {                                                                                                                  \
        return maximum(__vadd2(a, b), c);                                                                              \
    }                                                                                                                  \
    SIMT_INLINE unsigned __viaddmin_##kind(unsigned a, unsigned b, unsigned c)                                         \
    {                                                                                                                  \
        return minimum(__vadd2(a, b), c);                                                                              \
    }                                                                                                                  \
    SIMT_INLINE unsigned __vibmax_##kind(unsigned a, unsigned b, bool *const high, bool *const low)                    \
    {                                                                                                                  \
        *high = (T)(a >> 16) >= (T)(b >> 16);                                                                          \
        *low = (T)a >= (T)b;                                                                                           \
        return maximum(a, b);                                                                                          \
    }                                                                                                                  \
    SIMT_INLINE unsigned __vibmin_##kind(unsigned a, unsigned b, bool *const high, bool *const low)                    \
    {                                                                                                                  \
        *high = (T)(a >> 16) <= (T)(b >> 16);                                                                          \
        *low = (T)a <= (T)b;                                                                                           \
        return minimum(a, b);                                                                                          \
    }

SIMT_HALVES(s16x2, __vmaxs2, __vmins2, int16_t)
SIMT_HALVES(u16x2, __vmaxu2, __vminu2, uint16_t)

#define SIMT_RELU(_R, kind, not_below)                                                                                 \
    SIMT_INLINE _R __vimax_##kind##_relu(_R a, _R b)                                                                   \
    {                                                                                                                  \
        return not_below(not_below(a, b), 0);                                                                          \
    }                                                                                                                  \
    SIMT_INLINE _R __vimax3_##kind##_relu(_R a, _R b, _R c)                                                            \
    {                                                                                                                  \
        return not_below(__vimax3_##kind(a, b, c), 0);                                                                 \
    }                                                                                                                  \
    SIMT_INLINE _R __vimin3_##kind##_relu(_R a, _R b, _R c)                                                            \
    {                                                                                                                  \
        return not_below(__vimin3_##kind(a, b, c), 0);                                                                 \
    }                                                                                                                  \
    SIMT_INLINE _R __viaddmax_##kind##_relu(_R a, _R b, _R c)                                                          \
    {                                                                                                                  \
        return not_below(__viaddmax_##kind(a, b, c), 0);                                                               \
    }                                                                                                                  \
    SIMT_INLINE _R __viaddmin_##kind##_relu(_R a, _R b, _R c)                                                          \
    {                                                                                                                  \
        return not_below(__viaddmin_##kind(a, b, c), 0);                                                               \
    }

SIMT_RELU(int, s32, max)
SIMT_RELU(unsigned, s16x2, __vmaxs2)

SIMT_INLINE int __vimin_s32_relu(int a, int b)
{
    return max(min(a, b), 0);
}

SIMT_INLINE unsigned __vimin_s16x2_relu(unsigned a, unsigned b)
{
    return __vmaxs2(__vmins2(a, b), 0);
}

#endif
