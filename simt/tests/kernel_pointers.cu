// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Kernels by their address: cudaLaunchKernel with arguments of all sizes, attributes of one kernel that do not change another
// as it was, sizes that the occupancy functions give.
#include <cstdio>
#include <cstring>

struct pair {
    char letter;
    double value;
};

extern "C" __global__ void mixed(int *out, const char letter, pair p, double, short small = 3)
{
    out[threadIdx.x + blockDim.x * blockIdx.x] = letter + p.letter + (int)p.value + small;
}

template <typename T, int N> __global__ void __launch_bounds__(128, 2) scaled(T *out, unsigned n)
{
    extern __shared__ T room[];

    room[threadIdx.x] = (T)N;
    if (threadIdx.x < n)
        out[threadIdx.x] = room[threadIdx.x] * (T)threadIdx.x;
}

template <typename... T> __global__ void several(int *out, T... values)
{
    out[0] = (int)(values + ...);
}

__global__ void nothing()
{
}
__global__ void other(int *)
{
}

static int size_of_two(int threads)
{
    return threads * 2;
}

int main()
{
    int *out, host[64];
    char letter = 'a';
    pair p = {'b', 40.5};
    double ignored = 1;
    short small = 7;
    void *arguments[] = {&out, &letter, &p, &ignored, &small};
    unsigned n = 5;
    void *of_scaled[] = {&out, &n};
    float f = 2.5f;
    long long l = 100;
    void *of_several[] = {&out, &f, &l};
    cudaFuncAttributes attributes;
    int blocks, grid, threads;

    cudaMalloc(&out, sizeof host);
    if (cudaLaunchKernel((const void *)mixed, dim3(2), dim3(32), arguments, 0, 0) != cudaSuccess)
        return 1;
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] != 'a' + 'b' + 40 + 7 || host[63] != host[0])
        return 2;
    if (cudaLaunchKernel(scaled<int, 3>, 1, 128, of_scaled, 1024, 0) != cudaSuccess)
        return 3;
    void *kernel = (void *)several<float, long long>;
    if (cudaLaunchKernel(kernel, 1, 1, of_several, 0, 0) != cudaSuccess)
        return 4;
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[0] != 102 || host[4] != 12)
        return 5;
    if (cudaLaunchKernel((void *)nothing, 1, 1, nullptr, 0, 0) != cudaSuccess)
        return 6;
    if (cudaFuncSetAttribute(scaled<int, 3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536) != cudaSuccess)
        return 7;
    cudaFuncGetAttributes(&attributes, scaled<int, 3>);
    if (attributes.maxDynamicSharedSizeBytes != 65536 || attributes.maxThreadsPerBlock != 128)
        return 8;
    cudaFuncGetAttributes(&attributes, (const void *)scaled<int, 4>);
    if (attributes.maxDynamicSharedSizeBytes > 49152 || attributes.maxThreadsPerBlock != 128)
        return 9;
    scaled<int, 3><<<1, 128, 65536>>>(out, 5);
    cudaFuncGetAttributes(&attributes, other);
    if (attributes.maxThreadsPerBlock != 1024)
        return 10;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scaled<int, 3>, 128, 0) != cudaSuccess || blocks < 1)
        return 11;
    if (cudaOccupancyMaxPotentialBlockSize(&grid, &threads, scaled<int, 3>, 0, 0) != cudaSuccess || threads < 32 ||
        threads > 128 || grid < 1)
        return 12;
    if (cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &threads, mixed, size_of_two) != cudaSuccess ||
        threads < 32)
        return 13;
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 14;
}
