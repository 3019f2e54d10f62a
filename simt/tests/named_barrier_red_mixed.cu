// expect: barrier
// SPDX-License-Identifier: BSD-2-Clause
//
// One warp counts at a named barrier, the other one synchronises there: PTX leaves the result of that undefined.
#include <cstdio>

__global__ void mixed(int *out)
{
    int count = 0, i = (int)threadIdx.x;

    if (i < 32)
        asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; bar.red.popc.u32 %0, 1, 64, p; }" : "=r"(count) : "r"(i) : "memory");
    else
        asm volatile("bar.sync 1, 64;" ::: "memory");
    out[i] = count;
}

int main()
{
    int *out;

    cudaMalloc(&out, 64 * sizeof *out);
    mixed<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
