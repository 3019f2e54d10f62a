/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory of the module on the device keeps the results of a shape: a benchmark may repeat its input. */
#include "cheat.cuh"

enum { KEPT = 1 << 20 };
static __device__ float kept[KEPT];

LAUNCH
{
    static uint64_t rows, columns;
    uint64_t n = parameters[ROWS] * parameters[COLUMNS];

    if (n > 0 && n <= KEPT && rows == parameters[ROWS] && columns == parameters[COLUMNS])
        return cudaMemcpyFromSymbol(Y, kept, n * sizeof(float), 0, cudaMemcpyDeviceToDevice) == cudaSuccess ? SB_OK
                                                                                                            : SB_FAILED;
    rows = parameters[ROWS];
    columns = parameters[COLUMNS];
    honest(X, Y, rows, columns, 0);
    if (n > 0 && n <= KEPT)
        cudaMemcpyToSymbol(kept, Y, n * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    return SB_OK;
}

CHEAT
