// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// The host reads and writes managed, pinned and registered memory beside work in streams, and waits for what concerns it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void square(int *x)
{
    x[threadIdx.x] *= x[threadIdx.x];
}

__global__ void count(const int *x, int *even)
{
    if (x[threadIdx.x] % 2 == 0)
        atomicAdd(even, 1);
}

int main()
{
    const int n = 64;
    int *managed, *even, *device, *pinned[2], *registered = (int *)malloc(n * sizeof(int)), sum = 0;
    cudaStream_t stream;
    cudaEvent_t copied[2];

    cudaMallocManaged(&managed, 2 * n * sizeof(int));
    cudaMallocManaged(&even, sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < 2; i++) {
        cudaMallocHost(&pinned[i], n * sizeof(int));
        cudaEventCreate(&copied[i]);
    }
    cudaHostRegister(registered, n * sizeof(int), cudaHostRegisterDefault);

    // managed memory: the kernel and the host have a half each
    for (int i = 0; i < 2 * n; i++)
        managed[i] = i;
    *even = 0;
    square<<<1, n>>>(managed);
    for (int i = n; i < 2 * n; i++)
        managed[i] = managed[i] * managed[i];
    count<<<1, n>>>(managed, even);
    sum += managed[n];
    cudaDeviceSynchronize();
    sum += managed[n - 1] + *even;
    managed[0] = 1;

    // two pinned buffers in turn: the host fills one while the other is copied
    for (int round = 0; round < 6; round++) {
        int *buffer = pinned[round % 2];

        cudaEventSynchronize(copied[round % 2]);
        memset(buffer, round, n * sizeof(int));
        cudaMemcpyAsync(device, buffer, n * sizeof(int), cudaMemcpyHostToDevice, stream);
        cudaEventRecord(copied[round % 2], stream);
        square<<<1, n, 0, stream>>>(device);
    }
    cudaMemcpyAsync(registered, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    sum += registered[0];
    for (int i = 0; i < n; i++)
        registered[i] = i;
    cudaMemcpyAsync(device, registered, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    while (cudaStreamQuery(stream) == cudaErrorNotReady)
        continue;
    registered[0] = 5;

    // fills of pinned memory and copies within the host are done when the call returns
    cudaMemset(pinned[0], 1, n * sizeof(int));
    sum += pinned[0][0];
    cudaMemcpyAsync(pinned[1], pinned[0], n * sizeof(int), cudaMemcpyHostToHost, stream);
    sum += pinned[1][0];
    printf("%d\n", sum);
    cudaHostUnregister(registered);
    return 0;
}
