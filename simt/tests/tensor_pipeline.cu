// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A pipeline of tensor copies: the first warp loads swizzled tiles of a matrix into two stages, two warps change them in place, and one of
// their threads stores them into another matrix. Blocks take tiles from a queue until it is empty; the matrix is no multiple of the tile.
#include "ptx.cuh"

#include <cstdio>

constexpr int STAGES = 2, WIDTH = 32, HEIGHT = 8, WORKERS = 64,
              THREADS = 32 + WORKERS; // 32 floats are the span of 128 bytes
constexpr int COLUMNS = 76, ROWS = 30, BLOCKS = 2;
constexpr int ACROSS = (COLUMNS + WIDTH - 1) / WIDTH, TILES = ACROSS * ((ROWS + HEIGHT - 1) / HEIGHT);
constexpr int BYTES = WIDTH * HEIGHT * (int)sizeof(float);

// Where column x of row y is in a tile: 16-byte chunks of a row trade places.
__device__ int swizzled(int x, int y)
{
    return y * WIDTH + (x ^ (y % 8) * 4);
}

__global__ void __launch_bounds__(THREADS)
    change(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int *queue)
{
    __shared__ alignas(1024) float tile[STAGES][WIDTH * HEIGHT];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ int number[STAGES];
    int thread = (int)threadIdx.x;

    if (thread == 0) {
        for (int s = 0; s < STAGES; s++) {
            init(&full[s], 1);
            init(&empty[s], WORKERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads();
    if (thread == 0) {
        for (int i = 0, t = 0; t < TILES; i++) {
            int s = i % STAGES;

            wait(&empty[s], (i / STAGES + 1) % 2);
            t = atomicAdd(queue, 1);
            number[s] = t;
            if (t < TILES) {
                announce(&full[s], BYTES);
                load_tile(tile[s], &from, t % ACROSS * WIDTH, t / ACROSS * HEIGHT, &full[s]);
            } else {
                arrive(&full[s]);
            }
        }
    } else if (thread >= 32) {
        int worker = thread - 32;

        for (int i = 0;; i++) {
            int s = i % STAGES, t;

            wait(&full[s], i / STAGES % 2);
            t = number[s];
            if (t >= TILES)
                break;
            for (int k = worker; k < WIDTH * HEIGHT; k += WORKERS) {
                int at = swizzled(k % WIDTH, k / WIDTH);

                tile[s][at] = 2 * tile[s][at] + (float)(k % WIDTH);
            }
            asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
            asm volatile("bar.sync 1, %0;" : : "n"(WORKERS) : "memory");
            if (worker == 0) {
                store_tile(&to, t % ACROSS * WIDTH, t / ACROSS * HEIGHT, tile[s]);
                commit_bulk();
                asm volatile("cp.async.bulk.wait_group.read 0;" : : : "memory");
            }
            arrive(&empty[s]);
        }
        if (worker == 0)
            asm volatile("cp.async.bulk.wait_group 0;" : : : "memory");
    }
}

static CUtensorMap map_of(float *matrix)
{
    decltype(&cuTensorMapEncodeTiled) encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    CUtensorMap map;
    cuuint64_t size[] = {COLUMNS, ROWS}, stride[] = {COLUMNS * sizeof(float)};
    cuuint32_t box[] = {WIDTH, HEIGHT}, step[] = {1, 1};

    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
    if (!encode || encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, size, stride, box, step,
                          CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        printf("no map\n");
        exit(1);
    }
    return map;
}

int main()
{
    static float values[COLUMNS * ROWS], got[COLUMNS * ROWS];
    float *from, *to;
    int *queue, wrong = 0;

    for (int i = 0; i < COLUMNS * ROWS; i++)
        values[i] = (float)(i % 97);
    cudaMalloc(&from, sizeof values);
    cudaMalloc(&to, sizeof got);
    cudaMalloc(&queue, sizeof *queue);
    cudaMemset(queue, 0, sizeof *queue);
    cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
    change<<<BLOCKS, THREADS>>>(map_of(from), map_of(to), queue);
    cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        wrong += got[i] != 2 * values[i] + (float)(i % COLUMNS % WIDTH);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
