// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Atomics on memory that was never written, whose values nobody uses, and an exchange, which is a write.
__global__ void k(unsigned *unused, int *flags, int *out)
{
    __shared__ unsigned long long also_unused;
    int old;

    atomicAdd(&unused[0], 1);
    atomicInc(&unused[1], 7);
    atomicMax(&also_unused, 3);
    old = atomicAdd((int *)&unused[2], 1);
    (void)old;
    atomicExch(&flags[threadIdx.x], 5);
    out[threadIdx.x] = flags[threadIdx.x] + atomicAdd(&flags[threadIdx.x], 1);
}

int main()
{
    int got[32], *memory;

    cudaMalloc(&memory, 67 * sizeof(int));
    k<<<1, 32>>>((unsigned *)memory, memory + 3, memory + 35);
    if (cudaMemcpy(got, memory + 35, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        if (got[i] != 10)
            return 1;
    return 0;
}
