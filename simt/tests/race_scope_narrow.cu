// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Atomics of block scope on a counter that all blocks share.
__global__ void k(int *out)
{
    atomicAdd_block(&out[1 + blockIdx.x], 1);
    atomicAdd_block(&out[0], 1);
}

int main()
{
    int got[5], *memory;

    cudaMalloc(&memory, 8 * sizeof(int));
    cudaMemset(memory, 0, 8 * sizeof(int));
    k<<<4, 40>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 5; i++)
        if (got[i] != (i == 0 ? 160 : 40))
            return 1;
    return 0;
}
