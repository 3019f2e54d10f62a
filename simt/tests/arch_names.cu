// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Types, constants, constexpr functions and launch bounds that differ by __CUDA_ARCH__: host code has the host's, device
// code the device's, also where a constant is needed.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define BOUND 64
typedef unsigned char word;
using pair = short;
static const int tile = 32;
constexpr int size = 7;
enum { mode = 2 };
#else
#define BOUND 128
typedef unsigned long long word;
using pair = int;
static const int tile = 64;
constexpr int size = 5;
enum { mode = 1 };
#endif

__host__ __device__ constexpr int width()
{
#ifdef __CUDA_ARCH__
    return 32;
#else
    return 1;
#endif
}

struct limits {
    static __host__ __device__ constexpr int most()
    {
#ifdef __CUDA_ARCH__
        return 3;
#else
        return 4;
#endif
    }
};

__host__ __device__ int sum() { return tile + size + mode + (int)sizeof(word) + (int)sizeof(pair); }

__global__ void __launch_bounds__(BOUND) kernel(int *p)
{
    __shared__ int row[width()];

    row[threadIdx.x] = sum();
    p[threadIdx.x] = row[threadIdx.x] + 1000 * (int)(sizeof row / sizeof *row) + 100000 * limits::most();
}

int main()
{
    int *p, result;
    int row[width()] = {sum()};
    cudaFuncAttributes attributes;

    cudaMalloc(&p, 32 * sizeof *p);
    kernel<<<1, 32>>>(p);
    cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost);
    cudaFuncGetAttributes(&attributes, kernel);
    cudaFree(p);
    printf("%d %d %d %d\n", result, row[0], attributes.maxThreadsPerBlock, limits::most());
    return !(result == 32 + 7 + 2 + 1 + 2 + 32000 + 300000 && row[0] == 64 + 5 + 1 + 8 + 4 &&
             sizeof row == sizeof(int) && limits::most() == 4 && attributes.maxThreadsPerBlock == 64);
}
