// SPDX-License-Identifier: BSD-2-Clause
//
// CUB's radix sort, a program of ordinary.h of its own: its headers take most of the time to compile, and are part of the CUDA toolkit.
#include "ordinary.h"

#include <cub/device/device_radix_sort.cuh>

using namespace ordinary;

static double radix_sort(const unsigned *a, size_t words, const unsigned *, size_t, unsigned *out, size_t, unsigned n)
{
    unsigned *in, *sorted;
    void *space = nullptr;
    size_t size = 0;
    double start, seconds;

    if (cudaMalloc(&in, 4 * words) != cudaSuccess || cudaMalloc(&sorted, 4 * words) != cudaSuccess)
        return -1;
    cudaMemcpy(in, a, 4 * words, cudaMemcpyHostToDevice);
    cub::DeviceRadixSort::SortKeys(space, size, in, sorted, (int)n);
    if (cudaMalloc(&space, size) != cudaSuccess)
        return -1;
    start = now();
    cub::DeviceRadixSort::SortKeys(space, size, in, sorted, (int)n);
    seconds = cudaDeviceSynchronize() == cudaSuccess ? now() - start : -1;
    cudaMemcpy(out, sorted, 4 * words, cudaMemcpyDeviceToHost);
    cudaFree(space);
    cudaFree(in);
    cudaFree(sorted);
    return seconds;
}

int main(int count, char **words)
{
    static const entry entries[] = {{"radix_sort", radix_sort}};

    return main_of(count, words, entries, 1);
}
