// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Lanes exchange values through shared memory and a warp barrier.
__global__ void k(int *out)
{
    __shared__ int x[32];
    int t = threadIdx.x;

    x[t] = t;
    __syncwarp();
    out[32 * blockIdx.x + t] = x[t ^ 1];
}

int main()
{
    int got[64], *memory;

    cudaMalloc(&memory, 128 * sizeof(int));
    cudaMemset(memory, 0, 128 * sizeof(int));
    k<<<2, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 64; i++)
        if (got[i] != (i % 32 ^ 1))
            return 1;
    return 0;
}
