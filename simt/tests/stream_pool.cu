// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// Memory is allocated and freed in the order of streams. What is freed in one stream is allocated in another one.
__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

int main()
{
    cudaStream_t a, b;
    cudaEvent_t event;
    int *x, *y;

    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&event);
    for (int i = 0; i < 3; i++) {
        cudaMallocAsync(&x, 64 * sizeof *x, a);
        fill<<<1, 64, 0, a>>>(x, 1);
        cudaEventRecord(event, a);
        cudaStreamWaitEvent(b, event, 0);
        fill<<<1, 64, 0, b>>>(x, 2);
        cudaEventRecord(event, b);
        cudaStreamWaitEvent(a, event, 0);
        cudaFreeAsync(x, a);
        cudaMallocAsync(&y, 64 * sizeof *y, b);
        fill<<<1, 64, 0, b>>>(y, 3);
        cudaFreeAsync(y, b);
    }
    for (int i = 0; i < 700; i++) { // CUDA orders what uses memory again after what used it before
        cudaStream_t stream = i % 3 ? a : b;

        cudaMallocAsync(&x, 64 * sizeof *x, stream);
        fill<<<1, 64, 0, stream>>>(x, i);
        cudaFreeAsync(x, stream);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
