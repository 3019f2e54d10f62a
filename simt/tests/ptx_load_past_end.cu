// expect: oob
// SPDX-License-Identifier: BSD-2-Clause
//
// A load through PTX is checked like any other: here the last thread reads past the end.
#include <cstdio>
__global__ void load(const unsigned *in, unsigned *out)
{
    unsigned v;

    asm volatile("ld.global.nc.u32 %0, [%1+4];" : "=r"(v) : "l"(in + threadIdx.x));
    out[threadIdx.x] = v;
}
int main()
{
    unsigned *in, *out, result[32];

    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, sizeof result);
    cudaMemset(in, 1, 32 * sizeof *in);
    load<<<1, 32>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%x\n", result[31]);
    return result[31] != 0x01010101;
}
