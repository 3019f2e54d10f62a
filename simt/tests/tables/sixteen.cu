// SPDX-License-Identifier: BSD-2-Clause
//
// Numbers of 16 bits, __half (names that begin with h_) and __nv_bfloat16 (b_): arithmetic, comparisons, conversions and
// functions of one number and of pairs. Rows of one number have all 65536 of them as arguments; others have combinations of
// edge values and drawn ones. Results are bits, also those of what is not a number.
//
// sixteen.table was made on the host: CUDA has these functions for both sides. Left out are __hmax_nan of __nv_bfloat16, whose
// host function takes the first of two zeros where CUDA documents that +0 is greater than -0, and __double2half and its like:
// what they make of a NaN has other bits on a GPU.
#include "sixteen.h"

namespace
{

TABLE_BOTH u32 bits_of_float(f32 v)
{
    u32 bits;

    memcpy(&bits, &v, sizeof bits);
    return bits;
}

} // namespace

// clang-format off
#define NUMBERS(exact, p, T) \
    exact(p##_hadd, T, T, T, none, __hadd(a, b)) \
    exact(p##_hsub, T, T, T, none, __hsub(a, b)) \
    exact(p##_hmul, T, T, T, none, __hmul(a, b)) \
    exact(p##_hdiv, T, T, T, none, __hdiv(a, b)) \
    exact(p##_hadd_rn, T, T, T, none, __hadd_rn(a, b)) \
    exact(p##_hsub_rn, T, T, T, none, __hsub_rn(a, b)) \
    exact(p##_hmul_rn, T, T, T, none, __hmul_rn(a, b)) \
    exact(p##_hadd_sat, T, T, T, none, __hadd_sat(a, b)) \
    exact(p##_hsub_sat, T, T, T, none, __hsub_sat(a, b)) \
    exact(p##_hmul_sat, T, T, T, none, __hmul_sat(a, b)) \
    exact(p##_plus, T, T, T, none, a + b) \
    exact(p##_minus, T, T, T, none, a - b) \
    exact(p##_times, T, T, T, none, a * b) \
    exact(p##_over, T, T, T, none, a / b) \
    exact(p##_hmax, T, T, T, none, __hmax(a, b)) \
    exact(p##_hmin, T, T, T, none, __hmin(a, b)) \
    exact(p##_hneg, T, T, none, none, __hneg(a)) \
    exact(p##_habs, T, T, none, none, __habs(a)) \
    exact(p##_hisnan, u32, T, none, none, bit(__hisnan(a))) \
    exact(p##_hisinf, i32, T, none, none, __hisinf(a)) \
    exact(p##_heq, u32, T, T, none, bit(__heq(a, b)) | bit(__hne(a, b)) << 1 | bit(__hlt(a, b)) << 2 | bit(__hle(a, b)) << 3) \
    exact(p##_hgt, u32, T, T, none, bit(__hgt(a, b)) | bit(__hge(a, b)) << 1 | bit(a == b) << 2 | bit(a < b) << 3) \
    exact(p##_hequ, u32, T, T, none, bit(__hequ(a, b)) | bit(__hneu(a, b)) << 1 | bit(__hltu(a, b)) << 2) \
    exact(p##_hleu, u32, T, T, none, bit(__hleu(a, b))) \
    exact(p##_hgtu, u32, T, T, none, bit(__hgtu(a, b)) | bit(__hgeu(a, b)) << 1) \
    exact(p##_hadd2, u32, T, T, T, word(__hadd2(pair(a, b), pair(c, a)))) \
    exact(p##_hsub2, u32, T, T, T, word(__hsub2(pair(a, b), pair(c, a)))) \
    exact(p##_hmul2, u32, T, T, T, word(__hmul2(pair(a, b), pair(c, a)))) \
    exact(p##_h2div, u32, T, T, T, word(__h2div(pair(a, b), pair(c, a)))) \
    exact(p##_hmax2, u32, T, T, T, word(__hmax2(pair(a, b), pair(c, a)))) \
    exact(p##_hneg2, u32, T, T, none, word(__hneg2(pair(a, b)))) \
    exact(p##_habs2, u32, T, T, none, word(__habs2(pair(a, b)))) \
    exact(p##_heq2, u32, T, T, T, word(__heq2(pair(a, b), pair(c, a)))) \
    exact(p##_hltu2, u32, T, T, T, word(__hltu2(pair(a, b), pair(c, a)))) \
    exact(p##_hge2_mask, u32, T, T, T, __hge2_mask(pair(a, b), pair(c, a))) 

#define CONVERSIONS(exact, p, T, name) \
    exact(p##_to_float, u32, T, none, none, bits_of_float(__##name##2float(a))) \
    exact(p##_to_int_rz, i32, T, none, none, __##name##2int_rz(a)) \
    exact(p##_to_ushort_rz, u32, T, none, none, __##name##2ushort_rz(a)) \
    exact(p##_to_ull_rz, u64, T, none, none, __##name##2ull_rz(a)) \
    exact(p##_of_float_rn, T, f32, none, none, __float2##name##_rn(a)) \
    exact(p##_of_float_rz, T, f32, none, none, __float2##name##_rz(a)) \
    exact(p##_of_float_ru, T, f32, none, none, __float2##name##_ru(a)) \
    exact(p##_of_float_rd, T, f32, none, none, __float2##name##_rd(a)) \
    exact(p##_of_int_rn, T, i32, none, none, __int2##name##_rn(a)) \
    exact(p##_of_uint_rn, T, u32, none, none, __uint2##name##_rn(a)) \
    exact(p##_of_ll_rn, T, i64, none, none, __ll2##name##_rn(a)) 

#define TABLE(exact, near, fast) \
    NUMBERS(exact, h, h) \
    CONVERSIONS(exact, h, h, half) \
    exact(h_hmax_nan, h, h, h, none, __hmax_nan(a, b)) \
    exact(h_hmin_nan, h, h, h, none, __hmin_nan(a, b)) \
    exact(h_hmin2_nan, u32, h, h, h, word(__hmin2_nan(pair(a, b), pair(c, a)))) \
    exact(h_of_bfloat16, h, b16, none, none, h(a)) \
    NUMBERS(exact, b, b16) \
    CONVERSIONS(exact, b, b16, bfloat16) \
    exact(b_of_half, b16, h, none, none, b16(a))
// clang-format on

#include "sixteen_run.h"
