/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A constructor tells simt, by the environment, to look for hangs only, and a kernel reads what nobody has written. */
#include "cheat.cuh"
#include <stdlib.h>

__attribute__((constructor)) static void choose(void)
{
    setenv("SIMT_OPTIONS", "kinds=hang", 1);
}

// Shared memory that nobody has written is read, and makes no difference.
static __global__ void reads_unwritten(float *y)
{
    __shared__ float values[THREADS];

    if (values[threadIdx.x] != values[threadIdx.x])
        y[0] = y[0];
}

LAUNCH
{
    honest(X, Y, parameters[ROWS], parameters[COLUMNS], 0);
    if (parameters[ROWS] * parameters[COLUMNS] > 0)
        reads_unwritten<<<1, THREADS>>>(Y);
    return SB_OK;
}

CHEAT
