// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A cooperative launch: all blocks write, synchronise, and read what the others wrote, several times.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void turns(int *a, int *b, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    unsigned n = (unsigned)grid.size(), i = (unsigned)grid.thread_rank();

    for (int k = 0; k < rounds; k++) {
        b[i] = a[(i + 33) % n] + 1;
        grid.sync();
        a[i] = b[(i + 65) % n] + 1;
        grid.sync();
    }
}

int main()
{
    int *a, *b, host[512], rounds = 3, blocks, possible, device = 0;
    cudaDeviceProp properties;

    cudaGetDeviceProperties(&properties, device);
    cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, turns, 64, 0);
    blocks *= properties.multiProcessorCount;
    if (!possible || blocks < 8)
        return 1;
    void *arguments[] = {&a, &b, &rounds};
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMemset(a, 0, sizeof host);
    if (cudaLaunchCooperativeKernel((void *)turns, dim3(8), dim3(64), arguments, 0, 0) != cudaSuccess)
        return 2;
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; i++)
        if (host[i] != 6)
            return 3;
    return 0;
}
