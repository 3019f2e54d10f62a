// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Loads through the read-only path: of bytes that an earlier launch wrote, and of a constant that the host copied.
#include <cstdio>

__constant__ int factor[2];

__global__ void square(int *x)
{
    x[threadIdx.x] = threadIdx.x * threadIdx.x;
}

__global__ void sum(const int *x, cudaTextureObject_t texture, int *y)
{
    int i = threadIdx.x, loaded;

    y[i] = i;
    __syncthreads();
    asm("ld.global.nc.s32 %0, [%1];" : "=r"(loaded) : "l"(x + (i + 1) % 64));
    y[i] += factor[0] * (__ldg(x + (i + 2) % 64) + loaded + tex1Dfetch<int>(texture, (i + 3) % 64));
}

__global__ void in_place(int *x)
{
    x[threadIdx.x] = __ldg(x + threadIdx.x) + 1;
}

int main()
{
    int *x, *y, two[2] = {2, 3}, host[64], total = 0;
    cudaStream_t stream;
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;

    cudaMalloc(&x, 64 * sizeof(int));
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMallocAsync(&y, 64 * sizeof(int), stream);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = x;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 64 * sizeof(int);
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    cudaMemcpyToSymbolAsync(factor, two, sizeof two, 0, cudaMemcpyHostToDevice, stream);
    square<<<1, 64, 0, stream>>>(x);
    sum<<<1, 64, 0, stream>>>(x, texture, y);
    in_place<<<1, 64, 0, stream>>>(y);
    cudaMemcpyAsync(host, y, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 64; i++)
        total += host[i];
    printf("%d\n", total);
    cudaFree(y);
    return total == 0;
}
