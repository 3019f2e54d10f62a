// SPDX-License-Identifier: BSD-2-Clause
//
// mma.sync and mma.sp of every type: the order, width and rounding of their sums. Each lane of a warp makes its registers of numbers
// whose exponents differ by a few bits, so that terms lose bits; every fourth warp has random bits, with infinities, NaNs and subnormal
// numbers. The result of a lane is a hash of its registers of the sum.
#include "products.h"

namespace
{

enum { LANES = 32, WARPS = 96 };

struct operands {
    u32 a[4], b[4], c[4], e;
    double x[8], y[4], z[4];
};

template <typename A, typename B, bool half_sums, bool of_tf32> __device__ operands make(u64 state, bool random)
{
    operands o;

    for (int i = 0; i < 4; i++) {
        const u64 bits = splitmix(state), more = splitmix(state);

        o.a[i] = random ? (u32)bits : A::word((u32)bits);
        o.b[i] = random ? (u32)(bits >> 32) : B::word((u32)(bits >> 32));
        o.c[i] = random ? (u32)more : half_sums ? f16::word((u32)more) : tf32::word((u32)more);
    }
    o.e = metadata(splitmix(state), of_tf32);
    for (int i = 0; i < 8; i++)
        o.x[i] = (double)(i64)splitmix(state) * (splitmix(state) & 1 ? 0x1p-60 : 0x1p-66);
    for (int i = 0; i < 4; i++) {
        o.y[i] = (double)(i64)splitmix(state) * (splitmix(state) & 1 ? 0x1p-60 : 0x1p-66);
        o.z[i] = (double)(i64)splitmix(state) * 0x1p-62;
    }
    return o;
}

#define SUMS     "+r"(o.c[0]), "+r"(o.c[1]), "+r"(o.c[2]), "+r"(o.c[3])
#define FLOATS   "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
#define LONG_IN  "r"(o.a[0]), "r"(o.a[1]), "r"(o.a[2]), "r"(o.a[3]), "r"(o.b[0]), "r"(o.b[1])
#define SHORT_IN "r"(o.a[0]), "r"(o.a[1]), "r"(o.b[0])

#define LONG(name, ...)                                                                                                \
    asm(name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : __VA_ARGS__ : LONG_IN)
#define SHORT(name, ...) asm(name " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};" : __VA_ARGS__ : SHORT_IN)

// Sums of floating-point numbers are in registers of their own type.
#define WITH_FLOATS(...)                                                                                               \
    float f[4];                                                                                                        \
    for (int j = 0; j < 4; j++)                                                                                        \
        f[j] = __uint_as_float(o.c[j]);                                                                                \
    __VA_ARGS__;                                                                                                       \
    for (int j = 0; j < 4; j++)                                                                                        \
    o.c[j] = __float_as_uint(f[j])

// clang-format off
#define ROWS(row) \
    row(f16_k16, f16, f16, false, WITH_FLOATS(LONG("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", FLOATS))) \
    row(f16_k8, f16, f16, false, WITH_FLOATS(SHORT("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", FLOATS))) \
    row(bf16_k16, bf16, bf16, false, WITH_FLOATS(LONG("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", FLOATS))) \
    row(bf16_k8, bf16, bf16, false, WITH_FLOATS(SHORT("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", FLOATS))) \
    row(tf32_k8, tf32, tf32, false, WITH_FLOATS(LONG("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", FLOATS))) \
    row(tf32_k4, tf32, tf32, false, WITH_FLOATS(SHORT("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", FLOATS))) \
    row(e4m3_k32, e4m3, e4m3, false, WITH_FLOATS(LONG("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", FLOATS))) \
    row(e5m2_k32, e5m2, e5m2, false, WITH_FLOATS(LONG("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", FLOATS))) \
    row(e4m3_k16, e4m3, e5m2, false, WITH_FLOATS(SHORT("mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32", FLOATS))) \
    row(f16_k16_h, f16, f16, true, asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};" \
        : "+r"(o.c[0]), "+r"(o.c[1]) : LONG_IN)) \
    row(f16_k8_h, f16, f16, true, asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};" \
        : "+r"(o.c[0]), "+r"(o.c[1]) : SHORT_IN)) \
    row(s8_k32, integers, integers, true, LONG("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", SUMS)) \
    row(u8_s8_k32_sat, integers, integers, true, LONG("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32", SUMS)) \
    row(s8_k16, integers, integers, true, SHORT("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", SUMS)) \
    row(s4_k64, integers, integers, true, LONG("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", SUMS)) \
    row(u4_s4_k32, integers, integers, true, SHORT("mma.sync.aligned.m16n8k32.row.col.s32.u4.s4.s32", SUMS)) \
    row(b1_xor, integers, integers, true, LONG("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", SUMS)) \
    row(b1_and, integers, integers, true, SHORT("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc", SUMS)) \
    row(f64_k4, integers, integers, true, asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" \
        : "+d"(o.z[0]), "+d"(o.z[1]) : "d"(o.x[0]), "d"(o.y[0]))) \
    row(f64_k16, integers, integers, true, asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, " \
        "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};" \
        : "+d"(o.z[0]), "+d"(o.z[1]), "+d"(o.z[2]), "+d"(o.z[3]) : "d"(o.x[0]), "d"(o.x[1]), "d"(o.x[2]), "d"(o.x[3]), "d"(o.x[4]), "d"(o.x[5]), \
          "d"(o.x[6]), "d"(o.x[7]), "d"(o.y[0]), "d"(o.y[1]), "d"(o.y[2]), "d"(o.y[3]))) \
    row(sparse_f16, f16, f16, false, WITH_FLOATS(asm("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, " \
        "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 1;" : FLOATS : LONG_IN, "r"(o.b[2]), "r"(o.b[3]), "r"(o.e)))) \
    row(sparse_bf16, bf16, bf16, false, WITH_FLOATS(asm("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, " \
        "{%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 2;" : FLOATS : SHORT_IN, "r"(o.b[1]), "r"(o.e)))) \
    row(sparse_tf32, tf32, tf32, false, WITH_FLOATS(asm("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, " \
        "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 1;" : FLOATS : LONG_IN, "r"(o.b[2]), "r"(o.b[3]), "r"(o.e)))) \
    row(sparse_e4m3, e4m3, e4m3, false, WITH_FLOATS(asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, " \
        "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;" : FLOATS : LONG_IN, "r"(o.b[2]), "r"(o.b[3]), "r"(o.e)))) \
    row(sparse_s8, integers, integers, true, asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, " \
        "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;" : SUMS : LONG_IN, "r"(o.b[2]), "r"(o.b[3]), "r"(o.e))) \
    row(sparse_s4, integers, integers, true, asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, " \
        "{%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 1;" : SUMS : SHORT_IN, "r"(o.b[1]), "r"(o.e)))
// clang-format on

#define ROW_ENUM(name, ...) row_##name,
enum { ROWS(ROW_ENUM) row_count };

#define ROW_CASE(name, A, B, half_sums, ...)                                                                           \
    case row_##name: {                                                                                                 \
        operands o = make<A, B, half_sums, row_##name == row_sparse_tf32>(arguments[3 * i], blockIdx.x % 4 == 3);      \
                                                                                                                       \
        __VA_ARGS__;                                                                                                   \
        results[i] = hash(o);                                                                                          \
        break;                                                                                                         \
    }

__device__ u64 hash(const operands &o)
{
    u64 all = 0;

    for (int i = 0; i < 4; i++) {
        all = all * 0xbf58476d1ce4e5b9 + o.c[i];
        all = all * 0xbf58476d1ce4e5b9 + (u64)__double_as_longlong(o.z[i]);
    }
    return all;
}

__global__ void operate(int row, const u64 *arguments, u64 *results, int, u64 *)
{
    const int i = (int)(blockIdx.x * LANES + threadIdx.x);

    switch (row) {
        ROWS(ROW_CASE)
    default:
        break;
    }
}

} // namespace

TABLE_OF_WARPS(ROWS, WARPS, LANES)
