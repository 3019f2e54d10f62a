// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Every thread of a block waits for a flag with volatile loads, and then reads it with a plain load.
__global__ void k(int *flag, int *out)
{
    __shared__ int first;

    if (threadIdx.x == 0)
        first = atomicAdd(flag + 1, 1) == 0;
    __syncthreads();
    if (first) {
        if (threadIdx.x == 0)
            *(volatile int *)flag = 7;
        return;
    }
    while (*(volatile int *)flag == 0)
        ;
    out[threadIdx.x] = *flag;
}

int main()
{
    int got[64], *memory;

    cudaMalloc(&memory, 66 * sizeof(int));
    cudaMemset(memory, 0, 66 * sizeof(int));
    k<<<2, 64>>>(memory, memory + 2);
    if (cudaMemcpy(got, memory + 2, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 64; i++)
        if (got[i] != 7)
            return 1;
    return 0;
}
