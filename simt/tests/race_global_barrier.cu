// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Warps of a block exchange values through global memory.
__global__ void k(int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;

    out[i] = i;
    __syncthreads();
    out[256 + i] = out[i ^ 32];
}

int main()
{
    int got[512], *memory;

    cudaMalloc(&memory, 512 * sizeof(int));
    cudaMemset(memory, 0, 512 * sizeof(int));
    k<<<4, 64>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 256; i < 512; i++)
        if (got[i] != (i ^ 32) - 256)
            return 1;
    return 0;
}
