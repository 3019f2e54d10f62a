// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Atomic functions with an order and a scope: sums, extremes, exchange; and a message that a release publishes.
#include <cstdio>

__device__ int total, low = 1000, high, bits, token;
__device__ float weight;
__device__ unsigned long long wide;
__device__ int payload, flag;

__global__ void all(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    __nv_atomic_fetch_add(&total, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_sub(&wide, 1ull, __NV_ATOMIC_RELAXED);
    __nv_atomic_add(&weight, 0.5f, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_min(&low, i + 3, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(&high, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_or(&bits, 1 << (i & 7), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    for (int seen = 0;
         !__nv_atomic_compare_exchange_n(&token, &seen, seen + 1, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);)
        ;
}

__global__ void message(int *out)
{
    if (blockIdx.x == 0) {
        payload = 5;
        __nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    } else {
        *out = __nv_atomic_load_n(&flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) ? payload : 5;
    }
}

int main()
{
    int *out, value, results[5];
    float sum;
    unsigned long long left;

    all<<<2, 32>>>(50);
    cudaMalloc(&out, sizeof *out);
    message<<<2, 1>>>(out);
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&results[0], total, sizeof(int));
    cudaMemcpyFromSymbol(&results[1], low, sizeof(int));
    cudaMemcpyFromSymbol(&results[2], high, sizeof(int));
    cudaMemcpyFromSymbol(&results[3], bits, sizeof(int));
    cudaMemcpyFromSymbol(&results[4], token, sizeof(int));
    cudaMemcpyFromSymbol(&sum, weight, sizeof sum);
    cudaMemcpyFromSymbol(&left, wide, sizeof left);
    cudaFree(out);
    printf("%d %d %d %d %d %d %g %lld\n", value, results[0], results[1], results[2], results[3], results[4], sum,
           (long long)left);
    return !(value == 5 && results[0] == 1225 && results[1] == 3 && results[2] == 49 && results[3] == 255 &&
             results[4] == 50 && sum == 25 && left == (unsigned long long)-50);
}
