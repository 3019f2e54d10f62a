// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Bytes of 0 and 1 are read as bool, and the switch has all cases.
__global__ void k(int *out, const unsigned char *in)
{
    int t = threadIdx.x;

    const bool *b = (const bool *)in;

    if (in[t] > 1)
        __builtin_unreachable();
    out[t] = b[t] ? 3 : 4;
}

int main()
{
    int *out;
    unsigned char host[64], *in;

    for (int i = 0; i < 64; i++)
        host[i] = i & 1;
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    k<<<1, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
