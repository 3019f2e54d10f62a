// expect: differs
// SPDX-License-Identifier: BSD-2-Clause
//
// Peterson's lock without fences between its write and its read: both threads may enter.
#include <cstdio>

constexpr int ROUNDS = 200;
__device__ volatile int wants[2], turn, counter;

__global__ void k()
{
    int me = threadIdx.x / 32;

    if (threadIdx.x % 32)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        wants[me] = 1;
        turn = 1 - me;
        while (wants[1 - me] && turn != me)
            ;
        __threadfence_block();
        counter = counter + 1;
        __threadfence_block();
        wants[me] = 0;
    }
}

int main()
{
    int total;

    k<<<1, 64>>>();
    cudaMemcpyFromSymbol(&total, counter, sizeof total);
    printf("%d\n", total);
    return cudaDeviceSynchronize() != cudaSuccess;
}
