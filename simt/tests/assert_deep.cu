// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// An assertion that fails where most of the thread's stack is in use: its message needs little of it. And dynamic shared memory begins at a
// multiple of 1024 bytes, as it does on GPUs of compute capability 8.0 and later.
#include <cassert>
#include <cstdint>
#include <cstdio>

__device__ __noinline__ int deep(int *place, int want)
{
    int local[15 << 10]; // 60 of 68 KiB
    int sum = 0;

    for (int i = 0; i < 15 << 10; i += 1024) {
        local[i] = place[i / 1024];
        sum += local[i];
    }
    assert(sum == want);
    return sum;
}

__global__ void fails(int *place, int want)
{
    extern __shared__ char dynamic[];

    place[17] = (int)__cvta_generic_to_shared(dynamic) % 1024;
    place[16] = deep(place, want);
}

int main()
{
    int *place, at = 1;

    cudaMalloc(&place, 18 * sizeof *place);
    cudaMemset(place, 0, 18 * sizeof *place);
    fails<<<1, 1, 64>>>(place, 0);
    cudaMemcpy(&at, place + 17, sizeof at, cudaMemcpyDeviceToHost);
    fails<<<1, 1, 64>>>(place, 1);
    if (at != 0 || cudaDeviceSynchronize() != cudaErrorAssert) {
        printf("at %d, or no assertion\n", at);
        return 1;
    }
    return 0;
}
