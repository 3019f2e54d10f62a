// expect: differs
// SPDX-License-Identifier: BSD-2-Clause
//
// A thread that saw a free slot takes one, though another thread may have taken the last.
#include <cstdio>

constexpr int ROOM = 20;
__device__ int taken;

__global__ void k()
{
    int seen = atomicAdd(&taken, 0);

    if (seen < ROOM)
        atomicAdd(&taken, 1);
}

int main()
{
    int total;

    k<<<4, 32>>>();
    cudaMemcpyFromSymbol(&total, taken, sizeof total);
    printf("%d\n", total);
    return cudaDeviceSynchronize() != cudaSuccess;
}
