// expect: api check
// SPDX-License-Identifier: BSD-2-Clause
//
// The host calls a function that only the device has: nvcc, without a warning, makes the call end the program.
template <class T> __device__ T rounded_up(T n, T unit)
{
    return (n + unit - 1) / unit;
}

template <class T> __device__ T last(T n)
{
    return rounded_up<T>(n, 64) * 64 - 1;
}

template <class T> __global__ void fill(T *to, T n)
{
    T i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = last(n) - i;
}

template <class T> int run(T n)
{
    T *to, out[150];

    cudaMalloc(&to, n * sizeof *to);
    fill<<<rounded_up<T>(n, 64), 64>>>(to, n);
    cudaMemcpy(out, to, n * sizeof *to, cudaMemcpyDeviceToHost);
    for (T i = 0; i < n; i++)
        if (out[i] != 191 - i)
            return 1;
    cudaFree(to);
    return 0;
}

int main()
{
    return run<int>(150);
}
