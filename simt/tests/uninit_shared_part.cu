// expect: uninit
// SPDX-License-Identifier: BSD-2-Clause
//
// The last elements of a shared array are not written.
__global__ void k(int *out)
{
    __shared__ int x[64];
    int t = threadIdx.x;

    if (t < 60)
        x[t] = t;
    __syncthreads();
    out[64 * blockIdx.x + t] = x[63 - t];
}

int main()
{
    int got[192], *memory;

    cudaMalloc(&memory, 256 * sizeof(int));
    cudaMemset(memory, 0, 256 * sizeof(int));
    k<<<3, 64>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 192; i++)
        if (got[i] != 63 - i % 64)
            return 1;
    return 0;
}
