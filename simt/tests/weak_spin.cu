// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A thread that polls sees every store eventually.
__device__ volatile int stage;

__global__ void k(int *out)
{
    int warp = threadIdx.x / 32;

    while (stage < warp) // each warp waits for the one before it
        ;
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        stage = warp + 1;
    out[threadIdx.x] = warp;
}

int main()
{
    int *out;

    cudaMalloc(&out, 256 * sizeof(int));
    k<<<1, 256>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
