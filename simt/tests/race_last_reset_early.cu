// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A block resets the counter before the last one has counted.
__device__ unsigned done;

__global__ void k(unsigned *counters, int *out, unsigned limit)
{
    __shared__ bool last;
    unsigned *seen = counters, *wrapped = counters + 1;

    if (threadIdx.x == 0) {
        atomicAdd(seen, 1);
        atomicInc(wrapped, 100);
        last = atomicAdd(&done, 1) == limit - 1;
    }
    __syncthreads();
    if (!last)
        return;
    if (threadIdx.x == 0)
        while (*(volatile unsigned *)seen == 0)
            ;
    __syncthreads();
    if (threadIdx.x == 40) {
        out[0] += done;
        done = 0;
    }
    if (threadIdx.x == 50)
        out[1] += (int)atomicExch(wrapped, 0);
}

int main()
{
    int got[2], *memory;

    cudaMalloc(&memory, 4 * sizeof(int));
    cudaMemset(memory, 0, 4 * sizeof(int));
    for (int i = 0; i < 3; i++)
        k<<<10, 64>>>((unsigned *)memory, memory + 2, 9);
    if (cudaMemcpy(got, memory + 2, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    return got[0] != 30;
}
