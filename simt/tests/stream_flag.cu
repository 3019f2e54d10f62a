// expect: clean
// SPDX-License-Identifier: BSD-2-Clause
//
// A kernel waits for a flag of the host, which sets it when a copy in another stream is done.
__global__ void wait(volatile int *flag, const int *x, int *y)
{
    while (*flag == 0)
        continue;
    __threadfence_system();
    y[0] = x[0];
}

int main()
{
    int *flag, *x, *y, got, *one;
    cudaStream_t a, b;

    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
    cudaMallocHost(&one, sizeof *one);
    cudaMalloc(&x, sizeof *x);
    cudaMalloc(&y, sizeof *y);
    *flag = 0;
    *one = 1;
    wait<<<1, 1, 0, a>>>(flag, x, y);
    cudaMemcpyAsync(x, one, sizeof *one, cudaMemcpyHostToDevice, b);
    cudaStreamSynchronize(b);
    *(volatile int *)flag = 1;
    cudaMemcpyAsync(&got, y, sizeof got, cudaMemcpyDeviceToHost, a);
    cudaStreamSynchronize(a);
    return got != 1;
}
