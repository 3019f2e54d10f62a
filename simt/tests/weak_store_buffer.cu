// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Each of two threads sets its flag, fences and reads the other's: at least one sees the other's flag set.
#include <cstdio>

constexpr int ROUNDS = 16;
__device__ volatile int x[ROUNDS], y[ROUNDS];
__device__ int seen[2][ROUNDS];

__global__ void k()
{
    volatile int *mine = threadIdx.x == 0 ? x : y, *others = threadIdx.x == 0 ? y : x;

    if (threadIdx.x % 32)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        mine[i] = 1;
        __threadfence();
        seen[threadIdx.x / 32][i] = others[i];
    }
}

int main()
{
    int all[2][ROUNDS], wrong = 0;

    k<<<1, 64>>>();
    cudaMemcpyFromSymbol(all, seen, sizeof all);
    for (int i = 0; i < ROUNDS; i++)
        wrong += all[0][i] == 0 && all[1][i] == 0;
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
