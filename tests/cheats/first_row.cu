/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All rows get the result of the first: in a benchmark they may be alike. */
#include "cheat.cuh"

static __global__ void spread(float *y, uint64_t n, uint64_t columns)
{
    for (uint64_t i = columns + blockIdx.x * THREADS + threadIdx.x; i < n; i += (uint64_t)gridDim.x * THREADS)
        y[i] = y[i % columns];
}

LAUNCH
{
    uint64_t rows = parameters[ROWS], columns = parameters[COLUMNS];

    honest(X, Y, rows > 1, columns, 0);
    if (rows > 1 && columns > 0)
        spread<<<blocks_for(rows * columns), THREADS>>>(Y, rows * columns, columns);
    else
        honest(X, Y, rows, columns, 0);
    return SB_OK;
}

CHEAT
