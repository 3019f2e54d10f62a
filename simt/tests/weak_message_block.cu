// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Within a block a fence of block scope is enough.
#include <cstdio>

constexpr int ROUNDS = 16;
__device__ volatile int payload[ROUNDS], flag[ROUNDS];
__device__ int errors;

__global__ void k()
{
    bool writer = threadIdx.x == 0;

    for (int i = 0; i < ROUNDS; i++)
        if (writer) {
            payload[i] = i + 1;
            __threadfence_block();
            flag[i] = 1;
        } else {
            while (flag[i] == 0)
                ;
            __threadfence_block();
            if (payload[i] != i + 1)
                atomicAdd(&errors, 1);
        }
}

int main()
{
    int wrong = 0;

    cudaMemcpyToSymbol(errors, &wrong, sizeof wrong);
    k<<<1, 2>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
