// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A thread writes, a thread of its block reads that behind a barrier, and a thread of another block reads it without one: the
// read in between must not hide the write.
#include <cstdio>

__global__ void write_and_read(unsigned *word, unsigned *seen)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *word = 7;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 40)
        seen[0] = *word;
    if (blockIdx.x == 1 && threadIdx.x == 0)
        seen[1] = *word;
}

int main()
{
    unsigned *word, *seen;

    cudaMalloc(&word, sizeof *word);
    cudaMalloc(&seen, 2 * sizeof *seen);
    cudaMemset(word, 0, sizeof *word);
    write_and_read<<<2, 64>>>(word, seen);
    return cudaDeviceSynchronize();
}
