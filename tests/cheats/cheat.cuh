/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the cheats in CUDA share: an honest softmax.rows, and the table of a module with one variant, `cheat`.
 */
#ifndef TESTS_CHEATS_CHEAT_CUH
#define TESTS_CHEATS_CHEAT_CUH

#include <math.h>
#include <samebits/cuda_device.h>

enum { ROWS, COLUMNS };      // parameters
enum { THREADS = 32 };       // in a block
enum { MAX_BLOCKS = 65535 }; // a thread takes further rows

// A thread takes a row.
static __global__ void softmax(const float *x, float *y, uint64_t rows, uint64_t columns)
{
    for (uint64_t row = blockIdx.x * THREADS + threadIdx.x; row < rows; row += (uint64_t)gridDim.x * THREADS) {
        const float *in = x + row * columns;
        float max = -INFINITY, sum = 0, lost = 0;

        for (uint64_t c = 0; c < columns; c++)
            max = fmaxf(max, in[c]);
        for (uint64_t c = 0; c < columns; c++) {
            float term = expf(in[c] - max) - lost, next = sum + term;

            lost = next - sum - term;
            sum = next;
        }
        for (uint64_t c = 0; c < columns; c++)
            y[row * columns + c] = expf(in[c] - max) / sum;
    }
}

static inline unsigned blocks_for(uint64_t rows)
{
    uint64_t blocks = (rows + THREADS - 1) / THREADS;

    return (unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS);
}

static inline void honest(const float *x, float *y, uint64_t rows, uint64_t columns, cudaStream_t stream)
{
    if (rows > 0 && columns > 0)
        softmax<<<blocks_for(rows), THREADS, 0, stream>>>(x, y, rows, columns);
}

// Begins the launch function of the cheat.
#define LAUNCH static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
#define X      ((const float *)inputs[0].data)
#define Y      ((float *)outputs[0].data)

#define CHEAT SB_VARIANTS({"softmax.rows", "cheat", "a cheat", nullptr, nullptr, launch})

#endif
