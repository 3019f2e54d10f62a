// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Threads of a block exchange through global memory.
__global__ void k(int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;

    out[i] = i;
    __syncthreads();
    out[256 + i] = out[i ^ 1];
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 512 * sizeof(int));
    cudaMemset(memory, 0, 512 * sizeof(int));
    k<<<4, 64>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
