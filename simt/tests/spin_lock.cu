// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Threads of all blocks, also of one warp, count under a spin lock with fences.
__global__ void count(int *lock, int *total)
{
    for (;;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *total += 1;
            __threadfence();
            atomicExch(lock, 0);
            break;
        }
    }
}

int main()
{
    int result, *memory;

    cudaMalloc(&memory, 2 * sizeof(int));
    cudaMemset(memory, 0, 2 * sizeof(int));
    count<<<4, 40>>>(memory, memory + 1);
    cudaMemcpy(&result, memory + 1, sizeof result, cudaMemcpyDeviceToHost);
    return result != 160;
}
