// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A word is read by one warp, then by a thread of another, and then changed by the first. Atomics with fences order
// that.
__device__ int turn;

__global__ void k(int *out)
{
    __shared__ int x;
    int t = threadIdx.x;

    if (t == 0)
        x = 5;
    __syncthreads();
    if (t < 32) {
        out[t] = x;
        __syncwarp();
        if (t == 0) {
            atomicExch(&turn, 1);
            while (atomicAdd(&turn, 0) != 2)
                ;
            __threadfence();
            x = 7;
        }
    } else if (t == 32) {
        while (atomicAdd(&turn, 0) != 1)
            ;
        out[t] = x;
        __threadfence();
        atomicExch(&turn, 2);
    }
}

int main()
{
    int got[33], *memory;

    cudaMalloc(&memory, sizeof got);
    k<<<1, 64>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 33; i++)
        if (got[i] != 5)
            return 1;
    return 0;
}
