// expect: hang
// SPDX-License-Identifier: BSD-2-Clause
//
// A copy to pageable memory of the host, in the stream of a kernel that waits for the host: the call returns only when the copy
// has ended, so the flag is never set.
#include <stdio.h>

__global__ void wait(volatile int *flag, int *out)
{
    while (*flag == 0)
        ;
    *out = *flag;
}

int main()
{
    int result, *flag, *out;

    cudaMallocHost(&flag, sizeof(int));
    cudaMalloc(&out, sizeof(int));
    *(volatile int *)flag = 0;
    wait<<<1, 1>>>(flag, out);
    cudaMemcpyAsync(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    *(volatile int *)flag = 1;
    return cudaDeviceSynchronize() != cudaSuccess || result != 1;
}
