// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel for old cards only: the host's code declares it, the device's for 9.0 does not have it. Nothing launches it.
#include <cstdio>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 600
template <int VALUE> __global__ void old_way(int *p)
{
    p[threadIdx.x] = VALUE;
}
#endif

__global__ void new_way(int *p)
{
    p[threadIdx.x] = 5;
}

static bool is_old()
{
    cudaDeviceProp properties;

    cudaGetDeviceProperties(&properties, 0);
    return properties.major < 6;
}

int main()
{
    int *p, got[32], wrong = 0;

    cudaMalloc(&p, sizeof got);
#ifndef __CUDA_ARCH__
    if (is_old())
        old_way<5><<<1, 32>>>(p);
    else
#endif
        new_way<<<1, 32>>>(p);
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += got[i] != 5;
    cudaFree(p);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
