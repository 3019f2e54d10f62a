// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// The next round writes what other threads may still read.
__global__ void k(int *out)
{
    __shared__ int x[64];
    int t = threadIdx.x;

    for (int round = 0; round < 3; round++) {
        x[t] = t + round;
        __syncthreads();
        out[t] += x[t ^ 1];
    }
}

int main()
{
    int got[64], *memory;

    cudaMalloc(&memory, 64 * sizeof(int));
    cudaMemset(memory, 0, 64 * sizeof(int));
    k<<<1, 64>>>(memory);
    if (cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < 64; i++)
        if (got[i] != 3 * (i ^ 1) + 3)
            return 1;
    return 0;
}
