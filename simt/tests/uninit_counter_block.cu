// expect: uninit
// SPDX-License-Identifier: BSD-2-Clause
//
// Counters start from 0 in the first block only.
__global__ void k(int *out)
{
    __shared__ int x[8];
    int t = threadIdx.x;

    if (t < 8 && blockIdx.x == 0)
        x[t] = 0;
    __syncthreads();
    atomicAdd(&x[t % 8], 1);
    __syncthreads();
    if (t < 8)
        atomicAdd(&out[t], x[t]);
}

int main()
{
    int got[8], *memory;

    cudaMalloc(&memory, 8 * sizeof(int));
    cudaMemset(memory, 0, 8 * sizeof(int));
    k<<<3, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 8; i++)
        if (got[i] != 12)
            return 1;
    return 0;
}
