// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A warp writes again, behind the reduction, what the other one reads behind it. It should come to a barrier before that.
#include <cstdio>

__global__ void early(int *out)
{
    __shared__ int seen[64];
    int count, i = (int)threadIdx.x;

    seen[i] = i;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, 3, 64, p; }" : "=r"(count) : "r"(i) : "memory");
    out[i] = count + seen[i ^ 32];
    if (i < 32)
        seen[i] = count;
}

int main()
{
    int *out;

    cudaMalloc(&out, 64 * sizeof *out);
    early<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
