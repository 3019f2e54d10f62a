// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Each half of a warp synchronises under its own mask.
__global__ void k(int *out)
{
    __shared__ int x[32];
    int t = threadIdx.x;

    x[t] = t;
    if (t < 16) {
        __syncwarp(0x0000ffffu);
        out[32 * blockIdx.x + t] = x[15 - t];
    } else {
        __syncwarp(0xffff0000u);
        out[32 * blockIdx.x + t] = x[47 - t];
    }
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
        if (got[i] != ((i % 32 < 16 ? 15 : 47) - i % 32))
            return 1;
    return 0;
}
