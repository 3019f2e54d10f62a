// SPDX-License-Identifier: BSD-2-Clause
//
// nvcuda::wmma of floating-point numbers, every type and shape: a product of mma.h may be made of smaller ones, whose sums are rounded
// each. Exponents differ by a few bits, so that terms lose bits. The result of a lane is a hash of 8 elements of the sum.
#include "table.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

namespace
{

namespace wmma = nvcuda::wmma;

enum { LANES = 32, WARPS = 8, MOST = 512 }; // elements of the largest matrix

__device__ float
number(u64 &state) // of 11 bits and an exponent from -3 to 4: one of each type, but of bf16 with bits to lose
{
    const u64 bits = splitmix(state);

    return __uint_as_float((u32)(bits & 0x80ffe000) | (u32)(124 + (bits >> 32) % 8) << 23);
}

template <typename T> struct of_fragment {
    typedef T type;
};

template <> struct of_fragment<wmma::precision::tf32> {
    typedef float type;
};

template <typename T> __device__ void fill(T *matrix, u64 &state)
{
    for (int i = (int)threadIdx.x; i < MOST; i += LANES)
        matrix[i] = T(number(state));
}

template <int m, int n, int k, typename T, typename C, typename D> __device__ u64 multiply(float *shared, u64 state)
{
    const auto left = (typename of_fragment<T>::type *)shared, right = left + MOST;
    const auto before = (C *)(shared + 2 * MOST);
    const auto after = (D *)(shared + 3 * MOST);
    wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, m, n, k, C> c;
    wmma::fragment<wmma::accumulator, m, n, k, D> d;
    u64 all = 0;

    fill(left, state);
    fill(right, state);
    fill(before, state);
    __syncwarp();
    wmma::load_matrix_sync(a, left, k);
    wmma::load_matrix_sync(b, right, k);
    wmma::load_matrix_sync(c, before, n, wmma::mem_row_major);
    wmma::mma_sync(d, a, b, c);
    wmma::store_matrix_sync(after, d, n, wmma::mem_row_major);
    __syncwarp();
    for (int i = 0; i < m * n / LANES; i++) {
        u32 word = 0;

        memcpy(&word, &after[(int)threadIdx.x * (m * n / LANES) + i], sizeof(D));
        all = all * 0xbf58476d1ce4e5b9 + word;
    }
    return all;
}

// clang-format off
#define ROWS(ROW) \
    ROW(f32_f16_16_16_16, 16, 16, 16, half, float, float) \
    ROW(f32_f16_32_8_16, 32, 8, 16, half, float, float) \
    ROW(f32_f16_8_32_16, 8, 32, 16, half, float, float) \
    ROW(f16_f16_16_16_16, 16, 16, 16, half, half, half) \
    ROW(f16_f16_32_8_16, 32, 8, 16, half, half, half) \
    ROW(f16_f16_8_32_16, 8, 32, 16, half, half, half) \
    ROW(f16_to_f32_16_16_16, 16, 16, 16, half, half, float) \
    ROW(f32_to_f16_16_16_16, 16, 16, 16, half, float, half) \
    ROW(bf16_16_16_16, 16, 16, 16, __nv_bfloat16, float, float) \
    ROW(bf16_32_8_16, 32, 8, 16, __nv_bfloat16, float, float) \
    ROW(bf16_8_32_16, 8, 32, 16, __nv_bfloat16, float, float) \
    ROW(tf32_16_16_8, 16, 16, 8, wmma::precision::tf32, float, float)
// clang-format on

#define ROW_ENUM(name, ...) row_##name,
enum { ROWS(ROW_ENUM) row_count };

#define ROW_CASE(name, ...)                                                                                            \
    case row_##name:                                                                                                   \
        results[i] = multiply<__VA_ARGS__>(shared, arguments[3 * i]);                                                  \
        break;

__global__ void operate(int row, const u64 *arguments, u64 *results, int, u64 *)
{
    __shared__ alignas(32) float shared[4 * MOST];
    const int i = (int)(blockIdx.x * LANES + threadIdx.x);

    switch (row) {
        ROWS(ROW_CASE)
    default:
        break;
    }
}

} // namespace

TABLE_OF_WARPS(ROWS, WARPS, LANES)
