// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Two threads share a byte.
__global__ void k(int *out)
{
    __shared__ unsigned char x[64];
    int t = threadIdx.x;

    for (int i = 0; i < 10; i++)
        x[t / 2 * 2] = (unsigned char)i;
    out[64 * blockIdx.x + t] = x[t / 2 * 2];
}

int main()
{
    int got[128], *memory;

    cudaMalloc(&memory, 256 * sizeof(int));
    cudaMemset(memory, 0, 256 * sizeof(int));
    k<<<2, 64>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 128; i++)
        if (got[i] != 9)
            return 1;
    return 0;
}
