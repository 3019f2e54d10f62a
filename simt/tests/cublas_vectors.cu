// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// cublasSetVector and cublasGetVector wait as cudaMemcpy does, so a stream that does not wait for the default one may use what they copied.
#include <cstdio>
#include <cublas_v2.h>

enum { N = 20000 }; // more than the 64 KiB that are staged

__global__ void increment(float *v)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N)
        v[i] += 1;
}

int main()
{
    static float host[N];
    float *device;
    cudaStream_t stream;

    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&device, sizeof host);
    host[5] = 2;
    cublasSetVector(N, sizeof *host, host, 1, device, 1);
    increment<<<(N + 511) / 512, 512, 0, stream>>>(device);
    cudaStreamSynchronize(stream);
    cublasGetVector(N, sizeof *host, device, 1, host, 1);
    printf("%g\n", host[5]);
    return host[5] != 3;
}
