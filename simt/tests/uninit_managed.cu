// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Managed memory that the host, a fill, a copy or a kernel has written: an array of the host, a counter, a structure with padding, which
// the host assigns but for its padding, and a copy of managed memory.
#include <cstdio>
struct padded {
    char letter;
    double number;
};

__global__ void k(const int *in, const padded *p, int *counter, int *filled, int *out)
{
    padded copy = p[threadIdx.x];

    out[threadIdx.x] = in[threadIdx.x] + (int)copy.number + (copy.letter == 'a');
    atomicAdd(counter, 1);
    atomicMax(&filled[threadIdx.x], in[threadIdx.x]);
}

__global__ void sum(const int *out, const int *copied, int *counter)
{
    atomicAdd(counter, out[threadIdx.x] + copied[threadIdx.x]);
}

enum { COUNT = 32, MANY = 4096 };

int main()
{
    int *in, *counter, *filled, *out, *copied;
    padded *p;

    cudaMallocManaged(&in, MANY * sizeof *in);
    cudaMallocManaged(&counter, sizeof *counter);
    cudaMallocManaged(&filled, COUNT * sizeof *filled);
    cudaMallocManaged(&out, COUNT * sizeof *out);
    cudaMallocManaged(&p, COUNT * sizeof *p);
    cudaMalloc(&copied, MANY * sizeof *copied);
    for (int i = 0; i < COUNT; i++)
        in[i] = i;
    for (int i = 0; i < COUNT; i++)
        p[i].letter = 'a', p[i].number = i;
    *counter = 0;
    cudaMemset(filled, 0, COUNT * sizeof *filled);
    k<<<1, COUNT>>>(in, p, counter, filled, out);
    cudaMemcpy(copied, in, MANY * sizeof *copied, cudaMemcpyDefault);
    sum<<<1, COUNT>>>(out, copied, counter);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    printf("%d %d\n", *counter, filled[COUNT - 1]); /* 32 + 2 * 496 + 32 + 496 */
    return *counter != 1552 || filled[COUNT - 1] != COUNT - 1;
}
