// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Lane 15 writes again for lane 3 after they synchronised.
__global__ void k(int *out)
{
    __shared__ int x[32];
    int t = threadIdx.x;

    x[t] = t;
    if (t < 16)
        __syncwarp(0x0000ffffu);
    if (t == 3)
        x[t] = 0;
    if (t == 15 || t == 16)
        __syncwarp(0x00018000u);
    if (t == 16)
        out[blockIdx.x] = x[3];
}

int main()
{
    int got[2], *memory;

    cudaMalloc(&memory, 128 * sizeof(int));
    cudaMemset(memory, 0, 128 * sizeof(int));
    k<<<2, 32>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 2; i++)
        if (got[i] != 3)
            return 1;
    return 0;
}
