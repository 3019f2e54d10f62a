// SPDX-License-Identifier: BSD-2-Clause
//
// crossentropy.rows: a block takes a row, and reads it twice: for the largest element, and for the sum. No two blocks touch the same row.
#include <math.h>
#include <samebits/cuda_device.h>
#include <samebits/prim/block.cuh>

enum { ROWS, CLASSES };      // parameters
enum { THREADS = 256 };      // in a block; not tuned
enum { MAX_BLOCKS = 65535 }; // the most that every dimension of a grid may have

static __global__ void crossentropy(const float *x, const uint32_t *label, float *loss, uint64_t rows, uint64_t classes)
{
    __shared__ float maxima[THREADS / 32], sums[THREADS / 32];

    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *in = x + row * classes;
        float max = -INFINITY, sum = 0;

        for (uint64_t c = threadIdx.x; c < classes; c += THREADS)
            max = fmaxf(max, in[c]);
        max = sb::block_reduce(max, sb::maximum(), maxima);
        for (uint64_t c = threadIdx.x; c < classes; c += THREADS)
            sum += expf(in[c] - max);
        sum = sb::block_reduce(sum, sb::add(), sums);
        if (threadIdx.x == 0)
            loss[row] = logf(sum) - (in[label[row]] - max);
        __syncthreads(); // all have read the results of the warps, before the next row writes
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t rows = parameters[ROWS];

    if (rows > 0)
        crossentropy<<<(unsigned)(rows < MAX_BLOCKS ? rows : MAX_BLOCKS), THREADS>>>(
            (const float *)inputs[0].data, (const uint32_t *)inputs[1].data, (float *)outputs[0].data, rows,
            parameters[CLASSES]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"crossentropy.rows", "block", "a block a row, read twice", nullptr, nullptr, launch})
