// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// memcpy, memmove and memset of sizes that the compiler knows, for which it makes no calls, and of others.
#include <cstring>

template <typename T, int N> struct row {
    T value[N];
};

#ifndef __SIMT__ // nvcc has no memmove in kernels
__device__ void move_bytes(void *to, const void *from, int size)
{
    for (int i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}
#define memmove move_bytes // down only, as here
#endif

struct item {
    char text[24];
};

__global__ void k(char *memory, struct item *items, int size)
{
    __shared__ int sums[24];
    __shared__ row<short, 5> five;
    char local[12];

    if (threadIdx.x == 0) {
        memset(sums, 0, sizeof sums);
        five = row<short, 5>{{1, 2, 3, 4, 5}};
    }
    __syncthreads();
    atomicAdd(&sums[threadIdx.x % 24], (int)five.value[threadIdx.x % 5]);
    __syncthreads();
    memcpy(local, &sums[0], 3);
    memset(local + 3, 7, 9);
    memcpy(memory + 12 * threadIdx.x, local, 12);
    memcpy(memory + 384 + 12 * threadIdx.x + 1, memory + 12 * threadIdx.x, size);
    memmove(memory + 384 + 12 * threadIdx.x, memory + 384 + 12 * threadIdx.x + 1, 11);
    items[32 + threadIdx.x] = items[threadIdx.x];
    for (int i = 0; i < 24; i++)
        items[64 + threadIdx.x].text[i] = 0;
    for (int i = 0; i < 24; i++)
        items[64 + threadIdx.x].text[i] = items[threadIdx.x].text[i];
}

int main()
{
    char got[768], *memory;
    struct item *items, one[96];

    cudaMalloc(&memory, sizeof got);
    cudaMalloc(&items, sizeof one);
    for (int i = 0; i < 96; i++)
        memset(one[i].text, i, sizeof one[i].text);
    cudaMemset(memory, 0, sizeof got);
    cudaMemcpy(items, one, 32 * sizeof *items, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(memory, items, 11);
    cudaMemcpy(one, items, sizeof one, cudaMemcpyDeviceToHost);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 384; i++)
        if ((i % 12 != 11 && got[384 + i] != got[i]) || got[i] != (i % 12 > 2 ? 7 : i % 12 ? 0 : got[0]))
            return 1;
    for (int i = 0; i < 96; i++)
        if (one[i].text[0] != i % 32 || one[i].text[23] != i % 32)
            return 1;
    return got[0] != 1 + 5;
}
