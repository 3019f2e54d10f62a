// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Streams, events, asynchronous copies and their errors.
__global__ void twice(int *x)
{
    x[threadIdx.x] *= 2;
}

int main()
{
    int data[32], *host, *device;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    float milliseconds = -1;

    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMallocHost(&host, sizeof data);
    cudaMalloc(&device, sizeof data);
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaEventRecord(start, stream);
    cudaMemcpyAsync(device, host, sizeof data, cudaMemcpyHostToDevice, stream);
    twice<<<1, 32, 0, stream>>>(device);
    cudaMemcpyAsync(host, device, sizeof data, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(stop, stream);
    cudaStreamSynchronize(stream);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&milliseconds, start, stop);
    for (int i = 0; i < 32; i++)
        if (host[i] != 2 * i)
            return 1;
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
    cudaFree(device);
    return !(milliseconds >= 0 && cudaGetLastError() == cudaSuccess);
}
