// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Every type and shape of nvcuda::wmma, with matrices by rows and by columns, on small integers: each element of the result is compared
// with a plain loop.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <typename T> struct memory {
    using type = T;
    static __device__ void set(T *at, int i, int value)
    {
        at[i] = (T)(float)value;
    }
};

template <> struct memory<wmma::precision::tf32> : memory<float> {
};

// Elements of less than 8 bits share a number.
template <typename T, int bits> struct packed {
    using type = T;
    static __device__ void set(T *at, int i, int value)
    {
        at[i / (32 / bits)] |= (T)(((unsigned)value & ((1u << bits) - 1)) << i % (32 / bits) * bits);
    }
};

template <> struct memory<wmma::experimental::precision::s4> : packed<int, 4> {
};

template <> struct memory<wmma::experimental::precision::u4> : packed<unsigned, 4> {
};

template <> struct memory<wmma::experimental::precision::b1> : packed<unsigned, 1> {
};

template <typename T> constexpr int low = -2;
template <> constexpr int low<unsigned char> = 0;
template <> constexpr int low<wmma::experimental::precision::u4> = 0;
template <> constexpr int low<wmma::experimental::precision::b1> = 0;

template <typename T> __device__ int number(int i, int j)
{
    return (i * 5 + j * 3 + i * j) % (std::is_same_v<T, wmma::experimental::precision::b1> ? 2 : 5) + low<T>;
}

using bit = wmma::experimental::precision::b1;

template <typename A, typename B, typename C> __device__ void multiply(C &d, const A &a, const B &b, const C &c, bit *)
{
    wmma::bmma_sync(d, a, b, c);
}

template <typename A, typename B, typename C, typename T>
__device__ void multiply(C &d, const A &a, const B &b, const C &c, T *)
{
    wmma::mma_sync(d, a, b, c);
}

template <typename T, int m, int n, int k, typename S, typename Rows, typename Columns>
__global__ void product(int *wrong) // which is the number of elements before
{
    constexpr bool a_by_rows = std::is_same_v<Rows, wmma::row_major>,
                   b_by_rows = std::is_same_v<Columns, wmma::row_major>;
    using M = memory<T>;
    __shared__ __align__(32) typename M::type a[m * k], b[k * n];
    __shared__ __align__(32) S c[m * n], d[m * n];
    wmma::fragment<wmma::matrix_a, m, n, k, T, Rows> x;
    wmma::fragment<wmma::matrix_b, m, n, k, T, Columns> y;
    wmma::fragment<wmma::accumulator, m, n, k, S> sum;

    if (threadIdx.x == 0) {
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        for (int i = 0; i < m * k; i++)
            M::set(a, a_by_rows ? i : i % k * m + i / k, number<T>(i / k, i % k));
        for (int i = 0; i < k * n; i++)
            M::set(b, b_by_rows ? i : i % n * k + i / n, number<T>(i / n, i % n));
    }
    for (int i = threadIdx.x; i < m * n; i += 32)
        c[i] = (S)(float)(i % 7 - 3);
    __syncwarp();
    wmma::load_matrix_sync(x, a, a_by_rows ? k : m);
    wmma::load_matrix_sync(y, b, b_by_rows ? n : k);
    wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
    multiply(sum, x, y, sum, (T *)nullptr);
    wmma::store_matrix_sync(d, sum, m, wmma::mem_col_major);
    __syncwarp();
    for (int i = threadIdx.x; i < m * n; i += 32) {
        int expected = i % 7 - 3;

        for (int l = 0; l < k; l++)
            expected += std::is_same_v<T, bit> ? number<T>(i / n, l) ^ number<T>(l, i % n)
                                               : number<T>(i / n, l) * number<T>(l, i % n);
        if ((float)d[i % n * m + i / n] == (float)expected)
            atomicSub(wrong, 1);
    }
}

static int right_products = 0;

template <typename T, int m, int n, int k, typename S, typename Rows, typename Columns> void check(const char *name)
{
    int *wrong, count = m * n;

    cudaMalloc(&wrong, sizeof *wrong);
    cudaMemcpy(wrong, &count, sizeof count, cudaMemcpyHostToDevice);
    product<T, m, n, k, S, Rows, Columns><<<1, 32>>>(wrong);
    cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(wrong);
    printf("%s %dx%dx%d: %d wrong\n", name, m, n, k, count);
    right_products += count == 0;
}

using wmma::col_major;
using wmma::row_major;

template <typename T, typename S> void check_shapes(const char *name)
{
    check<T, 16, 16, 16, S, row_major, row_major>(name);
    check<T, 32, 8, 16, S, row_major, col_major>(name);
    check<T, 8, 32, 16, S, col_major, row_major>(name);
}

int main()
{
    check_shapes<half, float>("half, float");
    check_shapes<half, half>("half, half");
    check_shapes<__nv_bfloat16, float>("bfloat16");
    check_shapes<signed char, int>("signed char");
    check_shapes<unsigned char, int>("unsigned char");
    check<wmma::precision::tf32, 16, 16, 8, float, col_major, col_major>("tf32");
    check<double, 8, 8, 4, double, row_major, col_major>("double");
    check<wmma::experimental::precision::s4, 8, 8, 32, int, row_major, col_major>("s4");
    check<wmma::experimental::precision::u4, 8, 8, 32, int, row_major, col_major>("u4");
    check<bit, 8, 8, 128, int, row_major, col_major>("b1");
    return right_products != 5 * 3 + 5;
}
