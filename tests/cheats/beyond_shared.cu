/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel uses more shared memory than the launch has asked for, and finds there what the last block has left: a cache. */
#include "cheat.cuh"

static __global__ void peek(const float *x, float *y, uint64_t rows, uint64_t columns)
{
    extern __shared__ float kept[];

    for (uint64_t row = blockIdx.x * THREADS + threadIdx.x; row < rows; row += (uint64_t)gridDim.x * THREADS) {
        kept[threadIdx.x] = 0; // 128 bytes, and none was asked for
        for (uint64_t c = 0; c < columns; c++)
            kept[threadIdx.x] += expf(x[row * columns + c]);
        for (uint64_t c = 0; c < columns; c++)
            y[row * columns + c] = expf(x[row * columns + c]) / kept[threadIdx.x];
    }
}

LAUNCH
{
    if (parameters[ROWS] > 0 && parameters[COLUMNS] > 0)
        peek<<<blocks_for(parameters[ROWS]), THREADS, 0>>>(X, Y, parameters[ROWS], parameters[COLUMNS]);
    return SB_OK;
}

CHEAT
