// SPDX-License-Identifier: BSD-2-Clause
//
// transpose.matrix: a block moves a tile through shared memory, so that it reads and writes adjacent elements. A column more keeps the
// elements of a column in different banks.
#include <samebits/cuda_device.h>

enum { ROWS, COLUMNS, X_STEP, Y_STEP }; // parameters
enum { TILE = 32, TALL = 8 };           // a warp reads a row of the tile; 256 threads
enum { MAX_BLOCKS = 65535 };            // the most that every dimension of a grid may have

static __global__ void transpose(const uint32_t *x, uint32_t *y, uint64_t rows, uint64_t columns, uint64_t x_step,
                                 uint64_t y_step)
{
    __shared__ uint32_t tile[TILE][TILE + 1];
    uint64_t across = (columns + TILE - 1) / TILE, tiles = (rows + TILE - 1) / TILE * across;

    for (uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        uint64_t top = t / across * TILE, left = t % across * TILE;

        for (unsigned i = threadIdx.y; i < TILE; i += TALL)
            if (top + i < rows && left + threadIdx.x < columns)
                tile[i][threadIdx.x] = x[(top + i) * x_step + left + threadIdx.x];
        __syncthreads(); // the tile is there
        for (unsigned i = threadIdx.y; i < TILE; i += TALL)
            if (left + i < columns && top + threadIdx.x < rows)
                y[(left + i) * y_step + top + threadIdx.x] = tile[threadIdx.x][i];
        __syncthreads(); // all have read it, before the next one is loaded
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t rows = parameters[ROWS], columns = parameters[COLUMNS];
    uint64_t tiles = (rows + TILE - 1) / TILE * ((columns + TILE - 1) / TILE);

    if (tiles > 0)
        transpose<<<(unsigned)(tiles < MAX_BLOCKS ? tiles : MAX_BLOCKS), dim3(TILE, TALL)>>>(
            (const uint32_t *)inputs[0].data, (uint32_t *)outputs[0].data, rows, columns, parameters[X_STEP],
            parameters[Y_STEP]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"transpose.matrix", "tiles", "a block a tile, through shared memory", nullptr, nullptr, launch})
