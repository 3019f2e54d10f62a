// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Some are of the block, some of the device.
__global__ void k(int *out)
{
    atomicAdd_block(&out[1 + blockIdx.x], 1);
    if (blockIdx.x == 0)
        atomicAdd_block(&out[0], 1);
    else
        atomicAdd(&out[0], 1);
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 8 * sizeof(int));
    cudaMemset(memory, 0, 8 * sizeof(int));
    k<<<4, 40>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
