// expect: race
// SPDX-License-Identifier: BSD-2-Clause
//
// A relaxed store publishes nothing: the reader of the flag races with the writer of the payload.
#include <cstdio>

__device__ int payload, flag;

__global__ void message(int *out)
{
    if (threadIdx.x == 0) {
        payload = 5;
        __nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    } else if (threadIdx.x == 32) {
        while (!__nv_atomic_load_n(&flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE))
            ;
        *out = payload;
    }
}

int main()
{
    int *out, value;

    cudaMalloc(&out, sizeof *out);
    message<<<1, 64>>>(out);
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%d\n", value);
}
