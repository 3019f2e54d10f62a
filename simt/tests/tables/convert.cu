// SPDX-License-Identifier: BSD-2-Clause
//
// Conversions between integers and floating-point numbers, and rounding to integers.
#include "table.h"

// clang-format off
#define DIRECTIONS(exact, function, R, A) \
    exact(function##_rn, R, A, none, none, __##function##_rn(a)) \
    exact(function##_rz, R, A, none, none, __##function##_rz(a)) \
    exact(function##_ru, R, A, none, none, __##function##_ru(a)) \
    exact(function##_rd, R, A, none, none, __##function##_rd(a))

#define UNARY(exact, function) \
    exact(function##f, f32, f32, none, none, function##f(a)) \
    exact(function, f64, f64, none, none, function(a))

#define TABLE(exact, near, fast) \
    DIRECTIONS(exact, float2int, i32, f32) \
    DIRECTIONS(exact, float2uint, u32, f32) \
    DIRECTIONS(exact, float2ll, i64, f32) \
    DIRECTIONS(exact, float2ull, u64, f32) \
    DIRECTIONS(exact, double2int, i32, f64) \
    DIRECTIONS(exact, double2uint, u32, f64) \
    DIRECTIONS(exact, double2ll, i64, f64) \
    DIRECTIONS(exact, double2ull, u64, f64) \
    DIRECTIONS(exact, double2float, f32, f64) \
    DIRECTIONS(exact, int2float, f32, i32) \
    DIRECTIONS(exact, uint2float, f32, u32) \
    DIRECTIONS(exact, ll2float, f32, i64) \
    DIRECTIONS(exact, ull2float, f32, u64) \
    DIRECTIONS(exact, ll2double, f64, i64) \
    DIRECTIONS(exact, ull2double, f64, u64) \
    exact(int2double_rn, f64, i32, none, none, __int2double_rn(a)) \
    exact(uint2double_rn, f64, u32, none, none, __uint2double_rn(a)) \
    exact(cast_int_float, f32, i32, none, none, (float)a) \
    exact(cast_ull_float, f32, u64, none, none, (float)a) \
    exact(cast_ull_double, f64, u64, none, none, (double)a) \
    exact(cast_double_float, f32, f64, none, none, (float)a) \
    exact(cast_float_double, f64, f32, none, none, (double)a) \
    exact(saturatef, f32, f32, none, none, __saturatef(a)) \
    UNARY(exact, rint) \
    UNARY(exact, nearbyint) \
    UNARY(exact, round) \
    UNARY(exact, trunc) \
    UNARY(exact, ceil) \
    UNARY(exact, floor) \
    UNARY(exact, fabs) \
    UNARY(exact, logb) \
    exact(lrintf, i64, f32, none, none, lrintf(a)) \
    exact(lrint, i64, f64, none, none, lrint(a)) \
    exact(llrintf, i64, f32, none, none, llrintf(a)) \
    exact(llrint, i64, f64, none, none, llrint(a)) \
    exact(lroundf, i64, f32, none, none, lroundf(a)) \
    exact(lround, i64, f64, none, none, lround(a)) \
    exact(llroundf, i64, f32, none, none, llroundf(a)) \
    exact(llround, i64, f64, none, none, llround(a)) \
    exact(ilogbf, i32, f32, none, none, ilogbf(a)) \
    exact(ilogb, i32, f64, none, none, ilogb(a))
// clang-format on

TABLE_PROGRAM
