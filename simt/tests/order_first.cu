// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The smallest index wins, whichever thread comes first.
#include <cstdio>

__device__ int first = -1, work[128];

__global__ void k()
{
    int me = blockIdx.x * 32 + threadIdx.x;

    for (int i = 0; i < 50; i++) // long enough for others to come first
        work[me] += i;
    atomicMin((unsigned *)&first, (unsigned)me);
}

int main()
{
    int total;

    k<<<4, 32>>>();
    cudaMemcpyFromSymbol(&total, first, sizeof total);
    printf("%d\n", total);
    return cudaDeviceSynchronize() != cudaSuccess;
}
