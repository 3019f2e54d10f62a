// SPDX-License-Identifier: BSD-2-Clause
//
// What tests of more than 2^32 items share: device memory, and results that the device certifies. LARGE_N makes them small, to
// try them without a GPU.
#ifndef TESTS_PATTERN_LARGE_CUH
#define TESTS_PATTERN_LARGE_CUH

#include "../prim/check.cuh"
#include <samebits/pattern/transform.cuh>

#ifdef LARGE_N
static const uint64_t N = LARGE_N;
#else
static const uint64_t N = ((uint64_t)1 << 32) + 12345;
#endif

static void good(cudaError_t error, const char *what)
{
    check(error == cudaSuccess, what, N, (uint64_t)error);
}

// Device memory of the length of a test; a failed allocation is a failed check.
template <typename T> struct memory {
    T *data;

    explicit memory(uint64_t count) : data(nullptr)
    {
        good(cudaMalloc((void **)&data, count * sizeof(T)), "cudaMalloc");
        good(cudaMemset(data, 0xa5, count * sizeof(T)), "cudaMemset");
    }
    ~memory()
    {
        cudaFree(data);
    }
    memory(const memory &) = delete;
    T get(uint64_t i) const
    {
        T value;

        good(cudaMemcpy(&value, data + i, sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
        return value;
    }
};

// How many i below `count` are wrong: wrong(i) says so.
template <typename Wrong> static void certify(const char *name, uint64_t count, Wrong wrong)
{
    memory<unsigned long long> found(1);
    unsigned long long *errors = found.data;

    good(cudaMemset(errors, 0, sizeof *errors), name);
    good(sb::transform(
             [=] __device__(uint64_t i) {
                 if (wrong(i))
                     atomicAdd(errors, 1ull);
             },
             count, sb::context()),
         name);
    check(found.get(0) == 0, name, count, found.get(0));
}

// Says so, and returns false, if the device has less memory than a test needs.
static bool has_memory(uint64_t gibibytes)
{
    size_t available = 0, all = 0;

    if (cudaMemGetInfo(&available, &all) == cudaSuccess && available >= gibibytes << 30)
        return true;
    printf("# less than %llu GiB of device memory: %zu\n", (unsigned long long)gibibytes, available);
    return false;
}

#endif
