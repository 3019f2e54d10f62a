// SPDX-License-Identifier: BSD-2-Clause
//
// softmax.rows: a block takes a row. Its threads find the largest element and the sum of the exponentials by trees in shared
// memory, and read the row three times. A thread adds up to columns / 128 exponentials, each with what the additions before it rounded
// away (Kahan 1965): a plain sum is wrong by more than the bound from half a million columns on. No two blocks touch the same row, so no barrier outside a block is needed.
#include <float.h>
#include <math.h>
#include <samebits/cuda_device.h>

enum { ROWS, COLUMNS };      // parameters
enum { THREADS = 128 };      // in a block, a power of two for the trees; not tuned
enum { MAX_BLOCKS = 65535 }; // the most that every dimension of a grid may have

// The largest, or the sum, of the numbers of all threads. All threads call it, and all get it. `part` is in shared memory.
template <bool MAX> static __device__ float combine(float *part, float number)
{
    part[threadIdx.x] = number;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads(); // the upper half has been written
        if (threadIdx.x < half)
            part[threadIdx.x] =
                MAX ? fmaxf(part[threadIdx.x], part[threadIdx.x + half]) : part[threadIdx.x] + part[threadIdx.x + half];
    }
    __syncthreads(); // part[0] is complete
    number = part[0];
    __syncthreads(); // all have read it, before the next call writes
    return number;
}

static __global__ void softmax(const float *x, float *y, uint64_t rows, uint64_t columns)
{
    __shared__ float part[THREADS];

    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *in = x + row * columns;
        float *out = y + row * columns, max = -INFINITY, sum = 0, lost = 0;

        for (uint64_t c = threadIdx.x; c < columns; c += THREADS)
            max = fmaxf(max, in[c]);
        max = combine<true>(part, max);
        for (uint64_t c = threadIdx.x; c < columns; c += THREADS) {
            float term = expf(in[c] - max) - lost, next = sum + term;

            lost = next - sum - term;
            sum = next;
        }
        sum = combine<false>(part, sum);
        for (uint64_t c = threadIdx.x; c < columns; c += THREADS)
            out[c] = expf(in[c] - max) / sum;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t rows = parameters[ROWS], columns = parameters[COLUMNS];

    if (rows > 0 && columns > 0)
        softmax<<<(unsigned)(rows < MAX_BLOCKS ? rows : MAX_BLOCKS), THREADS>>>(
            (const float *)inputs[0].data, (float *)outputs[0].data, rows, columns);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"softmax.rows", "block", "a block a row, trees in shared memory", nullptr, nullptr, launch})
