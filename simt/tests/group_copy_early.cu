// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// As group_copy, but what others copied is read before the wait.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>

namespace groups = cooperative_groups;

__global__ void reverse(const int *from, int *to)
{
    __shared__ int first[64], second[64];
    groups::thread_block block = groups::this_thread_block();
    int i = (int)threadIdx.x;

    groups::memcpy_async(block, first, from, sizeof first);
    groups::memcpy_async(block, second, from + 64, sizeof second);

    to[i] = first[63 - i];
    groups::wait(block);
    to[64 + i] = second[63 - i];
}

int main()
{
    int *memory, got[128], wrong = 0;

    cudaMalloc(&memory, 2 * sizeof got);
    for (int i = 0; i < 128; i++)
        got[i] = i * i;
    cudaMemcpy(memory, got, sizeof got, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(memory, memory + 128);
    cudaMemcpy(got, memory + 128, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        wrong += got[i] != (i / 64 * 64 + 63 - i % 64) * (i / 64 * 64 + 63 - i % 64);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
