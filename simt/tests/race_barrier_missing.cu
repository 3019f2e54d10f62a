// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// There is no barrier between the writes and the reads.
__global__ void k(int *out)
{
    __shared__ int x[64];
    int t = threadIdx.x;

    x[t] = t;
    out[64 * blockIdx.x + t] = x[63 - t];
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
        if (got[i] != 63 - i % 64)
            return 1;
    return 0;
}
