// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Only that cudaFree waits for the device orders the two kernels; cudaFreeAsync or another allocator would not.
__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

int main()
{
    cudaStream_t a, b;
    int *x, *other;

    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMalloc(&other, 32 * sizeof *x);
    fill<<<1, 32, 0, a>>>(x, 1);
    cudaFree(other);
    fill<<<1, 32, 0, b>>>(x, 2);
    cudaFree(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
