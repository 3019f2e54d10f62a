// expect: uninit
// SPDX-License-Identifier: BSD-2-Clause
//
// The number of elements is taken for a number of bytes.
__global__ void k(int *x)
{
    x[threadIdx.x] += 1;
}

int main()
{
    int got[64], *x;

    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64);
    k<<<1, 64>>>(x);
    if (cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 64; i++)
        if (got[i] != 1)
            return 1;
    return 0;
}
