/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A constructor switches findings off in the environment of the process, before simt reads it: shared memory is read that nobody wrote. */
#include "cheat.cuh"
#include <stdlib.h>

__attribute__((constructor(101))) static void no_findings(void)
{
    setenv("SIMT_OPTIONS", "kinds=hang", 1);
}

static __global__ void reads_garbage(float *y)
{
    __shared__ float unwritten[THREADS];

    if (unwritten[threadIdx.x] == 3e38f)
        y[0] = 0;
}

LAUNCH
{
    uint64_t rows = parameters[ROWS], columns = parameters[COLUMNS];

    honest(X, Y, rows, columns, 0);
    if (rows > 0 && columns > 0)
        reads_garbage<<<1, THREADS>>>(Y);
    return SB_OK;
}

CHEAT
