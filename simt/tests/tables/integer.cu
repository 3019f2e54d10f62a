// SPDX-License-Identifier: BSD-2-Clause
//
// Integer intrinsics and the bits of floating-point numbers.
#include "table.h"

// clang-format off
#define TABLE(exact, near, fast) \
    exact(brev, u32, u32, none, none, __brev(a)) \
    exact(brevll, u64, u64, none, none, __brevll(a)) \
    exact(clz, i32, i32, none, none, __clz(a)) \
    exact(clzll, i32, i64, none, none, __clzll(a)) \
    exact(ffs, i32, i32, none, none, __ffs(a)) \
    exact(ffsll, i32, i64, none, none, __ffsll(a)) \
    exact(popc, i32, u32, none, none, __popc(a)) \
    exact(popcll, i32, u64, none, none, __popcll(a)) \
    exact(fns, u32, u32, u32, i32, __fns(a, b & 31, c)) \
    exact(fns_near, u32, u32, u32, i32, __fns(a, b & 31, c % 8)) \
    exact(byte_perm, u32, u32, u32, u32, __byte_perm(a, b, c)) \
    exact(funnelshift_l, u32, u32, u32, u32, __funnelshift_l(a, b, c)) \
    exact(funnelshift_lc, u32, u32, u32, u32, __funnelshift_lc(a, b, c)) \
    exact(funnelshift_r, u32, u32, u32, u32, __funnelshift_r(a, b, c)) \
    exact(funnelshift_rc, u32, u32, u32, u32, __funnelshift_rc(a, b, c)) \
    exact(mulhi, i32, i32, i32, none, __mulhi(a, b)) \
    exact(umulhi, u32, u32, u32, none, __umulhi(a, b)) \
    exact(mul64hi, i64, i64, i64, none, __mul64hi(a, b)) \
    exact(umul64hi, u64, u64, u64, none, __umul64hi(a, b)) \
    exact(mul24, i32, i32, i32, none, __mul24(a, b)) \
    exact(umul24, u32, u32, u32, none, __umul24(a, b)) \
    exact(sad, u32, i32, i32, u32, __sad(a, b, c)) \
    exact(usad, u32, u32, u32, u32, __usad(a, b, c)) \
    exact(hadd, i32, i32, i32, none, __hadd(a, b)) \
    exact(rhadd, i32, i32, i32, none, __rhadd(a, b)) \
    exact(uhadd, u32, u32, u32, none, __uhadd(a, b)) \
    exact(urhadd, u32, u32, u32, none, __urhadd(a, b)) \
    exact(dp4a_signed, i32, i32, i32, i32, __dp4a(a, b, c)) \
    exact(dp4a_unsigned, u32, u32, u32, u32, __dp4a(a, b, c)) \
    exact(dp2a_lo_signed, i32, i32, i32, i32, __dp2a_lo(a, b, c)) \
    exact(dp2a_lo_unsigned, u32, u32, u32, u32, __dp2a_lo(a, b, c)) \
    exact(dp2a_hi_signed, i32, i32, i32, i32, __dp2a_hi(a, b, c)) \
    exact(dp2a_hi_unsigned, u32, u32, u32, u32, __dp2a_hi(a, b, c)) \
    exact(min_int, i32, i32, i32, none, min(a, b)) \
    exact(max_int, i32, i32, i32, none, max(a, b)) \
    exact(min_mixed, u32, i32, u32, none, min(a, b)) \
    exact(max_mixed, u32, u32, i32, none, max(a, b)) \
    exact(min_long_long, i64, i64, i64, none, min(a, b)) \
    exact(max_unsigned_long_long, u64, u64, u64, none, max(a, b)) \
    exact(umin, u32, u32, u32, none, umin(a, b)) \
    exact(umax, u32, u32, u32, none, umax(a, b)) \
    exact(llmin, i64, i64, i64, none, llmin(a, b)) \
    exact(llmax, i64, i64, i64, none, llmax(a, b)) \
    exact(ullmin, u64, u64, u64, none, ullmin(a, b)) \
    exact(ullmax, u64, u64, u64, none, ullmax(a, b)) \
    exact(float_as_int, i32, f32, none, none, __float_as_int(a)) \
    exact(float_as_uint, u32, f32, none, none, __float_as_uint(a)) \
    exact(int_as_float, f32, i32, none, none, __int_as_float(a)) \
    exact(uint_as_float, f32, u32, none, none, __uint_as_float(a)) \
    exact(double_as_longlong, i64, f64, none, none, __double_as_longlong(a)) \
    exact(longlong_as_double, f64, i64, none, none, __longlong_as_double(a)) \
    exact(double2hiint, i32, f64, none, none, __double2hiint(a)) \
    exact(double2loint, i32, f64, none, none, __double2loint(a)) \
    exact(hiloint2double, f64, i32, i32, none, __hiloint2double(a, b))
// clang-format on

TABLE_PROGRAM
