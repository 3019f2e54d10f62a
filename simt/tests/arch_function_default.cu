// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Templates of functions for both sides, whose defaults depend on __CUDA_ARCH__: each side has its own.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif

template <typename T, int PTX = ARCH> __host__ __device__ int side(T)
{
    return PTX;
}

struct asks {
    template <int PTX = ARCH> __host__ __device__ int side() const { return PTX; }
    __host__ __device__ int both() const { return side() + ::side(1); }
};

__global__ void kernel(int *out)
{
    out[0] = side(1) + asks().side() + asks().both();
}

int main()
{
    int *out, seen;

    cudaMalloc(&out, sizeof seen);
    kernel<<<1, 1>>>(out);
    cudaMemcpy(&seen, out, sizeof seen, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%d %d\n", seen, side(1));
    return seen < 4 * 500 || seen % 40 != 0 || side(1) != 0 || asks().side() != 0 || asks().both() != 0;
}
