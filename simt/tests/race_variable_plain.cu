// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A __device__ variable is incremented without atomics.
__device__ int total;

__global__ void k(int *out)
{
    total++;
    (void)out;
}

int main()
{
    int got, *memory;

    cudaMalloc(&memory, 4 * sizeof(int));
    cudaMemset(memory, 0, 4 * sizeof(int));
    k<<<4, 32>>>(memory);
    return cudaMemcpyFromSymbol(&got, total, sizeof got) != cudaSuccess || got != 128;
}
