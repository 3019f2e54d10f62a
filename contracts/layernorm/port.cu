// SPDX-License-Identifier: BSD-2-Clause
//
// layernorm.rows: a block takes a row, and reads it three times: for the mean, for the variance, and to write. No two blocks touch the
// same row.
#include <samebits/cuda_device.h>
#include <samebits/prim/block.cuh>

enum { ROWS, COLUMNS };      // parameters
enum { THREADS = 256 };      // in a block; not tuned
enum { MAX_BLOCKS = 65535 }; // the most that every dimension of a grid may have

static __global__ void layernorm(const float *x, const float *gain, const float *bias, float *y, uint64_t rows,
                                 uint64_t columns)
{
    __shared__ float sums[THREADS / 32], squares[THREADS / 32];

    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *in = x + row * columns;
        float sum = 0, square = 0;

        for (uint64_t c = threadIdx.x; c < columns; c += THREADS)
            sum += in[c];
        float mean = sb::block_reduce(sum, sb::add(), sums) / (float)columns;
        for (uint64_t c = threadIdx.x; c < columns; c += THREADS)
            square += (in[c] - mean) * (in[c] - mean);
        float variance = sb::block_reduce(square, sb::add(), squares) / (float)columns;
        float scale = 1 / sqrtf(variance + 1e-5f);
        for (uint64_t c = threadIdx.x; c < columns; c += THREADS)
            y[row * columns + c] = (in[c] - mean) * scale * gain[c] + bias[c];
        __syncthreads(); // all have read the sums, before the next row writes
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t rows = parameters[ROWS], columns = parameters[COLUMNS];

    if (rows > 0 && columns > 0)
        layernorm<<<(unsigned)(rows < MAX_BLOCKS ? rows : MAX_BLOCKS), THREADS>>>(
            (const float *)inputs[0].data, (const float *)inputs[1].data, (const float *)inputs[2].data,
            (float *)outputs[0].data, rows, columns);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"layernorm.rows", "block", "a block a row, read three times", nullptr, nullptr, launch})
