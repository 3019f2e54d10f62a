// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// What headers of libraries make of __CUDA_ARCH__: a pragma in a constexpr function, a constant whose words differ, a type as the default
// of a class template, and a template with a parameter without a name.
#include <cstdint>
#include <cstdio>

#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#define UNROLL _Pragma("unroll")
#define CONSTANT static const __device__
#else
#define ARCH 0
#define UNROLL
#define CONSTANT static constexpr
#endif

struct twice {
    __host__ __device__ constexpr int operator()(int x) const { return 2 * x; }
};

CONSTANT twice doubled;

__host__ __device__ constexpr int sum(int n)
{
    int total = 0;

    UNROLL
    for (int i = 0; i < n; i++)
        total += i;
    return total;
}

template <typename T, typename Word =
#ifdef __CUDA_ARCH__
                          uint16_t
#else
                          uint8_t
#endif
          ,
          class = void>
struct packed : std::bool_constant<(sizeof(T) > 0 && sizeof(Word) > 0)> {
    Word word;
    __host__ __device__ packed<T> next() const { return {{}, (Word)(word + 1)}; }
};

template <typename T> __host__ __device__ packed<T> pack(T x)
{
    return packed<T>{{}, (decltype(packed<T>::word))x};
}

template <typename, int A = ARCH, class = void> struct tuned {
    static const int size = A;
};

__global__ void kernel(int *out, packed<int> given)
{
    out[0] = sum(4) + doubled(10);
    out[1] = pack(30).next().word + given.word;
    out[2] = tuned<int>::size + tuned<int, 5>::size;
    out[3] = given.value;
}

int main()
{
    int *memory, out[4];

    cudaMalloc(&memory, sizeof out);
    kernel<<<1, 1>>>(memory, pack(300));
    cudaMemcpy(out, memory, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    printf("%d %d %d %d\n", out[0], out[1], out[2], tuned<int>::size);
    return out[0] != 26 || out[1] != 331 || out[2] != 905 || out[3] != 1 || tuned<int>::size != 0;
}
