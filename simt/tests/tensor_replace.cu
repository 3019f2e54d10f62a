// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Sums of matrices of several sizes, one for each block. The host makes one tensor map; a warp copies it to shared memory, one thread puts
// the address and the sizes of the block's matrix into it, and the warp writes it to global memory, from where it is used.
#include "ptx.cuh"

#include <cstdio>

constexpr int WIDTH = 16, HEIGHT = 8, MATRICES = 3, MAX_ROWS = 16, THREADS = 64;
constexpr uint32_t BYTES = WIDTH * HEIGHT * sizeof(int);

struct matrix {
    int *element;
    int columns, rows; // a row is a multiple of 16 bytes
};

__device__ void replace_address(CUtensorMap *map, const int *address)
{
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;"
                 :
                 : "r"(place(map)), "l"(address)
                 : "memory");
}

template <int direction> __device__ void replace_size(CUtensorMap *map, int size)
{
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], %1, %2;"
                 :
                 : "r"(place(map)), "n"(direction), "r"(size)
                 : "memory");
}

__device__ void replace_stride(CUtensorMap *map, uint64_t bytes)
{
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;"
                 :
                 : "r"(place(map)), "l"(bytes)
                 : "memory");
}

// By a warp: from shared memory to global memory.
__device__ void publish(CUtensorMap *at, CUtensorMap *map)
{
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
        :
        : "l"(at), "r"(place(map))
        : "memory");
}

__device__ void acquire(CUtensorMap *at)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" : : "l"(at) : "memory");
}

__device__ CUtensorMap maps[MATRICES];

__global__ void __launch_bounds__(THREADS)
    sums(const __grid_constant__ CUtensorMap any, const matrix *matrices, int *sum)
{
    __shared__ alignas(128) CUtensorMap map;
    __shared__ alignas(128) int tile[WIDTH * HEIGHT];
    __shared__ uint64_t full;
    __shared__ int total;
    const int thread = (int)threadIdx.x;
    const matrix mine = matrices[blockIdx.x];
    CUtensorMap *const at = &maps[blockIdx.x];
    int part = 0;

    if (thread < 32) {
        ((uint32_t *)&map)[thread] = ((const uint32_t *)&any)[thread];
        __syncwarp();
        if (thread == 0) {
            replace_address(&map, mine.element);
            replace_size<0>(&map, mine.columns);
            replace_size<1>(&map, mine.rows);
            replace_stride(&map, (uint64_t)mine.columns * sizeof(int));
        }
        __syncwarp();
        publish(at, &map);
    }
    if (thread == 0) {
        init(&full, 1);
        total = 0;
    }
    __syncthreads();
    for (int y = 0, phase = 0; y < mine.rows; y += HEIGHT)
        for (int x = 0; x < mine.columns; x += WIDTH) {
            if (thread == 0) {
                acquire(at);
                announce(&full, BYTES);
                load_tile(tile, at, x, y, &full);
            }
            wait(&full, phase);
            phase ^= 1;
            for (int i = thread; i < WIDTH * HEIGHT; i += THREADS)
                part += tile[i];
            __syncthreads();
        }
    atomicAdd(&total, part);
    __syncthreads();
    if (thread == 0)
        sum[blockIdx.x] = total;
}

int main()
{
    static const int columns[MATRICES] = {20, 4, 48}, rows[MATRICES] = {MAX_ROWS, 11, 7};
    matrix matrices[MATRICES], *device_matrices;
    int expected[MATRICES] = {}, got[MATRICES], *sum, wrong = 0;
    CUtensorMap map;
    cuuint64_t size[] = {64, 64}, stride[] = {256};
    cuuint32_t box[] = {WIDTH, HEIGHT}, step[] = {1, 1};

    for (int m = 0; m < MATRICES; m++) {
        int values[48 * MAX_ROWS];

        for (int i = 0; i < columns[m] * rows[m]; i++) {
            values[i] = i % 101 + m;
            expected[m] += values[i];
        }
        matrices[m] = {nullptr, columns[m], rows[m]};
        cudaMalloc(&matrices[m].element, columns[m] * rows[m] * sizeof(int));
        cudaMemcpy(matrices[m].element, values, columns[m] * rows[m] * sizeof(int), cudaMemcpyHostToDevice);
    }
    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrices[0].element, size, stride, box, step,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return 2;
    cudaMalloc(&device_matrices, sizeof matrices);
    cudaMalloc(&sum, sizeof got);
    cudaMemcpy(device_matrices, matrices, sizeof matrices, cudaMemcpyHostToDevice);
    sums<<<MATRICES, THREADS>>>(map, device_matrices, sum);
    cudaMemcpy(got, sum, sizeof got, cudaMemcpyDeviceToHost);
    for (int m = 0; m < MATRICES; m++)
        wrong += got[m] != expected[m];
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
