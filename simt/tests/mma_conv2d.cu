// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Images correlated with filters on tensor cores, as a product of matrices that is never in memory (S. Chetlur and others 2014): y[pixel][filter] is
// the sum over rows and columns of a filter and over channels. x, w and y are images x height x width x channels, filters x down x across x
// channels, and images x height x width x filters; channels are a multiple of 8. A block has 64 pixels of all images in a row and 32
// filters, of which each of its four warps has 16 pixels. A step is one element of the filter and 16 channels: an im2col copy brings the pixels
// that lie under that element, and zeros where there are none. A stage is loaded again behind a barrier that all come to when they have read it.
#include "ptx.cuh"

#include <cstdio>

constexpr int PIXELS = 64, FILTERS = 32, DEPTH = 16, STAGES = 3, THREADS = 128;

struct conv_stage {
    alignas(128) half x[PIXELS * DEPTH], w[FILTERS * DEPTH];
};

struct conv_extents {
    int images, filters, channels, height, width, down, across;
};

__device__ void load_pixels(void *at, const CUtensorMap *map, int channel, int column, int row, int image, int v, int u,
                            uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, "
        "%4, %5}], [%6], {%7, %8};"
        :
        : "r"(place(at)), "l"(map), "r"(channel), "r"(column), "r"(row), "r"(image), "r"(place(barrier)), "h"((short)v),
          "h"((short)u)
        : "memory");
}

__device__ void load_stage(conv_stage &to, const CUtensorMap *x, const CUtensorMap *w, const conv_extents &e, int step,
                           uint64_t *full)
{
    const int slices = (e.channels + DEPTH - 1) / DEPTH, tap = step / slices, channel = step % slices * DEPTH;
    const int pixel = (int)blockIdx.x * PIXELS, row = pixel / e.width;

    announce(full, sizeof to.x + sizeof to.w);
    load_pixels(to.x, x, channel, pixel % e.width - e.across / 2, row % e.height - e.down / 2, row / e.height,
                tap % e.across, tap / e.across, full);
    load_tile(to.w, w, channel, tap, (int)blockIdx.y * FILTERS, full);
}

__global__ void __launch_bounds__(THREADS)
    conv2d(const __grid_constant__ CUtensorMap x, const __grid_constant__ CUtensorMap w, half *y, conv_extents e)
{
    __shared__ conv_stage stages[STAGES];
    __shared__ uint64_t full[STAGES];
    const int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int steps = e.down * e.across * ((e.channels + DEPTH - 1) / DEPTH), pixels = e.images * e.height * e.width;
    float d[FILTERS / 8][4] = {};

    if (thread == 0) {
        for (int s = 0; s < STAGES; s++)
            init(&full[s], 1);
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
        for (int s = 0; s < STAGES && s < steps; s++)
            load_stage(stages[s], &x, &w, e, s, &full[s]);
    }
    __syncthreads();
    for (int t = 0; t < steps; t++) {
        const conv_stage &stage = stages[t % STAGES];
        uint32_t left[4], right[4];

        wait(&full[t % STAGES], t / STAGES % 2);
        load_matrices(left, &stage.x[(warp * 16 + lane % 16) * DEPTH + lane / 16 * 8]);
        for (int f = 0; f < FILTERS; f += 16) {
            load_matrices(right, &stage.w[(f + lane % 8 + lane / 16 * 8) * DEPTH + lane / 8 % 2 * 8]);
            multiply_warp(d[f / 8], left, right[0], right[1]);
            multiply_warp(d[f / 8 + 1], left, right[2], right[3]);
        }
        __syncthreads();
        if (thread == 0 && t + STAGES < steps)
            load_stage(stages[t % STAGES], &x, &w, e, t + STAGES, &full[t % STAGES]);
    }
    for (int i = 0; i < FILTERS / 2; i++) {
        const int pixel = (int)blockIdx.x * PIXELS + warp * 16 + lane / 4 + i / 2 % 2 * 8;
        const int filter = (int)blockIdx.y * FILTERS + i / 4 * 8 + lane % 4 * 2 + i % 2;

        if (pixel < pixels && filter < e.filters)
            y[(size_t)pixel * e.filters + filter] = half(d[i / 4][i % 4]);
    }
}

static void check(CUresult result)
{
    if (result != CUDA_SUCCESS) {
        printf("no map\n");
        exit(1);
    }
}

static void run(const half *x, const half *w, half *y, const conv_extents &e)
{
    const cuuint64_t channels = (cuuint64_t)e.channels, width = (cuuint64_t)e.width, height = (cuuint64_t)e.height;
    const cuuint64_t taps = (cuuint64_t)e.down * (cuuint64_t)e.across, bytes = channels * sizeof(half);
    cuuint64_t size_x[] = {channels, width, height, (cuuint64_t)e.images},
               size_w[] = {channels, taps, (cuuint64_t)e.filters},
               stride_x[] = {bytes, width * bytes, height * width * bytes}, stride_w[] = {bytes, taps * bytes};
    cuuint32_t step[] = {1, 1, 1, 1}, box[] = {DEPTH, 1, FILTERS};
    int corner[] = {-e.across / 2, -e.down / 2}; // of the first pixel under a filter, and of the last, from its own end
    CUtensorMap map_x, map_w;

    check(cuTensorMapEncodeIm2col(&map_x, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, (void *)x, size_x, stride_x, corner,
                                  corner, DEPTH, PIXELS, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                  CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    check(cuTensorMapEncodeTiled(&map_w, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, (void *)w, size_w, stride_w, box, step,
                                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    conv2d<<<dim3((e.images * e.height * e.width + PIXELS - 1) / PIXELS, (e.filters + FILTERS - 1) / FILTERS),
             THREADS>>>(map_x, map_w, y, e);
}

int main()
{
    constexpr conv_extents E = {2, 24, 24, 7, 6, 2, 2};
    constexpr int X = E.images * E.height * E.width * E.channels, W = E.filters * E.down * E.across * E.channels;
    constexpr int Y = E.images * E.height * E.width * E.filters;
    static half x[X], w[W], y[Y];
    half *memory;
    int wrong = 0;

    for (int i = 0; i < X; i++)
        x[i] = half((float)(i * 7 % 5 - 2));
    for (int i = 0; i < W; i++)
        w[i] = half((float)(i * 5 % 7 - 3));
    cudaMalloc(&memory, sizeof x + sizeof w + sizeof y);
    cudaMemcpy(memory, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(memory + X, w, sizeof w, cudaMemcpyHostToDevice);
    run(memory, memory + X, memory + X + W, E);
    cudaMemcpy(y, memory + X + W, sizeof y, cudaMemcpyDeviceToHost);
    for (int at = 0; at < Y; at++) {
        const int f = at % E.filters, j = at / E.filters % E.width, i = at / E.filters / E.width % E.height;
        const int image = at / E.filters / E.width / E.height;
        float sum = 0; // a whole number of at most 576, which a half holds

        for (int u = 0; u < E.down; u++)
            for (int v = 0; v < E.across; v++) {
                const int row = i + u - E.down / 2, column = j + v - E.across / 2;

                for (int c = 0; c < E.channels && row >= 0 && row < E.height && column >= 0 && column < E.width; c++)
                    sum += (float)x[((image * E.height + row) * E.width + column) * E.channels + c] *
                           (float)w[((f * E.down + u) * E.across + v) * E.channels + c];
            }
        wrong += (float)y[at] != sum;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
