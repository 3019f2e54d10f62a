// SPDX-License-Identifier: BSD-2-Clause
//
// conv2d.same and conv2d.half: a thread computes an element, and reads x and w from global memory. No two threads write the same element.
#include <cuda_fp16.h>
#include <samebits/cuda_device.h>

enum { IMAGES, FILTERS, CHANNELS, HEIGHT, WIDTH, DOWN, ACROSS }; // parameters
enum { THREADS = 128 };                                          // in a block; not tuned
enum { MAX_BLOCKS = 65535 };                                     // the most that every dimension of a grid may have

struct extents {
    uint64_t images, filters, channels, height, width, down, across;
};

static __device__ uint64_t place(bool is_last, uint64_t image, uint64_t planes, uint64_t plane, uint64_t height,
                                 uint64_t row, uint64_t width, uint64_t column)
{
    return is_last ? ((image * height + row) * width + column) * planes + plane
                   : ((image * planes + plane) * height + row) * width + column;
}

// With channels last, or in planes.
template <typename T, bool is_last>
static __global__ void conv2d(const T *x, const T *w, T *y, extents e, uint64_t items)
{
    for (uint64_t at = blockIdx.x * (uint64_t)THREADS + threadIdx.x; at < items; at += gridDim.x * (uint64_t)THREADS) {
        uint64_t j = at % e.width, i = at / e.width % e.height, filter = at / e.width / e.height % e.filters;
        uint64_t image = at / e.width / e.height / e.filters;
        float sum = 0;

        for (uint64_t c = 0; c < e.channels; c++)
            for (uint64_t u = 0; u < e.down; u++)
                for (uint64_t v = 0; v < e.across; v++) {
                    uint64_t row = i + u - e.down / 2, column = j + v - e.across / 2; // below 0: past the end

                    if (row < e.height && column < e.width)
                        sum += (float)x[place(is_last, image, e.channels, c, e.height, row, e.width, column)] *
                               (float)w[place(is_last, filter, e.channels, c, e.down, u, e.across, v)];
                }
        y[place(is_last, image, e.filters, filter, e.height, i, e.width, j)] = T(sum);
    }
}

template <typename T, bool is_last>
static sb_status launch(const uint64_t *p, const sb_array *inputs, sb_array *outputs, void *)
{
    const extents e = {p[IMAGES], p[FILTERS], p[CHANNELS], p[HEIGHT], p[WIDTH], p[DOWN], p[ACROSS]};
    uint64_t items = outputs[0].capacity, blocks = (items + THREADS - 1) / THREADS;

    if (items > 0)
        conv2d<T, is_last><<<(unsigned)(blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS), THREADS>>>(
            (const T *)inputs[0].data, (const T *)inputs[1].data, (T *)outputs[0].data, e, items);
    return cudaGetLastError() == cudaSuccess ? SB_OK : SB_FAILED;
}

SB_VARIANTS({"conv2d.same", "element", "a thread an element", nullptr, nullptr, launch<float, false>},
            {"conv2d.half", "element", "a thread an element", nullptr, nullptr, launch<half, true>})
