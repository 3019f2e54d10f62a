/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sum in one block: a tree in shared memory.
 */
#include "add.cuh"
#include "total.h"

__global__ void total_kernel(const int *numbers, int count, int *sum)
{
    __shared__ int tree[64];

    tree[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < count; i += 64)
        tree[threadIdx.x] = add(tree[threadIdx.x], numbers[i]);
    __syncthreads();
    for (unsigned half = 32; half; half /= 2) {
        if (threadIdx.x < half)
            tree[threadIdx.x] = add(tree[threadIdx.x], tree[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *sum = tree[0];
}

int total(const int *numbers, int count)
{
    int *sum, result = -1;

    if (cudaMalloc(&sum, sizeof *sum) != cudaSuccess)
        return -1;
    total_kernel<<<1, 64>>>(numbers, count, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    return result;
}
