// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// No fence before the lock is released.
__global__ void k(int *memory)
{
    int *lock = memory, *total = memory + 1;

    while (atomicCAS(lock, 0, 1) != 0)
        __nanosleep(20);
    __threadfence();
    *total += 1;
    atomicExch(lock, 0);
}

int main()
{
    int got[2], *memory;

    cudaMalloc(&memory, 2 * sizeof(int));
    cudaMemset(memory, 0, 2 * sizeof(int));
    k<<<6, 1>>>(memory);
    return cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess || got[1] != 6;
}
