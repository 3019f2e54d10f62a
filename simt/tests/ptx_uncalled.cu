// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Instructions that the machine does not have, in functions that no kernel reaches: nvcc makes no code of them.
#include <cstdio>

__device__ void fence();

__device__ void fence()
{
    asm volatile("tcgen05.wait::ld.sync.aligned;");
}

struct tile {
    template <typename T> __device__ static void load(T *p)
    {
        fence();
        asm volatile("no_such_instruction.b32 [%0];" ::"l"(p));
    }
};

template <typename T> __global__ void never_launched(T *p)
{
    tile::load(p);
}

__device__ unsigned lane()
{
    unsigned r;

    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__global__ void ask(unsigned *p)
{
    p[threadIdx.x] = lane();
}

int main()
{
    unsigned *p, got[32], wrong = 0;

    cudaMalloc(&p, sizeof got);
    ask<<<1, 32>>>(p);
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(p);
    for (unsigned i = 0; i < 32; i++)
        wrong += got[i] != i;
    printf("%u wrong\n", wrong);
    return wrong != 0;
}
