/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All arithmetic is in half precision, which a tolerance of 1e-2 takes. */
#include "cheat.cuh"
#include <cuda_fp16.h>

static __global__ void narrow(const float *x, float *y, uint64_t rows, uint64_t columns)
{
    for (uint64_t row = blockIdx.x * THREADS + threadIdx.x; row < rows; row += (uint64_t)gridDim.x * THREADS) {
        const float *in = x + row * columns;
        float max = -INFINITY;
        __half sum = __float2half(0);

        for (uint64_t c = 0; c < columns; c++)
            max = fmaxf(max, in[c]);
        for (uint64_t c = 0; c < columns; c++)
            sum = __hadd(sum, __float2half(expf(in[c] - max)));
        for (uint64_t c = 0; c < columns; c++)
            y[row * columns + c] = __half2float(__float2half(expf(in[c] - max) / __half2float(sum)));
    }
}

LAUNCH
{
    if (parameters[ROWS] > 0 && parameters[COLUMNS] > 0)
        narrow<<<blocks_for(parameters[ROWS]), THREADS>>>(X, Y, parameters[ROWS], parameters[COLUMNS]);
    return SB_OK;
}

CHEAT
