// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The device's body of a function has PTX, the host's has not.
#include <cstdio>
__host__ __device__ unsigned lane()
{
    unsigned result = 0;
#ifdef __CUDA_ARCH__
    asm("mov.u32 %0, %%laneid;" : "=r"(result));
#endif
    return result;
}
__global__ void kernel(unsigned *p)
{
    p[threadIdx.x] = lane();
}
int main()
{
    unsigned *p, result[32];

    cudaMalloc(&p, sizeof result);
    kernel<<<1, 32>>>(p);
    cudaMemcpy(result, p, sizeof result, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 32; i++)
        if (result[i] != i)
            return 1;
    puts("right");
    return lane() != 0;
}
