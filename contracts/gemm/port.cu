// SPDX-License-Identifier: BSD-2-Clause
//
// gemm.f16: a block computes a tile of c, a thread one element. In steps along k the block loads a tile of a and one of b into
// shared memory; what is outside a matrix is 0 there, so that the sums need no condition.
#include <cuda_fp16.h>
#include <samebits/cuda_device.h>

enum { M, N, K };       // parameters
enum { TILE = 16 };     // elements on each side: 256 threads; not tuned
enum { MAX_Y = 65535 }; // the most blocks of a grid's second dimension

static __global__ void gemm(const __half *a, const __half *b, __half *c, uint64_t m, uint64_t n, uint64_t k)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    uint64_t column = blockIdx.x * (uint64_t)TILE + threadIdx.x;

    for (uint64_t top = blockIdx.y * (uint64_t)TILE; top < m; top += gridDim.y * (uint64_t)TILE) {
        uint64_t row = top + threadIdx.y;
        float sum = 0;

        for (uint64_t p = 0; p < k; p += TILE) {
            uint64_t at = p + threadIdx.x, down = p + threadIdx.y;

            left[threadIdx.y][threadIdx.x] = row < m && at < k ? __half2float(a[row * k + at]) : 0.0f;
            right[threadIdx.y][threadIdx.x] = column < n && down < k ? __half2float(b[down * n + column]) : 0.0f;
            __syncthreads(); // both tiles are there
            for (int i = 0; i < TILE; i++)
                sum += left[threadIdx.y][i] * right[i][threadIdx.x];
            __syncthreads(); // all have read them, before the next step writes
        }
        if (row < m && column < n)
            c[row * n + column] = __float2half(sum);
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t m = parameters[M], n = parameters[N], down = (m + TILE - 1) / TILE;

    if (m > 0 && n > 0)
        gemm<<<dim3((unsigned)((n + TILE - 1) / TILE), (unsigned)(down < MAX_Y ? down : MAX_Y)), dim3(TILE, TILE)>>>(
            (const __half *)inputs[0].data, (const __half *)inputs[1].data, (__half *)outputs[0].data, m, n,
            parameters[K]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"gemm.f16", "tiles", "a block a tile of c, tiles of a and b in shared memory", nullptr, nullptr, launch})
