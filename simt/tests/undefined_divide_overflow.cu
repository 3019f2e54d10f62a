// expect: undefined
// SPDX-License-Identifier: BSD-2-Clause
//
// The smallest integer divided by -1.
__global__ void k(int *out, const int *by)
{
    int t = threadIdx.x;

    out[t] = by[t] ? (-2147483647 - 1) / by[t] : 0;
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
