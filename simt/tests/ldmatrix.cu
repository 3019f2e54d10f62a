// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// ldmatrix, movmatrix and stmatrix: a warp transposes tiles of 16 x 16 elements of 16 bits in shared memory, and a second warp reads
// what the first one has written. Rows are apart by 24 elements, so that the eight rows of a matrix lie in different banks.
#include <cstdint>
#include <cstdio>

constexpr int SIZE = 16, PITCH = 24;

__device__ uint32_t place(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__device__ void load(uint32_t (&r)[4], const uint16_t *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(place(row)));
}

__device__ void load_transposed(uint32_t (&r)[4], const uint16_t *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(place(row)));
}

__device__ void store(uint16_t *row, const uint32_t (&r)[4])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(place(row)), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
}

__device__ uint32_t transposed(uint32_t value)
{
    uint32_t result;

    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(value));
    return result;
}

// Each lane gives a row: the matrices are those of the upper left, lower left, upper right and lower right.
__device__ int row_of(int lane)
{
    return lane % 16 * PITCH + lane / 16 * 8;
}

__global__ void transpose(const uint16_t *from, uint16_t *to)
{
    __shared__ __align__(16) uint16_t tile[SIZE * PITCH], moved[SIZE * PITCH];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t r[4], s[4];

    for (int i = threadIdx.x; i < SIZE * SIZE; i += 64)
        tile[i / SIZE * PITCH + i % SIZE] = from[i];
    __syncthreads();
    if (warp == 0) {
        load_transposed(r, tile + row_of(lane));
        s[0] = r[0], s[1] = r[2], s[2] = r[1], s[3] = r[3]; // the tile below the diagonal goes above it
        store(moved + row_of(lane), s);
    }
    __syncthreads();
    if (warp == 1) {
        load(r, moved + row_of(lane));
        for (int i = 0; i < 4; i++)
            s[i] = transposed(transposed(r[i]));
        for (int i = 0; i < 4; i++) {
            const int row = lane / 4 + i % 2 * 8, column = lane % 4 * 2 + i / 2 * 8;

            to[row * SIZE + column] = (uint16_t)s[i];
            to[row * SIZE + column + 1] = (uint16_t)(s[i] >> 16);
        }
    }
}

int main()
{
    static uint16_t host[SIZE * SIZE], result[SIZE * SIZE];
    uint16_t *from, *to;
    int wrong = 0;

    for (int i = 0; i < SIZE * SIZE; i++)
        host[i] = (uint16_t)(i * 257);
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    transpose<<<1, 64>>>(from, to);
    cudaMemcpy(result, to, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < SIZE * SIZE; i++)
        wrong += result[i] != host[i % SIZE * SIZE + i / SIZE];
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
