// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A sum by one atomic operation each.
#include <cstdio>

__device__ int counter;

__global__ void k()
{
    atomicAdd(&counter, threadIdx.x);
}

int main()
{
    int total;

    k<<<4, 32>>>();
    cudaMemcpyFromSymbol(&total, counter, sizeof total);
    printf("%d\n", total);
    return cudaDeviceSynchronize() != cudaSuccess;
}
