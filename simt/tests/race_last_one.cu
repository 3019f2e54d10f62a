// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The same with one thread that fences for its block, between barriers.
__device__ unsigned done;

__global__ void k(int *memory)
{
    __shared__ bool last;
    int i = blockIdx.x * 64 + threadIdx.x, *out = memory + 512;

    memory[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    for (unsigned b = 0; last && b < gridDim.x; b++)
        out[threadIdx.x] += memory[b * 64 + threadIdx.x];
}

int main()
{
    int got[576], *memory;

    cudaMalloc(&memory, 576 * sizeof(int));
    cudaMemset(memory, 0, 576 * sizeof(int));
    k<<<8, 64>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 512; i < 576; i++)
        if (got[i] != 64 * 28 + 8 * (i - 512))
            return 1;
    return 0;
}
