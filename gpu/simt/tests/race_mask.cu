// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Each half of a warp meets under its own mask.
__global__ void k(int *out)
{
    __shared__ int x[32];
    int t = threadIdx.x;

    x[t] = t;
    if (t < 16) {
        __syncwarp(0x0000ffffu);
        out[32 * blockIdx.x + t] = x[15 - t];
    } else {
        __syncwarp(0xffff0000u);
        out[32 * blockIdx.x + t] = x[47 - t];
    }
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 128 * sizeof(int));
    cudaMemset(memory, 0, 128 * sizeof(int));
    k<<<2, 32>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
