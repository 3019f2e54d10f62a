// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// All of a shared array is written before it is read.
__global__ void k(int *out)
{
    __shared__ int x[64];
    int t = threadIdx.x;

    if (t < 64)
        x[t] = t;
    __syncthreads();
    out[64 * blockIdx.x + t] = x[63 - t];
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 256 * sizeof(int));
    cudaMemset(memory, 0, 256 * sizeof(int));
    k<<<3, 64>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
