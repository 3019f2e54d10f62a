/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the programs of this directory share: pseudo-random input, and the end of a program. Each program computes the
 * result a second time on the host, exits with 1 where they differ, and prints one line.
 */
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Numbers below `limit`, the same in each run (a linear congruential generator, Knuth's MMIX). */
inline std::vector<unsigned> numbers(size_t count, unsigned limit)
{
    std::vector<unsigned> all(count);
    unsigned long long state = 1;

    for (unsigned &one : all) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        one = (unsigned)(state >> 33) % limit;
    }
    return all;
}

template <typename T> T *on_device(const std::vector<T> &from)
{
    T *to;

    CUDA(cudaMalloc(&to, from.size() * sizeof(T)));
    CUDA(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

template <typename T> T *device_memory(size_t count)
{
    T *memory;

    CUDA(cudaMalloc(&memory, count * sizeof(T)));
    return memory;
}

template <typename T> std::vector<T> on_host(const T *from, size_t count)
{
    std::vector<T> to(count);

    CUDA(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

/* Calls an algorithm of CUB twice: the first call says how much temporary memory the second needs. */
template <typename Call> void with_memory(Call call)
{
    void *memory = nullptr;
    size_t bytes = 0;

    CUDA(call(memory, bytes));
    CUDA(cudaMalloc(&memory, bytes));
    CUDA(call(memory, bytes));
    CUDA(cudaFree(memory));
}

inline int verdict(bool good, const char *what)
{
    CUDA(cudaDeviceSynchronize());
    printf("%s: %s\n", what, good ? "right" : "wrong");
    return !good;
}

#endif
