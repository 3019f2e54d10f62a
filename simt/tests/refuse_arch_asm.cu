// expect: refused 9
// SPDX-License-Identifier: BSD-2-Clause
//
// The device's body of a function has PTX, the host's has not.
__host__ __device__ unsigned lane()
{
    unsigned result = 0;
#ifdef __CUDA_ARCH__
    asm("mov.u32 %0, %%laneid;" : "=r"(result));
#endif
    return result;
}
__global__ void kernel(unsigned *p) { p[threadIdx.x] = lane(); }
int main() { return (int)lane(); }
