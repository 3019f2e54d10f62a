// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Every atomic function for every type that CUDA has it for, at every scope: what it returns and what it leaves.
__device__ int failed;

template <typename T, typename F> __device__ void one(T before, T after, int line, F f)
{
    __shared__ T in_block;
    static __device__ T in_device;
    T *places[] = {&in_block, &in_device};

    for (int i = 0; i < 2; i++) {
        *places[i] = before;
        if (f(places[i]) != before || *places[i] != after)
            atomicCAS(&failed, 0, line);
    }
}

#define CASE(T, name, before, after, ...)                                                                              \
    one<T>(before, after, __LINE__, [](T *p) { return name(p, __VA_ARGS__); });                                        \
    one<T>(before, after, __LINE__, [](T *p) { return name##_block(p, __VA_ARGS__); });                                \
    one<T>(before, after, __LINE__, [](T *p) { return name##_system(p, __VA_ARGS__); })

typedef unsigned long long wide;
const wide big = 1ull << 63;

__global__ void integers()
{
    CASE(int, atomicAdd, 2147483647, -2147483647 - 1, 1);
    CASE(unsigned, atomicAdd, 4294967295u, 1u, 2u);
    CASE(wide, atomicAdd, big, 5ull, big + 5);
    CASE(int, atomicSub, -2147483647 - 1, 2147483647, 1);
    CASE(unsigned, atomicSub, 1u, 4294967295u, 2u);
    CASE(int, atomicExch, 1, -2, -2);
    CASE(unsigned, atomicExch, 1u, 2u, 2u);
    CASE(wide, atomicExch, 1ull, big, big);
    CASE(int, atomicMin, 1, -2, -2);
    CASE(unsigned, atomicMin, 1u, 1u, 4294967294u);
    CASE(long long, atomicMin, 1ll, (long long)big, (long long)big);
    CASE(wide, atomicMin, 1ull, 1ull, big);
    CASE(int, atomicMax, 1, 1, -2);
    CASE(unsigned, atomicMax, 1u, 4294967294u, 4294967294u);
    CASE(long long, atomicMax, 1ll, 1ll, (long long)big);
    CASE(wide, atomicMax, 1ull, big, big);
    CASE(unsigned, atomicInc, 4u, 0u, 4u);
    CASE(unsigned, atomicInc, 3u, 4u, 4u);
    CASE(unsigned, atomicInc, 9u, 0u, 4u);
    CASE(unsigned, atomicDec, 0u, 4u, 4u);
    CASE(unsigned, atomicDec, 4u, 3u, 4u);
    CASE(unsigned, atomicDec, 9u, 4u, 4u);
}

__global__ void bits_and_numbers()
{
    CASE(int, atomicAnd, -4, 12, 15);
    CASE(unsigned, atomicAnd, 12u, 8u, 10u);
    CASE(wide, atomicAnd, big | 3, big | 1, big | 1);
    CASE(int, atomicOr, 12, -4, -4);
    CASE(unsigned, atomicOr, 12u, 14u, 10u);
    CASE(wide, atomicOr, 3ull, big | 3, big);
    CASE(int, atomicXor, -1, 0, -1);
    CASE(unsigned, atomicXor, 12u, 6u, 10u);
    CASE(wide, atomicXor, big | 1, 3ull, big | 2);
    CASE(int, atomicCAS, -5, 6, -5, 6);
    CASE(unsigned, atomicCAS, 5u, 5u, 4u, 6u);
    CASE(wide, atomicCAS, big, 6ull, big, 6ull);
    one<unsigned short>(65535, 6, __LINE__, [](unsigned short *p) {
        return atomicCAS(p, (unsigned short)65535, (unsigned short)6);
    });
    CASE(float, atomicAdd, 16777216.0f, 16777218.0f, 3.0f - 1.0f);
    CASE(double, atomicAdd, 0.5, 0.25, -0.25);
    CASE(float, atomicExch, 1.0f, -2.5f, -2.5f);
}

int main()
{
    int line;

    integers<<<1, 1>>>();
    bits_and_numbers<<<1, 1>>>();
    if (cudaMemcpyFromSymbol(&line, failed, sizeof line) != cudaSuccess)
        return 1;
    return line;
}
