// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The scope of both sides is the block, but they are in two.
#include <cstdio>
__global__ void pass(unsigned *payload, unsigned *flag, unsigned *out)
{
    unsigned seen;

    if (blockIdx.x == 0) {
        *payload = 42;
        asm volatile("st.release.cta.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        do
            asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (!seen);
        *out = *payload;
    }
}
int main()
{
    unsigned *memory, out;

    cudaMalloc(&memory, 12);
    cudaMemset(memory, 0, 12);
    void *arguments[] = {&memory, (void *)0, (void *)0};
    unsigned *flag = memory + 1, *to = memory + 2;
    arguments[1] = &flag;
    arguments[2] = &to;
    cudaLaunchCooperativeKernel(pass, 2, 1, arguments);
    cudaMemcpy(&out, to, sizeof out, cudaMemcpyDeviceToHost);
    printf("%u\n", out);
    return out != 42;
}
