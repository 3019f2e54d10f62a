// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Counters are incremented without atomics.
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
    int got[8], *memory;

    cudaMalloc(&memory, 8 * sizeof(int));
    cudaMemset(memory, 0, 8 * sizeof(int));
    k<<<3, 64>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 8; i++)
        if (got[i] != 24)
            return 1;
    return 0;
}
