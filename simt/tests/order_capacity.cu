// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Threads reserve slots by compare and swap while any are free.
#include <cstdio>

constexpr int ROOM = 20;
__device__ int taken;

__global__ void k()
{
    int seen = atomicAdd(&taken, 0);

    while (seen < ROOM) {
        int before = atomicCAS(&taken, seen, seen + 1);

        if (before == seen)
            return;
        seen = before;
    }
}

int main()
{
    int total;

    k<<<4, 32>>>();
    cudaMemcpyFromSymbol(&total, taken, sizeof total);
    printf("%d\n", total);
    return cudaDeviceSynchronize() != cudaSuccess;
}
