// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Sums of 3 x 3 pixels of images whose channels are interleaved in slices of four, images x slices x height x width x 4: a block has 32
// pixels of a slice, row after row and image after image. For each of nine offsets an im2col copy brings the pixels that lie there, and zeros where
// there are none, into one of two stages.
#include "ptx.cuh"

#include <cstdio>

constexpr int IMAGES = 2, SLICES = 3, HEIGHT = 5, WIDTH = 7, EACH = 4, PIXELS = 32, STAGES = 2, TAPS = 9;
constexpr int THREADS = PIXELS * EACH, ALL = IMAGES * HEIGHT * WIDTH, COUNT = ALL * SLICES * EACH;

__device__ void load_column(void *at, const CUtensorMap *map, int tap, uint64_t policy, uint64_t *barrier)
{
    const int pixel = (int)blockIdx.x * PIXELS, row = pixel / WIDTH;

    announce(barrier, PIXELS * EACH * sizeof(int));
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [%0], "
        "[%1, {%2, %3, %4, %5}], [%6], {%7, %8}, %9;"
        :
        : "r"(place(at)), "l"(map), "r"(pixel % WIDTH - 1), "r"(row % HEIGHT - 1), "r"((int)blockIdx.y),
          "r"(row / HEIGHT), "r"(place(barrier)), "h"((short)(tap % 3)), "h"((short)(tap / 3)), "l"(policy)
        : "memory");
}

__global__ void __launch_bounds__(THREADS) sums(const __grid_constant__ CUtensorMap map, int *to)
{
    __shared__ alignas(128) int stages[STAGES][THREADS];
    __shared__ uint64_t full[STAGES];
    const int thread = (int)threadIdx.x, pixel = (int)blockIdx.x * PIXELS + thread / EACH;
    uint64_t policy = 0;
    int sum = 0;

    if (thread == 0) {
        asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
        for (int s = 0; s < STAGES; s++)
            init(&full[s], 1);
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
        for (int s = 0; s < STAGES; s++)
            load_column(stages[s], &map, s, policy, &full[s]);
    }
    __syncthreads();
    for (int tap = 0; tap < TAPS; tap++) {
        const int s = tap % STAGES;

        wait(&full[s], tap / STAGES % 2);
        sum += stages[s][thread];
        __syncthreads();
        if (thread == 0 && tap + STAGES < TAPS)
            load_column(stages[s], &map, tap + STAGES, policy, &full[s]);
    }
    if (pixel < ALL) {
        const int image = pixel / (HEIGHT * WIDTH), rest = pixel % (HEIGHT * WIDTH);

        to[((image * SLICES + (int)blockIdx.y) * HEIGHT * WIDTH + rest) * EACH + thread % EACH] = sum;
    }
}

static CUtensorMap map_of(int *images)
{
    CUtensorMap map;
    cuuint64_t size[] = {WIDTH, HEIGHT, SLICES, IMAGES};
    cuuint64_t stride[] = {WIDTH * 16, HEIGHT * WIDTH * 16, SLICES * HEIGHT * WIDTH * 16};
    cuuint32_t step[] = {1, 1, 1, 1};
    int corner[] = {-1, -1}; // of the first pixel, and of the last one from its end

    if (cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, images, size, stride, corner, corner, EACH,
                                PIXELS, step, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_SWIZZLE_NONE,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        printf("no map\n");
        exit(1);
    }
    return map;
}

int main()
{
    static int images[COUNT], got[COUNT];
    int *memory, wrong = 0;

    for (int i = 0; i < COUNT; i++)
        images[i] = i * 7 % 101;
    cudaMalloc(&memory, 2 * sizeof got);
    cudaMemcpy(memory, images, sizeof images, cudaMemcpyHostToDevice);
    sums<<<dim3((ALL + PIXELS - 1) / PIXELS, SLICES), THREADS>>>(map_of(memory), memory + COUNT);
    cudaMemcpy(got, memory + COUNT, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        const int x = i / EACH % WIDTH, y = i / EACH / WIDTH % HEIGHT;
        int sum = 0;

        for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++)
                if (x + u >= 0 && x + u < WIDTH && y + v >= 0 && y + v < HEIGHT)
                    sum += images[i + (v * WIDTH + u) * EACH];
        wrong += got[i] != sum;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
