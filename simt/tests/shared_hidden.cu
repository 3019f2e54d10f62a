// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Shared arrays of the file are hidden by parameters, and by a kernel's own array, of the same name.
extern __shared__ int data[];
__shared__ int other[32];

__device__ int sum(const volatile int *data, int n)
{
    int s = 0;

    for (int i = 0; i < n; i++)
        s += data[i];
    return s;
}

__device__ int twice(int other)
{
    return 2 * other;
}

template <int N> __global__ void own(int *out)
{
    __shared__ int data[N];

    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    auto element = [&](int i) { return data[i]; };
    if (threadIdx.x == 0)
        *out = sum(data, N) + element(3);
}

__global__ void theirs(int *out)
{
    data[threadIdx.x] = 1;
    other[threadIdx.x] = twice(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum(data, 32) + other[5];
}

int main()
{
    int *out, first, second;

    cudaMalloc(&out, sizeof *out);
    own<32><<<1, 32>>>(out);
    cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
    theirs<<<1, 32, 32 * sizeof(int)>>>(out);
    cudaMemcpy(&second, out, sizeof second, cudaMemcpyDeviceToHost);
    return first != 31 * 16 + 3 || second != 42;
}
