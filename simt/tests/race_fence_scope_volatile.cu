// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A message from block to block by a volatile flag; the reader fences for its block only, and another thread reads the data.
__global__ void k(int *data, volatile int *flag, int *out)
{
    __shared__ int first;
    int t = threadIdx.x;

    if (t == 0)
        first = atomicAdd((int *)flag + 1, 1) == 0;
    __syncthreads();
    if (first) {
        data[t] = t;
        __threadfence();
        __syncthreads();
        if (t == 0)
            *flag = 1;
        return;
    }
    if (t == 0)
        while (*flag == 0)
            ;
    __threadfence_block();
    __syncthreads();
    out[t] = data[t ^ 1];
}

int main()
{
    int got[64], *memory;

    cudaMalloc(&memory, 130 * sizeof(int));
    cudaMemset(memory, 0, 130 * sizeof(int));
    k<<<2, 64>>>(memory, memory + 128, memory + 64);
    if (cudaMemcpy(got, memory + 64, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 64; i++)
        if (got[i] != (i ^ 1))
            return 1;
    return 0;
}
