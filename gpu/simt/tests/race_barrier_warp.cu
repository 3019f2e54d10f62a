// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A warp barrier orders the threads of one warp only.
__global__ void k(int *out)
{
    __shared__ int x[64];
    int t = threadIdx.x;

    x[t] = t;
    __syncwarp();
    out[64 * blockIdx.x + t] = x[63 - t];
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 256 * sizeof(int));
    cudaMemset(memory, 0, 256 * sizeof(int));
    k<<<2, 64>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
