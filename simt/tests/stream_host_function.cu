// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The host goes on when a function of the stream has set a flag, and needs no other synchronisation.
#include <atomic>

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

__global__ void add(int *x)
{
    x[threadIdx.x] += 1;
}

static std::atomic<int> ready;

int main()
{
    cudaStream_t a, b;
    int got[32], *x;

    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMalloc(&x, sizeof got);
    fill<<<1, 32, 0, a>>>(x);
    cudaLaunchHostFunc(a, [](void *flag) { *(std::atomic<int> *)flag = 1; }, &ready);
    while (!ready)
        cudaStreamQuery(b);
    add<<<1, 32, 0, b>>>(x);
    cudaMemcpyAsync(got, x, sizeof got, cudaMemcpyDeviceToHost, b);
    cudaStreamSynchronize(b);
    return got[31] != 2;
}
