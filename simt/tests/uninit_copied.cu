// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A copy of a buffer that is half written, of which the other half is not used.
__global__ void k(int *out, int *from, int *to, int size)
{
    from[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        memcpy(to, from, size);
    __syncthreads();
    out[threadIdx.x] = to[threadIdx.x];
}

int main()
{
    int got[32], *memory;

    cudaMalloc(&memory, 160 * sizeof(int));
    k<<<1, 32>>>(memory, memory + 32, memory + 96, 64 * sizeof(int));
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        if (got[i] != i)
            return 1;
    return 0;
}
