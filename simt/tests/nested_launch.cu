// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Each block fills its part of an array and launches two grids into its stream, of which the second needs the first; a tail launch
// adds up what all have done.
__global__ void square(int *x, int n)
{
    if ((int)threadIdx.x < n)
        x[threadIdx.x] *= x[threadIdx.x];
}

__global__ void next(int *x, int n)
{
    if ((int)threadIdx.x < n)
        x[threadIdx.x] += 1;
}

__global__ void total(const int *x, int n, int *sum)
{
    int all = 0;

    for (int i = 0; i < n; i++)
        all += x[i];
    *sum = all;
}

__global__ void parent(int *x, int *sum)
{
    int *part = x + blockIdx.x * blockDim.x;

    part[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        square<<<1, 64>>>(part, (int)blockDim.x);
        next<<<1, 64>>>(part, (int)blockDim.x);
        if (blockIdx.x == 0)
            total<<<1, 1, 0, cudaStreamTailLaunch>>>(x, (int)(gridDim.x * blockDim.x), sum);
    }
}

int main()
{
    int *x, *sum, host = 0;

    cudaMalloc(&x, 4 * 32 * sizeof *x);
    cudaMalloc(&sum, sizeof *sum);
    parent<<<4, 32>>>(x, sum);
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    return host != 4 * (31 * 32 * 63 / 6 + 32) || cudaGetLastError() != cudaSuccess;
}
