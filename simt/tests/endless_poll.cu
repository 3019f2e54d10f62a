// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Threads poll a plain word of shared memory, which one of them has set before a barrier: each reads it once.
#include <cstdio>

enum { THREADS = 96 };

__global__ void open_gate(int *passed)
{
    __shared__ int gate;
    int t = threadIdx.x;

    if (t == 0)
        gate = 0;
    __syncthreads();
    if (t == 32)
        gate = 1;
    __syncthreads();
    while (gate != 1)
        continue;
    passed[t] = t;
}

int main()
{
    int got[THREADS], *passed;

    cudaMalloc(&passed, sizeof got);
    open_gate<<<1, THREADS>>>(passed);
    if (cudaMemcpy(got, passed, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < THREADS; i++)
        if (got[i] != i)
            return 1;
    printf("%d\n", got[95]);
    return 0;
}
