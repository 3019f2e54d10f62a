// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Shifts by less than the width; of negative values, and into the sign bit, they give the same everywhere.
__global__ void k(int *out, const int *by)
{
    int t = threadIdx.x;

    out[t] = ((-1 << (by[t] & 31)) ^ (t << 26)) + (int)(1ull << (by[t] & 63) >> 32);
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
