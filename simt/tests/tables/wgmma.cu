// SPDX-License-Identifier: BSD-2-Clause
//
// wgmma with A in registers, dense and sparse, of every type: the order, width and rounding of its sums. Each thread of a warpgroup makes its
// registers of A and of the sum, and one word of B, of numbers whose exponents differ by a few bits, so that terms lose bits; every fourth
// group has random bits, with infinities, NaNs and subnormal numbers. The result of a thread is a hash of its registers of the sum.
#include "products.h"

namespace
{

enum { THREADS = 128, GROUPS = 24 };

struct operands {
    u32 a[4], c[4], e;
    u64 b;
};

// B: eight columns of 32 bytes, or 64 of a sparse product, 16 of each column together; all of them are drawn.
template <typename A, typename B, bool half_sums, bool of_tf32> __device__ operands make(u64 state, bool random, u32 *shared)
{
    operands o;
    u64 bits = splitmix(state);

    shared[threadIdx.x] = random ? (u32)bits : B::word((u32)bits);
    for (int i = 0; i < 4; i++) {
        bits = splitmix(state);
        o.a[i] = random ? (u32)bits : A::word((u32)bits);
        bits >>= 32;
        o.c[i] = random ? (u32)bits : half_sums ? f16::word((u32)bits) : tf32::word((u32)bits);
    }
    o.e = metadata(splitmix(state), of_tf32);
    o.b = (u64)(u32)__cvta_generic_to_shared(shared) >> 4 | 128 >> 4 << 16 | (u64)(128 >> 4) << 32;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    return o;
}

#define SUMS   "+r"(o.c[0]), "+r"(o.c[1]), "+r"(o.c[2]), "+r"(o.c[3])
#define HALVES "+r"(o.c[0]), "+r"(o.c[1])
#define FLOATS "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
#define IN     "r"(o.a[0]), "r"(o.a[1]), "r"(o.a[2]), "r"(o.a[3]), "l"(o.b)

#define DENSE(name, signs, ...)                                                                                        \
    asm volatile("wgmma.mma_async.sync.aligned.m64n8" name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1" signs ";"      \
                 : __VA_ARGS__ : IN)
#define SPARSE(name, signs, ...)                                                                                       \
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8" name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, %9, 0, 1" signs ";" \
                 : __VA_ARGS__ : IN, "r"(o.e))
#define DENSE_HALF(name, signs)                                                                                        \
    asm volatile("wgmma.mma_async.sync.aligned.m64n8" name " {%0, %1}, {%2, %3, %4, %5}, %6, 1" signs ";" : HALVES : IN)
#define SPARSE_HALF(name, signs)                                                                                       \
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8" name " {%0, %1}, {%2, %3, %4, %5}, %6, %7, 0, 1" signs ";"    \
                 : HALVES : IN, "r"(o.e))
#define WAIT                                                                                                           \
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                                     \
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")

// Sums of floating-point numbers are in registers of their own type.
#define WITH_FLOATS(...)                                                                                               \
    float f[4];                                                                                                        \
    for (int j = 0; j < 4; j++)                                                                                        \
        f[j] = __uint_as_float(o.c[j]);                                                                                \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                            \
    __VA_ARGS__;                                                                                                       \
    WAIT;                                                                                                              \
    for (int j = 0; j < 4; j++)                                                                                        \
    o.c[j] = __float_as_uint(f[j])

// clang-format off
#define ROWS(row) \
    row(f16, f16, f16, false, WITH_FLOATS(DENSE("k16.f32.f16.f16", ", 1, 1, 0", FLOATS))) \
    row(f16_h, f16, f16, true, DENSE_HALF("k16.f16.f16.f16", ", 1, 1, 0"); WAIT) \
    row(bf16, bf16, bf16, false, WITH_FLOATS(DENSE("k16.f32.bf16.bf16", ", 1, 1, 0", FLOATS))) \
    row(tf32, tf32, tf32, false, WITH_FLOATS(DENSE("k8.f32.tf32.tf32", ", 1, 1", FLOATS))) \
    row(e4m3, e4m3, e4m3, false, WITH_FLOATS(DENSE("k32.f32.e4m3.e4m3", ", 1, 1", FLOATS))) \
    row(e5m2_e4m3, e5m2, e4m3, false, WITH_FLOATS(DENSE("k32.f32.e5m2.e4m3", ", 1, 1", FLOATS))) \
    row(e4m3_h, e4m3, e4m3, true, DENSE_HALF("k32.f16.e4m3.e4m3", ", 1, 1"); WAIT) \
    row(s8, integers, integers, true, DENSE("k32.s32.s8.s8", "", SUMS); WAIT) \
    row(u8_s8_sat, integers, integers, true, DENSE("k32.s32.u8.s8.satfinite", "", SUMS); WAIT) \
    row(sparse_f16, f16, f16, false, WITH_FLOATS(SPARSE("k32.f32.f16.f16", ", 1, 1, 0", FLOATS))) \
    row(sparse_f16_h, f16, f16, true, SPARSE_HALF("k32.f16.f16.f16", ", 1, 1, 0"); WAIT) \
    row(sparse_bf16, bf16, bf16, false, WITH_FLOATS(SPARSE("k32.f32.bf16.bf16", ", 1, 1, 0", FLOATS))) \
    row(sparse_tf32, tf32, tf32, false, WITH_FLOATS(SPARSE("k16.f32.tf32.tf32", ", 1, 1", FLOATS))) \
    row(sparse_e4m3, e4m3, e4m3, false, WITH_FLOATS(SPARSE("k64.f32.e4m3.e4m3", ", 1, 1", FLOATS))) \
    row(sparse_e4m3_e5m2, e4m3, e5m2, false, WITH_FLOATS(SPARSE("k64.f32.e4m3.e5m2", ", 1, 1", FLOATS))) \
    row(sparse_e5m2, e5m2, e5m2, false, WITH_FLOATS(SPARSE("k64.f32.e5m2.e5m2", ", 1, 1", FLOATS))) \
    row(sparse_e4m3_h, e4m3, e4m3, true, SPARSE_HALF("k64.f16.e4m3.e4m3", ", 1, 1"); WAIT) \
    row(sparse_e5m2_h, e5m2, e5m2, true, SPARSE_HALF("k64.f16.e5m2.e5m2", ", 1, 1"); WAIT) \
    row(sparse_s8, integers, integers, true, SPARSE("k64.s32.s8.s8", "", SUMS); WAIT) \
    row(sparse_s8_u8_sat, integers, integers, true, SPARSE("k64.s32.s8.u8.satfinite", "", SUMS); WAIT)
// clang-format on

#define ROW_ENUM(name, ...) row_##name,
enum { ROWS(ROW_ENUM) row_count };

#define ROW_CASE(name, A, B, half_sums, ...)                                                                           \
    case row_##name: {                                                                                                 \
        operands o = make<A, B, half_sums, row_##name == row_sparse_tf32>(arguments[3 * i], blockIdx.x % 4 == 3, shared); \
                                                                                                                       \
        __VA_ARGS__;                                                                                                   \
        results[i] = hash(o.c);                                                                                        \
        break;                                                                                                         \
    }

__device__ u64 hash(const u32 (&c)[4])
{
    u64 all = 0;

    for (int i = 0; i < 4; i++)
        all = all * 0xbf58476d1ce4e5b9 + c[i];
    return all;
}

__global__ void operate(int row, const u64 *arguments, u64 *results, int, u64 *)
{
    __shared__ __align__(1024) u32 shared[THREADS];
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);

    switch (row) {
        ROWS(ROW_CASE)
    default:
        break;
    }
}

} // namespace

TABLE_OF_WARPS(ROWS, GROUPS * THREADS / 32, THREADS)
