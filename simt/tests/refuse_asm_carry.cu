// expect: refused 8
// SPDX-License-Identifier: BSD-2-Clause
//
// The carry of another asm statement: CUDA does not keep it, nor does the machine.
__global__ void add(unsigned *p)
{
    asm volatile("add.cc.u32 %0, %0, %1;" : "+r"(p[0]) : "r"(p[2]));
    asm volatile("addc.u32 %0, %0, %1;" : "+r"(p[1]) : "r"(p[3]));
}
int main()
{
    return 0;
}
