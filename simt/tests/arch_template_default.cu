// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A template of a function for both sides, whose default depends on __CUDA_ARCH__; and braces in the head of a function, behind
// its parameters.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif

template <int TIMES, int PTX = ARCH> __host__ __device__ int times(int x)
{
    return PTX < 0 ? 0 : TIMES * x;
}

struct increment {
    template <typename T> __host__ __device__ T operator()(T x) const noexcept { return x + 1; }
};

template <typename T, typename F> __host__ __device__ auto apply(T x, F f) noexcept { return f(x); }

template <typename T>
__host__ __device__ auto next(T x) noexcept(noexcept(apply(x, increment{}))) -> decltype(apply(x, increment{}))
{
    return apply(x, increment{});
}

template <template <typename> class Base> struct derived : Base<derived<Base>> {
    __host__ __device__ derived(int x) : value(next(x)) {}
    int value;
};

template <typename T> struct base {
};

__global__ void kernel(int *out)
{
    out[threadIdx.x] = times<3>(derived<base>((int)threadIdx.x).value);
}

int main()
{
    int *out, seen[32], wrong = 0;

    cudaMalloc(&out, sizeof seen);
    kernel<<<1, 32>>>(out);
    cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < 32; i++)
        wrong += seen[i] != times<3>(next(i));
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
