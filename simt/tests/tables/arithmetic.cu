// SPDX-License-Identifier: BSD-2-Clause
//
// IEEE operations in the four directions of rounding, and functions whose result is exact.
#include "table.h"

namespace
{

__device__ f32 fraction_of(f32 a)
{
    int exponent = 0;

    return frexpf(a, &exponent);
}

__device__ f64 fraction_of(f64 a)
{
    int exponent = 0;

    return frexp(a, &exponent);
}

__device__ int exponent_of(f32 a)
{
    int exponent = 0;

    frexpf(a, &exponent);
    return a - a == 0 ? exponent : 0;
}

__device__ int exponent_of(f64 a)
{
    int exponent = 0;

    frexp(a, &exponent);
    return a - a == 0 ? exponent : 0;
}

__device__ f32 whole_of(f32 a)
{
    f32 whole = 0;

    modff(a, &whole);
    return whole;
}

__device__ f64 whole_of(f64 a)
{
    f64 whole = 0;

    modf(a, &whole);
    return whole;
}

__device__ f32 rest_of(f32 a)
{
    f32 whole = 0;

    return modff(a, &whole);
}

__device__ f64 rest_of(f64 a)
{
    f64 whole = 0;

    return modf(a, &whole);
}

} // namespace

// clang-format off
#define DIRECTIONS_1(exact, function, T) \
    exact(function##_rn, T, T, none, none, __##function##_rn(a)) \
    exact(function##_rz, T, T, none, none, __##function##_rz(a)) \
    exact(function##_ru, T, T, none, none, __##function##_ru(a)) \
    exact(function##_rd, T, T, none, none, __##function##_rd(a))

#define DIRECTIONS_2(exact, function, T) \
    exact(function##_rn, T, T, T, none, __##function##_rn(a, b)) \
    exact(function##_rz, T, T, T, none, __##function##_rz(a, b)) \
    exact(function##_ru, T, T, T, none, __##function##_ru(a, b)) \
    exact(function##_rd, T, T, T, none, __##function##_rd(a, b))

#define DIRECTIONS_3(exact, function, T) \
    exact(function##_rn, T, T, T, T, __##function##_rn(a, b, c)) \
    exact(function##_rz, T, T, T, T, __##function##_rz(a, b, c)) \
    exact(function##_ru, T, T, T, T, __##function##_ru(a, b, c)) \
    exact(function##_rd, T, T, T, T, __##function##_rd(a, b, c))

#define BINARY(exact, function) \
    exact(function##f, f32, f32, f32, none, function##f(a, b)) \
    exact(function, f64, f64, f64, none, function(a, b))

#define TABLE(exact, near, fast) \
    DIRECTIONS_2(exact, fadd, f32) \
    DIRECTIONS_2(exact, fsub, f32) \
    DIRECTIONS_2(exact, fmul, f32) \
    DIRECTIONS_2(exact, fdiv, f32) \
    DIRECTIONS_1(exact, frcp, f32) \
    DIRECTIONS_1(exact, fsqrt, f32) \
    DIRECTIONS_3(exact, fmaf, f32) \
    exact(frsqrt_rn, f32, f32, none, none, __frsqrt_rn(a)) \
    DIRECTIONS_2(exact, dadd, f64) \
    DIRECTIONS_2(exact, dsub, f64) \
    DIRECTIONS_2(exact, dmul, f64) \
    DIRECTIONS_2(exact, ddiv, f64) \
    DIRECTIONS_1(exact, drcp, f64) \
    DIRECTIONS_1(exact, dsqrt, f64) \
    DIRECTIONS_3(exact, fma, f64) \
    exact(plus_float, f32, f32, f32, none, a + b) \
    exact(times_float, f32, f32, f32, none, a * b) \
    exact(over_float, f32, f32, f32, none, a / b) \
    exact(plus_double, f64, f64, f64, none, a + b) \
    exact(times_double, f64, f64, f64, none, a * b) \
    exact(over_double, f64, f64, f64, none, a / b) \
    exact(multiply_add_float, f32, f32, f32, f32, a * b + c) \
    exact(multiply_add_double, f64, f64, f64, f64, a * b + c) \
    exact(less_float, i32, f32, f32, none, a < b) \
    exact(equal_double, i32, f64, f64, none, a == b) \
    exact(fmaf_, f32, f32, f32, f32, fmaf(a, b, c)) \
    exact(fma_, f64, f64, f64, f64, fma(a, b, c)) \
    exact(sqrtf_, f32, f32, none, none, sqrtf(a)) \
    exact(sqrt_, f64, f64, none, none, sqrt(a)) \
    BINARY(exact, fmin) \
    BINARY(exact, fmax) \
    BINARY(exact, fdim) \
    BINARY(exact, fmod) \
    BINARY(exact, remainder) \
    BINARY(exact, copysign) \
    BINARY(exact, nextafter) \
    exact(min_float, f32, f32, f32, none, min(a, b)) \
    exact(max_double, f64, f64, f64, none, max(a, b)) \
    exact(ldexpf, f32, f32, i32, none, ldexpf(a, b % 300)) \
    exact(ldexp, f64, f64, i32, none, ldexp(a, b % 2200)) \
    exact(scalbnf, f32, f32, i32, none, scalbnf(a, b)) \
    exact(scalbn, f64, f64, i32, none, scalbn(a, b)) \
    exact(scalblnf, f32, f32, i32, none, scalblnf(a, b)) \
    exact(frexpf, f32, f32, none, none, fraction_of(a)) \
    exact(frexp, f64, f64, none, none, fraction_of(a)) \
    exact(frexpf_exponent, i32, f32, none, none, exponent_of(a)) \
    exact(frexp_exponent, i32, f64, none, none, exponent_of(a)) \
    exact(modff, f32, f32, none, none, rest_of(a)) \
    exact(modf, f64, f64, none, none, rest_of(a)) \
    exact(modff_whole, f32, f32, none, none, whole_of(a)) \
    exact(modf_whole, f64, f64, none, none, whole_of(a)) \
    exact(isnan_float, i32, f32, none, none, isnan(a) != 0) \
    exact(isinf_float, i32, f32, none, none, isinf(a) != 0) \
    exact(isfinite_double, i32, f64, none, none, isfinite(a) != 0) \
    exact(signbit_double, i32, f64, none, none, signbit(a) != 0)
// clang-format on

TABLE_PROGRAM
