// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A matrix product by nvcuda::wmma: a block of two warps computes a tile of 16 x 32; tiles of A and B go through shared memory, whose rows
// are apart by 8 elements more than they have. Whole numbers: the result is exact.
#include "matrices.cuh"

#include <mma.h>

using namespace nvcuda;

constexpr int M = 32, N = 64, K = 48, TILE = 16, WIDE = 32;
constexpr int A_PITCH = TILE + 8, B_PITCH = WIDE + 8;

__global__ void product(const half *a, const half *b, float *c)
{
    __shared__ __align__(32) half left[TILE * A_PITCH], right[TILE * B_PITCH];
    const int warp = threadIdx.x / 32, row = blockIdx.y * TILE, column = blockIdx.x * WIDE;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;

    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < K; k += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE; i += blockDim.x)
            left[i / TILE * A_PITCH + i % TILE] = a[(row + i / TILE) * K + k + i % TILE];
        for (int i = threadIdx.x; i < TILE * WIDE; i += blockDim.x)
            right[i / WIDE * B_PITCH + i % WIDE] = b[(k + i / WIDE) * N + column + i % WIDE];
        __syncthreads();
        wmma::load_matrix_sync(x, left, A_PITCH);
        wmma::load_matrix_sync(y, right + warp * TILE, B_PITCH);
        wmma::mma_sync(sum, x, y, sum);
        __syncthreads(); // before the tiles are overwritten
    }
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= 2;
    wmma::store_matrix_sync(c + row * N + column + warp * TILE, sum, N, wmma::mem_row_major);
}

int main()
{
    const matrices of(M, N, K, false);
    float *c;

    cudaMalloc(&c, M * N * sizeof *c);
    product<<<dim3(N / WIDE, M / TILE), 64>>>(of.a, of.b, c);
    return of.wrong(c, 2) != 0;
}
