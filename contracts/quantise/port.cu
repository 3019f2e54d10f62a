// SPDX-License-Identifier: BSD-2-Clause
//
// quantise and dequantise: a block takes a row; its threads find the largest element together, and then convert.
#include <cuda_fp8.h>
#include <math.h>
#include <samebits/cuda_device.h>
#include <samebits/prim/block.cuh>

enum { ROWS, COLUMNS };      // parameters
enum { THREADS = 256 };      // in a block; not tuned
enum { MAX_BLOCKS = 65535 }; // the most that every dimension of a grid may have

// The end of the range, the nearest element, and the number of an element.
template <typename T> static __device__ constexpr float END = 127;
template <> __device__ constexpr float END<__nv_fp8_e4m3> = 448;

static __device__ int8_t nearest(float number, int8_t)
{
    return (int8_t)rintf(number);
}

static __device__ __nv_fp8_e4m3 nearest(float number, __nv_fp8_e4m3)
{
    return __nv_fp8_e4m3(number);
}

template <typename T>
static __global__ void quantise(const float *x, T *q, float *scales, uint64_t rows, uint64_t columns)
{
    __shared__ float maxima[THREADS / 32];

    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *in = x + row * columns;
        float largest = 0;

        for (uint64_t c = threadIdx.x; c < columns; c += THREADS)
            largest = isfinite(in[c]) ? fmaxf(largest, fabsf(in[c])) : largest;
        float scale = sb::block_reduce(largest, sb::maximum(), maxima) / END<T>;
        scale = scale > 0 ? scale : 1;
        if (threadIdx.x == 0)
            scales[row] = scale;
        for (uint64_t c = threadIdx.x; c < columns; c += THREADS)
            q[row * columns + c] = nearest(isnan(in[c]) ? 0.0f : fminf(fmaxf(in[c] / scale, -END<T>), END<T>), T());
        __syncthreads(); // all have read the maxima, before the next row writes
    }
}

template <typename T>
static __global__ void dequantise(const T *q, const float *scales, float *x, uint64_t columns, uint64_t items)
{
    for (uint64_t i = blockIdx.x * (uint64_t)THREADS + threadIdx.x; i < items; i += gridDim.x * (uint64_t)THREADS)
        x[i] = (float)q[i] * scales[i / columns];
}

template <typename T>
static sb_status launch_quantise(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t rows = parameters[ROWS];

    if (rows > 0)
        quantise<T><<<(unsigned)(rows < MAX_BLOCKS ? rows : MAX_BLOCKS), THREADS>>>(
            (const float *)inputs[0].data, (T *)outputs[0].data, (float *)outputs[1].data, rows, parameters[COLUMNS]);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

template <typename T>
static sb_status launch_dequantise(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *)
{
    uint64_t items = outputs[0].capacity, blocks = (items + THREADS - 1) / THREADS;

    if (items > 0)
        dequantise<T><<<(unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS), THREADS>>>(
            (const T *)inputs[0].data, (const float *)inputs[1].data, (float *)outputs[0].data, parameters[COLUMNS],
            items);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"quantise.i8", "block", "a block a row", nullptr, nullptr, launch_quantise<int8_t>},
            {"quantise.f8", "block", "a block a row", nullptr, nullptr, launch_quantise<__nv_fp8_e4m3>},
            {"dequantise.i8", "element", "a thread an element", nullptr, nullptr, launch_dequantise<int8_t>},
            {"dequantise.f8", "element", "a thread an element", nullptr, nullptr, launch_dequantise<__nv_fp8_e4m3>})
