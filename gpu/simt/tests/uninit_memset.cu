// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Device memory is cleared before it is added to.
__global__ void k(int *x)
{
    x[threadIdx.x] += 1;
}

int main()
{
    int *x;

    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64 * sizeof *x);
    k<<<1, 64>>>(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
