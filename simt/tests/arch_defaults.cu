// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Class templates whose defaults depend on __CUDA_ARCH__, and enumerators and constants of classes that do: host code has the
// host's, device code the device's.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
#define ARCH 0
#endif

template <typename T, int UNIT = 4, int A = ARCH> struct tuned;

template <typename T, int UNIT, int A> struct tuned {
    static const int size = UNIT * (A >= 900 ? 2 : 1);
};

template <typename T> struct tuned<T *, 4, ARCH> {
    static const int size = 5;
};

enum side { FIRST = ARCH / 100, SECOND };

struct tile {
#ifdef __CUDA_ARCH__
    enum { width = 32, height = 8 };
    static constexpr int depth = 2;
#else
    enum { width = 64, height = 16 };
    static constexpr int depth = 4;
#endif
    int value;
};

template <int A = ARCH, typename... T> __host__ __device__ int count(T...)
{
    return (int)sizeof...(T);
}

__host__ __device__ int sum()
{
    return 1000000 * tuned<char>::size + 10000 * tile::height + 100 * SECOND + 10 * tile::depth + count(1, 2);
}

__global__ void ask(int *p, tile t)
{
    p[0] = sum();
    p[1] = tuned<int *>::size + t.value;
    p[2] = tuned<float, 4>::size + tuned<float, 4, 900>::size + tuned<float, 3, 0>::size;
}

int main()
{
    int *p, got[3];

    cudaMalloc(&p, sizeof got);
    ask<<<1, 1>>>(p, tile{1});
    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("%d %d %d\n", got[0], got[1], got[2]);
    printf("%d %d %d\n", sum(), tuned<int *>::size, tuned<float, 4>::size);
    return got[0] != 8081022 || got[1] != 6 || got[2] != 19 || sum() != 4160142 || tuned<int *>::size != 5;
}
