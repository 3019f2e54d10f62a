// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Arguments that get their type from the kernel's parameter: 0, NULL and braced lists; launches with commas in template
// arguments, configurations from macros, pointers to kernels, host lambdas; and the words that nvcc knows.
#include <cuda_runtime.h>
struct dims { int w, h; };
struct three { float x, y, z; };
template <class T, int N> struct box { static const int value = N; T v; };
__global__ void a(int *p, int *null, dims d, three t) { p[0] = null ? 1 : d.w * 10 + d.h + (int)t.z; }
template <typename T> __global__ void b(T *p, T x, const T *q) { p[1] = x + (q == nullptr); }
template <typename A, typename B, int N = 2> __global__ void c(int *p, A x, B y) { p[2] = (int)(x + y) * N; }
#define STREAM 0
#define CONFIG(n) dim3(1, 1), dim3(n, 1, 1), 0, STREAM
extern "C" __global__ void d(int *p, const __grid_constant__ dims e) { p[3] = e.w + e.h; }
__constant__ int table[4] = {1, 2, 3, 4};
__managed__ int counter = 5;
__device__ __forceinline__ int plus1(int x) { return x + 1; }
__device__ __noinline__ int plus2(int x) { return x + 2; }
struct __align__(16) aligned { int x; };
__global__ void e(int *__restrict__ p, aligned v) {
  int sum = 0;
#pragma unroll 4
  for (int i = 0; i < 4; i++) sum += table[i];
  p[4] = plus1(plus2(sum)) + v.x; counter++; }
template <class K, class... A> void go(K k, int n, A... args) { k<<<1, n>>>(args...); }
int main()
{
    int *p, h[5];
    cudaStream_t s; cudaStreamCreate(&s);
    cudaMalloc(&p, sizeof h);
    int w = 4;
    a<<<1, 1>>>(p, NULL, {w, 2}, {1.f, 2.f, 3.f});
    b<int><<<1, 1, 0, s>>>(p, 7, 0);
    b<<<1, 1, 0, s>>>(p, 7, (const int *)0);
    c<int, float, box<int, 3>::value><<<CONFIG(1)>>>(p, 1, 2.5f);
    auto host = [&](int n) { d<<<n, n, 0, 0>>>(p, {n, n + 1}); };
    host(1);
    void (*pointer)(int *, aligned) = e;
    pointer<<<1, 1>>>(p, {5});
    go(c<int, int>, 1, p, 10, 20);
    if (cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost)) return 9;
    const int expected[] = {45, 8, 60, 3, 18};
    for (int i = 0; i < 5; i++)
        if (h[i] != expected[i])
            return i + 1;
    return counter != 6;
}
