// expect: hang
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel waits for a flag that the host sets only after it has synchronised.
#include <stdio.h>

__global__ void wait(volatile int *flag, int *out)
{
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    __syncthreads();
    out[threadIdx.x] = *flag + threadIdx.x;
}

int main()
{
    int result[64], *flag, *out;

    cudaMallocHost(&flag, sizeof(int));
    cudaMalloc(&out, sizeof result);
    *(volatile int *)flag = 0;
    wait<<<1, 64>>>(flag, out);
    cudaDeviceSynchronize();
    *(volatile int *)flag = 1;
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        if (result[i] != 1 + i)
            return 1;
    return 0;
}
