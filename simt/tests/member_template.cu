// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Templates of an object whose type is a template's parameter, called without the word `template`, as nvcc takes it; and comparisons that
// look like them.
#include <cstdio>

template <int N> struct tile {
    int *memory, size;

    template <int K> __device__ int load(int i) const
    {
        return memory[i * K + N];
    }
    template <int K> __device__ int *at(int i)
    {
        return memory + K + i;
    }
    template <int K> __device__ bool size_is(int n) const
    {
        return size == n * K;
    }
};

template <typename Tile> __device__ int sum(Tile t, Tile *p, int limit)
{
    int total = t.load<2>(1) + p->load<1>(limit) + *p->at<3>(0);

    bool less = t.size < limit;
    bool more = limit > (total);

    if (less || more)
        total = 0;
    return t.size_is<2>(4) ? total : -1;
}

template <int N> __global__ void kernel(int *memory)
{
    tile<N> t = {memory, 8};

    memory[0] = sum(t, &t, 2) + t.load<3>(1);
}

int main()
{
    int host[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *memory;

    cudaMalloc(&memory, sizeof host);
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    kernel<1><<<1, 1>>>(memory);
    cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]); // 3 + 3 + 3 + 4
    return host[0] != 13;
}
