// SPDX-License-Identifier: BSD-2-Clause
//
// What the tests of the device layer share: TAP, arrays in device memory, random numbers, and operators whose results a
// plain loop of the host can check. A program prints a TAP line for each primitive, and exits with 1 if one fails.
#ifndef TESTS_PRIM_CHECK_CUH
#define TESTS_PRIM_CHECK_CUH

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vector>

static unsigned test_number, failed_checks, failed_tests;

// Counts a failed check, and shows the first few of a test.
static inline void check(bool good, const char *what, uint64_t size, uint64_t index)
{
    if (!good && failed_checks++ < 3)
        printf("# %s: wrong for size %llu at index %llu\n", what, (unsigned long long)size, (unsigned long long)index);
}

// Ends a test: all checks since the last one.
static inline void end_test(const char *name)
{
    if (cudaDeviceSynchronize() != cudaSuccess)
        check(false, cudaGetErrorString(cudaGetLastError()), 0, 0);
    printf("%sok %u - %s\n", failed_checks != 0 ? "not " : "", ++test_number, name);
    failed_tests += failed_checks != 0;
    failed_checks = 0;
}

static inline int end_tests(void)
{
    printf("1..%u\n", test_number);
    return failed_tests != 0;
}

// A linear congruential generator (Knuth's MMIX constants), of which the upper bits are used.
static inline uint64_t random_number(void)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33 ^ state << 24;
}

// `count` elements in device memory, at least one; copied from and to the host as a whole.
template <typename T> struct device_array {
    T *data;
    size_t count;

    explicit device_array(const std::vector<T> &from) : data(nullptr), count(from.size())
    {
        if (cudaMalloc((void **)&data, (count + 1) * sizeof(T)) != cudaSuccess)
            check(false, "cudaMalloc", count, 0);
        if (count != 0)
            cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~device_array()
    {
        cudaFree(data);
    }
    device_array(const device_array &) = delete;
    std::vector<T> get() const
    {
        std::vector<T> all(count);

        if (count != 0 && cudaMemcpy(all.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
            check(false, "cudaMemcpy", count, 0);
        return all;
    }
};

// The map x -> a x + b modulo 2^32: composition is associative and does not commute.
struct affine {
    uint32_t a, b;
};

static inline bool operator==(const affine &x, const affine &y)
{
    return x.a == y.a && x.b == y.b;
}

template <typename Move> __device__ affine map_words(affine value, Move move)
{
    return {move(value.a), move(value.b)};
}

struct compose {
    __host__ __device__ affine operator()(affine first, affine second) const
    {
        return {first.a * second.a, second.a * first.b + second.b};
    }
};

// A random value of a type. Of floats only small integers, whose sums are exact.
template <typename T> static inline T random_value(void)
{
    return (T)random_number();
}

template <> inline float random_value<float>(void)
{
    return (float)(random_number() % 1000);
}

template <> inline double random_value<double>(void)
{
    return (double)(random_number() % 1000000);
}

template <> inline affine random_value<affine>(void)
{
    return {(uint32_t)random_number() | 1, (uint32_t)random_number()};
}

template <typename T> static std::vector<T> random_values(size_t count)
{
    std::vector<T> all;

    for (size_t i = 0; i < count; i++)
        all.push_back(random_value<T>());
    return all;
}

template <typename T>
static void check_equal(const std::vector<T> &got, const std::vector<T> &expected, const char *what, uint64_t size)
{
    check(got.size() == expected.size(), what, size, got.size());
    for (size_t i = 0; i < got.size() && i < expected.size(); i++)
        check(got[i] == expected[i], what, size, i);
}

#endif
