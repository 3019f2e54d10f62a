// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Doubles small matrices that lie 1 MB apart, each by a tensor map of its own. The program clears bit 21 of the second word of each map, as
// CUTLASS does in maps of less than 128 KB: that must not move the matrix.
#include "ptx.cuh"

#include <cstdio>

constexpr int WIDTH = 16, HEIGHT = 4, MATRICES = 4, THREADS = 32;
constexpr size_t APART = 1 << 20;

__global__ void __launch_bounds__(THREADS) double_all(const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) float tile[HEIGHT][WIDTH];
    __shared__ uint64_t full;

    if (threadIdx.x == 0) {
        init(&full, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
        announce(&full, sizeof tile);
        load_tile(tile, &map, 0, 0, &full);
    }
    __syncthreads();
    wait(&full, 0);
    for (int i = (int)threadIdx.x; i < WIDTH * HEIGHT; i += THREADS)
        tile[i / WIDTH][i % WIDTH] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        store_tile(&map, 0, 0, tile);
        commit_bulk();
        asm volatile("cp.async.bulk.wait_group 0;" : : : "memory");
    }
}

int main()
{
    const cuuint64_t size[] = {WIDTH, HEIGHT}, stride[] = {WIDTH * sizeof(float)};
    const cuuint32_t box[] = {WIDTH, HEIGHT}, step[] = {1, 1};
    float values[WIDTH * HEIGHT];
    char *memory;
    int wrong = 0;

    cudaMalloc(&memory, MATRICES * APART);
    for (int m = 0; m < MATRICES; m++) {
        void *matrix = memory + m * APART;
        CUtensorMap map;

        for (int i = 0; i < WIDTH * HEIGHT; i++)
            values[i] = (float)(i + m);
        cudaMemcpy(matrix, values, sizeof values, cudaMemcpyHostToDevice);
        if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, size, stride, box, step,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
            return 2;
        ((uint64_t *)&map)[1] &= ~((uint64_t)1 << 21);
        double_all<<<1, THREADS>>>(map);
        cudaMemcpy(values, matrix, sizeof values, cudaMemcpyDeviceToHost);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            wrong += values[i] != 2.0f * (float)(i + m);
    }
    printf("%d wrong\n", wrong);
    cudaFree(memory);
    return wrong != 0;
}
