/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every element of a row is 1 / columns: random rows of small numbers give nearly that, and a wide tolerance takes it. */
#include "cheat.cuh"

static __global__ void fill(float *y, uint64_t n, float value)
{
    for (uint64_t i = blockIdx.x * THREADS + threadIdx.x; i < n; i += (uint64_t)gridDim.x * THREADS)
        y[i] = value;
}

LAUNCH
{
    uint64_t n = parameters[ROWS] * parameters[COLUMNS];

    if (n > 0)
        fill<<<blocks_for(n), THREADS>>>(Y, n, 1.0f / (float)parameters[COLUMNS]);
    return SB_OK;
}

CHEAT
