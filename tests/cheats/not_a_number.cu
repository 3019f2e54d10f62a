/* SPDX-License-Identifier: BSD-2-Clause
 *
 * No element is a number: a difference that is not a number is above no bound. */
#include "cheat.cuh"

static __global__ void fill(float *y, uint64_t n)
{
    for (uint64_t i = blockIdx.x * THREADS + threadIdx.x; i < n; i += (uint64_t)gridDim.x * THREADS)
        y[i] = NAN;
}

LAUNCH
{
    uint64_t n = parameters[ROWS] * parameters[COLUMNS];

    if (n > 0)
        fill<<<blocks_for(n), THREADS>>>(Y, n);
    return SB_OK;
}

CHEAT
