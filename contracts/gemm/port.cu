// SPDX-License-Identifier: BSD-2-Clause
//
// gemm.float and gemm.i8: a block computes a tile of c, a thread one element. In steps along k the block loads a tile of a and one of b into
// shared memory; what is outside a matrix is 0 there, so that the sums need no condition.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <samebits/cuda_device.h>

enum { M, N, K, TYPE }; // parameters
enum { TILE = 16 };     // elements on each side: 256 threads; not tuned
enum { MAX_Y = 65535 }; // the most blocks of a grid's second dimension

template <typename T, typename Sum, typename C>
static __global__ void gemm(const T *a, const T *b, C *c, uint64_t m, uint64_t n, uint64_t k)
{
    __shared__ Sum left[TILE][TILE], right[TILE][TILE];
    uint64_t column = blockIdx.x * (uint64_t)TILE + threadIdx.x;

    for (uint64_t top = blockIdx.y * (uint64_t)TILE; top < m; top += gridDim.y * (uint64_t)TILE) {
        uint64_t row = top + threadIdx.y;
        Sum sum = 0;

        for (uint64_t p = 0; p < k; p += TILE) {
            uint64_t at = p + threadIdx.x, down = p + threadIdx.y;

            left[threadIdx.y][threadIdx.x] = row < m && at < k ? (Sum)a[row * k + at] : (Sum)0;
            right[threadIdx.y][threadIdx.x] = column < n && down < k ? (Sum)b[down * n + column] : (Sum)0;
            __syncthreads(); // both tiles are there
            for (int i = 0; i < TILE; i++)
                sum += left[threadIdx.y][i] * right[i][threadIdx.x];
            __syncthreads(); // all have read them, before the next step writes
        }
        if (row < m && column < n)
            c[row * n + column] = (C)sum;
    }
}

template <typename T, typename Sum, typename C>
static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t m = parameters[M], n = parameters[N], down = (m + TILE - 1) / TILE;

    if (m > 0 && n > 0)
        gemm<T, Sum, C>
            <<<dim3((unsigned)((n + TILE - 1) / TILE), (unsigned)(down < MAX_Y ? down : MAX_Y)), dim3(TILE, TILE)>>>(
                (const T *)inputs[0].data, (const T *)inputs[1].data, (C *)outputs[0].data, m, n, parameters[K]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch_float(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    switch (parameters[TYPE]) {
    case SB_F16:
        return launch<__half, float, __half>(parameters, inputs, outputs, workspace);
    case SB_BF16:
        return launch<__nv_bfloat16, float, __nv_bfloat16>(parameters, inputs, outputs, workspace);
    default:
        return launch<float, float, float>(parameters, inputs, outputs, workspace);
    }
}

SB_VARIANTS({"gemm.float", "tiles", "a block a tile of c, tiles of a and b in shared memory", nullptr, nullptr,
             launch_float},
            {"gemm.i8", "tiles", "the same, with sums of i32", nullptr, nullptr, launch<int8_t, int32_t, int32_t>})
