// expect: undefined
// SPDX-License-Identifier: BSD-2-Clause
//
// A shift by the width or more: a GPU gives 0, a CPU shifts by the lower bits of the number.
__global__ void k(int *out, const int *by)
{
    int t = threadIdx.x;

    out[t] = (1 << by[t]) + (int)(1ull << (by[t] & 63) >> 32);
}

int main()
{
    int host[64], *out, *by;

    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&by, sizeof host);
    cudaMemcpy(by, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(out, by);
    return cudaDeviceSynchronize() != cudaSuccess;
}
