// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Functions of one name for the host and for the device, and of all kinds that a kernel may call: constexpr ones, members whose
// __device__ stands at the declaration, templates, lambdas, functions of the C++ library. Those of the host are not checked.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int twice(const int *p)
{
    return 2 * *p;
}

struct reader {
    const int *from;

    __device__ int at(int i) const;
    int at(long i) const { return from[i]; }
};

__device__ int reader::at(int i) const
{
    return from[i];
}

template <class T> __host__ __device__ T sum(const T *p, int n)
{
    T total = 0;

    for (int i = 0; i < n; i++)
        total += p[i];
    return total;
}

template <class F> __global__ void apply(int *out, F f)
{
    out[threadIdx.x] = f(threadIdx.x);
}

__global__ void ask(const int *in, int *out, int n)
{
    int i = threadIdx.x;

    out[i] = twice(&in[i]) + reader{in}.at(i);
    out[i] += std::max(in[i], in[n - 1]) + sum(in, n);
}

static int expected(const std::vector<int> &in, int i)
{
    reader host{in.data()};

    return 3 * host.at((long)i) + *std::max_element(in.begin(), in.end()) + sum(in.data(), (int)in.size());
}

int main()
{
    std::vector<int> in(32), got(32);
    int *p, *q, wrong = 0, size = 32;

    for (int i = 0; i < 32; i++)
        in[i] = i * i;
    cudaMalloc(&p, 32 * sizeof *p);
    cudaMalloc(&q, 32 * sizeof *q);
    cudaMemcpy(p, in.data(), 32 * sizeof *p, cudaMemcpyHostToDevice);
    ask<<<1, 32>>>(p, q, size);
    cudaMemcpy(got.data(), q, 32 * sizeof *q, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += got[i] != expected(in, i);
    apply<<<1, 32>>>(q, [p] __device__(int i) { return p[i] + 1; });
    cudaMemcpy(got.data(), q, 32 * sizeof *q, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += got[i] != in[i] + 1;
    cudaFree(p);
    cudaFree(q);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
