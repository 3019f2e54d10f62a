// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Two threads write x and y, two read them in opposite orders: with fences they agree on the order.
#include <cstdio>

constexpr int ROUNDS = 16;
__device__ volatile int x[ROUNDS], y[ROUNDS];
__device__ int seen[2][2][ROUNDS];

__global__ void k()
{
    int warp = threadIdx.x / 32;

    if (threadIdx.x % 32)
        return;
    for (int i = 0; i < ROUNDS; i++)
        if (warp < 2) {
            (warp == 0 ? x : y)[i] = 1;
        } else {
            seen[warp - 2][0][i] = (warp == 2 ? x : y)[i];
            __threadfence();
            seen[warp - 2][1][i] = (warp == 2 ? y : x)[i];
        }
}

int main()
{
    int all[2][2][ROUNDS], wrong = 0;

    k<<<1, 128>>>();
    cudaMemcpyFromSymbol(all, seen, sizeof all);
    for (int i = 0; i < ROUNDS; i++)
        wrong += all[0][0][i] == 1 && all[0][1][i] == 0 && all[1][0][i] == 1 && all[1][1][i] == 0;
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
