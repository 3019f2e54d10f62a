// expect: uninit
// SPDX-License-Identifier: BSD-2-Clause
//
// The last element of the array is not cleared.
__global__ void k(int *out)
{
    __shared__ int sums[32];

    if (threadIdx.x == 0)
        memset(sums, 0, sizeof sums - 4);
    __syncthreads();
    out[threadIdx.x] = sums[31 - threadIdx.x % 2];
}

int main()
{
    int got[32], *memory;

    cudaMalloc(&memory, sizeof got);
    k<<<1, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        if (got[i] != 0)
            return 1;
    return 0;
}
