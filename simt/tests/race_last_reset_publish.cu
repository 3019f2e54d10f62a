// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The block that counts last resets the counter, but nobody fences for what the others wrote.
__device__ unsigned done;

__global__ void k(unsigned *counters, int *out, unsigned limit)
{
    __shared__ bool last;
    unsigned *seen = counters, *wrapped = counters + 1;

    if (threadIdx.x == 0) {
        out[2 + blockIdx.x] = 1;
        atomicAdd(seen, 1);
        atomicInc(wrapped, 100);
        last = atomicAdd(&done, 1) == limit;
    }
    __syncthreads();
    if (!last)
        return;
    if (threadIdx.x == 0)
        while (*(volatile unsigned *)seen != gridDim.x)
            ;
    __syncthreads();
    if (threadIdx.x == 40) {
        for (unsigned i = 0; i < gridDim.x; i++)
            out[0] += out[2 + i];
        done = 0;
        *seen = 0;
    }
    if (threadIdx.x == 50)
        out[1] += (int)atomicExch(wrapped, 0);
}

int main()
{
    int got[2], *memory;

    cudaMalloc(&memory, 14 * sizeof(int));
    cudaMemset(memory, 0, 14 * sizeof(int));
    for (int i = 0; i < 3; i++)
        k<<<10, 64>>>((unsigned *)memory, memory + 2, 9);
    if (cudaMemcpy(got, memory + 2, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    return got[0] != 30;
}
