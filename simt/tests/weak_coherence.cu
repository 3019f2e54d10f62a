// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// One location: each thread sees its values in order only, and its own writes immediately.
#include <cstdio>

constexpr int STEPS = 40;
__device__ volatile int x, own[3];
__device__ int errors;

__global__ void k()
{
    int warp = threadIdx.x / 32, last = 0;

    if (threadIdx.x % 32)
        return;
    for (int i = 1; i <= STEPS; i++)
        if (warp == 0) {
            x = i;
        } else {
            int now = x;

            if (now < last)
                atomicAdd(&errors, 1); // backwards
            last = now;
            own[warp] = i;
            if (own[warp] != i)
                atomicAdd(&errors, 1); // not what the thread itself wrote
            if (i % 8 == 0)
                last = atomicAdd((int *)&x, 0); // the newest, after which nothing older may come
            if (i % 5 == 0 && atomicExch((int *)&own[warp], i) != i)
                atomicAdd(&errors, 1);
        }
    __syncwarp(1);
}

int main()
{
    int wrong = 0;

    cudaMemcpyToSymbol(errors, &wrong, sizeof wrong);
    k<<<1, 96>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
