// expect: undefined
// SPDX-License-Identifier: BSD-2-Clause
//
// Code that was declared unreachable is reached.
__global__ void k(int *out, const unsigned char *in)
{
    int t = threadIdx.x;

    if (in[t] > 1)
        __builtin_unreachable();
    out[t] = in[t] + t;
}

int main()
{
    int *out;
    unsigned char host[64], *in;

    for (int i = 0; i < 64; i++)
        host[i] = i % 3;
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
