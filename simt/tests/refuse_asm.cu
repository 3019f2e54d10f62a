// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// A matrix instruction is not among those of the machine.
__global__ void multiply(unsigned *out, unsigned a, unsigned b)
{   asm volatile("wgmma.fence.sync.aligned; mov.u32 %0, %1;" : "=r"(out[threadIdx.x]) : "r"(a + b));
}
int main()
{
    return 0;
}
