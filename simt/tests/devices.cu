// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Two devices: memory and streams belong to the one that was current, copies need no peer access, kernels do. The program runs
// itself again with SIMT_OPTIONS=devices=2. On a host with one GPU it does nothing.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

enum { N = 64 };

__global__ void add(int *to, const int *from)
{
    to[threadIdx.x] += from[threadIdx.x] + 1;
}

static int two_devices()
{
    int *mine, *others, got[N], can = 0, wrong = 0, device = -1;
    cudaPointerAttributes is;
    cudaStream_t stream;
    cudaEvent_t filled;

    cudaSetDevice(0);
    cudaMalloc(&mine, sizeof got);
    cudaMemset(mine, 0, sizeof got);
    cudaSetDevice(1);
    cudaGetDevice(&device);
    wrong += device != 1;
    cudaMalloc(&others, sizeof got);
    cudaStreamCreate(&stream);
    cudaEventCreate(&filled);
    cudaMemsetAsync(others, 0, sizeof got, stream);
    add<<<1, N, 0, stream>>>(others, others);
    cudaEventRecord(filled, stream);
    wrong += cudaStreamGetDevice(stream, &device) != cudaSuccess || device != 1;
    wrong += cudaPointerGetAttributes(&is, others) != cudaSuccess || is.device != 1;
    cudaSetDevice(0);
    cudaDeviceCanAccessPeer(&can, 0, 1);
    wrong += can != 1;
    wrong += cudaDeviceEnablePeerAccess(1, 0) != cudaSuccess;
    wrong += cudaDeviceEnablePeerAccess(1, 0) != cudaErrorPeerAccessAlreadyEnabled;
    cudaGetLastError();
    cudaStreamWaitEvent(0, filled, 0);
    add<<<1, N>>>(mine, others);
    wrong += cudaDeviceDisablePeerAccess(1) != cudaSuccess;
    cudaMemcpyPeer(others, 1, mine, 0, sizeof got);
    cudaMemcpy(got, others, sizeof got, cudaMemcpyDeviceToHost);
    for (int v : got)
        wrong += v != 2;
    cudaSetDevice(1);
    cudaStreamDestroy(stream);
    cudaFree(others);
    cudaSetDevice(0);
    cudaFree(mine);
    return wrong;
}

int main(int, char **arguments)
{
    int count = 0, wrong = 0;

    cudaGetDeviceCount(&count);
    if (count < 2 && !getenv("DEVICES_AGAIN")) {
        const char *options = getenv("SIMT_OPTIONS");

        setenv("SIMT_OPTIONS", ((options ? std::string(options) : "") + " devices=2").c_str(), 1);
        setenv("DEVICES_AGAIN", "yes", 1);
        execv("/proc/self/exe", arguments);
    }
    if (count >= 2)
        wrong = two_devices();
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
