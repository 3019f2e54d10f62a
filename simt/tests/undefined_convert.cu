// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Conversions that are defined for every number, and a plain conversion of numbers that fit.
__global__ void k(int *out, const float *in)
{
    int t = threadIdx.x;

    out[t] = __float2int_rz(in[t]) + (int)__float2uint_rn(in[t]) + (in[t] < 100 ? (int)in[t] : 0);
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
