// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Streams, events, copies and fills of kernels: two streams of the device, of which one waits for an event of the other.
__global__ void add(int *x, const int *y)
{
    x[threadIdx.x] += y[threadIdx.x];
}

__global__ void parent(int *x, int *y)
{
    cudaStream_t first, second;
    cudaEvent_t filled;

    y[threadIdx.x] = (int)threadIdx.x;
    __syncwarp();
    if (threadIdx.x)
        return;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    cudaMemsetAsync(x, 0, 32 * sizeof *x, first);
    add<<<1, 32, 0, first>>>(x, y);
    cudaEventRecord(filled, first);
    cudaStreamWaitEvent(second, filled, 0);
    add<<<1, 32, 0, second>>>(x, y);
    cudaMemcpyAsync(y, x, 32 * sizeof *x, cudaMemcpyDeviceToDevice, second);
    cudaEventDestroy(filled);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

int main()
{
    int *x, *y, host[32];

    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    parent<<<1, 32>>>(x, y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        if (host[i] != 2 * i)
            return 1;
    return cudaGetLastError() != cudaSuccess;
}
