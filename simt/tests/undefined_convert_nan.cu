// expect: undefined
// SPDX-License-Identifier: BSD-2-Clause
//
// A NaN is converted to an integer.
__global__ void k(int *out, const float *in)
{
    int t = threadIdx.x;

    out[t] = t == 40 ? 0 : (int)in[t];
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
