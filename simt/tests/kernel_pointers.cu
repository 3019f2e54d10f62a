// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Kernels by their address: cudaLaunchKernel with arguments of all sizes, attributes of one kernel that do not change another
// as it was, sizes that the occupancy functions give, and the same of <cuda_occupancy.h>.
#include <cstdio>
#include <cstring>
#include <cuda_occupancy.h>

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

// What the header says of a kernel on this device is what the runtime says.
static bool same_occupancy(const void *kernel)
{
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    cudaOccDeviceState state;
    int blocks, grid, threads, runtime_grid, runtime_threads;

    cudaGetDeviceProperties(&properties, 0);
    cudaFuncGetAttributes(&attributes, kernel);
    cudaOccDeviceProp device(properties), none;
    cudaOccFuncAttributes function(attributes);
    cudaOccResult result;
    for (int size : {1, 32, 100, 128, 129, 1024, 1025})
        for (size_t shared : {0, 5000, 49152, 49153, 65536, 65537})
            if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, size, shared) !=
                    CUDA_OCC_SUCCESS ||
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared) != cudaSuccess ||
                blocks != result.activeBlocksPerMultiprocessor)
                return false;
    return cudaOccMaxPotentialOccupancyBlockSize(&grid, &threads, &device, &function, &state) == CUDA_OCC_SUCCESS &&
           cudaOccupancyMaxPotentialBlockSize(&runtime_grid, &runtime_threads, kernel) == cudaSuccess &&
           grid == runtime_grid && threads == runtime_threads &&
           result.limitingFactors == OCC_LIMIT_WARPS + OCC_LIMIT_SHARED_MEMORY &&
           cudaOccMaxPotentialOccupancyBlockSize(&grid, &threads, &none, &function, &state) ==
               CUDA_OCC_ERROR_INVALID_INPUT;
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
    if (!same_occupancy((const void *)scaled<int, 3>) || !same_occupancy((const void *)mixed))
        return 13;
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
