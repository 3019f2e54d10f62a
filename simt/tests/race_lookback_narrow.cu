// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The fence before the flag has the scope of the block only.
__device__ unsigned ticket;

__global__ void k(int *memory)
{
    __shared__ int shared_before;
    __shared__ unsigned drawn;
    int *sum = memory, *ready = memory + 16, *out = memory + 32;

    if (threadIdx.x == 0)
        drawn = atomicAdd(&ticket, 1);
    __syncthreads();
    unsigned tile = drawn;
    if (threadIdx.x == 0) {
        int before = 0;

        if (tile > 0) {
            while (atomicAdd(&ready[tile - 1], 0) == 0)
                ;
            __threadfence();
            before = sum[tile - 1];
        }
        sum[tile] = before + 1;
        __threadfence_block();
        atomicExch(&ready[tile], 1);
        shared_before = before;
    }
    __syncthreads();
    out[tile * 32 + threadIdx.x] = shared_before + (tile > 0 ? sum[tile - 1] : 0);
}

int main()
{
    int got[544], *memory;

    cudaMalloc(&memory, 600 * sizeof(int));
    cudaMemset(memory + 16, 0, 16 * sizeof(int));
    k<<<16, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 32; i < 544; i++)
        if (got[i] != 2 * (i / 32 - 1))
            return 1;
    return 0;
}
