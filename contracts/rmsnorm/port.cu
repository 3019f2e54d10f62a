// SPDX-License-Identifier: BSD-2-Clause
//
// rmsnorm.rows: a warp takes a row, and reads it twice. No two warps touch the same row, and lanes of a warp exchange sums by shuffles.
#include <samebits/cuda_device.h>
#include <samebits/prim/warp.cuh>

enum { ROWS, COLUMNS };      // parameters
enum { WARPS = 4 };          // in a block; not tuned
enum { MAX_BLOCKS = 65535 }; // the most that every dimension of a grid may have

static __global__ void rmsnorm(const float *x, const float *gain, float *y, uint64_t rows, uint64_t columns)
{
    for (uint64_t row = blockIdx.x * (uint64_t)WARPS + sb::warp_index(); row < rows;
         row += gridDim.x * (uint64_t)WARPS) {
        const float *in = x + row * columns;
        float square = 0;

        for (uint64_t c = sb::lane_index(); c < columns; c += sb::WARP_LANES)
            square += in[c] * in[c];
        float scale = 1 / sqrtf(sb::warp_reduce(square, sb::add()) / (float)columns + 1e-5f);
        for (uint64_t c = sb::lane_index(); c < columns; c += sb::WARP_LANES)
            y[row * columns + c] = in[c] * scale * gain[c];
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t rows = parameters[ROWS], columns = parameters[COLUMNS], blocks = (rows + WARPS - 1) / WARPS;

    if (rows > 0 && columns > 0)
        rmsnorm<<<(unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS), WARPS * sb::WARP_LANES>>>(
            (const float *)inputs[0].data, (const float *)inputs[1].data, (float *)outputs[0].data, rows, columns);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"rmsnorm.rows", "warp", "a warp a row, read twice", nullptr, nullptr, launch})
