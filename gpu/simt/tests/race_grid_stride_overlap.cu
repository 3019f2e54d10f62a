// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Neighbouring blocks overlap.
__global__ void k(int *out)
{
    for (int i = blockIdx.x * 16 + threadIdx.x; i < 300; i += gridDim.x * blockDim.x)
        out[i] += i;
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 512 * sizeof(int));
    cudaMemset(memory, 0, 512 * sizeof(int));
    k<<<3, 32>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
