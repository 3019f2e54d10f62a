// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Two blocks send each other three values, each published by an atomic: the first one without an acquire.
#include <cstdio>
__global__ void pass(unsigned *memory)
{
    unsigned *flag = memory, *value = memory + 1, *out = memory + 4, seen;

    if (blockIdx.x == 0) {
        value[0] = 40;
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen != 2);
        value[2] = value[1] + 1;
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        do
            asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], 7, 7;" : "=r"(seen) : "l"(flag) : "memory");
        while (seen != 1);
        value[1] = value[0] + 1;
        asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], 2;" : "=r"(seen) : "l"(flag) : "memory");
        do
            asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], 7, 7;" : "=r"(seen) : "l"(flag) : "memory");
        while (seen != 3);
        *out = value[2];
    }
}
int main()
{
    unsigned *memory, out;

    cudaMalloc(&memory, 20);
    cudaMemset(memory, 0, 20);
    void *arguments[] = {&memory};
    cudaLaunchCooperativeKernel(pass, 2, 1, arguments);
    cudaMemcpy(&out, memory + 4, sizeof out, cudaMemcpyDeviceToHost);
    printf("%u\n", out);
    return out != 42;
}
