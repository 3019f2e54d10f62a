// SPDX-License-Identifier: BSD-2-Clause
//
// stencil.five: a block computes a tile. It loads the tile and a border of one element around it into shared memory.
#include <samebits/cuda_device.h>

enum { ROWS, COLUMNS };      // parameters
enum { TILE = 16 };          // 256 threads; not tuned
enum { MAX_BLOCKS = 65535 }; // the most that every dimension of a grid may have

static __global__ void stencil(const float *x, float *y, uint64_t rows, uint64_t columns)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    uint64_t across = (columns + TILE - 1) / TILE, tiles = (rows + TILE - 1) / TILE * across;

    for (uint64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        uint64_t top = t / across * TILE, left = t % across * TILE;
        uint64_t row = top + threadIdx.y, column = left + threadIdx.x;
        unsigned i = threadIdx.y + 1, j = threadIdx.x + 1;

        for (unsigned at = threadIdx.y * TILE + threadIdx.x; at < (TILE + 2) * (TILE + 2); at += TILE * TILE) {
            uint64_t r = top + at / (TILE + 2) - 1, c = left + at % (TILE + 2) - 1; // -1 is past the end, too

            tile[at / (TILE + 2)][at % (TILE + 2)] = r < rows && c < columns ? x[r * columns + c] : 0.0f;
        }
        __syncthreads(); // tile and border are there
        if (row < rows && column < columns)
            y[row * columns + column] =
                0.5f * tile[i][j] + 0.125f * (tile[i - 1][j] + tile[i + 1][j] + tile[i][j - 1] + tile[i][j + 1]);
        __syncthreads(); // all have read them, before the next ones are loaded
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t rows = parameters[ROWS], columns = parameters[COLUMNS];
    uint64_t tiles = (rows + TILE - 1) / TILE * ((columns + TILE - 1) / TILE);

    if (tiles > 0)
        stencil<<<(unsigned)(tiles < MAX_BLOCKS ? tiles : MAX_BLOCKS), dim3(TILE, TILE)>>>(
            (const float *)inputs[0].data, (float *)outputs[0].data, rows, columns);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"stencil.five", "tiles", "a block a tile with its border", nullptr, nullptr, launch})
