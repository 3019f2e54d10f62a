// expect: hang
// SPDX-License-Identifier: BSD-2-Clause
//
// No thread sets the flag.
__global__ void wait(volatile int *flag, int *out)
{
    if (threadIdx.x == 0 && atomicAdd(out, 1) == 0) {
        *flag = 0;
        return;
    }
    while (*flag == 0)
        ;
}

int main()
{
    int result, *memory;

    cudaMalloc(&memory, 2 * sizeof(int));
    cudaMemset(memory, 0, 2 * sizeof(int));
    wait<<<2, 33>>>(memory, memory + 1);
    cudaMemcpy(&result, memory + 1, sizeof result, cudaMemcpyDeviceToHost);
    return result != 2;
}
