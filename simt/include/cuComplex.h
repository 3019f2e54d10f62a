/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Complex numbers as pairs, for C and C++. Each function does the operations of CUDA's in their order, so it gives the bits of
 * CUDA's functions on the host.
 */
#ifndef SIMT_CUCOMPLEX_H
#define SIMT_CUCOMPLEX_H

#include "vector_types.h"

#include <math.h>

#define CU_COMPLEX_H_ /* the guard of CUDA's own header, which programs ask for */

/* clang-format off */
/* `f` ends the names of the functions for float. */
#define SIMT_COMPLEX(T, real, f, absolute, root, max_value)                                                            \
    typedef real##2 T;                                                                                                 \
    static inline __attribute__((unused)) real cuCreal##f(T x)                                                         \
    {                                                                                                                  \
        return x.x;                                                                                                    \
    }                                                                                                                  \
    static inline __attribute__((unused)) real cuCimag##f(T x)                                                         \
    {                                                                                                                  \
        return x.y;                                                                                                    \
    }                                                                                                                  \
    static inline __attribute__((unused)) T make_##T(real x, real y)                                                   \
    {                                                                                                                  \
        return make_##real##2(x, y);                                                                                   \
    }                                                                                                                  \
    static inline __attribute__((unused)) T cuConj##f(T x)                                                             \
    {                                                                                                                  \
        return make_##T(x.x, -x.y);                                                                                    \
    }                                                                                                                  \
    static inline __attribute__((unused)) T cuCadd##f(T x, T y)                                                        \
    {                                                                                                                  \
        return make_##T(x.x + y.x, x.y + y.y);                                                                         \
    }                                                                                                                  \
    static inline __attribute__((unused)) T cuCsub##f(T x, T y)                                                        \
    {                                                                                                                  \
        return make_##T(x.x - y.x, x.y - y.y);                                                                         \
    }                                                                                                                  \
    static inline __attribute__((unused)) T cuCmul##f(T x, T y)                                                        \
    {                                                                                                                  \
        return make_##T(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                                 \
    }                                                                                                                  \
    /* Both numbers are scaled by the sum of y's parts first, so that no square overflows. */                          \
    static inline __attribute__((unused)) T cuCdiv##f(T x, T y)                                                        \
    {                                                                                                                  \
        real scale = (real)1 / (absolute(y.x) + absolute(y.y));                                                        \
        T a = make_##T(x.x * scale, x.y * scale), b = make_##T(y.x * scale, y.y * scale);                              \
        real of_norm = (real)1 / (b.x * b.x + b.y * b.y);                                                              \
        return make_##T((a.x * b.x + a.y * b.y) * of_norm, (a.y * b.x - a.x * b.y) * of_norm);                         \
    }                                                                                                                  \
    /* The larger part times the root of 1 plus the square of their quotient. */                                       \
    static inline __attribute__((unused)) real cuCabs##f(T x)                                                          \
    {                                                                                                                  \
        real a = absolute(x.x), b = absolute(x.y), large = a > b ? a : b, small = a > b ? b : a;                       \
        real quotient = small / large;                                                                                 \
        return large == 0 || large > max_value || small > max_value ? large + small                                    \
                                                                     : large * root(1 + quotient * quotient);          \
    }                                                                                                                  \
    /* The products of x's real part are added first. */                                                               \
    static inline __attribute__((unused)) T cuCfma##f(T x, T y, T d)                                                   \
    {                                                                                                                  \
        return make_##T((x.x * y.x + d.x) - x.y * y.y, x.y * y.x + (x.x * y.y + d.y));                                 \
    }
/* clang-format on */

SIMT_COMPLEX(cuFloatComplex, float, f, fabsf, sqrtf, 3.402823466e38f)
SIMT_COMPLEX(cuDoubleComplex, double, , fabs, sqrt, 1.79769313486231570e+308)

#undef SIMT_COMPLEX

typedef cuFloatComplex cuComplex;

static inline __attribute__((unused)) cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}

static inline __attribute__((unused)) cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex(x.x, x.y);
}

static inline __attribute__((unused)) cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}

#endif
