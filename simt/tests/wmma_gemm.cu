// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A matrix product by nvcuda::wmma: a block of two warps computes a tile of 16 x 32; tiles of A and B go through shared memory, whose rows
// are apart by 8 elements more than they have. Whole numbers: the result is exact.
#include <mma.h>

#include <cstdio>

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
    static half a[M * K], b[K * N];
    static float c[M * N];
    half *device_a, *device_b;
    float *device_c;
    int wrong = 0;

    for (int i = 0; i < M * K; i++)
        a[i] = (half)(float)(i * 7 % 11 - 5);
    for (int i = 0; i < K * N; i++)
        b[i] = (half)(float)(i * 5 % 13 - 6);
    cudaMalloc(&device_a, sizeof a);
    cudaMalloc(&device_b, sizeof b);
    cudaMalloc(&device_c, sizeof c);
    cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice);
    product<<<dim3(N / WIDE, M / TILE), 64>>>(device_a, device_b, device_c);
    cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;

            for (int k = 0; k < K; k++)
                sum += (float)a[i * K + k] * (float)b[k * N + j];
            wrong += c[i * N + j] != 2 * sum;
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
