// SPDX-License-Identifier: BSD-2-Clause
//
// Mathematical functions. Each has, as a sum, the most units in the last place that CUDA's documentation gives for the
// GPU's function and the most that the C library's is known to be off; a fast function has CUDA's absolute error, or
// its units in the last place over the range of its arguments here. Results that are zero or not finite must be the
// same. CUDA says nothing of lgamma among its zeros, where its error is larger: there is nothing to compare there.
#include "table.h"

SINE_OF_BOTH(f32, sine_of_both, sincosf)
SINE_OF_BOTH(f64, sine_of_both, sincos)
COSINE_OF_BOTH(f32, cosine_of_both, sincosf)
COSINE_OF_BOTH(f64, cosine_of_both, sincos)
SINE_OF_BOTH(f32, sine_of_both_fast, __sincosf)

// clang-format off
#define TABLE(exact, near, fast) \
    ONE(near, sin, 2 + 1, 2 + 1, -100, 100) \
    ONE(near, cos, 2 + 1, 2 + 1, -100, 100) \
    ONE(near, tan, 4 + 1, 2 + 1, -100, 100) \
    near(sincosf_sine, f32, f32, none, none, 2 + 1, 0, -100, 100, sine_of_both(a)) \
    near(sincosf_cosine, f32, f32, none, none, 2 + 1, 0, -100, 100, cosine_of_both(a)) \
    near(sincos_sine, f64, f64, none, none, 2 + 1, 0, -100, 100, sine_of_both(a)) \
    near(sincos_cosine, f64, f64, none, none, 2 + 1, 0, -100, 100, cosine_of_both(a)) \
    ONE(near, asin, 2 + 1, 2 + 1, -1, 1) \
    ONE(near, acos, 2 + 1, 2 + 1, -1, 1) \
    ONE(near, atan, 2 + 1, 2 + 1, -20, 20) \
    TWO(near, atan2, 3 + 1, 2 + 1, -20, 20) \
    ONE(near, sinh, 3 + 2, 2 + 2, -80, 80) \
    ONE(near, cosh, 2 + 2, 1 + 2, -80, 80) \
    ONE(near, tanh, 2 + 2, 1 + 2, -10, 10) \
    ONE(near, asinh, 3 + 2, 3 + 2, -100, 100) \
    ONE(near, acosh, 4 + 2, 3 + 2, 1, 100) \
    ONE(near, atanh, 3 + 2, 2 + 2, -1, 1) \
    ONE(near, exp, 2 + 1, 1 + 1, -85, 85) \
    ONE(near, exp2, 2 + 1, 1 + 1, -120, 120) \
    ONE(near, exp10, 2 + 2, 1 + 2, -37, 37) \
    ONE(near, expm1, 1 + 1, 1 + 1, -20, 20) \
    ONE(near, log, 1 + 1, 1 + 1, 0, 1000) \
    ONE(near, log2, 1 + 1, 1 + 1, 0, 1000) \
    ONE(near, log10, 2 + 2, 1 + 2, 0, 1000) \
    ONE(near, log1p, 1 + 1, 1 + 1, -1, 1000) \
    TWO(near, pow, 4 + 1, 2 + 1, 0, 12) \
    ONE(near, cbrt, 1 + 1, 1 + 4, -1000, 1000) \
    ONE(near, rsqrt, 2 + 1, 1 + 1, 0, 1000) \
    TWO(near, hypot, 3 + 1, 2 + 1, -1000, 1000) \
    ONE(near, erf, 2 + 1, 2 + 1, -4, 4) \
    ONE(near, erfc, 4 + 3, 5 + 3, -4, 9) \
    ONE(near, tgamma, 5 + 8, 10 + 5, -5, 30) \
    near(lgammaf, f32, f32, none, none, 6 + 4, 0, 0.1, 100, a > -10.001f && a < -2.264f ? 0 : lgammaf(a)) \
    near(lgamma, f64, f64, none, none, 4 + 4, 0, 0.1, 100, a > -23.0001 && a < -2.2637 ? 0 : lgamma(a)) \
    near(fdividef_, f32, f32, f32, none, 2 + 1, 0, 0.001, 1000, fdividef(a, b)) \
    fast(fast_fdividef, f32, f32, f32, none, 2, 0, 0.001, 1000, __fdividef(a, b)) \
    fast(fast_sinf, f32, f32, none, none, 1, 3.8e-7, -3.1415926, 3.1415926, __sinf(a)) \
    fast(fast_cosf, f32, f32, none, none, 1, 4.4e-7, -3.1415926, 3.1415926, __cosf(a)) \
    fast(fast_sincosf_sine, f32, f32, none, none, 1, 3.8e-7, -3.1415926, 3.1415926, sine_of_both_fast(a)) \
    fast(fast_tanf, f32, f32, none, none, 1, 2e-6, -1, 1, __tanf(a)) \
    fast(fast_expf, f32, f32, none, none, 11 + 1, 0, -8, 8, __expf(a)) \
    fast(fast_exp10f, f32, f32, none, none, 13 + 2, 0, -4, 4, __exp10f(a)) \
    fast(fast_logf, f32, f32, none, none, 3 + 1, 3.7e-7, 0.001, 1000, __logf(a)) \
    fast(fast_log2f, f32, f32, none, none, 2 + 1, 2.5e-7, 0.001, 1000, __log2f(a)) \
    fast(fast_log10f, f32, f32, none, none, 3 + 2, 6.2e-8, 0.001, 1000, __log10f(a)) \
    fast(fast_powf, f32, f32, f32, none, 16 + 1, 0, 0.5, 4, __powf(a, b))
// clang-format on

TABLE_PROGRAM
