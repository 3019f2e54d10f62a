// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Variable templates in device memory: written and read by the host for each type that they are used with.
template <typename T, int N = 4> __constant__ T factor[N];
namespace result
{
template <class T> static __device__ T sums[4];
}

template <typename T> __global__ void multiply()
{
    result::sums<T>[threadIdx.x] = factor<T>[threadIdx.x] * factor<int, 1>[0];
}

template <typename T> bool right()
{
    const T values[4] = {1, 2, 3, 4};
    const int two = 2;
    T sums[4] = {};
    size_t size = 0;

    cudaMemcpyToSymbol(factor<T>, values, sizeof values);
    cudaMemcpyToSymbol(factor<int, 1>, &two, sizeof two);
    multiply<T><<<1, 4>>>();
    cudaMemcpyFromSymbol(sums, result::sums<T>, sizeof sums);
    cudaGetSymbolSize(&size, factor<T>);
    return sums[0] == 2 && sums[3] == 8 && size == sizeof values;
}

int main()
{
    return !(right<float>() && right<int>());
}
