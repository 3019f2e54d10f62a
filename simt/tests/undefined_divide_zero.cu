// expect: undefined
// SPDX-License-Identifier: BSD-2-Clause
//
// A division by 0: a GPU gives a number, x86 traps, aarch64 gives 0.
__global__ void k(int *out, const int *by)
{
    int t = threadIdx.x;

    out[t] = 1000 / by[t];
}

int main()
{
    int host[64], *out, *by;

    for (int i = 0; i < 64; i++)
        host[i] = i - 1;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&by, sizeof host);
    cudaMemcpy(by, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(out, by);
    return cudaDeviceSynchronize() != cudaSuccess;
}
