// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Counters are raised without atomics.
__global__ void k(int *out)
{
    __shared__ int count[8];
    int t = threadIdx.x;

    if (t < 8)
        count[t] = 0;
    __syncthreads();
    count[t % 8]++;
    __syncthreads();
    if (t < 8)
        atomicAdd(&out[t], count[t]);
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 8 * sizeof(int));
    cudaMemset(memory, 0, 8 * sizeof(int));
    k<<<3, 64>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
