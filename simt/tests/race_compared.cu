// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The Programming Guide's atomics made of atomicCAS: the first load is a plain one, which only feeds the compare value.
#include <cstdio>

enum { N = 256, BINS = 4 };

__device__ float atomic_max(float *address, float value)
{
    int *p = (int *)address, old = *p, assumed;

    do {
        assumed = old;
        old = atomicCAS(p, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

__device__ double atomic_add(double *address, double value)
{
    unsigned long long *p = (unsigned long long *)address, old = *p, assumed;

    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void reduce(float *max, double *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        atomic_max(max, (float)(i * 7 % n));
        atomic_add(&sums[i % BINS], i);
    }
}

int main()
{
    float *max, top;
    double *sums, got[BINS], total = 0;

    cudaMalloc(&max, sizeof *max);
    cudaMalloc(&sums, sizeof got);
    cudaMemset(max, 0, sizeof *max);
    cudaMemset(sums, 0, sizeof got);
    reduce<<<N / 64, 64>>>(max, sums, N);
    cudaMemcpy(&top, max, sizeof top, cudaMemcpyDeviceToHost);
    cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BINS; i++)
        total += got[i];
    cudaFree(max);
    cudaFree(sums);
    printf("%g %g\n", top, total);
    return top != N - 1 || total != N * (N - 1) / 2;
}
