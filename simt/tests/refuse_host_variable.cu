// expect: refused 10
// SPDX-License-Identifier: BSD-2-Clause
//
// A variable of the host in device code: nvcc has no such identifier there.
static int factor = 3;

__global__ void scale(int *p)
{
    const int factors = sizeof factor;
    p[threadIdx.x] *= factor + factors;
}

int main()
{
    int *p;

    cudaMalloc(&p, sizeof *p);
    scale<<<1, 1>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
