// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Parameters that are __restrict__ point into one allocation: parts that do not overlap, and parts that nobody writes.
#include <cstdio>

constexpr int N = 64;

__global__ void add(int *__restrict__ out, const int *__restrict__ left, const int *__restrict__ right, int count)
{
    int i = threadIdx.x;

    if (i < count)
        out[i] = left[i] + right[i];
}

__global__ void accumulate(int *__restrict__ sum, const int *values, int count)
{
    if (threadIdx.x == 0)
        for (int i = 0; i < count; i++)
            *sum += values[i];
}

__global__ void scale(int *__restrict__ values, int *__restrict__ unused, int by)
{
    values[threadIdx.x] *= by;
}

int main()
{
    int host[4 * N], *all, total;

    for (int i = 0; i < 4 * N; i++)
        host[i] = i;
    cudaMalloc(&all, sizeof host);
    cudaMemcpy(all, host, sizeof host, cudaMemcpyHostToDevice);
    add<<<1, N>>>(all, all + N, all + 2 * N, N);
    add<<<1, N>>>(all, all + N, all + N, N);
    accumulate<<<1, 32>>>(all + 3 * N, all, N);
    scale<<<1, N>>>(all, all, 3);
    cudaMemcpy(host, all, sizeof host, cudaMemcpyDeviceToHost);
    total = host[3 * N];
    printf("%d %d\n", host[1], total);
    return cudaFree(all) != cudaSuccess || host[1] != 6 * (N + 1) || total != 3 * N + 2 * (N * N + N * (N - 1) / 2);
}
