// expect: differs
// SPDX-License-Identifier: BSD-2-Clause
//
// One warp passes values to another through volatile shared memory, and does not fence.
#include <cstdio>

constexpr int ROUNDS = 16;
__device__ int errors;

__global__ void k()
{
    __shared__ volatile int payload[ROUNDS], flag[ROUNDS];
    bool writer = threadIdx.x == 0;

    for (int i = threadIdx.x; i < ROUNDS; i += blockDim.x)
        payload[i] = flag[i] = 0;
    __syncthreads();
    if (threadIdx.x % 32)
        return;
    for (int i = 0; i < ROUNDS; i++)
        if (writer) {
            payload[i] = i + 1;
            flag[i] = 1;
        } else {
            while (flag[i] == 0)
                ;
            __threadfence_block();
            if (payload[i] != i + 1)
                atomicAdd(&errors, 1);
        }
}

int main()
{
    int wrong = 0;

    cudaMemcpyToSymbol(errors, &wrong, sizeof wrong);
    k<<<2, 64>>>();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof wrong);
    printf("%d\n", wrong);
    return cudaDeviceSynchronize() != cudaSuccess;
}
