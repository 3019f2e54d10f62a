// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Sums of two matrices by one tensor map for each block, which a thread changes where it stands in global memory: for each matrix the thread
// writes its address and releases the map; then a thread of each warp acquires it and loads half of the columns.
#include "ptx.cuh"

#include <cstdio>

constexpr int WIDTH = 16, HEIGHT = 8, MATRICES = 2, BLOCKS = 2, THREADS = 64, COUNT = 2 * WIDTH * HEIGHT;
constexpr uint32_t BYTES = WIDTH * HEIGHT * sizeof(int);

__device__ void replace_address(CUtensorMap *map, const int *address)
{
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;"
                 :
                 : "l"(map), "l"(address)
                 : "memory");
}

__device__ void release()
{
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" : : : "memory");
}

__device__ void acquire(CUtensorMap *at)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" : : "l"(at) : "memory");
}

__global__ void __launch_bounds__(THREADS) sums(CUtensorMap *maps, const int *matrices, int *sum)
{
    __shared__ alignas(128) int tile[2][WIDTH * HEIGHT];
    __shared__ uint64_t full[2];
    const int thread = (int)threadIdx.x, lane = thread % 32, half = thread / 32;
    CUtensorMap *const map = &maps[blockIdx.x];

    if (lane == 0)
        init(&full[half], 1);
    for (int matrix = 0; matrix < MATRICES; matrix++) {
        int part = 0;

        if (thread == 0) {
            replace_address(map, matrices + (blockIdx.x * MATRICES + matrix) * COUNT);
            release();
        }
        __syncthreads();
        if (lane == 0) {
            acquire(map);
            announce(&full[half], BYTES);
            load_tile(tile[half], map, half * WIDTH, 0, &full[half]);
        }
        wait(&full[half], matrix % 2);
        for (int i = lane; i < WIDTH * HEIGHT; i += 32)
            part += tile[half][i];
        atomicAdd(&sum[blockIdx.x * MATRICES + matrix], part);
        __syncthreads(); // before the map and the tiles are overwritten
    }
}

int main()
{
    static int values[BLOCKS * MATRICES * COUNT];
    int expected[BLOCKS * MATRICES] = {}, got[BLOCKS * MATRICES], *matrices, *sum, wrong = 0;
    CUtensorMap map[BLOCKS], *maps;
    cuuint64_t size[] = {2 * WIDTH, HEIGHT}, stride[] = {2 * WIDTH * sizeof(int)};
    cuuint32_t box[] = {WIDTH, HEIGHT}, step[] = {1, 1};

    for (int i = 0; i < BLOCKS * MATRICES * COUNT; i++) {
        values[i] = i % 101;
        expected[i / COUNT] += values[i];
    }
    cudaMalloc(&matrices, sizeof values);
    cudaMalloc(&maps, sizeof map);
    cudaMalloc(&sum, sizeof got);
    cudaMemset(sum, 0, sizeof got);
    cudaMemcpy(matrices, values, sizeof values, cudaMemcpyHostToDevice);
    if (cuTensorMapEncodeTiled(&map[0], CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrices, size, stride, box, step,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return 2;
    map[1] = map[0];
    cudaMemcpy(maps, map, sizeof map, cudaMemcpyHostToDevice);
    sums<<<BLOCKS, THREADS>>>(maps, matrices, sum);
    cudaMemcpy(got, sum, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BLOCKS * MATRICES; i++)
        wrong += got[i] != expected[i];
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
