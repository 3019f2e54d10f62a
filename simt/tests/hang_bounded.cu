// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A loop of 2^20 reads of volatile memory, by 32 threads: nothing changes for 2^25 accesses, but the loop counts, and ends.
#include <cstdio>

enum { READS = 1 << 20 };

__global__ void kernel(unsigned *sum)
{
    __shared__ volatile unsigned values[32];
    unsigned mine = 0, i = 0;

    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    while (i < READS) {
        mine += values[(threadIdx.x + i) % 32];
        i++;
    }
    sum[threadIdx.x] = mine;
}

int main()
{
    unsigned *sum, got[32];

    cudaMalloc(&sum, sizeof got);
    kernel<<<1, 32>>>(sum);
    cudaMemcpy(got, sum, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    for (unsigned v : got)
        if (v != READS / 32 * (31 * 32 / 2))
            return 1;
    puts("done");
    return 0;
}
