// SPDX-License-Identifier: BSD-2-Clause
//
// embedding.gather: a thread copies an element. embedding.scatter: a thread adds an element by an atomic operation, after the table has been
// set to 0.
#include <samebits/cuda_device.h>

enum { WORDS, WIDTH, COUNT }; // parameters
enum { THREADS = 128 };       // in a block; not tuned
enum { MAX_BLOCKS = 65535 };  // the most that every dimension of a grid may have

static __global__ void gather(const float *table, const uint32_t *index, float *y, uint64_t width, uint64_t items)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < items; i += gridDim.x * (uint64_t)THREADS)
        y[i] = table[index[i / width] * width + i % width];
}

static __global__ void scatter(const float *x, const uint32_t *index, float *table, uint64_t width, uint64_t items)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < items; i += gridDim.x * (uint64_t)THREADS)
        atomicAdd(&table[index[i / width] * width + i % width], x[i]);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, bool adds)
{
    uint64_t width = parameters[WIDTH], items = parameters[COUNT] * width, blocks = (items + THREADS - 1) / THREADS;

    auto *kernel = adds ? scatter : gather;

    if (adds && outputs[0].capacity > 0)
        cudaMemsetAsync(outputs[0].data, 0, outputs[0].capacity * sizeof(float));
    if (items > 0)
        kernel<<<(unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS), THREADS>>>(
            (const float *)inputs[0].data, (const uint32_t *)inputs[1].data, (float *)outputs[0].data, width, items);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

static sb_status launch_gather(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    return launch(parameters, inputs, outputs, false);
}

static sb_status launch_scatter(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    return launch(parameters, inputs, outputs, true);
}

SB_VARIANTS({"embedding.gather", "element", "a thread an element", nullptr, nullptr, launch_gather},
            {"embedding.scatter", "atomic", "a thread an element, added atomically", nullptr, nullptr, launch_scatter})
