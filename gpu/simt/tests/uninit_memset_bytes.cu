// expect: uninit
// SPDX-License-Identifier: BSD-2-Clause
//
// Elements are taken for bytes.
__global__ void k(int *x)
{
    x[threadIdx.x] += 1;
}

int main()
{
    int *x;

    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64);
    k<<<1, 64>>>(x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
