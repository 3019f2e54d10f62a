// expect: differs
// SPDX-License-Identifier: BSD-2-Clause
//
// A read-modify-write in between continues the release sequence, but the reader does not fence.
#include <cstdio>

constexpr int ROUNDS = 12;
__device__ volatile int payload[ROUNDS];
__device__ int flag[ROUNDS];
__device__ int errors;

__global__ void k()
{
    int warp = threadIdx.x / 32;

    if (threadIdx.x % 32)
        return;
    for (int i = 0; i < ROUNDS; i++)
        if (warp == 0) {
            payload[i] = i + 1;
            __threadfence();
            atomicExch(&flag[i], 1);
        } else if (warp == 1) {
            while (atomicCAS(&flag[i], 1, 2) != 1)
                ;
        } else {
            while (*(volatile int *)&flag[i] != 2)
                ;
            if (payload[i] != i + 1)
                atomicAdd(&errors, 1);
        }
}

int main()
{
    int wrong = 0;

    cudaMemcpyToSymbol(errors, &wrong, sizeof wrong);
    k<<<1, 96>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
