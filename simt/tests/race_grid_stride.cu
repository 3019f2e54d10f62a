// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Each element belongs to one thread.
__global__ void k(int *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 300; i += gridDim.x * blockDim.x)
        out[i] += i;
}

int main()
{
    int got[300], *memory;

    cudaMalloc(&memory, 512 * sizeof(int));
    cudaMemset(memory, 0, 512 * sizeof(int));
    k<<<3, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 300; i++)
        if (got[i] != i)
            return 1;
    return 0;
}
