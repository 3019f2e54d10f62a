// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Copies of three dimensions: host to pitched memory, through a kernel, a box of it to the host.
#include <cstdio>

__global__ void add(cudaPitchedPtr p, int depth)
{
    int x = threadIdx.x, y = threadIdx.y;

    for (int z = 0; z < depth; z++)
        ((int *)((char *)p.ptr + (z * p.ysize + y) * p.pitch))[x] += 1000;
}

int main()
{
    const int width = 5, height = 4, depth = 3;
    int in[depth][height][width], out[2][2][3] = {}, bad = 0;
    cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
    cudaPitchedPtr memory;
    cudaMemcpy3DParms there = {}, back = {};

    for (int i = 0; i < width * height * depth; i++)
        in[i / (width * height)][i / width % height][i % width] = i;
    bad += cudaMalloc3D(&memory, extent) != cudaSuccess;
    bad += cudaMemset3D(memory, 0, extent) != cudaSuccess;
    there.srcPtr = make_cudaPitchedPtr(in, width * sizeof(int), width, height);
    there.dstPtr = memory;
    there.extent = extent;
    there.kind = cudaMemcpyHostToDevice;
    bad += cudaMemcpy3D(&there) != cudaSuccess;
    add<<<1, dim3(width, height)>>>(memory, depth);
    back.srcPtr = memory;
    back.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    back.dstPtr = make_cudaPitchedPtr(out, 3 * sizeof(int), 3, 2);
    back.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
    back.kind = cudaMemcpyDeviceToHost;
    bad += cudaMemcpy3D(&back) != cudaSuccess;
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 3; x++)
                bad += out[z][y][x] != in[z + 1][y + 1][x + 2] + 1000;
    cudaFree(memory.ptr);
    printf("%d\n", bad);
    return bad;
}
