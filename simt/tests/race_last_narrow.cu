// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The block with the last ticket adds up what all blocks wrote; its fence is for the block only.
__device__ unsigned done;

__global__ void k(int *memory)
{
    __shared__ bool last;
    int i = blockIdx.x * 32 + threadIdx.x, *out = memory + 256;

    memory[i] = i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence_block();
    for (unsigned b = 0; b < gridDim.x; b++)
        out[threadIdx.x] += memory[b * 32 + threadIdx.x];
}

int main()
{
    int got[288], *memory;

    cudaMalloc(&memory, 288 * sizeof(int));
    cudaMemset(memory, 0, 288 * sizeof(int));
    k<<<8, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 256; i < 288; i++)
        if (got[i] != 32 * 28 + 8 * (i - 256))
            return 1;
    return 0;
}
