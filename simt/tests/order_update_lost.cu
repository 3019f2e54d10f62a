// expect: differs
// SPDX-License-Identifier: BSD-2-Clause
//
// A sum by an atomic read and an atomic write: additions of other threads in between are lost.
#include <cstdio>

__device__ int counter;

__global__ void k()
{
    int before = atomicAdd(&counter, 0);

    atomicExch(&counter, before + threadIdx.x);
}

int main()
{
    int total;

    k<<<4, 32>>>();
    cudaMemcpyFromSymbol(&total, counter, sizeof total);
    printf("%d\n", total);
    return cudaDeviceSynchronize() != cudaSuccess;
}
