// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A message from block to block: the reader fences for its block only.
__global__ void k(int *data, int *flag, int *out)
{
    __shared__ volatile int ready;
    __shared__ int first;
    int t = threadIdx.x;

    if (t == 0) {
        first = atomicAdd(flag + 1, 1) == 0;
        ready = 0;
    }
    __syncthreads();
    if (first) {
        if (t == 0) {
            *data = 42;
            __threadfence();
            atomicExch(flag, 1);
        }
        return;
    }
    if (t == 0) {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence_block();
        out[0] = *data;
        __threadfence_block();
        ready = 1;
    } else if (t == 32) {
        while (ready == 0)
            ;
        __threadfence_block();
        out[1] = out[0] + *data;
    }
}

int main()
{
    int got[5], *memory;

    cudaMalloc(&memory, sizeof got);
    cudaMemset(memory, 0, sizeof got);
    k<<<2, 64>>>(memory, memory + 1, memory + 3);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    return got[3] != 42 || got[4] != 84;
}
