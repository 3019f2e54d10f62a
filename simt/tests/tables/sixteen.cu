// SPDX-License-Identifier: BSD-2-Clause
//
// Numbers of 16 bits, __half (names that begin with h_) and __nv_bfloat16 (b_): arithmetic, comparisons, conversions and
// functions of one number and of pairs. Rows of one number have all 65536 of them as arguments; others have combinations of
// edge values and drawn ones. Results are bits, also those of what is not a number.
#include "table.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef __half h;
typedef __nv_bfloat16 b16;

template <> constexpr Kind kind<h>()
{
    return U32;
}
template <> constexpr Kind kind<b16>()
{
    return U32;
}
template <> __device__ h get<h>(u64 bits)
{
    return __ushort_as_half((unsigned short)bits);
}
template <> __device__ b16 get<b16>(u64 bits)
{
    return __ushort_as_bfloat16((unsigned short)bits);
}
template <> __device__ u64 put<h>(h value)
{
    return __half_as_ushort(value);
}
template <> __device__ u64 put<b16>(b16 value)
{
    return __bfloat16_as_ushort(value);
}

namespace
{

__device__ u32 word(__half2 v)
{
    return (u32)__half_as_ushort(__low2half(v)) | (u32)__half_as_ushort(__high2half(v)) << 16;
}

__device__ u32 word(__nv_bfloat162 v)
{
    return (u32)__bfloat16_as_ushort(__low2bfloat16(v)) | (u32)__bfloat16_as_ushort(__high2bfloat16(v)) << 16;
}

__device__ __half2 pair(h x, h y)
{
    return __halves2half2(x, y);
}

__device__ __nv_bfloat162 pair(b16 x, b16 y)
{
    return __halves2bfloat162(x, y);
}

__device__ u32 bit(bool v)
{
    return v;
}

// A number in memory after an addition, and the number before it in the upper half.
template <typename T> __device__ u32 added(u64 *cell, T a, T b)
{
    T *number = (T *)cell;

    *number = a;
    u64 before = put<T>(atomicAdd(number, b));
    return (u32)(put<T>(*number) | before << 16);
}

// Two additions of pairs: the pair in memory, and the pairs before, mixed into one result.
template <typename P> __device__ u32 added_pair(u64 *cell, P a, P b)
{
    P *number = (P *)cell;

    *number = a;
    u32 first = word(atomicAdd(number, b)), second = word(atomicAdd(number, a));
    return word(*number) + 3 * first + 5 * second;
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
    exact(p##_hfma, T, T, T, T, __hfma(a, b, c)) \
    exact(p##_hfma_sat, T, T, T, T, __hfma_sat(a, b, c)) \
    exact(p##_hfma_relu, T, T, T, T, __hfma_relu(a, b, c)) \
    exact(p##_plus, T, T, T, none, a + b) \
    exact(p##_minus, T, T, T, none, a - b) \
    exact(p##_times, T, T, T, none, a * b) \
    exact(p##_over, T, T, T, none, a / b) \
    exact(p##_hmax, T, T, T, none, __hmax(a, b)) \
    exact(p##_hmin, T, T, T, none, __hmin(a, b)) \
    exact(p##_hmax_nan, T, T, T, none, __hmax_nan(a, b)) \
    exact(p##_hmin_nan, T, T, T, none, __hmin_nan(a, b)) \
    exact(p##_hneg, T, T, none, none, __hneg(a)) \
    exact(p##_habs, T, T, none, none, __habs(a)) \
    exact(p##_hisnan, u32, T, none, none, bit(__hisnan(a))) \
    exact(p##_hisinf, i32, T, none, none, __hisinf(a)) \
    exact(p##_heq, u32, T, T, none, bit(__heq(a, b)) | bit(__hne(a, b)) << 1 | bit(__hlt(a, b)) << 2 | bit(__hle(a, b)) << 3) \
    exact(p##_hgt, u32, T, T, none, bit(__hgt(a, b)) | bit(__hge(a, b)) << 1 | bit(a == b) << 2 | bit(a < b) << 3) \
    exact(p##_hequ, u32, T, T, none, bit(__hequ(a, b)) | bit(__hneu(a, b)) << 1 | bit(__hltu(a, b)) << 2) \
    exact(p##_hleu, u32, T, T, none, bit(__hleu(a, b))) \
    exact(p##_hgtu, u32, T, T, none, bit(__hgtu(a, b)) | bit(__hgeu(a, b)) << 1) \
    exact(p##_hceil, T, T, none, none, hceil(a)) \
    exact(p##_hfloor, T, T, none, none, hfloor(a)) \
    exact(p##_htrunc, T, T, none, none, htrunc(a)) \
    exact(p##_hrint, T, T, none, none, hrint(a)) \
    exact(p##_hsqrt, T, T, none, none, hsqrt(a)) \
    exact(p##_hrcp, T, T, none, none, hrcp(a)) \
    exact(p##_hrsqrt, T, T, none, none, hrsqrt(a)) \
    exact(p##_hexp, T, T, none, none, hexp(a)) \
    exact(p##_hexp2, T, T, none, none, hexp2(a)) \
    exact(p##_hexp10, T, T, none, none, hexp10(a)) \
    exact(p##_hlog, T, T, none, none, hlog(a)) \
    exact(p##_hlog2, T, T, none, none, hlog2(a)) \
    exact(p##_hlog10, T, T, none, none, hlog10(a)) \
    exact(p##_hsin, T, T, none, none, hsin(a)) \
    exact(p##_hcos, T, T, none, none, hcos(a)) \
    exact(p##_htanh, T, T, none, none, htanh(a)) \
    exact(p##_hadd2, u32, T, T, T, word(__hadd2(pair(a, b), pair(c, a)))) \
    exact(p##_hsub2, u32, T, T, T, word(__hsub2(pair(a, b), pair(c, a)))) \
    exact(p##_hmul2, u32, T, T, T, word(__hmul2(pair(a, b), pair(c, a)))) \
    exact(p##_h2div, u32, T, T, T, word(__h2div(pair(a, b), pair(c, a)))) \
    exact(p##_hfma2, u32, T, T, T, word(__hfma2(pair(a, b), pair(c, a), pair(b, c)))) \
    exact(p##_hfma2_sat, u32, T, T, T, word(__hfma2_sat(pair(a, b), pair(c, a), pair(b, c)))) \
    exact(p##_hfma2_relu, u32, T, T, T, word(__hfma2_relu(pair(a, b), pair(c, a), pair(b, c)))) \
    exact(p##_hcmadd, u32, T, T, T, word(__hcmadd(pair(a, b), pair(c, a), pair(b, c)))) \
    exact(p##_hmax2, u32, T, T, T, word(__hmax2(pair(a, b), pair(c, a)))) \
    exact(p##_hmin2_nan, u32, T, T, T, word(__hmin2_nan(pair(a, b), pair(c, a)))) \
    exact(p##_hneg2, u32, T, T, none, word(__hneg2(pair(a, b)))) \
    exact(p##_habs2, u32, T, T, none, word(__habs2(pair(a, b)))) \
    exact(p##_heq2, u32, T, T, T, word(__heq2(pair(a, b), pair(c, a)))) \
    exact(p##_hltu2, u32, T, T, T, word(__hltu2(pair(a, b), pair(c, a)))) \
    exact(p##_hge2_mask, u32, T, T, T, __hge2_mask(pair(a, b), pair(c, a))) \
    exact(p##_h2exp, u32, T, T, none, word(h2exp(pair(a, b)))) \
    exact(p##_h2log, u32, T, T, none, word(h2log(pair(a, b)))) \
    exact(p##_h2rcp, u32, T, T, none, word(h2rcp(pair(a, b)))) \
    exact(p##_h2rsqrt, u32, T, T, none, word(h2rsqrt(pair(a, b)))) \
    exact(p##_atomicAdd, u32, T, T, none, added(&cells[i], a, b)) \
    exact(p##_atomicAdd2, u32, T, T, T, added_pair(&cells[i], pair(a, b), pair(c, a)))

#define CONVERSIONS(exact, p, T, name) \
    exact(p##_to_float, u32, T, none, none, __float_as_uint(__##name##2float(a))) \
    exact(p##_to_int_rn, i32, T, none, none, __##name##2int_rn(a)) \
    exact(p##_to_int_rz, i32, T, none, none, __##name##2int_rz(a)) \
    exact(p##_to_int_ru, i32, T, none, none, __##name##2int_ru(a)) \
    exact(p##_to_int_rd, i32, T, none, none, __##name##2int_rd(a)) \
    exact(p##_to_uint_rn, u32, T, none, none, __##name##2uint_rn(a)) \
    exact(p##_to_short_rn, i32, T, none, none, __##name##2short_rn(a)) \
    exact(p##_to_ushort_rz, u32, T, none, none, __##name##2ushort_rz(a)) \
    exact(p##_to_ll_rn, i64, T, none, none, __##name##2ll_rn(a)) \
    exact(p##_to_ull_rz, u64, T, none, none, __##name##2ull_rz(a)) \
    exact(p##_of_float_rn, T, f32, none, none, __float2##name##_rn(a)) \
    exact(p##_of_float_rz, T, f32, none, none, __float2##name##_rz(a)) \
    exact(p##_of_float_ru, T, f32, none, none, __float2##name##_ru(a)) \
    exact(p##_of_float_rd, T, f32, none, none, __float2##name##_rd(a)) \
    exact(p##_of_double, T, f64, none, none, __double2##name(a)) \
    exact(p##_of_int_rn, T, i32, none, none, __int2##name##_rn(a)) \
    exact(p##_of_int_rz, T, i32, none, none, __int2##name##_rz(a)) \
    exact(p##_of_int_ru, T, i32, none, none, __int2##name##_ru(a)) \
    exact(p##_of_int_rd, T, i32, none, none, __int2##name##_rd(a)) \
    exact(p##_of_uint_rn, T, u32, none, none, __uint2##name##_rn(a)) \
    exact(p##_of_short_rz, T, i32, none, none, __short2##name##_rz((short)a)) \
    exact(p##_of_ll_rn, T, i64, none, none, __ll2##name##_rn(a)) \
    exact(p##_of_ull_ru, T, u64, none, none, __ull2##name##_ru(a))

#define TABLE(exact, near, fast) \
    NUMBERS(exact, h, h) \
    CONVERSIONS(exact, h, h, half) \
    exact(h_of_bfloat16, h, b16, none, none, h(a)) \
    NUMBERS(exact, b, b16) \
    CONVERSIONS(exact, b, b16, bfloat16) \
    exact(b_of_half, b16, h, none, none, b16(a))
// clang-format on

TABLE_ROWS

// What the arguments of each row are, by the names of their types.
#define TABLE_SIXTEEN(name, R, A, B, C, ...)                                                                           \
    {std::is_same<A, h>::value || std::is_same<B, h>::value,                                                           \
     std::is_same<A, b16>::value || std::is_same<B, b16>::value},

struct Sixteen {
    bool half, bfloat16;
};

static const Sixteen sixteen[] = {TABLE(TABLE_SIXTEEN, TABLE_SIXTEEN, TABLE_SIXTEEN)};

// 0, the smallest, the largest subnormal, the smallest normal, 1 and its neighbours, 3/2, 2, halves, the largest, infinity,
// NaN.
static const u32 edges_half[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x7bff, 0x3800, 0x8001,
    0xfbff, 0x7c01, 0xfe01, 0x03ff, 0x0400, 0x3c01, 0x3bff, 0xbc01, 0x3e00, 0x4000, 0xc100,
    0x4300, 0x6400, 0x6401, 0x67ff, 0x6800, 0x7800, 0xf801, 0x0200, 0x1400, 0x1000,
};
static const u32 edges_bfloat16[] = {
    0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x0001, 0x7f7f, 0x3f00, 0x8001,
    0xff7f, 0x7f81, 0xffc1, 0x007f, 0x0080, 0x3f81, 0x3f7f, 0xbf81, 0x3fc0, 0x4000, 0xc020,
    0x4060, 0x4300, 0x4301, 0x437f, 0x4380, 0x7f00, 0xff01, 0x0040, 0x3c00, 0x3b80,
};

// Beside all numbers of rows of one: near 1 or any.
static u64 draw_sixteen(u64 &state, bool half)
{
    u64 r = splitmix(state);

    if (r >> 62)
        return r & 0xffff;
    return half ? (r & 0x83ff) | (12 + (r >> 16) % 8) << 10 : (r & 0x807f) | (120 + (r >> 16) % 16) << 7;
}

static void evaluate(size_t which, Words &arguments, Words &results)
{
    const Row row = rows()[which];
    const u32 *edge_of = sixteen[which].half ? edges_half : edges_bfloat16;
    size_t arity = 0, count, side, drawn = 2000;
    u64 state = name_hash(row.name);

    if (!sixteen[which].half && !sixteen[which].bfloat16) {
        arguments_of(row, arguments);
        run(apply, (int)which, arguments.size() / 3, arguments, results);
        return;
    }
    while (arity < 3 && row.argument[arity] != NONE)
        arity++;
    side = arity == 2 ? 32 : 16;
    count = arity == 1 ? 65536 : arity == 2 ? 32 * 32 + drawn : 16 * 16 * 16 + drawn;
    arguments.assign(3 * count, 0);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0, left = i; j < arity; j++, left /= side)
            arguments[3 * i + j] = arity == 1          ? i
                                   : i < count - drawn ? edge_of[left % side]
                                                       : draw_sixteen(state, sixteen[which].half);
    run(apply, (int)which, count, arguments, results);
}

int main(int count, char **argument)
{
    return table_main(count, argument);
}
