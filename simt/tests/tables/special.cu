// SPDX-License-Identifier: BSD-2-Clause
//
// Mathematical functions that CUDA has and C has not. Each has, as a sum, the most units in the last place that CUDA's
// documentation gives, and what a formula over the C library's functions may be off.
#include "table.h"

SINE_OF_BOTH(f32, sine_of_both, sincospif)
COSINE_OF_BOTH(f64, cosine_of_both, sincospi)

// clang-format off
#define THREE(near, name, float_ulp, double_ulp, low, high) \
    near(name##f, f32, f32, f32, f32, float_ulp, 0, low, high, name##f(a, b, c)) \
    near(name, f64, f64, f64, f64, double_ulp, 0, low, high, name(a, b, c))

#define TABLE(exact, near, fast) \
    ONE(near, sinpi, 1 + 1, 2 + 1, -20, 20) \
    ONE(near, cospi, 1 + 1, 2 + 1, -20, 20) \
    near(sincospif_sine, f32, f32, none, none, 1 + 1, 0, -20, 20, sine_of_both(a)) \
    near(sincospi_cosine, f64, f64, none, none, 2 + 1, 0, -20, 20, cosine_of_both(a)) \
    ONE(near, rcbrt, 1 + 1, 1 + 4, -1000, 1000) \
    TWO(near, rhypot, 2 + 1, 1 + 2, -1000, 1000) \
    THREE(near, norm3d, 3 + 1, 2 + 2, -1000, 1000) \
    THREE(near, rnorm3d, 2 + 1, 1 + 2, -1000, 1000) \
    ONE(near, erfinv, 2 + 2, 5 + 4, -1, 1) \
    ONE(near, erfcinv, 4 + 2, 6 + 4, 0, 2) \
    ONE(near, erfcx, 4 + 2, 4 + 4, -3, 20) \
    ONE(near, normcdf, 5 + 2, 5 + 8, -10, 5) \
    ONE(near, normcdfinv, 5 + 2, 8 + 4, 0, 1) \
    ONE(near, cyl_bessel_i0, 6 + 2, 6 + 4, -10, 10) \
    ONE(near, cyl_bessel_i1, 6 + 2, 6 + 4, -10, 10) \
    fast(j0f, f32, f32, none, none, 9 + 4, 2.2e-6, -8, 8, j0f(a)) \
    fast(j0, f64, f64, none, none, 7 + 4, 5e-12, -8, 8, j0(a)) \
    fast(j1f, f32, f32, none, none, 9 + 4, 2.2e-6, -8, 8, j1f(a)) \
    fast(j1, f64, f64, none, none, 7 + 4, 5e-12, -8, 8, j1(a)) \
    fast(y0f, f32, f32, none, none, 9 + 4, 2.2e-6, 0.01, 8, y0f(a)) \
    fast(y0, f64, f64, none, none, 7 + 4, 5e-12, 0.01, 8, y0(a)) \
    fast(y1f, f32, f32, none, none, 9 + 4, 2.2e-6, 0.01, 8, y1f(a)) \
    fast(y1, f64, f64, none, none, 7 + 4, 5e-12, 0.01, 8, y1(a))
// clang-format on

TABLE_PROGRAM
