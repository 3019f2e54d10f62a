// expect: refused 6
// SPDX-License-Identifier: BSD-2-Clause
//
// An instruction for cards of compute capability 10.0 is not among those of the machine.
__global__ void multiply(unsigned *out, unsigned a, unsigned b)
{   asm volatile("tcgen05.wait::ld.sync.aligned; mov.u32 %0, %1;" : "=r"(out[threadIdx.x]) : "r"(a + b));
}
int main()
{
    return 0;
}
