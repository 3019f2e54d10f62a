// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Shared memory is used again after a second barrier.
__global__ void k(int *out)
{
    __shared__ int x[64];
    int t = threadIdx.x;

    for (int round = 0; round < 3; round++) {
        x[t] = t + round;
        __syncthreads();
        out[t] += x[t ^ 1];
        __syncthreads();
    }
}

int main()
{
    int *memory;

    cudaMalloc(&memory, 64 * sizeof(int));
    cudaMemset(memory, 0, 64 * sizeof(int));
    k<<<1, 64>>>(memory);
    return cudaDeviceSynchronize() != cudaSuccess;
}
