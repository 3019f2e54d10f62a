// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// __CUDA_ARCH__ is defined for the device and not for the host, in functions of each side and of both, in lambdas,
// members and templates, and a declaration may be there for one of them only.
#include <cstdio>
#ifndef __CUDA_ARCH__
#include <vector>
#endif
#include <algorithm>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error the device is 9.0
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *p, double x) { return *p += x + 100; }
#endif
#if __CUDA_ARCH__ < 600
__device__ void add(double *p, double x) { *p = x + 100; }
#else
__device__ void add(double *p, double x) { atomicAdd(p, x); }
#endif

#ifdef __CUDA_ARCH__
#define SIDE 1
__device__ static int only_there() { return 40; }
#else
#define SIDE 2
static int only_here() { return 400; }
#endif

__host__ __device__ int side()
{
#ifdef __CUDA_ARCH__
    return 10 + only_there() * (__CUDA_ARCH__ >= 900);
#else
    return 20 + only_here();
#endif
}

template <typename T> struct holder {
    T value;
    __host__ __device__ explicit holder(T v) : value{v} { value += SIDE; }
    __host__ __device__ T get() const
    {
#if !defined(__CUDA_ARCH__)
        return value * 2;
#else
        return value * 3;
#endif
    }
    __device__ int mine() const { return SIDE; }
    int ours() const { return SIDE; }
};

namespace inner {
namespace deep {
__device__ int one_side() { return SIDE; }
int other_side() { return SIDE; }
} // namespace deep
} // namespace inner

__device__ int twice(int x)
#ifdef __CUDA_ARCH__
{ return 2 * x; }
#else
{ return x; }
#endif

template <typename F> __global__ void call(F f, int *out, double *sum)
{
    out[0] = side();
    out[1] = f(5);
    holder<int> h(7);
    out[2] = h.get();
    out[3] = h.mine() + 10 * inner::deep::one_side() + 100 * twice(4);
    add(sum, 1.0);
#ifdef __CUDA_ARCH__
    out[4] = __CUDA_ARCH__ / 100;
#else
    out[4] = -1;
#endif
}

int main()
{
    int *out;
    double *sum;
    auto here = [=] __host__ __device__(int x) { return x + SIDE; }; auto there = [=] __host__ __device__(int x) { return x * SIDE + 50; };

    cudaMallocManaged(&out, 5 * sizeof *out);
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    call<<<1, 1>>>(here, out, sum);
    if (cudaDeviceSynchronize() != cudaSuccess || out[0] != 50 || out[1] != 6 || out[2] != 24 || out[3] != 811 ||
        out[4] != 9 || *sum != 1)
        return 1;
    call<<<1, 1>>>(there, out, sum);
    if (cudaDeviceSynchronize() != cudaSuccess || out[1] != 55 || there(5) != 60)
        return 2;
    holder<int> h(7);
    if (side() != 420 || here(5) != 7 || h.get() != 18 || h.ours() != 2 || inner::deep::other_side() != 2)
        return 3;
#ifdef __CUDA_ARCH__
    return 4;
#else
    std::vector<int> v = {3, 1, 2};
    std::sort(v.begin(), v.end());
    return v[0] == 1 ? 0 : 5;
#endif
}
