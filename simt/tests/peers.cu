// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A device is no peer of itself; copies between peers, which are the same device; a callback of a stream runs after its kernel.
#include <cstdio>

static int *seen, order;

__global__ void fill(int *p) { p[threadIdx.x] = 3 * threadIdx.x; }

static void CUDART_CB after(cudaStream_t, cudaError_t status, void *what)
{
    order = order * 10 + *(int *)what + (status != cudaSuccess) + (seen[5] != 15);
}

int main()
{
    cudaDeviceProp properties;
    cudaStream_t stream;
    int *p, *q, got[32], can = 7, one = 1, two = 2, mode, wrong = 0;

    wrong += cudaGetDeviceProperties(&properties, 0) != cudaSuccess;
    wrong += cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0) != cudaSuccess || mode == cudaComputeModeProhibited;
    wrong += cudaDeviceCanAccessPeer(&can, 0, 0) != cudaSuccess || can != 0;
    cudaMalloc(&p, sizeof got);
    cudaMalloc(&q, sizeof got);
    cudaMallocManaged(&seen, sizeof got);
    cudaStreamCreate(&stream);
    fill<<<1, 32, 0, stream>>>(p);
    wrong += cudaMemcpyPeerAsync(seen, 0, p, 0, sizeof got, stream) != cudaSuccess;
    wrong += cudaStreamAddCallback(stream, after, &one, 0) != cudaSuccess;
    wrong += cudaStreamAddCallback(stream, after, &two, 0) != cudaSuccess;
    wrong += cudaStreamSynchronize(stream) != cudaSuccess || order != 12;
    wrong += cudaMemcpyPeer(q, 0, p, 0, sizeof got) != cudaSuccess;
    cudaMemcpy(got, q, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        wrong += got[i] != 3 * i;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
