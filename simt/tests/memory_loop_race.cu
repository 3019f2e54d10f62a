// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// Loops that the compiler would make a memset and a memcpy of: every thread clears all, and copies to the same place.
__global__ void k(int *out, const int *in)
{
    __shared__ int sums[32];

    for (int i = 0; i < 32; i++)
        sums[i] = 0;
    __syncthreads();
    atomicAdd(&sums[threadIdx.x], 1);
    for (int i = 0; i < 8; i++)
        out[8 * (threadIdx.x / 2) + i] = in[8 * threadIdx.x + i];
}

int main()
{
    int *in, *out;

    cudaMalloc(&in, 256 * sizeof *in);
    cudaMalloc(&out, 128 * sizeof *out);
    cudaMemset(in, 0, 256 * sizeof *in);
    k<<<1, 32>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
