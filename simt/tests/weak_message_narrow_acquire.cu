// expect: differs
// SPDX-License-Identifier: BSD-2-Clause
//
// The reader's fence has block scope, and the writer is in another block.
#include <cstdio>

constexpr int ROUNDS = 16;
__device__ volatile int payload[ROUNDS], flag[ROUNDS];
__device__ unsigned ticket;
__device__ int errors;

__global__ void k()
{
    bool writer = atomicAdd(&ticket, 1) == 0; // the first block to start: nobody waits for one that may never start

    for (int i = 0; i < ROUNDS; i++)
        if (writer) {
            payload[i] = i + 1;
            __threadfence();
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
    k<<<2, 1>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
