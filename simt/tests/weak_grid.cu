// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// After the barrier of the grid all threads see the newest values, of atomics and volatile stores too.
#include <cooperative_groups.h>

constexpr int BLOCKS = 3, THREADS = 40, ROUNDS = 4;
__device__ int sums[ROUNDS], errors;
__device__ volatile int marks[BLOCKS];

__global__ void k()
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();

    for (int round = 0; round < ROUNDS; round++) {
        atomicAdd(&sums[round], 1);
        if (threadIdx.x == 33)
            marks[blockIdx.x] = round + 1;
        grid.sync();
        if (*(volatile int *)&sums[round] != BLOCKS * THREADS || marks[(blockIdx.x + 1) % BLOCKS] != round + 1)
            atomicAdd(&errors, 1);
        grid.sync();
    }
}

int main()
{
    int wrong = 0;

    cudaLaunchCooperativeKernel((const void *)k, dim3(BLOCKS), dim3(THREADS), nullptr, 0, 0);
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    return wrong != 0 || cudaDeviceSynchronize() != cudaSuccess;
}
