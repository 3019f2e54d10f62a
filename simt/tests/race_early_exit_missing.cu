// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The exit of a thread does not order its accesses.
__global__ void k(int *out)
{
    __shared__ int x[64];
    int t = threadIdx.x;

    x[t] = t;
    if (t >= 50)
        return;
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
        if (got[i] != (i % 64 < 50 ? 63 - i % 64 : 0))
            return 1;
    return 0;
}
