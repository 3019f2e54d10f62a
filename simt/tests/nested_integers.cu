// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A block launches grids with two integers beside each other, which together look like an address of its shared memory.
__global__ void fill(int *x, int first, int last)
{
    for (int i = first + (int)threadIdx.x; i < last; i += (int)blockDim.x)
        x[i] = i;
}

__global__ void halve(int *x, int n)
{
    __shared__ int middle;

    if (threadIdx.x == 0) {
        middle = n / 2;
        for (int first = 0; first < 128; first += 8)
            fill<<<1, 64>>>(x, first, middle);
    }
}

int main()
{
    const int n = 16384; // so that `last` is 0x2000
    static int host[n / 2];
    int *x, wrong = 0;

    cudaMalloc(&x, sizeof host);
    halve<<<1, 32>>>(x, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n / 2; i++)
        wrong += host[i] != i;
    return wrong != 0 || cudaGetLastError() != cudaSuccess;
}
