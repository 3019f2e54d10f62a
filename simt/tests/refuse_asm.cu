// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// Inline PTX cannot run on a CPU.
__global__ void lane(unsigned *out)
{   asm volatile("mov.u32 %0, %%laneid;" : "=r"(out[threadIdx.x]));
}
int main()
{
    return 0;
}
