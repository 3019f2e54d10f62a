// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A loop of 2^15 reads of volatile memory, by 32 threads: nothing changes for twice as many accesses as the limit allows, but the loop
// counts, and ends.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

enum { READS = 1 << 15 };

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

int main(int, char **arguments)
{
    unsigned *sum, got[32];

    if (!getenv("BOUNDED_AGAIN")) { // the limit by default is 32 times as large, and takes as much longer
        const char *options = getenv("SIMT_OPTIONS");

        setenv("SIMT_OPTIONS", ((options ? std::string(options) : "") + " hang=524288").c_str(), 1);
        setenv("BOUNDED_AGAIN", "yes", 1);
        execv("/proc/self/exe", arguments);
    }

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
