// expect: undefined
// SPDX-License-Identifier: BSD-2-Clause
//
// A negative number is converted to an unsigned integer.
__global__ void k(int *out, const float *in)
{
    int t = threadIdx.x;

    out[t] = t > 39 ? 0 : (int)(unsigned)in[t];
}

int main()
{
    float host[64], *in;
    int *out;

    for (int i = 0; i < 64; i++)
        host[i] = i == 40 ? 1e20f : i == 41 ? NAN : (float)(i - 32);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
