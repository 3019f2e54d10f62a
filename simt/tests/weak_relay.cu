// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A fence publishes what the thread has seen of other threads too, not only its own writes.
#include <cstdio>

constexpr int ROUNDS = 12;
__device__ volatile int payload[ROUNDS], flag[ROUNDS], second[ROUNDS];
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
            flag[i] = 1;
        } else if (warp == 1) {
            while (flag[i] == 0)
                ;
            __threadfence();
            second[i] = 1;
        } else {
            while (second[i] == 0)
                ;
            __threadfence();
            if (payload[i] != i + 1 || flag[i] != 1)
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
