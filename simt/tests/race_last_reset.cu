// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The block that counts last resets the counters with plain stores. It comes after the other counts because it has read the
// last value: of `done` by its own atomic, of `seen` by a volatile load.
__device__ unsigned done;

__global__ void k(unsigned *counters, int *out, unsigned limit)
{
    __shared__ bool last;
    unsigned *seen = counters, *wrapped = counters + 1;

    if (threadIdx.x == 0) {
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
        out[0] += done;
        done = 0;
        *seen = 0;
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
