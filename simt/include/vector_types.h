/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CUDA's vector types, of C and C++, and make_*. Pairs are aligned to their size, quadruples to at most 16 bytes.
 */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H

/* clang-format off */
#define SIMT_VECTORS(name, element, pair, quadruple)                                                                   \
    typedef struct name##1 {                                                                                           \
        element x;                                                                                                     \
    } name##1;                                                                                                         \
    typedef struct __attribute__((aligned(pair))) name##2 {                                                            \
        element x, y;                                                                                                  \
    } name##2;                                                                                                         \
    typedef struct name##3 {                                                                                           \
        element x, y, z;                                                                                               \
    } name##3;                                                                                                         \
    typedef struct __attribute__((aligned(quadruple))) name##4 {                                                       \
        element x, y, z, w;                                                                                            \
    } name##4;                                                                                                         \
    static inline __attribute__((unused)) name##1 make_##name##1(element x)                                           \
    {                                                                                                                  \
        name##1 v = {x};                                                                                               \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline __attribute__((unused)) name##2 make_##name##2(element x, element y)                                \
    {                                                                                                                  \
        name##2 v = {x, y};                                                                                            \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline __attribute__((unused)) name##3 make_##name##3(element x, element y, element z)                     \
    {                                                                                                                  \
        name##3 v = {x, y, z};                                                                                         \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline __attribute__((unused)) name##4 make_##name##4(element x, element y, element z, element w)          \
    {                                                                                                                  \
        name##4 v = {x, y, z, w};                                                                                      \
        return v;                                                                                                      \
    }
/* clang-format on */

SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(uint, unsigned, 8, 16)
SIMT_VECTORS(long, long, 16, 16)
SIMT_VECTORS(ulong, unsigned long, 16, 16)
SIMT_VECTORS(longlong, long long, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)

/* Quadruples of 8 bytes whose alignment is in their name. */
#define SIMT_ALIGNED(name, element, alignment)                                                                         \
    typedef struct __attribute__((aligned(alignment))) name##4_##alignment##a                                          \
    {                                                                                                                  \
        element x, y, z, w;                                                                                            \
    }                                                                                                                  \
    name##4_##alignment##a;                                                                                            \
    static inline __attribute__((unused))                                                                              \
    name##4_##alignment##a make_##name##4_##alignment##a(element x, element y, element z, element w)                   \
    {                                                                                                                  \
        name##4_##alignment##a v = {x, y, z, w};                                                                       \
        return v;                                                                                                      \
    }

SIMT_ALIGNED(long, long, 16)
SIMT_ALIGNED(long, long, 32)
SIMT_ALIGNED(ulong, unsigned long, 16)
SIMT_ALIGNED(ulong, unsigned long, 32)
SIMT_ALIGNED(longlong, long long, 16)
SIMT_ALIGNED(longlong, long long, 32)
SIMT_ALIGNED(ulonglong, unsigned long long, 16)
SIMT_ALIGNED(ulonglong, unsigned long long, 32)
SIMT_ALIGNED(double, double, 16)
SIMT_ALIGNED(double, double, 32)

typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
} dim3;

#endif
