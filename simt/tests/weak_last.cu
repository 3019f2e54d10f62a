// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The last block reads the volatile parts of all blocks.
#include <cstdio>

constexpr int BLOCKS = 4, ROUNDS = 8;
__device__ volatile int parts[ROUNDS][BLOCKS];
__device__ unsigned ticket[ROUNDS];
__device__ int errors;

__global__ void k()
{
    for (int round = 0; round < ROUNDS; round++) {
        parts[round][blockIdx.x] = round + 1;
        __threadfence();
        if (atomicAdd(&ticket[round], 1) != BLOCKS - 1)
            continue;
        __threadfence();
        for (int i = 0; i < BLOCKS; i++)
            if (parts[round][i] != round + 1)
                atomicAdd(&errors, 1);
    }
}

int main()
{
    int wrong = 0;

    cudaMemcpyToSymbol(errors, &wrong, sizeof wrong);
    k<<<BLOCKS, 1>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
