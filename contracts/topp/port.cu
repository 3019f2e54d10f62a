// SPDX-License-Identifier: BSD-2-Clause
//
// topp.sample: a block takes a row. Each thread ranks its classes by counting those that come before, which needs no sort; one thread then walks
// through them in order. Quadratic, and short.
#include <samebits/cuda_device.h>

enum { ROWS, CLASSES };      // parameters
enum { WEIGHT, P, U };       // inputs
enum { THREADS = 128 };      // in a block; not tuned
enum { MAX_BLOCKS = 65535 }; // the most that every dimension of a grid may have

// `order` has a part for each row.
static __global__ void sample(const float *weight, const float *p, const float *u, uint32_t *token, uint32_t *order,
                              uint64_t rows, uint64_t classes)
{
    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *in = weight + row * classes;
        uint32_t *ranked = order + row * classes;

        for (uint64_t c = threadIdx.x; c < classes; c += THREADS) {
            uint64_t rank = 0;

            for (uint64_t k = 0; k < classes; k++)
                rank += in[k] > in[c] || (in[k] == in[c] && k < c);
            ranked[rank] = (uint32_t)c;
        }
        __syncthreads(); // all have their ranks
        if (threadIdx.x != 0)
            continue; // other rows have other memory
        float sum = 0, nucleus = 0, running = 0;
        uint64_t size = 0, chosen = 0;

        for (uint64_t k = 0; k < classes; k++)
            sum += in[ranked[k]];
        do
            nucleus += in[ranked[size++]];
        while (size < classes && nucleus < p[row] * sum);
        for (chosen = 0; chosen + 1 < size; chosen++) {
            running += in[ranked[chosen]];
            if (running > u[row] * nucleus)
                break;
        }
        token[row] = sum > 0 ? ranked[chosen] : 0;
    }
}

static uint64_t workspace(const uint64_t *parameters, const sb_array *)
{
    return parameters[ROWS] * parameters[CLASSES] * sizeof(uint32_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    uint64_t rows = parameters[ROWS];

    if (rows > 0)
        sample<<<(unsigned)(rows < MAX_BLOCKS ? rows : MAX_BLOCKS), THREADS>>>(
            (const float *)inputs[WEIGHT].data, (const float *)inputs[P].data, (const float *)inputs[U].data,
            (uint32_t *)outputs[0].data, (uint32_t *)workspace, rows, parameters[CLASSES]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"topp.sample", "count", "a block a row, ranks by counting", nullptr, workspace, launch})
